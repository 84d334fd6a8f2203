/** The business in numbers, for dashboard, status and live events. */
import { amountNumber, formatAmount } from '../../domain/money.ts';
import type { Revenue } from '../../domain/stats.ts';
import { addDays, dayOf } from '../../domain/time.ts';
import type { Context } from '../context.ts';

type Source = Pick<Context, 'reads' | 'clock' | 'policy'>;

/** What was earned on a number of days of the configured zone, today the last of them. */
export interface Earned extends Revenue {
  days: number;
}

export function earnedLately({ reads, clock, policy }: Source, days: number): Earned {
  const today = dayOf(clock.now(), policy.timeZone);
  const from = addDays(today, 1 - days);
  let [payments, revenueMinor] = [0, 0];
  for (const day of reads.stats.revenueByDay(from, today)) {
    payments += day.payments;
    revenueMinor += day.revenueMinor;
  }
  return { days, payments, revenueMinor, payers: reads.stats.payersSince(from) };
}

/** `revenue_30d`, `revenue_7d`, `revenue_today` of `/dashboard-stats/`. */
export function revenueView({ days, payments, revenueMinor, payers }: Earned, currency: string) {
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
export function statusNumbers(source: Source) {
  const { reads, clock, policy } = source;
  const counts = reads.stats.counts(clock.now());
  const today = earnedLately(source, 1);
  const week = earnedLately(source, 7);
  const amount = (minor: number) => amountNumber({ minor, currency: policy.currency });
  return {
    active_users: counts.activeUsers,
    payments_today: today.payments,
    revenue_today: amount(today.revenueMinor),
    payments_week: week.payments,
    revenue_week: amount(week.revenueMinor),
    total_users: counts.users,
    active_bundles: counts.activeBundles,
    pending_payments: counts.payments.pending,
  };
}

/** What live events tell. */
export function liveNumbers(context: Source & Pick<Context, 'router' | 'health' | 'presence'>) {
  const { reads, clock, policy, router, health, presence } = context;
  const counts = reads.stats.counts(clock.now());
  const today = earnedLately(context, 1);
  return {
    active_users: counts.activeUsers,
    online: presence.onlineCount,
    pending_payments: counts.payments.pending,
    payments_today: today.payments,
    revenue_today: formatAmount({ minor: today.revenueMinor, currency: policy.currency }),
    router: router.state,
    problems: health().problems,
  };
}
