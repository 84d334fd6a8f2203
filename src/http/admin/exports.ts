/** Users, payments and vouchers as CSV, made while they are sent: a million rows take no more memory than a few. */
import { setImmediate } from 'node:timers/promises';
import * as contract from '../../contract/exports.ts';
import { hasAccess } from '../../domain/access.ts';
import { formatAmount } from '../../domain/money.ts';
import { dayOf, type Instant, SECONDS_PER_HOUR } from '../../domain/time.ts';
import type { IdRange } from '../../domain/transaction.ts';
import type { Voucher } from '../../domain/vouchers.ts';
import { createCodeReadLog } from '../code-readers.ts';
import type { Context } from '../context.ts';
import { type Cell, csvFile, csvLine } from '../csv.ts';
import { camelCased } from '../names.ts';
import type { Api } from '../route.ts';
import { paymentFilterOf } from './payments.ts';
import { userFilterOf } from './users.ts';

export function exportRoutes(api: Api, context: Context): void {
  const { reads, clock, policy, defaultCountry } = context;
  const codeReads = createCodeReadLog(context);
  const attachment = (name: string, pieces: AsyncIterable<string>) =>
    csvFile(`${name}-${dayOf(clock.now(), policy.timeZone)}`, pieces);

  api.handle(contract.exportUsers, ({ query }) => {
    const filter = userFilterOf(query, defaultCountry);
    const now = clock.now();
    const pieces = csvOf({
      columns: USER_COLUMNS,
      lastId: reads.users.lastId(),
      records: reads.users.walk(filter, now),
      cells: user => [
        user.id,
        user.phone,
        user.isActive,
        hasAccess(user, now),
        user.paidUntil,
        user.maxDevices,
        reads.devices.countOfUser(user.id),
        reads.payments.countCompletedOfUser(user.id),
        user.createdAt,
        user.name,
        user.note,
      ],
    });
    return attachment('users', pieces);
  });

  api.handle(contract.exportPayments, ({ query }) => {
    const filter = paymentFilterOf(query, defaultCountry);
    const pieces = csvOf({
      columns: PAYMENT_COLUMNS,
      lastId: reads.payments.lastId(),
      records: reads.payments.walk(filter),
      cells: payment => [
        payment.id,
        payment.phone,
        payment.bundleName,
        formatAmount(payment.amount),
        payment.amount.currency,
        payment.status,
        payment.method,
        payment.orderReference,
        payment.paymentReference,
        payment.transactionId,
        payment.paymentChannel,
        payment.receiptNumber,
        payment.soldBy,
        formatAmount({ ...payment.amount, minor: reads.refunds.refundedMinor(payment.id) }),
        payment.review,
        payment.createdAt,
        payment.completedAt,
      ],
    });
    return attachment('payments', pieces);
  });

  api.handle(contract.exportVouchers, ({ query, actor }) => {
    codeReads.record({ subject: 'export', codes: 'all of a filter', actor });
    const now = clock.now();
    const pieces = csvOf({
      columns: VOUCHER_COLUMNS,
      lastId: reads.vouchers.lastId(),
      records: reads.vouchers.walk(camelCased(query)),
      cells: voucher => [
        voucher.id,
        voucher.code,
        voucher.bundleName,
        voucher.durationSeconds / SECONDS_PER_HOUR,
        voucher.batchId,
        stateOf(voucher, now),
        voucher.soldBy ?? voucher.madeBy,
        voucher.createdAt,
        voucher.expiresAt,
        voucher.usedByPhone,
        voucher.usedAt,
        voucher.revokedBy,
        voucher.revokedAt,
        voucher.madeBy,
        voucher.soldAt,
        voucher.price && formatAmount(voucher.price),
      ],
    });
    return attachment('vouchers', pieces);
  });
}

const columns = (names: string): string[] => names.split(' ');

const USER_COLUMNS = columns(
  'id phone_number is_active has_active_access paid_until max_devices device_count payment_count created_at ' +
    'name note',
);
const PAYMENT_COLUMNS = [
  ...columns('id phone_number bundle_name amount currency status method order_reference payment_reference'),
  ...columns('transaction_id payment_channel receipt_number sold_by refunded_amount review created_at completed_at'),
];
const VOUCHER_COLUMNS = columns(
  'id code bundle duration_hours batch_id state sold_by created_at expires_at used_by used_at revoked_by revoked_at made_by sold_at price',
);

function stateOf(voucher: Voucher, now: Instant): 'used' | 'revoked' | 'expired' | 'unused' {
  if (voucher.usedAt !== null) return 'used';
  if (voucher.revokedAt !== null) return 'revoked';
  return voucher.expiresAt <= now ? 'expired' : 'unused';
}

interface Export<Record> {
  columns: readonly string[];
  lastId: number;
  /** Those among these ids, newest first. */
  records: (ids: IdRange) => Record[];
  cells: (record: Record) => Cell[];
}

/** Ids looked at in one go: under a millisecond of work, and little enough to be gone before V8 takes it for long-lived. */
const WIDTH = 20;

/** Goes down the ids range by range, so that no read is held open and rows that come meanwhile are left out. */
async function* csvOf<Record>({ columns: head, lastId, records, cells }: Export<Record>): AsyncGenerator<string> {
  yield csvLine(head);
  for (let below = lastId + 1; below > 1; below -= WIDTH) {
    const lines = records({ lowest: below - WIDTH, below }).map(record => csvLine(cells(record)));
    if (lines.length > 0) yield lines.join('');
    // Lets other requests run between two ranges.
    await setImmediate();
  }
}
