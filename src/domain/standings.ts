/** What decides whether a person may be online with a device, and what they are told of it: asked for all the time. */
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
