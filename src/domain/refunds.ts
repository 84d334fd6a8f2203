/** Money given back. See docs/interface.md: Refund; docs/rules.md: Payments. */
import { grantTime } from './access.ts';
import { found, invalid, LangoError } from './errors.ts';
import { type Money, withCurrency } from './money.ts';
import { type Payment, requirePayment } from './payments.ts';
import type { RefundAnswer } from './ports.ts';
import { payingShift, type Shift, type ShiftReads } from './shifts.ts';
import { queueSms } from './sms.ts';
import { type Day, dayOf, hourOf, type Instant } from './time.ts';
import type { StaffTx, Tx } from './transaction.ts';

export type RefundStatus = 'pending' | 'completed' | 'failed' | 'manual';

export interface Refund {
  id: number;
  /** Site-unique; also the idempotency key towards the provider. */
  uid: string;
  paymentId: number;
  amount: Money;
  reason: string;
  status: RefundStatus;
  /** Cash: out of the drawer of that shift; null: no drawer. */
  shiftId: number | null;
  reference: string | null;
  /** What the provider said, or what staff must do. */
  message: string | null;
  createdBy: string;
  createdAt: Instant;
  /** When the provider accepted it; null: it is not known whether the request reached it. */
  answeredAt: Instant | null;
  settledAt: Instant | null;
}

export interface RefundReads {
  byId(id: number): Refund | null;
  /** Oldest first. */
  ofPayment(paymentId: number): Refund[];
  /** Newest first. */
  ofUser(userId: number, limit: number): Refund[];
  /** Given back, or on its way; in minor units of the payment's currency. */
  refundedMinor(paymentId: number): number;
  pending(): Refund[];
}

export interface RefundWrites extends RefundReads {
  insert(
    refund: Pick<Refund, 'paymentId' | 'amount' | 'reason' | 'status' | 'shiftId' | 'createdBy' | 'createdAt'> & {
      createdDay: Day;
      createdHour: number;
    },
  ): Refund;
  /** The provider has it, and has not finished. */
  recordAnswer(id: number, answer: Pick<RefundAnswer, 'reference' | 'message'>, at: Instant): void;
  /** pending → anything else. @returns false when it was settled already */
  settle(id: number, change: Pick<Refund, 'status' | 'reference' | 'message' | 'settledAt'>): boolean;
}

/** Given back in full, or on its way to be: nobody is said to have got anything for it. */
export const isRefunded = (payment: Payment, refundedMinor: number): boolean =>
  payment.status === 'completed' && refundedMinor > 0 && refundedMinor >= payment.amount.minor;

/** What can still be given back; failed refunds gave nothing. */
export function refundable(payment: Payment, refunds: readonly Refund[]): Money {
  const given = refunds
    .filter(refund => refund.status !== 'failed')
    .reduce((sum, refund) => sum + refund.amount.minor, 0);
  return { minor: payment.amount.minor - given, currency: payment.amount.currency };
}

export interface OpenRefund {
  paymentId: number;
  /** null: all that is left. */
  amount: Money | null;
  reason: string;
  /** False: cash that is in no drawer of the counter. */
  fromDrawer?: boolean | undefined;
}

/**
 * Reserves the amount, before the provider is asked: of two at once, one finds nothing left.
 * @throws LangoError NOT_FOUND; REFUND_NOT_ALLOWED not completed, or nothing left; VALIDATION more than is left
 */
export function openRefund(tx: StaffTx, { paymentId, amount, reason, fromDrawer = true }: OpenRefund): Refund {
  const payment = requirePayment(tx, paymentId);
  if (payment.status !== 'completed') {
    throw new LangoError('REFUND_NOT_ALLOWED', 'Only a completed payment can be refunded.');
  }
  const left = refundable(payment, tx.refunds.ofPayment(paymentId));
  if (left.minor <= 0) throw new LangoError('REFUND_NOT_ALLOWED', 'This payment has been refunded in full.');
  const wanted = amount ?? left;
  if (wanted.minor <= 0 || wanted.minor > left.minor) {
    invalid('amount', `Give an amount above 0 and up to ${withCurrency(left)}, which is what is left to refund.`);
  }
  const { timeZone } = tx.policy;
  const refund = tx.refunds.insert({
    paymentId,
    amount: wanted,
    reason,
    status: 'pending',
    shiftId: fromDrawer ? (drawerFor(tx, payment, tx.actor.adminId)?.id ?? null) : null,
    createdBy: tx.actor.name,
    createdAt: tx.now,
    createdDay: dayOf(tx.now, timeZone),
    createdHour: hourOf(tx.now, timeZone),
  });
  tx.record('refund.create', 'refund', refund.id, null, refund);
  return refund;
}

/** The open shift whose drawer a cash sale is given back from; null: it was no cash sale, or no such shift is open. */
export function drawerFor(reads: { shifts: ShiftReads }, payment: Payment, adminId: number | null): Shift | null {
  return payment.method === 'cash' ? payingShift(reads, { adminId, soldIn: payment.shiftId }) : null;
}

export interface SettledRefund {
  refund: Refund;
  payment: Payment;
  /** Who had the payment's time; a person who was deleted while paying came back as another user. */
  userId: number;
}

/** A payment that has been given back in full gives its hours back too; never to before now. */
export function settleRefund(tx: Tx, { refundId, answer }: { refundId: number; answer: RefundAnswer }): SettledRefund {
  const before = requireRefund(tx, refundId);
  const payment = requirePayment(tx, before.paymentId);
  const userId = tx.grants.ofSource('payment', payment.id)?.userId ?? payment.userId;
  const { outcome, reference, message } = answer;
  if (outcome === 'pending') tx.refunds.recordAnswer(refundId, { reference, message }, tx.now);
  else {
    const status = outcome === 'rejected' ? 'failed' : outcome;
    const settled = tx.refunds.settle(refundId, { status, reference, message, settledAt: tx.now });
    if (settled && status !== 'failed') takeHoursBack(tx, payment, userId, before);
  }
  return { refund: requireRefund(tx, refundId), payment, userId };
}

function takeHoursBack(tx: Tx, payment: Payment, userId: number, refund: Refund): void {
  const user = tx.users.byId(userId);
  if (user === null) return;
  const settled = tx.refunds.ofPayment(payment.id).filter(row => row.status === 'completed' || row.status === 'manual');
  if (settled.reduce((sum, row) => sum + row.amount.minor, 0) >= payment.amount.minor) {
    grantTime(tx, user, {
      source: 'refund',
      sourceId: refund.id,
      seconds: -payment.durationSeconds,
      by: refund.createdBy,
      reason: refund.reason,
    });
  }
  const { bundleName } = payment;
  queueSms(tx, { kind: 'refund', user, key: `refund:${refund.id}`, amount: refund.amount, bundleName });
}

/** @throws LangoError NOT_FOUND */
export function requireRefund(reads: { refunds: RefundReads }, id: number): Refund {
  return found(reads.refunds.byId(id), 'refund');
}
