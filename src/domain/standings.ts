/** What decides whether a person may be online with a device, and what they are told of it: asked for all the time. */
import type { Mac } from './mac.ts';
import type { Phone } from './phone.ts';
import type { Instant } from './time.ts';
import type { User } from './users.ts';

export interface Standing {
  readonly user: Pick<User, 'id' | 'phone' | 'isActive' | 'maxDevices' | 'paidUntil'>;
  /** Of those registered. */
  readonly deviceCount: number;
  /** Of those completed. */
  readonly paymentCount: number;
  /**
   * Takes note that the device was seen now; `isNews`: the last time was a minute ago or more.
   * @returns null when the person has no such device
   */
  see(mac: Mac, now: Instant): { id: number; isNews: boolean } | null;
}

export interface StandingReads {
  byPhone(phone: Phone): Standing | null;
}

/** A device that was seen within this time is not written again: finer would only wear the flash. */
const SIGHTING_MS = 60_000;

export function isNews(lastSeenMs: number, nowMs: number): boolean {
  return nowMs - lastSeenMs >= SIGHTING_MS;
}
