/** What decides whether a person may be online with a device; asked for at every login, so it is read as one. */
import type { Mac } from './mac.ts';
import type { Phone } from './phone.ts';
import type { Instant } from './time.ts';
import type { User } from './users.ts';

export interface Standing {
  user: Pick<User, 'id' | 'phone' | 'isActive' | 'maxDevices' | 'paidUntil'>;
  /** The registered ones. */
  devices: ReadonlyMap<Mac, { id: number; lastSeen: Instant }>;
}

export interface StandingReads {
  byPhone(phone: Phone): Standing | null;
}
