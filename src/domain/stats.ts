/** The business in numbers. Kept up by the store as the books change, so that none of these walks them. */
import type { Day, Instant } from './time.ts';

/** What was earned; money in minor units of the configured currency. */
export interface Revenue {
  payments: number;
  revenueMinor: number;
  /** People who paid. In a report over several days, each counts once a day. */
  payers: number;
}

export interface DayRevenue extends Revenue {
  day: Day;
}

export interface BundleRevenue extends Revenue {
  bundleId: number;
  bundleName: string;
}

export interface Counts {
  users: number;
  /** Not blocked, with paid time ahead. */
  activeUsers: number;
  /** Orders by status. */
  payments: { pending: number; completed: number; failed: number; cancelled: number };
  /** `available`: neither used nor revoked nor expired. */
  vouchers: { total: number; used: number; revoked: number; available: number };
  /** Registered now. */
  devices: number;
  activeBundles: number;
}

/** Days are of the configured zone, by completion of the payment, both ends included. */
export interface StatReads {
  counts(now: Instant): Counts;
  /** One entry for each day on which somebody paid, in order. */
  revenueByDay(from: Day, to: Day): DayRevenue[];
  /** One entry for each bundle that was paid for, the best seller first. */
  revenueByBundle(from: Day, to: Day): BundleRevenue[];
  /** Different people who have paid on that day or since. */
  payersSince(day: Day): number;
}
