/** The business in numbers. Kept up by the store as the books change, so that none of these walks them. */
import type { Day, Instant } from './time.ts';

/** What was sold, and what was given back; money in minor units of the configured currency. */
export interface Revenue {
  /** Payments, and vouchers that were sold. */
  sales: number;
  grossMinor: number;
  refunds: number;
  refundedMinor: number;
}

export const NO_REVENUE: Revenue = { sales: 0, grossMinor: 0, refunds: 0, refundedMinor: 0 };

export const netMinor = ({ grossMinor, refundedMinor }: Revenue): number => grossMinor - refundedMinor;

/** Different people who paid. In a report over several days, each counts once a day. */
interface Payers {
  payers: number;
}

export interface DayRevenue extends Revenue, Payers {
  day: Day;
}

export interface BundleRevenue extends Revenue, Payers {
  bundleId: number;
  bundleName: string;
}

/** What tells sales apart beside day and bundle. `cashier`: empty where nobody of the staff had a part in it. */
export type RevenueGroup = 'method' | 'cashier' | 'hour' | 'place';

export interface GroupRevenue extends Revenue {
  group: string | number;
}

export interface Counts {
  users: number;
  /** Not blocked, with paid time ahead. */
  activeUsers: number;
  /** Orders by status. */
  payments: { pending: number; completed: number; failed: number; cancelled: number };
  /**
   * `available`: neither used nor revoked nor expired. `inStock`: those of them that can be sold. `usedUnsold`: used,
   * though nobody has sold them. `giveaway`: made to be given away, whatever became of them.
   */
  vouchers: Record<'total' | 'used' | 'revoked' | 'available' | 'inStock' | 'sold' | 'usedUnsold' | 'giveaway', number>;
  /** Registered now. */
  devices: number;
  activeBundles: number;
}

/** Days are of the configured zone, of the sale and of the refund, both ends included. */
export interface StatReads {
  counts(now: Instant): Counts;
  /** @param seller in the closed shifts of that admin alone, and given back from their drawers; left out: all of it */
  revenue(from: Day, to: Day, seller?: number): Revenue;
  /** Since ever, of each bundle that was sold. @param seller as of `revenue` */
  revenueOfBundles(seller?: number): ReadonlyMap<number, Revenue>;
  /** One entry for each day on which money moved, in order. */
  revenueByDay(from: Day, to: Day): DayRevenue[];
  /** One entry for each bundle that was sold or given back, the best seller first. */
  revenueByBundle(from: Day, to: Day): BundleRevenue[];
  /** Hours in order, of what has one; others the best seller first. */
  revenueBy(group: RevenueGroup, from: Day, to: Day): GroupRevenue[];
  /** Different people who have paid on that day or since. */
  payersSince(day: Day): number;
}
