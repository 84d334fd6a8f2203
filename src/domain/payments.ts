/**
 * Payments: what was ordered and what was paid for it. See docs/rules.md: Payments.
 *
 * pending → completed | failed | cancelled; failed | cancelled → completed when the provider confirms a late
 * success; completed is final. A completed payment grants exactly once, in the transaction that completes it.
 */
import { grantTime } from './access.ts';
import { isPlaced, placePaidDevice } from './devices.ts';
import { found, LangoError } from './errors.ts';
import type { IdempotencyKey, SoldByKey } from './idempotency.ts';
import type { Mac } from './mac.ts';
import type { Money } from './money.ts';
import { recheckSoon, scheduleNextCheck } from './payment-checks.ts';
import type { Phone, PhoneSearch, TextSearch } from './phone.ts';
import type { Verification } from './ports.ts';
import { queueSms } from './sms.ts';
import { type Day, dayOf, hourOf, type Instant } from './time.ts';
import type { IdRange, StaffTx, Tx } from './transaction.ts';
import { ensureUser } from './users.ts';

export const PAYMENT_STATUSES = ['pending', 'completed', 'failed', 'cancelled'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** Why staff should look at a payment. */
export type Review = 'underpaid' | 'overpaid' | 'wrong_currency' | 'reversed' | 'reference_mismatch';

export interface Payment {
  id: number;
  userId: number;
  bundleId: number;
  /** As they were when the order was made, whatever has become of the bundle since. */
  bundleName: string;
  durationSeconds: number;
  phone: Phone;
  mac: Mac | null;
  ip: string | null;
  /** The network of the address that made the order; null: not known, or staff did. */
  madeFrom: string | null;
  amount: Money;
  status: PaymentStatus;
  method: 'online' | 'cash';
  /** `cash` where no provider had a part in it. */
  provider: string;
  /** Of a cash sale: the number on the receipt, typed or Lango's own, unique; who sold it; during which shift. */
  receiptNumber: string | null;
  soldBy: string | null;
  shiftId: number | null;
  /** Ours: 20 upper-case alphanumerics. */
  orderReference: string;
  /** The provider's. */
  paymentReference: string | null;
  transactionId: string | null;
  paymentChannel: string | null;
  redirectUrl: string | null;
  /** What the provider says was paid, where that is not the amount. */
  paid: Money | null;
  review: Review | null;
  deviceAllowed: boolean | null;
  /** How many checks of the schedule are behind it. */
  checks: number;
  nextCheckAt: Instant | null;
  createdAt: Instant;
  expiresAt: Instant;
  completedAt: Instant | null;
}

export interface PaymentFilter {
  status?: PaymentStatus | undefined;
  bundleId?: number | undefined;
  userId?: number | undefined;
  method?: Payment['method'] | undefined;
  /** Days of creation in the configured zone, both inclusive. */
  from?: Day | undefined;
  to?: Day | undefined;
  /** A whole number, or digits that stand somewhere in one. */
  phone?: PhoneSearch | undefined;
  /** The beginning of an order reference, a whole reference of anybody else's, or what `phone` finds. */
  search?: TextSearch | undefined;
  /** Sold for cash in the shifts of this admin. */
  soldInShiftsOf?: number | undefined;
  /** The same, of those that are closed: what they may add up, since an open one is counted blind. */
  soldInClosedShiftsOf?: number | undefined;
  /** True: only those that staff should look at. */
  inReview?: boolean | undefined;
}

/** Orders of a filter by what became of them; amounts in minor units of the configured currency. */
export type PaymentSummary = Record<PaymentStatus, { orders: number; amountMinor: number }> & {
  /** Of these orders, whenever it was given back. */
  refundedMinor: number;
};

export interface PaymentReads {
  /** Newest first: by id, within a range of days by day and id. */
  page(filter: PaymentFilter, page: { limit: number; offset: number }): Payment[];
  /** Over the whole filter. */
  summary(filter: PaymentFilter): PaymentSummary;
  /** Reads those of the filter among some ids, newest first: bounded work, whatever the filter. */
  walk(filter: PaymentFilter): (ids: IdRange) => Payment[];
  lastId(): number;
  byReceiptNumber(receiptNumber: string): Payment | null;
  /** The last of those that Lango numbered; 0: none yet. */
  lastReceipt(): number;
  /** Newest first. */
  ofUser(userId: number, limit?: number): Payment[];
  byId(id: number): Payment | null;
  byOrderReference(reference: string): Payment | null;
  byPaymentReference(provider: string, reference: string): Payment | null;
  /** Completed ones. */
  countCompletedOfUser(userId: number): number;
  /** Without what was given back in full. */
  lastCompletedOfUser(userId: number): Pick<Payment, 'bundleName' | 'amount' | 'completedAt'> | null;
  /**
   * The latest online order since then that is not completed; it may have been paid all the same.
   * @param madeFrom an open one that was made there comes first
   */
  lastUnsettledOfUser(userId: number, since: Instant, madeFrom?: string): Payment | null;
  /** The latest open order for that device that was made from there. */
  openOrderOf(mac: Mac, madeFrom: string, now: Instant): Payment | null;
  /** The newest order that names this device and is not paid yet, from wherever it was made. */
  lastPendingOfMac(mac: Mac): Payment | null;
  /** Orders whose next check is due: one from everywhere, then a second, and so on; among these longest due first. */
  dueForCheck(now: Instant, limit: number): Payment[];
  /** Whether any pending order is past its time. */
  anyExpired(now: Instant): boolean;
}

/** What every order has from its beginning; the rest comes later, or never. */
type NewPayment = Pick<Payment, 'userId' | 'bundleId' | 'bundleName' | 'durationSeconds' | 'phone' | 'amount'> &
  Pick<Payment, 'status' | 'method' | 'provider' | 'orderReference' | 'createdAt' | 'expiresAt'> &
  Partial<Payment> &
  PaymentKeys & { createdDay: Day; completedDay?: Day; completedHour?: number };

export interface PaymentKeys {
  /** Unique; made up where none is given. */
  key?: IdempotencyKey;
  /** Which of the receipts that Lango numbers it is. */
  receiptSequence?: number | undefined;
}

export interface PaymentWrites extends PaymentReads, SoldByKey<Payment> {
  insert(payment: NewPayment): Payment;
  /** Unexpired pending online orders that were made from there, the oldest first. */
  openIds(order: { phone: Phone; madeFrom: string | null; now: Instant }): number[];
  setCheckout(id: number, checkout: { paymentReference: string | null; redirectUrl: string }): void;
  /** @returns false when it is completed already */
  complete(id: number, done: CompletedPayment): boolean;
  /** pending → failed | cancelled. @returns false when it is not pending any more */
  close(id: number, status: 'failed' | 'cancelled'): boolean;
  recordVerification(
    id: number,
    found: { paid: Money | null; review: Review | null; transactionId: string | null },
  ): void;
  clearReview(id: number): void;
  setDeviceAllowed(id: number, allowed: boolean): void;
  scheduleCheck(id: number, checks: number, nextCheckAt: Instant | null): void;
  /** Orders that are still asked about, and whose next check is later than `after`; newest first. */
  waitingForCheck(after: Instant, createdAfter: Instant): { id: number; checks: number; nextCheckAt: Instant }[];
  /** Pending orders past their time become cancelled. @returns how many */
  cancelExpired(now: Instant, limit: number): number;
}

type CompletedPayment = Pick<Payment, 'paid' | 'review' | 'paymentReference' | 'transactionId' | 'paymentChannel'> & {
  completedAt: Instant;
  completedDay: Day;
  completedHour: number;
};

interface SettlePayment {
  paymentId: number;
  /** What the provider said when it was asked; null: it could not be asked this time. */
  verification: Verification | null;
  /** True when this check is one of the schedule's, which then moves on. */
  scheduled: boolean;
  /** MACs that the router shows online now; they are not dropped to make room. */
  onlineMacs: readonly Mac[];
}

export interface Settlement {
  payment: Payment;
  /** True when this call completed the payment and granted its time. */
  granted: boolean;
  /** False: the provider could not be asked. null: it was not its turn. */
  answered: boolean | null;
}

/**
 * Applies the provider's answer. It is compared with the order: reference, amount and currency must match before
 * anything is granted; less than the price grants nothing, more grants once, flagged.
 */
export function settlePayment(tx: Tx, input: SettlePayment): Settlement {
  const { verification } = input;
  const payment = requirePayment(tx, input.paymentId);
  if (input.scheduled) scheduleNextCheck(tx, payment);
  if (verification === null && payment.nextCheckAt !== null) recheckSoon(tx, requirePayment(tx, payment.id));
  const granted = verification !== null && applyVerification(tx, payment, verification, input);
  return { payment: requirePayment(tx, payment.id), granted, answered: verification !== null };
}

function applyVerification(tx: Tx, payment: Payment, answer: Verification, input: SettlePayment): boolean {
  if (payment.status === 'completed') {
    if (answer.state === 'reversed') flagForReview(tx, payment, answer, 'reversed');
    if (isPaidAgain(payment, answer)) flagForReview(tx, payment, answer, 'overpaid');
    return false;
  }
  if (answer.state === 'completed') {
    const mismatch = refusalToGrant(tx, payment, answer);
    if (mismatch === null) return completePayment(tx, payment, answer, input);
    flagForReview(tx, payment, answer, mismatch);
    return false;
  }
  if (answer.state === 'reversed') flagForReview(tx, payment, answer, 'reversed');
  if (answer.state === 'failed' || answer.state === 'reversed') tx.payments.close(payment.id, 'failed');
  if (answer.state === 'cancelled') tx.payments.close(payment.id, 'cancelled');
  return false;
}

function flagForReview(tx: Tx, payment: Payment, answer: Verification, review: Review): void {
  // What was paid is kept beside the price, in its currency; an amount in another one would be read wrongly.
  const paid = answer.amount?.currency === payment.amount.currency ? answer.amount : null;
  tx.payments.recordVerification(payment.id, { paid, review, transactionId: answer.transactionId });
}

/** Some providers let one link be paid twice. */
function isPaidAgain(payment: Payment, { state, amount }: Verification): boolean {
  const known = payment.paid ?? payment.amount;
  return state === 'completed' && amount !== null && amount.currency === known.currency && amount.minor > known.minor;
}

/** One payment at the provider pays for one order. */
export function isOfAnother(tx: Tx, payment: Payment, reference: string | null): boolean {
  const owner = reference === null ? null : tx.payments.byPaymentReference(payment.provider, reference);
  return owner !== null && owner.id !== payment.id;
}

/** A success without an amount is no success: what was paid is not known. */
function refusalToGrant(tx: Tx, payment: Payment, answer: Verification): Review | null {
  const expected = payment.paymentReference;
  if (expected !== null && answer.paymentReference !== null && answer.paymentReference !== expected) {
    return 'reference_mismatch';
  }
  if (isOfAnother(tx, payment, answer.paymentReference)) return 'reference_mismatch';
  if (answer.amount === null) return 'underpaid';
  if (answer.amount.currency !== payment.amount.currency) return 'wrong_currency';
  return answer.amount.minor < payment.amount.minor ? 'underpaid' : null;
}

function completePayment(tx: Tx, payment: Payment, answer: Verification, input: SettlePayment): boolean {
  const paid = answer.amount;
  const completed = tx.payments.complete(payment.id, {
    completedAt: tx.now,
    completedDay: dayOf(tx.now, tx.policy.timeZone),
    completedHour: hourOf(tx.now, tx.policy.timeZone),
    paid,
    review: paid !== null && paid.minor > payment.amount.minor ? 'overpaid' : null,
    paymentReference: payment.paymentReference ?? answer.paymentReference,
    transactionId: answer.transactionId,
    paymentChannel: answer.channel,
  });
  // Whether the device itself asked is not in the books: another person's does not come along.
  const named = { isItself: false, onlineMacs: input.onlineMacs };
  if (completed) grantPurchase(tx, payment, payment.provider, named);
  return completed;
}

/** The hours of a completed payment, the device it named, and the message that says so. */
export function grantPurchase(
  tx: Tx,
  payment: Payment,
  by: string,
  { isItself, onlineMacs }: { isItself: boolean; onlineMacs: readonly Mac[] },
): void {
  // A person who was deleted while paying comes back with the number the payment was made for.
  const user = tx.users.byId(payment.userId) ?? ensureUser(tx, payment.phone);
  const granted = { source: 'payment', sourceId: payment.id, seconds: payment.durationSeconds } as const;
  const profile = tx.bundles.profileOf(payment.bundleId);
  const grant = grantTime(tx, user, { ...granted, by, reason: payment.bundleName }, profile);
  if (payment.mac !== null) {
    const placement = placePaidDevice(tx, user, { mac: payment.mac, ip: payment.ip, isItself }, onlineMacs);
    tx.payments.setDeviceAllowed(payment.id, isPlaced(placement));
  }
  queueSms(tx, {
    kind: payment.receiptNumber === null ? 'payment_received' : 'receipt',
    user,
    key: `payment:${payment.id}`,
    bundleName: payment.bundleName,
    amount: payment.amount,
    paidUntil: grant.endsAt,
    receipt: payment.receiptNumber ?? undefined,
  });
}

interface ClearReview {
  paymentId: number;
  /** What staff found out. */
  note: string;
}

/** Staff have looked at a flagged payment. @throws LangoError NOT_FOUND; CONFLICT it is not flagged */
export function clearReview(tx: StaffTx, { paymentId, note: finding }: ClearReview): Payment {
  const { review } = requirePayment(tx, paymentId);
  if (review === null) throw new LangoError('CONFLICT', 'This payment is not flagged for review.');
  tx.payments.clearReview(paymentId);
  tx.record('payment.review', 'payment', paymentId, { review }, { review: null, note: finding });
  return requirePayment(tx, paymentId);
}

/** @throws LangoError NOT_FOUND */
export function requirePayment(reads: { payments: PaymentReads }, id: number): Payment {
  return found(reads.payments.byId(id), 'payment');
}
