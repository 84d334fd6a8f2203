/** What was sold and given back, told apart in several ways, and at a glance. Days are of the configured zone. */
import type * as v from 'valibot';
import { exportRevenue } from '../../contract/exports.ts';
import { REVENUE_ROWS, type RevenueRow, reportRevenue, showDashboard } from '../../contract/reports.ts';
import { invalid } from '../../domain/errors.ts';
import { NO_REVENUE } from '../../domain/stats.ts';
import { addDays, type Day, dayOf, daysBetween } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import { type Cell, csvFile, csvLine } from '../csv.ts';
import type { Api } from '../route.ts';
import { dashboardView } from '../views/dashboard.ts';
import { revenueOfView, totalsView } from '../views/reports.ts';

const USUAL_DAYS = 30;
/** Ten years: as many rows as a reply should hold. */
const MOST_DAYS = 3_660;

type Asked = v.InferOutput<typeof reportRevenue.query>;

export function reportRoutes(api: Api, context: Context): void {
  const { reads, clock, policy } = context;
  const { currency, timeZone } = policy;

  function daysOf(query: Asked): { from: Day; to: Day } {
    const to = query.to ?? dayOf(clock.now(), timeZone);
    const from = query.from ?? addDays(to, 1 - USUAL_DAYS);
    if (from > to) invalid('from', 'The first day must not be after the last one.');
    if (addDays(from, MOST_DAYS) <= to) invalid('from', `Ask for ${MOST_DAYS} days at most.`);
    return { from, to };
  }

  function rowsOf({ group = 'day' }: Asked, from: Day, to: Day): RevenueRow[] {
    const view = revenueOfView(currency);
    const { stats } = reads;
    switch (group) {
      case 'day': {
        const known = new Map(stats.revenueByDay(from, to).map(row => [row.day, row]));
        return everyDay(from, to).map(day => view.day(known.get(day) ?? { ...NO_REVENUE, day, payers: 0 }));
      }
      case 'bundle':
        return stats.revenueByBundle(from, to).map(view.bundle);
      case 'hour': {
        const known = new Map(stats.revenueBy('hour', from, to).map(row => [row.group, row]));
        return EVERY_HOUR.map(hour => view.hour(known.get(hour) ?? { ...NO_REVENUE, group: hour }));
      }
      default:
        return stats.revenueBy(group, from, to).map(view[group]);
    }
  }

  api.handle(reportRevenue, ({ query }) => {
    const { from, to } = daysOf(query);
    const totals = totalsView(reads.stats.revenue(from, to), currency);
    const before = { from: addDays(from, -1 - daysBetween(from, to)), to: addDays(from, -1) };
    return {
      success: true,
      from,
      to,
      currency,
      total: totals.revenue,
      totals,
      previous: { ...before, ...totalsView(reads.stats.revenue(before.from, before.to), currency) },
      rows: rowsOf(query, from, to),
    };
  });

  api.handle(exportRevenue, ({ query }) => {
    const { from, to } = daysOf(query);
    const { group = 'day' } = query;
    const columns = Object.keys(REVENUE_ROWS[group].entries);
    const cells = (row: RevenueRow) => columns.map(name => (row as Record<string, Cell>)[name] ?? null);
    const lines = [columns, ...rowsOf(query, from, to).map(cells)].map(csvLine);
    return csvFile(`revenue-by-${group}-${from}-${to}`, lines.join(''));
  });

  api.handle(showDashboard, () => dashboardView(context));
}

const EVERY_HOUR = Array.from({ length: 24 }, (_, hour) => hour);

/** Days on which nothing was sold are in no table, and yet in the report. */
const everyDay = (from: Day, to: Day): Day[] =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));
