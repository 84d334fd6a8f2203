/** Orders until they are paid: on disk before the provider is called. See docs/rules.md: Payments. */
import { randomInt } from 'node:crypto';
import { type Bundle, requireBundleForSale } from './bundles.ts';
import { LangoError, refuseField } from './errors.ts';
import { limitsOf } from './limits.ts';
import type { Mac } from './mac.ts';
import { checkTime } from './payment-checks.ts';
import { isOfAnother, type Payment, type PaymentKeys, requirePayment } from './payments.ts';
import type { Phone } from './phone.ts';
import { addSeconds, dayOf, hourOf } from './time.ts';
import type { Policy, Tx } from './transaction.ts';
import { ensureUser, refuseBlocked, setLanguage, type User } from './users.ts';

/** Per phone number and address, so that orders made elsewhere do not count. */
const MAX_OPEN_ORDERS = 3;

const REFERENCE_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** 103 bits: too long to guess. */
export function newOrderReference(): string {
  let reference = '';
  while (reference.length < 20) reference += REFERENCE_LETTERS[randomInt(REFERENCE_LETTERS.length)];
  return reference;
}

export function isOrderReference(text: string): boolean {
  return /^[A-Z0-9]{20}$/.test(text);
}

export const sellsOnline = ({ paymentProvider }: Policy): boolean => paymentProvider !== 'none';

interface OpenOrder {
  phone: Phone;
  bundleId: number;
  /** What the portal is used in; null: not known. */
  language: string | null;
  mac: Mac | null;
  ip: string | null;
  /** The network of the address that orders it. */
  madeFrom: string | null;
}

/**
 * Puts an order on disk, before the provider is called. One more than may be open closes the oldest, which is asked
 * about all the same: it may have been paid.
 * @throws LangoError USER_BLOCKED BUNDLE_UNAVAILABLE VALIDATION (a free bundle)
 * @throws LangoError PAYMENT_PROVIDER_UNAVAILABLE nothing is sold online
 */
export function openOrder(tx: Tx, { phone, bundleId, language, mac, ip, madeFrom }: OpenOrder): Payment {
  refuseBlocked(tx.users.byPhone(phone));
  const bundle = requireBundleForSale(tx, bundleId);
  if (bundle.price.minor === 0) {
    refuseField('VALIDATION', 'bundle_id', 'This bundle is free and needs no payment.');
  }
  if (!sellsOnline(tx.policy)) {
    const message = 'Nothing can be paid online here. Use a voucher, or pay at the counter.';
    throw new LangoError('PAYMENT_PROVIDER_UNAVAILABLE', message);
  }
  const open = tx.payments.openIds({ phone, madeFrom, now: tx.now });
  for (const id of open.slice(0, Math.max(0, open.length - MAX_OPEN_ORDERS + 1))) tx.payments.close(id, 'cancelled');
  const user = setLanguage(tx, ensureUser(tx, phone), language);
  return newPayment(tx, user, bundle, {
    mac,
    ip,
    madeFrom,
    status: 'pending',
    method: 'online',
    provider: tx.policy.paymentProvider,
    nextCheckAt: checkTime(tx.now, 0),
    expiresAt: addSeconds(tx.now, limitsOf(tx).orderExpiryMinutes * 60),
  });
}

/** An order of a bundle as it is now, whatever becomes of the bundle. */
export function newPayment(
  tx: Tx,
  user: User,
  bundle: Bundle,
  order: Pick<Payment, 'status' | 'method' | 'provider' | 'expiresAt'> & Partial<Payment> & PaymentKeys,
): Payment {
  const { timeZone } = tx.policy;
  const createdDay = dayOf(tx.now, timeZone);
  return tx.payments.insert({
    userId: user.id,
    bundleId: bundle.id,
    bundleName: bundle.name,
    durationSeconds: bundle.durationSeconds,
    phone: user.phone,
    amount: bundle.price,
    orderReference: newOrderReference(),
    createdAt: tx.now,
    createdDay,
    ...(order.completedAt && { completedDay: createdDay, completedHour: hourOf(tx.now, timeZone) }),
    ...order,
  });
}

interface AttachCheckout {
  paymentId: number;
  paymentReference: string | null;
  redirectUrl: string;
}

/**
 * Keeps what the provider answered, before the person is sent there.
 * @throws LangoError PAYMENT_PROVIDER_UNAVAILABLE it named the payment of another order
 */
export function attachCheckout(tx: Tx, { paymentId, paymentReference, redirectUrl }: AttachCheckout): Payment {
  if (isOfAnother(tx, requirePayment(tx, paymentId), paymentReference)) {
    const message = 'The payment service gave an answer that makes no sense. Please try again in a minute.';
    throw new LangoError('PAYMENT_PROVIDER_UNAVAILABLE', message);
  }
  tx.payments.setCheckout(paymentId, { paymentReference, redirectUrl });
  return requirePayment(tx, paymentId);
}

/** The provider refused to take this order at all. */
export function refuseOrder(tx: Tx, { paymentId }: { paymentId: number }): Payment {
  tx.payments.close(paymentId, 'failed');
  tx.payments.scheduleCheck(paymentId, 0, null);
  return requirePayment(tx, paymentId);
}

export function cancelExpiredOrders(tx: Tx, { limit }: { limit: number }): void {
  tx.payments.cancelExpired(tx.now, limit);
}
