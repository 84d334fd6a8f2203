/** Bundles sold by staff for cash: an order, its payment and its hours in one. */
import { requireBundleForSale } from './bundles.ts';
import { requireShift } from './cashiers.ts';
import { refuseField } from './errors.ts';
import type { Mac } from './mac.ts';
import { newPayment } from './orders.ts';
import { grantPurchase, type Payment, requirePayment } from './payments.ts';
import type { Phone } from './phone.ts';
import type { StaffTx } from './transaction.ts';
import { ensureUser, refuseBlocked, requireUser, type User } from './users.ts';

interface SellForCash {
  phone: Phone;
  bundleId: number;
  /** The number on the paper receipt: the same one twice is the same sale, made by mistake. */
  receiptNumber: string;
  mac: Mac | null;
  /** MACs that the router shows online now; they are not dropped to make room. */
  onlineMacs: readonly Mac[];
}

/**
 * Counts in the seller's open shift, where there is one.
 * @throws LangoError SHIFT_REQUIRED USER_BLOCKED BUNDLE_UNAVAILABLE; CONFLICT the receipt number is taken
 */
export function sellForCash(tx: StaffTx, input: SellForCash): { payment: Payment; user: User } {
  const { phone, bundleId, receiptNumber, mac } = input;
  requireShift(tx);
  refuseBlocked(tx.users.byPhone(phone));
  const bundle = requireBundleForSale(tx, bundleId);
  if (tx.payments.byReceiptNumber(receiptNumber) !== null) {
    refuseField('CONFLICT', 'receipt_number', 'A sale with this receipt number is in the books already.');
  }
  const user = ensureUser(tx, phone);
  const payment = newPayment(tx, user, bundle, {
    mac,
    status: 'completed',
    method: 'cash',
    provider: 'cash',
    receiptNumber,
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
