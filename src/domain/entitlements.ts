/** Which devices are entitled to be online: what the router should hold. */
import type { Mac } from './mac.ts';
import type { Phone } from './phone.ts';
import type { Instant } from './time.ts';

export interface Entitlement {
  userId: number;
  phone: Phone;
  mac: Mac;
  slot: number;
  paidUntil: Instant;
  /** null: the appliance's default. */
  routerProfile: string | null;
}

/** A registered device of an unblocked person whose paid time lies ahead. */
export interface EntitlementReads {
  all(now: Instant): Entitlement[];
  ofMacs(macs: readonly Mac[], now: Instant): Entitlement[];
  /** MACs of a person's devices, entitled or not, and of those removed lately: the router may hold any of them. */
  macsOfUser(userId: number): Mac[];
  /** People whose paid time ended in (from, to], with their devices' MACs. */
  expiredBetween(from: Instant, to: Instant, limit: number): { userId: number; paidUntil: Instant; macs: Mac[] }[];
}
