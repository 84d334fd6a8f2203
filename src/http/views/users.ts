/** People as staff see them. See docs/interface.md: User. */
import * as contract from '../../contract/users.ts';
import { hasAccess } from '../../domain/access.ts';
import type { Device } from '../../domain/devices.ts';
import { formatAmount } from '../../domain/money.ts';
import type { Instant } from '../../domain/time.ts';
import type { Reads } from '../../domain/transaction.ts';
import type { User } from '../../domain/users.ts';
import type { CodeReader } from '../code-readers.ts';
import type { Context } from '../context.ts';
import type { LiveSession } from '../live-sessions.ts';
import { viewOf } from '../names.ts';
import { deviceView } from './devices.ts';
import { grantView } from './grants.ts';
import { paymentView, refundView } from './payments.ts';
import { sessionView } from './router.ts';
import { voucherView } from './vouchers.ts';

const plainUser = viewOf(contract.User);

/** A record of the list. */
export function userView(user: User, reads: Reads, now: Instant): contract.User {
  const payments = reads.payments.countCompletedOfUser(user.id);
  const last = payments === 0 ? null : reads.payments.lastCompletedOfUser(user.id);
  return {
    ...plainUser(user),
    phone_number: user.phone,
    has_active_access: hasAccess(user, now),
    total_payments: payments,
    device_count: reads.devices.countOfUser(user.id),
    payment_count: payments,
    last_payment:
      last?.completedAt == null
        ? null
        : { amount: formatAmount(last.amount), bundle_name: last.bundleName, completed_at: last.completedAt },
  };
}

/** Of each kind of related row, the newest. */
const RELATED_SHOWN = 100;

interface Around {
  devices: readonly Device[];
  sessions: readonly LiveSession[];
  /** Other people's voucher codes are masked for a cashier. */
  reader: CodeReader;
}

export function userDetailView(
  user: User,
  { reads, clock, site }: Pick<Context, 'reads' | 'clock' | 'site'>,
  { devices, sessions, reader }: Around,
): contract.UserDetail {
  return {
    ...userView(user, reads, clock.now()),
    devices: devices.map(deviceView),
    payments: reads.payments
      .ofUser(user.id, RELATED_SHOWN)
      .map(payment => paymentView(payment, reads.refunds.refundedMinor(payment.id))),
    grants: reads.grants.latestOfUser(user.id, RELATED_SHOWN).map(grantView),
    vouchers: reads.vouchers.ofUser(user.id, RELATED_SHOWN).map(voucher => voucherView(voucher, reader)),
    refunds: reads.refunds.ofUser(user.id, RELATED_SHOWN).map(refundView),
    sessions: sessions.map(sessionView),
    router_connected: site.isConnected,
  };
}
