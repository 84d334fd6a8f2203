import { randomUUID } from 'node:crypto';
import type { Mac } from '../domain/mac.ts';
import {
  PAYMENT_STATUSES,
  type Payment,
  type PaymentFilter,
  type PaymentStatus,
  type PaymentSummary,
  type PaymentWrites,
} from '../domain/payments.ts';
import type { Day, Instant } from '../domain/time.ts';
import type { Database } from './database.ts';
import { AMONG, where } from './filters.ts';
import { conditionsOf, onlyBy, pageIndex } from './payment-filters.ts';
import { changes, exists, numberOf } from './statements.ts';
import { type Columns, flag, money, table } from './table.ts';

const COLUMNS: Columns<Payment> = {
  id: 'id',
  userId: 'user_id',
  bundleId: 'bundle_id',
  bundleName: 'bundle_name',
  durationSeconds: 'duration_seconds',
  phone: 'phone',
  mac: 'mac',
  ip: 'ip_address',
  madeFrom: 'made_from',
  amount: money('amount_minor', 'currency'),
  status: 'status',
  method: 'method',
  provider: 'provider',
  receiptNumber: 'receipt_number',
  soldBy: 'sold_by',
  shiftId: 'shift_id',
  orderReference: 'order_reference',
  paymentReference: 'payment_reference',
  transactionId: 'transaction_id',
  paymentChannel: 'payment_channel',
  redirectUrl: 'redirect_url',
  paid: money('paid_minor', 'payments.currency'),
  review: 'review',
  deviceAllowed: flag('device_allowed'),
  checks: 'checks',
  nextCheckAt: 'next_check_at',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  completedAt: 'completed_at',
};

const HIDDEN: Columns<Hidden> = {
  key: 'uid',
  receiptSequence: 'receipt_sequence',
  createdDay: 'created_day',
  completedDay: 'completed_day',
  completedHour: 'completed_hour',
};

interface Hidden {
  key: string;
  receiptSequence: number;
  createdDay: Day;
  completedDay: Day;
  completedHour: number;
}

/** As `isRefunded` of the domain has it. */
const IS_REFUNDED = `(amount_minor > 0 AND amount_minor <= (SELECT coalesce(sum(amount_minor), 0) FROM refunds
  WHERE payment_id = payments.id AND status <> 'failed'))`;

/** Of each end of the backlog of checks, at one look. */
const MOST_DUE = 500;

export function paymentRepository(db: Database): PaymentWrites {
  const payments = table<Payment, Hidden>(db, 'payments', COLUMNS, { hidden: HIDDEN });
  const lastUnsettled = payments.select<[object]>(
    `WHERE user_id = @userId AND status <> 'completed' AND method = 'online' AND created_at > @since
     ORDER BY id DESC LIMIT 1`,
  );
  const lastOpenFrom = payments.select<[object]>(
    `INDEXED BY payments_open_by_origin
     WHERE user_id = @userId AND made_from = @madeFrom AND status = 'pending' AND method = 'online'
       AND created_at > @since ORDER BY id DESC LIMIT 1`,
  );
  const openOrderOf = payments.select<[object]>(
    `INDEXED BY payments_open_of_device
     WHERE mac = @mac AND made_from = @madeFrom AND status = 'pending' AND method = 'online' AND expires_at > @now
     ORDER BY id DESC LIMIT 1`,
  );
  // Looks at both ends of the backlog: the orders due for longest, and those that have just become due.
  const dueOnes = (order: string) =>
    `SELECT * FROM (SELECT id, made_from, next_check_at FROM payments
       WHERE next_check_at IS NOT NULL AND next_check_at <= @now ORDER BY next_check_at ${order} LIMIT ${MOST_DUE})`;
  const due = payments.select<[object]>(
    `JOIN (
       SELECT id AS due_id, row_number() OVER (PARTITION BY coalesce(made_from, id) ORDER BY next_check_at, id) AS turn
       FROM (${dueOnes('ASC')} UNION ${dueOnes('DESC')})
     ) ON id = due_id ORDER BY turn, next_check_at LIMIT @limit`,
  );
  const openIds = db
    .prepare<[object], number>(
      `SELECT id FROM payments INDEXED BY payments_open_by_origin
       WHERE user_id = (SELECT id FROM users WHERE phone = @phone) AND made_from IS @madeFrom AND status = 'pending'
         AND method = 'online' AND expires_at > @now ORDER BY id`,
    )
    .pluck();
  const waiting = db.prepare<[object], { id: number; checks: number; nextCheckAt: Instant }>(
    `SELECT id, checks, next_check_at AS nextCheckAt FROM payments
     WHERE next_check_at IS NOT NULL AND next_check_at > @after AND created_at > @createdAfter ORDER BY id DESC`,
  );
  const latest = payments.select<[number, number]>('WHERE user_id = ? ORDER BY id DESC LIMIT ?');
  // The index is named: SQLite would choose the one over the status alone, and walk through every open order.
  const ended = "payments INDEXED BY payments_to_cancel WHERE status = 'pending' AND expires_at";

  return {
    byId: payments.select<[number]>('WHERE id = ?').get,
    byOrderReference: payments.select<[string]>('WHERE order_reference = ?').get,
    byPaymentReference: payments.select<[string, string]>('WHERE provider = ? AND payment_reference = ?').get,
    ofUser: (userId, limit = 1_000) => latest.all(userId, limit),
    byReceiptNumber: payments.select<[string]>('WHERE receipt_number = ?').get,
    lastReceipt: numberOf(
      db,
      'SELECT coalesce(max(receipt_sequence), 0) FROM payments WHERE receipt_sequence IS NOT NULL',
    ),
    byKey: payments.select<[string]>('WHERE uid = ?').get,
    page(filter, page) {
      // Ids are found in narrow indexes first; only the rows of the page itself are read whole.
      const { terms, params } = conditionsOf(filter, 'set');
      const order = filter.from === undefined && filter.to === undefined ? 'id DESC' : 'created_day DESC, id DESC';
      const ids = `SELECT id FROM payments ${pageIndex(filter)} ${where(terms)} ORDER BY ${order} LIMIT @limit OFFSET @offset`;
      return payments.select(`WHERE id IN (${ids}) ORDER BY ${order}`).all({ ...params, ...page });
    },
    summary: filter => summaryOf(db, filter),
    walk(filter) {
      const { terms, params } = conditionsOf(filter, 'row');
      // By id alone: any other index could make a few ids look at the whole table.
      const among = payments.select(`NOT INDEXED ${where([...AMONG, ...terms])} ORDER BY id DESC`);
      return ids => among.all({ ...params, ...ids });
    },
    lastId: numberOf(db, 'SELECT coalesce(max(id), 0) FROM payments'),
    countCompletedOfUser: numberOf(db, "SELECT count(*) FROM payments WHERE user_id = ? AND status = 'completed'"),
    lastCompletedOfUser: payments.select<[number]>(
      `WHERE user_id = ? AND status = 'completed' AND NOT ${IS_REFUNDED} ORDER BY id DESC LIMIT 1`,
    ).get,
    lastUnsettledOfUser: (userId, since, madeFrom) =>
      (madeFrom && lastOpenFrom.get({ userId, since, madeFrom })) || lastUnsettled.get({ userId, since }),
    lastPendingOfMac: payments.select<[Mac]>(
      "INDEXED BY payments_open_of_device WHERE mac = ? AND status = 'pending' AND method = 'online' ORDER BY id DESC LIMIT 1",
    ).get,
    openOrderOf: (mac, madeFrom, now) => openOrderOf.get({ mac, madeFrom, now }),
    anyExpired: exists(db, `SELECT 1 FROM ${ended} <= ? LIMIT 1`),
    dueForCheck: (now, limit) => due.all({ now, limit }),
    insert: payment => payments.add({ ...payment, key: payment.key ?? randomUUID() }),
    openIds: order => openIds.all(order),
    setCheckout: (id, { paymentReference, redirectUrl }) =>
      payments.update(id, { paymentReference: paymentReference ?? undefined, redirectUrl }),
    complete: (id, done) =>
      payments.update(id, { ...done, status: 'completed', nextCheckAt: null }, "status <> 'completed'"),
    close: (id, status) => payments.update(id, { status }, "status = 'pending'"),
    recordVerification: (id, { paid, review, transactionId }) =>
      payments.update(id, { paid: paid ?? undefined, review, transactionId: transactionId ?? undefined }),
    clearReview: id => payments.update(id, { review: null }),
    setDeviceAllowed: (id, deviceAllowed) => payments.update(id, { deviceAllowed }),
    scheduleCheck: (id, checks, nextCheckAt) => payments.update(id, { checks, nextCheckAt }, "status <> 'completed'"),
    waitingForCheck: (after, createdAfter) => waiting.all({ after, createdAfter }),
    cancelExpired: changes(
      db,
      `UPDATE payments SET status = 'cancelled' WHERE id IN (SELECT id FROM ${ended} <= ? ORDER BY expires_at LIMIT ?)`,
    ),
  };
}

interface Sum {
  status: PaymentStatus;
  orders: number;
  amountMinor: number;
}

function summaryOf(db: Database, filter: PaymentFilter): PaymentSummary {
  const summary = { refundedMinor: refundedOf(db, filter) } as PaymentSummary;
  for (const status of PAYMENT_STATUSES) summary[status] = { orders: 0, amountMinor: 0 };
  for (const { status, ...sum } of sumsOf(db, filter)) summary[status] = sum;
  return summary;
}

/** Refunds are few beside payments: each looks whether its payment is meant. */
function refundedOf(db: Database, filter: PaymentFilter): number {
  const { terms, params } = conditionsOf(filter, 'row');
  const isMeant = where(['payments.id = payment_id', ...terms]);
  return numberOf(
    db,
    `SELECT coalesce(sum(amount_minor), 0) FROM refunds WHERE status <> 'failed' AND EXISTS (SELECT 1 FROM payments ${isMeant})`,
  )(params);
}

/** From what triggers keep for each day, where that suffices; else from the payments themselves. */
function sumsOf(db: Database, filter: PaymentFilter): Sum[] {
  const { terms, params } = conditionsOf(filter, 'set');
  if (onlyBy(filter, 'status', 'bundleId', 'method', 'from', 'to')) {
    const sums = `SELECT status, sum(orders) AS orders, sum(amount_minor) AS amountMinor FROM daily_orders
      ${where(terms).replaceAll('created_day', 'day')} GROUP BY status`;
    return db.prepare<[object], Sum>(sums).all(params);
  }
  // One pass with a sum for each status takes a third of what a sort by status does.
  const sums = PAYMENT_STATUSES.map(
    status => `count(*) FILTER (WHERE status = '${status}'), total(amount_minor) FILTER (WHERE status = '${status}')`,
  );
  const sql = `SELECT ${sums.join(', ')} FROM payments ${pageIndex(filter)} ${where(terms)}`;
  const values = db.prepare<[object], number[]>(sql).raw().get(params) as number[];
  return PAYMENT_STATUSES.map((status, index) => ({
    status,
    orders: values[2 * index] as number,
    amountMinor: values[2 * index + 1] as number,
  }));
}
