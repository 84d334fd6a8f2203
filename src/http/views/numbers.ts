/** The business in numbers, for dashboard, status and live events. */
import type * as contract from '../../contract/reports.ts';
import type { LiveNumbers } from '../../contract/system.ts';
import { amountNumber, formatAmount } from '../../domain/money.ts';
import { netMinor, type Revenue } from '../../domain/stats.ts';
import { addDays, dayOf } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import { type Caller, hasRole } from '../credentials.ts';

type Source = Pick<Context, 'reads' | 'clock' | 'policy'>;

/** Whose sales somebody may add up: a cashier those of their own closed shifts. undefined: everybody's. */
export const sellerOf = (caller: Caller): number | undefined =>
  caller.kind === 'static-token' || hasRole(caller, 'staff') ? undefined : caller.session.admin.id;

/** Of the last `days` days in the configured zone, today included. @param seller as `sellerOf` */
function recentRevenue({ reads, clock, policy }: Source, days: number, seller: number | undefined): Revenue {
  const to = dayOf(clock.now(), policy.timeZone);
  return reads.stats.revenue(addDays(to, 1 - days), to, seller);
}

/** `revenue_30d`, `revenue_7d`, `revenue_today` of `/dashboard-stats/`. */
export function revenueView(source: Source, days: number): contract.Revenue {
  const { reads, clock, policy } = source;
  const revenue = recentRevenue(source, days, undefined);
  const payers = reads.stats.payersSince(addDays(dayOf(clock.now(), policy.timeZone), 1 - days));
  const amountOf = (minor: number) => formatAmount({ minor, currency: policy.currency });
  return {
    period_days: days,
    total_revenue: amountOf(revenue.grossMinor),
    refunds: amountOf(revenue.refundedMinor),
    net_revenue: amountOf(netMinor(revenue)),
    total_transactions: revenue.sales,
    unique_users: payers,
    average_per_user: amountOf(payers === 0 ? 0 : Math.round(revenue.grossMinor / payers)),
  };
}

/** The numbers that `/admin/status/` shows of the business. */
export function statusNumbers(source: Source, seller: number | undefined) {
  const { reads, clock, policy } = source;
  const counts = reads.stats.counts(clock.now());
  const today = recentRevenue(source, 1, seller);
  const week = recentRevenue(source, 7, seller);
  const amount = (minor: number) => amountNumber({ minor, currency: policy.currency });
  return {
    active_users: counts.activeUsers,
    payments_today: today.sales,
    revenue_today: amount(today.grossMinor),
    refunds_today: amount(today.refundedMinor),
    payments_week: week.sales,
    revenue_week: amount(week.grossMinor),
    refunds_week: amount(week.refundedMinor),
    total_users: counts.users,
    active_bundles: counts.activeBundles,
    // What is sold at the counter is never pending.
    pending_payments: seller === undefined ? counts.payments.pending : 0,
  };
}

/** What live events tell. */
export function liveNumbers(
  context: Source & Pick<Context, 'site' | 'health'>,
  seller: number | undefined,
): LiveNumbers {
  const { reads, clock, policy, site, health } = context;
  const counts = reads.stats.counts(clock.now());
  const today = recentRevenue(context, 1, seller);
  const amountOf = (minor: number) => formatAmount({ minor, currency: policy.currency });
  return {
    active_users: counts.activeUsers,
    online: site.onlineCount,
    pending_payments: seller === undefined ? counts.payments.pending : 0,
    payments_today: today.sales,
    revenue_today: amountOf(today.grossMinor),
    refunds_today: amountOf(today.refundedMinor),
    router: site.defaultRouter.port.state,
    problems: health().problems,
  };
}
