/** What was earned: by day, by bundle, and at a glance. Days are of the configured zone. */
import { reportRevenue, showDashboard } from '../../contract/reports.ts';
import { invalid } from '../../domain/errors.ts';
import { formatAmount } from '../../domain/money.ts';
import type { DayRevenue } from '../../domain/stats.ts';
import { addDays, type Day, dayOf } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import type { Api } from '../route.ts';
import { dashboardView } from '../views/dashboard.ts';
import { bundleRevenueView, dayRevenueView } from '../views/numbers.ts';

const USUAL_DAYS = 30;
/** Ten years: as many rows as a reply should hold. */
const MOST_DAYS = 3_660;

export function reportRoutes(api: Api, context: Context): void {
  const { reads, clock, policy } = context;
  const { currency, timeZone } = policy;

  api.handle(reportRevenue, ({ query }) => {
    const to = query.to ?? dayOf(clock.now(), timeZone);
    const from = query.from ?? addDays(to, 1 - USUAL_DAYS);
    if (from > to) invalid('from', 'The first day must not be after the last one.');
    if (addDays(from, MOST_DAYS) <= to) invalid('from', `Ask for ${MOST_DAYS} days at most.`);
    const days = reads.stats.revenueByDay(from, to);
    const total = days.reduce((sum, day) => sum + day.revenueMinor, 0);
    const rows =
      query.group === 'bundle'
        ? reads.stats.revenueByBundle(from, to).map(row => bundleRevenueView(row, currency))
        : everyDay(from, to, days).map(row => dayRevenueView(row, currency));
    return { success: true, from, to, currency, total: formatAmount({ minor: total, currency }), rows };
  });

  api.handle(showDashboard, () => dashboardView(context));
}

/** Days without a payment are in no table, and yet in the report. */
function everyDay(from: Day, to: Day, found: readonly DayRevenue[]): DayRevenue[] {
  const known = new Map(found.map(row => [row.day, row]));
  const rows: DayRevenue[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    rows.push(known.get(day) ?? { day, payments: 0, revenueMinor: 0, payers: 0 });
  }
  return rows;
}
