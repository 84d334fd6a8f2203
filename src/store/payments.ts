import { randomUUID } from 'node:crypto';
import type { Mac } from '../domain/mac.ts';
import {
  PAYMENT_STATUSES,
  type Payment,
  type PaymentFilter,
  type PaymentStatus,
  type PaymentSummary,
  type PaymentWrites,
  type Review,
} from '../domain/payments.ts';
import type { Phone } from '../domain/phone.ts';
import type { Instant } from '../domain/time.ts';
import type { IdRange } from '../domain/transaction.ts';
import type { Database } from './database.ts';
import { onlyBy, pageIndex, whereOf } from './payment-filters.ts';

const COLUMNS = `id, user_id, bundle_id, bundle_name, duration_seconds, phone, mac, ip_address, amount_minor, currency, status,
  method, provider, order_reference, payment_reference, transaction_id, payment_channel, redirect_url, paid_minor, review,
  device_allowed, receipt_number, sold_by, shift_id, checks, next_check_at, created_at, expires_at, completed_at, made_from`;

interface Row {
  id: number;
  user_id: number;
  bundle_id: number;
  bundle_name: string;
  duration_seconds: number;
  phone: Phone;
  mac: Mac | null;
  ip_address: string | null;
  amount_minor: number;
  currency: string;
  status: PaymentStatus;
  method: 'online' | 'cash';
  provider: string;
  order_reference: string;
  payment_reference: string | null;
  transaction_id: string | null;
  payment_channel: string | null;
  redirect_url: string | null;
  paid_minor: number | null;
  review: Review | null;
  device_allowed: 0 | 1 | null;
  receipt_number: string | null;
  sold_by: string | null;
  shift_id: number | null;
  checks: number;
  next_check_at: Instant | null;
  created_at: Instant;
  expires_at: Instant;
  completed_at: Instant | null;
  made_from: string | null;
}

function toPayment(row: Row): Payment {
  return {
    id: row.id,
    userId: row.user_id,
    bundleId: row.bundle_id,
    bundleName: row.bundle_name,
    durationSeconds: row.duration_seconds,
    phone: row.phone,
    mac: row.mac,
    ip: row.ip_address,
    madeFrom: row.made_from,
    amount: { minor: row.amount_minor, currency: row.currency },
    status: row.status,
    method: row.method,
    provider: row.provider,
    receiptNumber: row.receipt_number,
    soldBy: row.sold_by,
    shiftId: row.shift_id,
    orderReference: row.order_reference,
    paymentReference: row.payment_reference,
    transactionId: row.transaction_id,
    paymentChannel: row.payment_channel,
    redirectUrl: row.redirect_url,
    paid: row.paid_minor === null ? null : { minor: row.paid_minor, currency: row.currency },
    review: row.review,
    deviceAllowed: row.device_allowed === null ? null : row.device_allowed === 1,
    checks: row.checks,
    nextCheckAt: row.next_check_at,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    completedAt: row.completed_at,
  };
}

/** Of each end of the backlog of checks, at one look. */
const MOST_DUE = 500;

export function paymentRepository(db: Database): PaymentWrites {
  const byId = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM payments WHERE id = ?`);
  const byOrder = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM payments WHERE order_reference = ?`);
  const byReference = db.prepare<[string, string], Row>(
    `SELECT ${COLUMNS} FROM payments WHERE provider = ? AND payment_reference = ?`,
  );
  const ofUser = db.prepare<[number, number], Row>(
    `SELECT ${COLUMNS} FROM payments WHERE user_id = ? ORDER BY id DESC LIMIT ?`,
  );
  const byReceipt = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM payments WHERE receipt_number = ?`);
  const lastId = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM payments').pluck();
  const clearReview = db.prepare('UPDATE payments SET review = NULL WHERE id = ?');
  const countCompleted = db
    .prepare<[number], number>(`SELECT count(*) FROM payments WHERE user_id = ? AND status = 'completed'`)
    .pluck();
  const lastCompleted = db.prepare<[number], Pick<Row, 'bundle_name' | 'amount_minor' | 'currency' | 'completed_at'>>(
    `SELECT bundle_name, amount_minor, currency, completed_at FROM payments
     WHERE user_id = ? AND status = 'completed' ORDER BY id DESC LIMIT 1`,
  );
  const lastUnsettled = db.prepare<[object], Row>(
    `SELECT ${COLUMNS} FROM payments
     WHERE user_id = @userId AND status <> 'completed' AND method = 'online' AND created_at > @since ORDER BY id DESC LIMIT 1`,
  );
  const lastOpenFrom = db.prepare<[object], Row>(
    `SELECT ${COLUMNS} FROM payments INDEXED BY payments_open_by_origin
     WHERE user_id = @userId AND made_from = @madeFrom AND status = 'pending' AND method = 'online'
       AND created_at > @since ORDER BY id DESC LIMIT 1`,
  );
  // Looks at both ends of the backlog: the orders due for longest, and those that have just become due.
  const dueOnes = (order: string) =>
    `SELECT * FROM (SELECT id, made_from, next_check_at FROM payments
       WHERE next_check_at IS NOT NULL AND next_check_at <= @now ORDER BY next_check_at ${order} LIMIT ${MOST_DUE})`;
  const due = db.prepare<[object], Row>(
    `SELECT ${COLUMNS} FROM payments JOIN (
       SELECT id AS due_id, row_number() OVER (PARTITION BY coalesce(made_from, id) ORDER BY next_check_at, id) AS turn
       FROM (${dueOnes('ASC')} UNION ${dueOnes('DESC')})
     ) ON id = due_id ORDER BY turn, next_check_at LIMIT @limit`,
  );
  const insert = db.prepare<[object], Row>(
    `INSERT INTO payments (uid, user_id, bundle_id, bundle_name, duration_seconds, phone, mac, ip_address, amount_minor, currency,
       status, method, provider, order_reference, payment_reference, transaction_id, payment_channel, redirect_url, paid_minor,
       review, device_allowed, receipt_number, sold_by, shift_id, checks, next_check_at, created_at, created_day, expires_at,
       completed_at, completed_day, made_from)
     VALUES (@uid, @userId, @bundleId, @bundleName, @durationSeconds, @phone, @mac, @ip, @amountMinor, @currency,
       @status, @method, @provider, @orderReference, @paymentReference, @transactionId, @paymentChannel, @redirectUrl, NULL,
       @review, NULL, @receiptNumber, @soldBy, @shiftId, @checks, @nextCheckAt, @createdAt, @createdDay, @expiresAt, @completedAt,
       CASE WHEN @completedAt IS NULL THEN NULL ELSE @createdDay END, @madeFrom)
     RETURNING ${COLUMNS}`,
  );
  const openIds = db
    .prepare<[object], number>(
      `SELECT id FROM payments INDEXED BY payments_open_by_origin
       WHERE user_id = (SELECT id FROM users WHERE phone = @phone) AND made_from IS @madeFrom AND status = 'pending'
         AND method = 'online' AND expires_at > @now ORDER BY id`,
    )
    .pluck();
  const setCheckout = db.prepare(
    'UPDATE payments SET payment_reference = coalesce(@paymentReference, payment_reference), redirect_url = @redirectUrl WHERE id = @id',
  );
  const complete = db.prepare(
    `UPDATE payments SET status = 'completed', completed_at = @completedAt, completed_day = @completedDay, paid_minor = @paidMinor,
       review = @review, payment_reference = coalesce(payment_reference, @paymentReference), transaction_id = @transactionId,
       payment_channel = @channel, next_check_at = NULL
     WHERE id = @id AND status <> 'completed'`,
  );
  const close = db.prepare(`UPDATE payments SET status = @status WHERE id = @id AND status = 'pending'`);
  const noteVerification = db.prepare(
    `UPDATE payments SET paid_minor = coalesce(@paidMinor, paid_minor), review = @review,
       transaction_id = coalesce(@transactionId, transaction_id)
     WHERE id = @id`,
  );
  const noteDevice = db.prepare('UPDATE payments SET device_allowed = @allowed WHERE id = @id');
  const scheduleCheck = db.prepare(
    `UPDATE payments SET checks = @checks, next_check_at = @nextCheckAt WHERE id = @id AND status <> 'completed'`,
  );
  const waiting = db.prepare<[object], { id: number; checks: number; nextCheckAt: Instant }>(
    `SELECT id, checks, next_check_at AS nextCheckAt FROM payments
     WHERE next_check_at IS NOT NULL AND next_check_at > @after AND created_at > @createdAfter ORDER BY id DESC`,
  );
  // The index is named: SQLite would choose the one over the status alone, and walk through every open order.
  const ended = "payments INDEXED BY payments_to_cancel WHERE status = 'pending' AND expires_at";
  const expired = db.prepare<[Instant], 1>(`SELECT 1 FROM ${ended} <= ? LIMIT 1`).pluck();
  const cancelExpired = db.prepare(
    `UPDATE payments SET status = 'cancelled' WHERE id IN (
       SELECT id FROM ${ended} <= @now ORDER BY expires_at LIMIT @limit)`,
  );

  const find = (row: Row | undefined): Payment | null => (row === undefined ? null : toPayment(row));
  return {
    byId: id => find(byId.get(id)),
    byOrderReference: reference => find(byOrder.get(reference)),
    byPaymentReference: (provider, reference) => find(byReference.get(provider, reference)),
    ofUser: (userId, limit = 1_000) => ofUser.all(userId, limit).map(toPayment),
    byReceiptNumber: receiptNumber => find(byReceipt.get(receiptNumber)),
    page: (filter, page) => pageOf(db, filter, page).map(toPayment),
    summary: filter => summaryOf(db, filter),
    walk(filter) {
      const rows = rowsAmong(db, filter);
      return ids => rows(ids).map(toPayment);
    },
    lastId: () => lastId.get() as number,
    countCompletedOfUser: userId => countCompleted.get(userId) as number,
    lastCompletedOfUser(userId) {
      const row = lastCompleted.get(userId);
      if (row === undefined) return null;
      const amount = { minor: row.amount_minor, currency: row.currency };
      return { bundleName: row.bundle_name, amount, completedAt: row.completed_at };
    },
    lastUnsettledOfUser: (userId, since, madeFrom) =>
      find((madeFrom && lastOpenFrom.get({ userId, since, madeFrom })) || lastUnsettled.get({ userId, since })),
    anyExpired: now => expired.get(now) === 1,
    dueForCheck: (now, limit) => due.all({ now, limit }).map(toPayment),
    insert({ amount, ...payment }) {
      const { paid: _, deviceAllowed: __, ...rest } = payment;
      const columns = { ...rest, uid: randomUUID(), amountMinor: amount.minor, currency: amount.currency };
      return toPayment(insert.get(columns) as Row);
    },
    openIds: order => openIds.all(order),
    setCheckout: (id, checkout) => void setCheckout.run({ id, ...checkout }),
    complete: (id, { paid, ...done }) => complete.run({ id, ...done, paidMinor: paid?.minor ?? null }).changes === 1,
    close: (id, status) => close.run({ id, status }).changes === 1,
    noteVerification: (id, { paid, ...note }) =>
      void noteVerification.run({ id, ...note, paidMinor: paid?.minor ?? null }),
    clearReview: id => void clearReview.run(id),
    noteDevice: (id, allowed) => void noteDevice.run({ id, allowed: Number(allowed) }),
    scheduleCheck: (id, checks, nextCheckAt) => void scheduleCheck.run({ id, checks, nextCheckAt }),
    waitingForCheck: (after, createdAfter) => waiting.all({ after, createdAfter }),
    cancelExpired: (now, limit) => cancelExpired.run({ now, limit }).changes,
  };
}

/** Ids are found in narrow indexes first; only the rows of the page itself are read whole. */
function pageOf(db: Database, filter: PaymentFilter, { limit, offset }: Page): Row[] {
  const { text, params } = whereOf(filter, 'set');
  const order = filter.from === undefined && filter.to === undefined ? 'id DESC' : 'created_day DESC, id DESC';
  const ids = `SELECT id FROM payments ${pageIndex(filter)} WHERE ${text} ORDER BY ${order} LIMIT @limit OFFSET @offset`;
  const rows = db.prepare<[object], Row>(`SELECT ${COLUMNS} FROM payments WHERE id IN (${ids}) ORDER BY ${order}`);
  return rows.all({ ...params, limit, offset });
}

interface Page {
  limit: number;
  offset: number;
}

function rowsAmong(db: Database, filter: PaymentFilter): (ids: IdRange) => Row[] {
  const { text, params } = whereOf(filter, 'row');
  // By id alone: any other index could make a few ids look at the whole table.
  const rows = db.prepare<[object], Row>(
    `SELECT ${COLUMNS} FROM payments NOT INDEXED WHERE id >= @lowest AND id < @below AND ${text} ORDER BY id DESC`,
  );
  return ids => rows.all({ ...params, ...ids });
}

interface Sum {
  status: PaymentStatus;
  orders: number;
  amountMinor: number;
}

function summaryOf(db: Database, filter: PaymentFilter): PaymentSummary {
  const summary = {} as PaymentSummary;
  for (const status of PAYMENT_STATUSES) summary[status] = { orders: 0, amountMinor: 0 };
  for (const { status, ...sum } of sumsOf(db, filter)) summary[status] = sum;
  return summary;
}

/** From what triggers keep for each day, where that suffices; else from the payments themselves. */
function sumsOf(db: Database, filter: PaymentFilter): Sum[] {
  const { text, params } = whereOf(filter, 'set');
  if (onlyBy(filter, 'status', 'bundleId', 'method', 'from', 'to')) {
    const sums = `SELECT status, sum(orders) AS orders, sum(amount_minor) AS amountMinor FROM daily_orders
      WHERE ${text.replaceAll('created_day', 'day')} GROUP BY status`;
    return db.prepare<[object], Sum>(sums).all(params);
  }
  // One pass with a sum for each status takes a third of what a sort by status does.
  const sums = PAYMENT_STATUSES.map(
    status => `count(*) FILTER (WHERE status = '${status}'), total(amount_minor) FILTER (WHERE status = '${status}')`,
  );
  const sql = `SELECT ${sums.join(', ')} FROM payments ${pageIndex(filter)} WHERE ${text}`;
  const values = db.prepare<[object], number[]>(sql).raw().get(params) as number[];
  return PAYMENT_STATUSES.map((status, index) => ({
    status,
    orders: values[2 * index] as number,
    amountMinor: values[2 * index + 1] as number,
  }));
}
