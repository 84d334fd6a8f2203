/** Bundles sold by staff for cash: an order, its payment and its hours in one. */
import { requireBundleForSale } from './bundles.ts';
import { requireShift } from './cashiers.ts';
import { refuseField } from './errors.ts';
import { type IdempotencyKey, soldBefore } from './idempotency.ts';
import type { Mac } from './mac.ts';
import { newPayment } from './orders.ts';
import { grantPurchase, type Payment, requirePayment } from './payments.ts';
import type { Phone } from './phone.ts';
import type { StaffTx } from './transaction.ts';
import { ensureUser, refuseBlocked, requireUser, type User } from './users.ts';

interface SellForCash {
  phone: Phone;
  bundleId: number;
  /** From a receipt book: the same one twice is the same sale, made by mistake. Left out: Lango's next one. */
  receiptNumber?: string | undefined;
  idempotencyKey?: IdempotencyKey;
  mac: Mac | null;
  /** MACs that the router shows online now; they are not dropped to make room. */
  onlineMacs: readonly Mac[];
}

interface Sold {
  payment: Payment;
  user: User;
}

/**
 * Counts in the seller's open shift, where there is one.
 * @throws LangoError SHIFT_REQUIRED USER_BLOCKED BUNDLE_UNAVAILABLE; CONFLICT the receipt number is taken
 */
export function sellForCash(tx: StaffTx, input: SellForCash): Sold {
  const { phone, bundleId, mac, idempotencyKey } = input;
  const isSame = (payment: Payment) => payment.phone === phone && payment.bundleId === bundleId;
  const known = soldBefore(tx, idempotencyKey, tx.payments, isSame);
  if (known !== null) return { payment: known, user: requireUser(tx, known.userId) };
  requireShift(tx);
  refuseBlocked(tx.users.byPhone(phone));
  const bundle = requireBundleForSale(tx, bundleId);
  const receipt = receiptOf(tx, input.receiptNumber);
  const user = ensureUser(tx, phone);
  const payment = newPayment(tx, user, bundle, {
    mac,
    status: 'completed',
    method: 'cash',
    provider: 'cash',
    ...receipt,
    key: idempotencyKey,
    soldBy: tx.actor.name,
    shiftId: tx.shifts.openOf(tx.actor.adminId)?.id ?? null,
    paymentChannel: 'CASH',
    expiresAt: tx.now,
    completedAt: tx.now,
  });
  grantPurchase(tx, payment, tx.actor.name, { isItself: true, onlineMacs: input.onlineMacs });
  tx.record('payment.sell', 'payment', payment.id, null, { ...payment, phone: undefined });
  return { payment: requirePayment(tx, payment.id), user: requireUser(tx, user.id) };
}

/** @param typed left out: the next number of our own, past those that were typed alike */
function receiptOf(
  tx: StaffTx,
  typed: string | undefined,
): Pick<Payment, 'receiptNumber'> & { receiptSequence?: number } {
  const isTaken = (number: string) => tx.payments.byReceiptNumber(number) !== null;
  if (typed !== undefined) {
    if (!isTaken(typed)) return { receiptNumber: typed };
    refuseField('CONFLICT', 'receipt_number', 'A sale with this receipt number is in the books already.');
  }
  let receiptSequence = tx.payments.lastReceipt() + 1;
  while (isTaken(ownReceipt(receiptSequence))) receiptSequence += 1;
  return { receiptNumber: ownReceipt(receiptSequence), receiptSequence };
}

/** `R00042` */
const ownReceipt = (sequence: number): string => `R${String(sequence).padStart(5, '0')}`;
