import { randomUUID } from 'node:crypto';
import type { Mac } from '../domain/mac.ts';
import type { Payment, PaymentStatus, PaymentWrites, Review } from '../domain/payments.ts';
import type { Phone } from '../domain/phone.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';

const COLUMNS = `id, user_id, bundle_id, bundle_name, duration_seconds, phone, mac, ip_address, amount_minor, currency, status,
  method, provider, order_reference, payment_reference, transaction_id, payment_channel, redirect_url, paid_minor, review,
  device_allowed, checks, next_check_at, created_at, expires_at, completed_at`;

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
  checks: number;
  next_check_at: Instant | null;
  created_at: Instant;
  expires_at: Instant;
  completed_at: Instant | null;
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
    amount: { minor: row.amount_minor, currency: row.currency },
    status: row.status,
    method: row.method,
    provider: row.provider,
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

export function paymentRepository(db: Database): PaymentWrites {
  const byId = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM payments WHERE id = ?`);
  const byOrder = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM payments WHERE order_reference = ?`);
  const byReference = db.prepare<[string, string], Row>(
    `SELECT ${COLUMNS} FROM payments WHERE provider = ? AND payment_reference = ?`,
  );
  const ofUser = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM payments WHERE user_id = ? ORDER BY id DESC`);
  const countCompleted = db
    .prepare<[number], number>(`SELECT count(*) FROM payments WHERE user_id = ? AND status = 'completed'`)
    .pluck();
  const lastCompleted = db.prepare<[number], Row>(
    `SELECT ${COLUMNS} FROM payments WHERE user_id = ? AND status = 'completed' ORDER BY id DESC LIMIT 1`,
  );
  const due = db.prepare<[string, number], Row>(
    `SELECT ${COLUMNS} FROM payments WHERE next_check_at IS NOT NULL AND next_check_at <= ? ORDER BY next_check_at LIMIT ?`,
  );
  const insert = db.prepare<[object], Row>(
    `INSERT INTO payments (uid, user_id, bundle_id, bundle_name, duration_seconds, phone, mac, ip_address, amount_minor, currency,
       status, method, provider, order_reference, payment_reference, transaction_id, payment_channel, redirect_url, paid_minor,
       review, device_allowed, checks, next_check_at, created_at, created_day, expires_at, completed_at, completed_day)
     VALUES (@uid, @userId, @bundleId, @bundleName, @durationSeconds, @phone, @mac, @ip, @amountMinor, @currency,
       @status, @method, @provider, @orderReference, @paymentReference, @transactionId, @paymentChannel, @redirectUrl, NULL,
       @review, NULL, @checks, @nextCheckAt, @createdAt, @createdDay, @expiresAt, @completedAt,
       CASE WHEN @completedAt IS NULL THEN NULL ELSE @createdDay END)
     RETURNING ${COLUMNS}`,
  );
  const countOpen = db
    .prepare<[object], number>(
      `SELECT count(*) FROM payments JOIN users ON users.id = payments.user_id
       WHERE users.phone = @phone AND payments.status = 'pending' AND payments.method = 'online' AND payments.expires_at > @now`,
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
  const recheck = db.prepare(
    'UPDATE payments SET next_check_at = @now WHERE next_check_at IS NOT NULL AND next_check_at > @now AND created_at > @createdAfter',
  );
  const cancelExpired = db.prepare(
    `UPDATE payments SET status = 'cancelled' WHERE id IN (
       SELECT id FROM payments WHERE status = 'pending' AND expires_at <= @now ORDER BY expires_at LIMIT @limit)`,
  );

  const find = (row: Row | undefined): Payment | null => (row === undefined ? null : toPayment(row));
  return {
    byId: id => find(byId.get(id)),
    byOrderReference: reference => find(byOrder.get(reference)),
    byPaymentReference: (provider, reference) => find(byReference.get(provider, reference)),
    ofUser: userId => ofUser.all(userId).map(toPayment),
    countCompletedOfUser: userId => countCompleted.get(userId) as number,
    lastCompletedOfUser: userId => find(lastCompleted.get(userId)),
    dueForCheck: (now, limit) => due.all(now, limit).map(toPayment),
    insert({ amount, ...payment }) {
      const { paid: _, deviceAllowed: __, ...rest } = payment;
      const columns = { ...rest, uid: randomUUID(), amountMinor: amount.minor, currency: amount.currency };
      return toPayment(insert.get(columns) as Row);
    },
    countOpen: (phone, now) => countOpen.get({ phone, now }) as number,
    setCheckout: (id, checkout) => void setCheckout.run({ id, ...checkout }),
    complete: (id, { paid, ...done }) => complete.run({ id, ...done, paidMinor: paid?.minor ?? null }).changes === 1,
    close: (id, status) => close.run({ id, status }).changes === 1,
    noteVerification: (id, { paid, ...note }) =>
      void noteVerification.run({ id, ...note, paidMinor: paid?.minor ?? null }),
    noteDevice: (id, allowed) => void noteDevice.run({ id, allowed: Number(allowed) }),
    scheduleCheck: (id, checks, nextCheckAt) => void scheduleCheck.run({ id, checks, nextCheckAt }),
    recheckUnsettled: (now, createdAfter) => recheck.run({ now, createdAfter }).changes,
    cancelExpired: (now, limit) => cancelExpired.run({ now, limit }).changes,
  };
}
