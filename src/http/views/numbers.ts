/** The business in numbers, for dashboard, status and live events. */
import type * as contract from '../../contract/reports.ts';
import type { LiveNumbers } from '../../contract/system.ts';
import { amountNumber, formatAmount } from '../../domain/money.ts';
import type { BundleRevenue, DayRevenue, Revenue } from '../../domain/stats.ts';
import { addDays, dayOf } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import { type Caller, hasRole } from '../credentials.ts';

type Source = Pick<Context, 'reads' | 'clock' | 'policy'>;

/** Of the last `days` days in the configured zone, today included. */
export interface RecentRevenue extends Revenue {
  days: number;
}

export function recentRevenue({ reads, clock, policy }: Source, days: number): RecentRevenue {
  const today = dayOf(clock.now(), policy.timeZone);
  const from = addDays(today, 1 - days);
  let [payments, revenueMinor] = [0, 0];
  for (const day of reads.stats.revenueByDay(from, today)) {
    payments += day.payments;
    revenueMinor += day.revenueMinor;
  }
  return { days, payments, revenueMinor, payers: reads.stats.payersSince(from) };
}

/** Whose sales somebody may add up: a cashier those of their own closed shifts. undefined: everybody's. */
export const sellerOf = (caller: Caller): number | undefined =>
  caller.kind === 'static-token' || hasRole(caller, 'staff') ? undefined : caller.session.admin.id;

/** What the caller may see of it. */
function visibleRevenue(source: Source, days: number, seller: number | undefined) {
  if (seller === undefined) return recentRevenue(source, days);
  const { reads, clock, policy } = source;
  const to = dayOf(clock.now(), policy.timeZone);
  const { completed } = reads.payments.summary({ soldInClosedShiftsOf: seller, from: addDays(to, 1 - days), to });
  return { payments: completed.orders, revenueMinor: completed.amountMinor };
}

const sumsView = ({ payments, revenueMinor, payers }: Revenue, currency: string) => ({
  payments,
  revenue: formatAmount({ minor: revenueMinor, currency }),
  payers,
});

export const dayRevenueView = (row: DayRevenue, currency: string): contract.RevenueOfDay => ({
  day: row.day,
  ...sumsView(row, currency),
});

export const bundleRevenueView = (row: BundleRevenue, currency: string): contract.RevenueOfBundle => ({
  bundle_id: row.bundleId,
  bundle_name: row.bundleName,
  ...sumsView(row, currency),
});

/** `revenue_30d`, `revenue_7d`, `revenue_today` of `/dashboard-stats/`. */
export function revenueView(
  { days, payments, revenueMinor, payers }: RecentRevenue,
  currency: string,
): contract.Revenue {
  const average = payers === 0 ? 0 : Math.round(revenueMinor / payers);
  return {
    period_days: days,
    total_revenue: formatAmount({ minor: revenueMinor, currency }),
    total_transactions: payments,
    unique_users: payers,
    average_per_user: formatAmount({ minor: average, currency }),
  };
}

/** The numbers that `/admin/status/` shows of the business. */
export function statusNumbers(source: Source, seller: number | undefined) {
  const { reads, clock, policy } = source;
  const counts = reads.stats.counts(clock.now());
  const today = visibleRevenue(source, 1, seller);
  const week = visibleRevenue(source, 7, seller);
  const amount = (minor: number) => amountNumber({ minor, currency: policy.currency });
  return {
    active_users: counts.activeUsers,
    payments_today: today.payments,
    revenue_today: amount(today.revenueMinor),
    payments_week: week.payments,
    revenue_week: amount(week.revenueMinor),
    total_users: counts.users,
    active_bundles: counts.activeBundles,
    // What is sold for cash is never pending.
    pending_payments: seller === undefined ? counts.payments.pending : 0,
  };
}

/** What live events tell. */
export function liveNumbers(
  context: Source & Pick<Context, 'router' | 'health' | 'presence'>,
  seller: number | undefined,
): LiveNumbers {
  const { reads, clock, policy, router, health, presence } = context;
  const counts = reads.stats.counts(clock.now());
  const today = visibleRevenue(context, 1, seller);
  return {
    active_users: counts.activeUsers,
    online: presence.onlineCount,
    pending_payments: seller === undefined ? counts.payments.pending : 0,
    payments_today: today.payments,
    revenue_today: formatAmount({ minor: today.revenueMinor, currency: policy.currency }),
    router: router.state,
    problems: health().problems,
  };
}
