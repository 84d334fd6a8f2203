/** What was earned, by day and by bundle. Days are of the configured zone. */
import { invalid } from '../../domain/errors.ts';
import { formatAmount } from '../../domain/money.ts';
import type { Revenue } from '../../domain/stats.ts';
import { addDays, type Day, dayOf } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import { fields } from '../fields.ts';
import { filterByDay, filterByWord } from '../filters.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';

const USUAL_DAYS = 30;
/** Ten years: as many rows as a reply should hold. */
const MOST_DAYS = 3_660;

export function reportRoutes(api: Api, { reads, clock, policy }: Context): void {
  const { currency, timeZone } = policy;
  const Range = fields({
    from: filterByDay(timeZone),
    to: filterByDay(timeZone),
    group: filterByWord(['day', 'bundle']),
  });
  const sums = ({ payments, revenueMinor, payers }: Revenue) => ({
    payments,
    revenue: formatAmount({ minor: revenueMinor, currency }),
    payers,
  });

  api.get(
    '/admin/reports/revenue/',
    route({ auth: 'staff', query: Range }, ({ query }) => {
      const to = query.to ?? dayOf(clock.now(), timeZone);
      const from = query.from ?? addDays(to, 1 - USUAL_DAYS);
      if (from > to) invalid('from', 'The first day must not be after the last one.');
      if (addDays(from, MOST_DAYS) <= to) invalid('from', `Ask for ${MOST_DAYS} days at most.`);
      const days = reads.stats.revenueByDay(from, to);
      const total = days.reduce((sum, day) => sum + day.revenueMinor, 0);
      const rows =
        query.group === 'bundle'
          ? reads.stats
              .revenueByBundle(from, to)
              .map(row => ({ bundle_id: row.bundleId, bundle_name: row.bundleName, ...sums(row) }))
          : everyDay(from, to, days).map(row => ({ day: row.day, ...sums(row) }));
      return json(200, { success: true, from, to, currency, total: formatAmount({ minor: total, currency }), rows });
    }),
  );
}

/** Days without a payment are in no table, and yet in the report. */
function everyDay<Row extends Revenue & { day: Day }>(from: Day, to: Day, found: readonly Row[]) {
  const known = new Map(found.map(row => [row.day, row]));
  const rows: (Row | (Revenue & { day: Day }))[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    rows.push(known.get(day) ?? { day, payments: 0, revenueMinor: 0, payers: 0 });
  }
  return rows;
}
