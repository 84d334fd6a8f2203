/** All that a login needs to know of a person. Logins are frequent, so standings are cached in memory. */
import type { Device } from './devices.ts';
import type { Phone } from './phone.ts';
import type { User } from './users.ts';

export interface Standing {
  readonly user: Pick<User, 'id' | 'phone' | 'isActive' | 'maxDevices' | 'paidUntil'>;
  /** Those registered. */
  readonly devices: readonly Pick<Device, 'id' | 'mac'>[];
  /** Of those completed. */
  readonly paymentCount: number;
}

export interface StandingReads {
  byPhone(phone: Phone): Standing | null;
}
