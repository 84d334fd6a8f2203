/** Free bundles: taken once per device and number in the hours that staff set. See docs/rules.md: Bundles and users. */
import { grantTime, hasAccess } from './access.ts';
import { type Bundle, requireBundleForSale } from './bundles.ts';
import { isPlaced, type NamedDevice, placeFreeDevice } from './devices.ts';
import { LangoError, refuseField } from './errors.ts';
import type { Mac } from './mac.ts';
import type { Phone } from './phone.ts';
import { addSeconds, type Instant, SECONDS_PER_HOUR } from './time.ts';
import type { Tx } from './transaction.ts';
import { ensureUser, refuseBlocked, setLanguage } from './users.ts';

export interface FreeClaimWrites {
  insert(claim: { bundleId: number; userId: number; mac: Mac; at: Instant }): void;
  /** Whether that device or that person took the bundle since then. */
  isTaken(claim: { bundleId: number; userId: number; mac: Mac; since: Instant }): boolean;
  forget(userId: number): void;
  pruneBefore(at: Instant, limit: number): number;
}

interface TakeFree {
  phone: Phone;
  bundleId: number;
  /** The one that asks: the router shows it behind the request's address. */
  device: NamedDevice;
  /** A proof came along that the person is who they say. */
  isProven: boolean;
  language: string | null;
}

interface Taken {
  userId: number;
  paidUntil: Instant;
  bundle: Bundle;
}

/**
 * Only for those whose time does not run, so that none is heaped up; and the device goes online, or nothing is given.
 * @throws LangoError USER_BLOCKED BUNDLE_UNAVAILABLE FREE_TAKEN VALIDATION (a bundle with a price)
 */
export function takeFree(tx: Tx, { phone, bundleId, device, isProven, language }: TakeFree): Taken {
  refuseBlocked(tx.users.byPhone(phone));
  const bundle = requireBundleForSale(tx, bundleId);
  if (bundle.price.minor > 0) refuseField('VALIDATION', 'bundle_id', 'This bundle has a price. Please pay for it.');
  const user = setLanguage(tx, ensureUser(tx, phone), language);
  if (hasAccess(user, tx.now)) throw new LangoError('FREE_TAKEN', 'This number has time already.');
  const claim = { bundleId, userId: user.id, mac: device.mac };
  if (tx.freeClaims.isTaken({ ...claim, since: addSeconds(tx.now, -bundle.freeEveryHours * SECONDS_PER_HOUR) })) {
    const often = `It is free once in ${bundle.freeEveryHours} hours for a phone and a number.`;
    throw new LangoError('FREE_TAKEN', `This bundle was taken not long ago. ${often}`);
  }
  if (!isPlaced(placeFreeDevice(tx, user, device, isProven))) {
    throw new LangoError('FREE_TAKEN', 'This phone went from one number to another too often. Try again in an hour.');
  }
  tx.freeClaims.insert({ ...claim, at: tx.now });
  const given = { source: 'admin', sourceId: null, seconds: bundle.durationSeconds, by: 'free' } as const;
  const grant = grantTime(tx, user, { ...given, reason: bundle.name }, bundle.routerProfile);
  return { userId: user.id, paidUntil: grant.endsAt, bundle };
}
