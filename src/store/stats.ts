import type { PaymentStatus } from '../domain/payments.ts';
import type {
  BundleRevenue,
  Counts,
  DayRevenue,
  GroupRevenue,
  Revenue,
  RevenueGroup,
  StatReads,
} from '../domain/stats.ts';
import { addDays } from '../domain/time.ts';
import type { Database } from './database.ts';
import { numberOf } from './statements.ts';
import { COUNT_USERS } from './users.ts';

/** Of `daily_sales` and `hourly_sales`. */
const SUMS = `coalesce(sum(sales), 0) AS sales, coalesce(sum(gross_minor), 0) AS grossMinor,
  coalesce(sum(refunds), 0) AS refunds, coalesce(sum(refunded_minor), 0) AS refundedMinor`;

/** What daily_sales has, of the closed shifts of one admin. */
const IN_CLOSED_SHIFTS = `(
  WITH closed AS (SELECT id FROM shifts WHERE admin_id = @seller AND closed_at >= @closedFrom)
  SELECT completed_day AS day, bundle_id, 1 AS sales, amount_minor AS gross_minor, 0 AS refunds, 0 AS refunded_minor
  FROM closed CROSS JOIN payments ON shift_id = closed.id
  UNION ALL SELECT refunds.created_day, bundle_id, 0, 0, 1, refunds.amount_minor
  FROM closed CROSS JOIN refunds ON refunds.shift_id = closed.id JOIN payments ON payments.id = payment_id
  WHERE refunds.status <> 'failed'
  UNION ALL SELECT sold_day, bundle_id, quantity, quantity * price_minor, 0, 0
  FROM closed CROSS JOIN voucher_sales ON shift_id = closed.id
  UNION ALL SELECT returned_day, bundle_id, 0, 0, returned, returned * price_minor
  FROM closed CROSS JOIN voucher_sales ON return_shift_id = closed.id)`;

export function statRepository(db: Database): StatReads {
  const inDays = 'WHERE day BETWEEN @from AND @to';
  const totalOf = (sales: string) => db.prepare<[object], Revenue>(`SELECT ${SUMS} FROM ${sales} ${inDays}`);
  const total = totalOf('daily_sales');
  const totalInClosedShifts = totalOf(IN_CLOSED_SHIFTS);
  const bundlesOf = (sales: string) =>
    db.prepare<[object], Revenue & { bundleId: number }>(
      `SELECT bundle_id AS bundleId, ${SUMS} FROM ${sales} GROUP BY bundle_id`,
    );
  const bundles = bundlesOf('daily_sales');
  const bundlesInClosedShifts = bundlesOf(IN_CLOSED_SHIFTS);
  const byDay = db.prepare<[object], DayRevenue>(
    `SELECT day, coalesce((SELECT payers FROM payers_by_day AS paid WHERE paid.day = daily_sales.day AND bundle_id = 0), 0) AS payers, ${SUMS}
     FROM daily_sales ${inDays} GROUP BY day ORDER BY day`,
  );
  const byBundle = db.prepare<[object], BundleRevenue>(
    `SELECT sold.*, bundles.name AS bundleName, coalesce(paid.payers, 0) AS payers
     FROM (SELECT bundle_id AS bundleId, ${SUMS} FROM daily_sales ${inDays} GROUP BY 1) AS sold
     JOIN bundles ON bundles.id = bundleId
     LEFT JOIN (SELECT bundle_id, sum(payers) AS payers FROM payers_by_day ${inDays} GROUP BY 1) AS paid
       ON paid.bundle_id = bundleId
     ORDER BY grossMinor DESC, bundleId`,
  );
  const by = (group: string, table: string, order: string) =>
    db.prepare<[object], GroupRevenue>(
      `SELECT ${group} AS "group", ${SUMS} FROM ${table} ${inDays} GROUP BY 1 ORDER BY ${order}`,
    );
  const groups: Record<RevenueGroup, ReturnType<typeof by>> = {
    method: by('method', 'daily_sales', 'grossMinor DESC, 1'),
    cashier: by('seller', 'daily_sales', 'grossMinor DESC, 1'),
    place: by("CASE method WHEN 'online' THEN 'portal' ELSE 'counter' END", 'daily_sales', 'grossMinor DESC, 1'),
    hour: by('hour', 'hourly_sales', '1'),
  };
  const orders = db
    .prepare<[], [PaymentStatus, number]>('SELECT status, sum(orders) FROM daily_orders GROUP BY status')
    .raw();
  const users = numberOf(db, COUNT_USERS);
  const activeUsers = numberOf(
    db,
    'SELECT count(*) FROM users WHERE is_active = 1 AND paid_until IS NOT NULL AND paid_until > ?',
  );
  const vouchers = db.prepare<[object], Counts['vouchers']>(
    `SELECT coalesce(sum(quantity), 0) AS total, coalesce(sum(used), 0) AS used, coalesce(sum(revoked), 0) AS revoked,
       coalesce(sum(quantity - used - revoked) FILTER (WHERE expires_at > @now), 0) AS available,
       coalesce(sum(quantity - left_stock) FILTER (WHERE expires_at > @now AND kind = 'stock'), 0) AS inStock,
       coalesce(sum(sold), 0) AS sold, coalesce(sum(used_unsold) FILTER (WHERE kind = 'stock'), 0) AS usedUnsold,
       coalesce(sum(quantity) FILTER (WHERE kind = 'giveaway'), 0) AS giveaway
     FROM voucher_batches`,
  );
  // As COUNT_USERS.
  const devices = numberOf(
    db,
    'SELECT (SELECT count(*) FROM devices) - (SELECT count(*) FROM devices WHERE removed_at IS NOT NULL)',
  );
  const activeBundles = numberOf(db, 'SELECT count(*) FROM bundles WHERE archived_at IS NULL AND is_active = 1');

  return {
    counts: now => ({
      users: users(),
      activeUsers: activeUsers(now),
      payments: { pending: 0, completed: 0, failed: 0, cancelled: 0, ...Object.fromEntries(orders.all()) },
      vouchers: vouchers.get({ now }) as Counts['vouchers'],
      devices: devices(),
      activeBundles: activeBundles(),
    }),
    revenue(from, to, seller) {
      if (seller === undefined) return total.get({ from, to }) as Revenue;
      // What is in a shift was sold before it closed, at whatever hour the days of the zone begin.
      return totalInClosedShifts.get({ from, to, seller, closedFrom: addDays(from, -1) }) as Revenue;
    },
    revenueOfBundles(seller) {
      const rows = seller === undefined ? bundles.all({}) : bundlesInClosedShifts.all({ seller, closedFrom: '' });
      return new Map(rows.map(row => [row.bundleId, row]));
    },
    revenueByDay: (from, to) => byDay.all({ from, to }),
    revenueByBundle: (from, to) => byBundle.all({ from, to }),
    revenueBy: (group, from, to) => groups[group].all({ from, to }),
    payersSince: numberOf(db, 'SELECT coalesce(sum(payers), 0) FROM payers_by_last_day WHERE day >= ?'),
  };
}
