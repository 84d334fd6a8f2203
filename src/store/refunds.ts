import { randomUUID } from 'node:crypto';
import type { Refund, RefundStatus, RefundWrites } from '../domain/refunds.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';

const SELECT = `SELECT refunds.id, refunds.uid, refunds.payment_id, refunds.amount_minor, payments.currency, refunds.reason,
  refunds.status, refunds.reference, refunds.message, refunds.created_by, refunds.created_at, refunds.answered_at, refunds.settled_at
  FROM refunds JOIN payments ON payments.id = refunds.payment_id`;

interface Row {
  id: number;
  uid: string;
  payment_id: number;
  amount_minor: number;
  currency: string;
  reason: string;
  status: RefundStatus;
  reference: string | null;
  message: string | null;
  created_by: string;
  created_at: Instant;
  answered_at: Instant | null;
  settled_at: Instant | null;
}

function toRefund(row: Row): Refund {
  return {
    id: row.id,
    uid: row.uid,
    paymentId: row.payment_id,
    amount: { minor: row.amount_minor, currency: row.currency },
    reason: row.reason,
    status: row.status,
    reference: row.reference,
    message: row.message,
    createdBy: row.created_by,
    createdAt: row.created_at,
    answeredAt: row.answered_at,
    settledAt: row.settled_at,
  };
}

export function refundRepository(db: Database): RefundWrites {
  const byId = db.prepare<[number], Row>(`${SELECT} WHERE refunds.id = ?`);
  const ofPayment = db.prepare<[number], Row>(`${SELECT} WHERE refunds.payment_id = ? ORDER BY refunds.id`);
  const pending = db.prepare<[], Row>(`${SELECT} WHERE refunds.status = 'pending' ORDER BY refunds.id`);
  const ofUser = db.prepare<[number, number], Row>(
    `${SELECT} WHERE payments.user_id = ? ORDER BY refunds.id DESC LIMIT ?`,
  );
  const refunded = db
    .prepare<[number], number>(
      "SELECT coalesce(sum(amount_minor), 0) FROM refunds WHERE payment_id = ? AND status <> 'failed'",
    )
    .pluck();
  const noteAnswer = db.prepare(
    `UPDATE refunds SET answered_at = coalesce(answered_at, @at), reference = coalesce(@reference, reference), message = @message
     WHERE id = @id AND status = 'pending'`,
  );
  const insert = db
    .prepare<[object], number>(
      `INSERT INTO refunds (uid, payment_id, amount_minor, reason, status, reference, message, created_by, created_at, settled_at)
       VALUES (@uid, @paymentId, @amountMinor, @reason, @status, @reference, @message, @createdBy, @createdAt, @settledAt)
       RETURNING id`,
    )
    .pluck();
  const settle = db.prepare(
    `UPDATE refunds SET status = @status, reference = coalesce(@reference, reference), message = @message, settled_at = @settledAt
     WHERE id = @id AND status = 'pending'`,
  );

  return {
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? null : toRefund(row);
    },
    ofPayment: paymentId => ofPayment.all(paymentId).map(toRefund),
    ofUser: (userId, limit) => ofUser.all(userId, limit).map(toRefund),
    refundedMinor: paymentId => refunded.get(paymentId) as number,
    noteAnswer: (id, answer, at) => void noteAnswer.run({ ...answer, id, at }),
    pending: () => pending.all().map(toRefund),
    insert({ amount, ...refund }) {
      const id = insert.get({ ...refund, uid: randomUUID(), amountMinor: amount.minor }) as number;
      return toRefund(byId.get(id) as Row);
    },
    settle: (id, change) => settle.run({ id, ...change }).changes === 1,
  };
}
