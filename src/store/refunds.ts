import { randomUUID } from 'node:crypto';
import type { Refund, RefundWrites } from '../domain/refunds.ts';
import type { Day } from '../domain/time.ts';
import type { Database } from './database.ts';
import { numberOf } from './statements.ts';
import { type Columns, money, table } from './table.ts';

const COLUMNS: Columns<Refund> = {
  id: 'id',
  uid: 'uid',
  paymentId: 'payment_id',
  amount: money('amount_minor', 'payments.currency'),
  reason: 'reason',
  status: 'status',
  shiftId: 'shift_id',
  reference: 'reference',
  message: 'message',
  createdBy: 'created_by',
  createdAt: 'created_at',
  answeredAt: 'answered_at',
  settledAt: 'settled_at',
};

interface Hidden {
  createdDay: Day;
  createdHour: number;
}

export function refundRepository(db: Database): RefundWrites {
  const refunds = table<Refund, Hidden>(db, 'refunds', COLUMNS, {
    joined: 'JOIN payments ON payments.id = refunds.payment_id',
    hidden: { createdDay: 'created_day', createdHour: 'created_hour' },
  });
  const recordAnswer = db.prepare(
    `UPDATE refunds SET answered_at = coalesce(answered_at, @at), reference = coalesce(@reference, reference), message = @message
     WHERE id = @id AND status = 'pending'`,
  );
  return {
    byId: refunds.select<[number]>('WHERE refunds.id = ?').get,
    ofPayment: refunds.select<[number]>('WHERE refunds.payment_id = ? ORDER BY refunds.id').all,
    ofUser: refunds.select<[number, number]>('WHERE payments.user_id = ? ORDER BY refunds.id DESC LIMIT ?').all,
    refundedMinor: numberOf(
      db,
      "SELECT coalesce(sum(amount_minor), 0) FROM refunds WHERE payment_id = ? AND status <> 'failed'",
    ),
    recordAnswer: (id, answer, at) => void recordAnswer.run({ ...answer, id, at }),
    pending: refunds.select<[]>("WHERE refunds.status = 'pending' ORDER BY refunds.id").all,
    insert: refund => refunds.add({ ...refund, uid: randomUUID() }),
    settle: (id, { reference, ...change }) =>
      refunds.update(id, { ...change, reference: reference ?? undefined }, "status = 'pending'"),
  };
}
