/**
 * What a hotspot router asks: authorization, status and logout.
 * See docs/rules.md: Devices.
 */
import { hasAccess } from './access.ts';
import {
  isPlaced,
  type NamedDevice,
  type Placed,
  type PlacementRefusal,
  placeDevice,
  type SeenDevice,
} from './devices.ts';
import type { Phone } from './phone.ts';
import type { Standing } from './standings.ts';
import type { Instant } from './time.ts';
import type { Reads, Tx } from './transaction.ts';

export type AuthRefusal = 'unknown' | 'blocked' | 'expired' | 'device_limit' | Exclude<PlacementRefusal, 'no_room'>;

export type AuthAnswer =
  | {
      allowed: true;
      user: Standing['user'];
      deviceCount: number;
      /** null: no device was named. */
      placement: Placed | null;
    }
  | { allowed: false; reason: AuthRefusal; user: Standing['user'] | null };

export interface AuthQuestion {
  phone: Phone;
  device: SeenDevice | null;
}

/**
 * Answers without writing, which is nearly always possible.
 * @returns `seen`: the id of the device that was seen, if it is registered;
 *   null when the device is new, or may take its place back: `registerDevice` has to decide then
 */
export function answerFromBooks(
  reads: Reads,
  { phone, device }: AuthQuestion,
  now: Instant,
): { answer: AuthAnswer; seen: number | null } | null {
  const standing = reads.standings.byPhone(phone);
  const user = standing?.user ?? null;
  const refusal = refusalOf(user, now);
  if (standing === null || user === null || refusal !== null)
    return { answer: { allowed: false, reason: refusal ?? 'unknown', user }, seen: null };
  const deviceCount = standing.devices.length;
  if (device === null) return { answer: { allowed: true, user, deviceCount, placement: null }, seen: null };
  const known = standing.devices.find(({ mac }) => mac === device.mac);
  if (known !== undefined)
    return { answer: { allowed: true, user, deviceCount, placement: 'already' }, seen: known.id };
  const isFull = deviceCount >= user.maxDevices && !reads.devices.hasPaid(user.id, device.mac);
  return isFull ? { answer: { allowed: false, reason: 'device_limit', user }, seen: null } : null;
}

interface RegisterDevice extends AuthQuestion {
  device: NamedDevice | null;
  /** A proof came along that the person is who they say. */
  isProven: boolean;
}

/** Registers a new device of a person with access, if there is room or the device may take its place back. */
export function registerDevice(tx: Tx, { phone, device, isProven }: RegisterDevice): AuthAnswer {
  const user = tx.users.byPhone(phone);
  const refusal = refusalOf(user, tx.now);
  if (user === null || refusal !== null) return { allowed: false, reason: refusal ?? 'unknown', user };
  const placement = device === null ? null : placeDevice(tx, user, device, isProven);
  if (placement !== null && !isPlaced(placement)) {
    return { allowed: false, reason: placement === 'no_room' ? 'device_limit' : placement, user };
  }
  return { allowed: true, user, deviceCount: tx.devices.countOfUser(user.id), placement };
}

function refusalOf(user: Standing['user'] | null, now: Instant): AuthRefusal | null {
  if (user === null) return 'unknown';
  if (!user.isActive) return 'blocked';
  return hasAccess(user, now) ? null : 'expired';
}
