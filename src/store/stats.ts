import type { PaymentStatus } from '../domain/payments.ts';
import type { BundleRevenue, Counts, DayRevenue, StatReads } from '../domain/stats.ts';
import type { Database } from './database.ts';
import { numberOf } from './statements.ts';
import { COUNT_USERS } from './users.ts';

export function statRepository(db: Database): StatReads {
  const byDay = db.prepare<[object], DayRevenue>(
    `SELECT day, payments, revenue_minor AS revenueMinor, payers FROM daily_stats
     WHERE bundle_id = 0 AND day BETWEEN @from AND @to ORDER BY day`,
  );
  const byBundle = db.prepare<[object], BundleRevenue>(
    `SELECT bundle_id AS bundleId, bundles.name AS bundleName, sum(payments) AS payments,
       sum(revenue_minor) AS revenueMinor, sum(payers) AS payers
     FROM daily_stats JOIN bundles ON bundles.id = bundle_id
     WHERE bundle_id <> 0 AND day BETWEEN @from AND @to GROUP BY bundle_id ORDER BY revenueMinor DESC, bundle_id`,
  );
  const orders = db
    .prepare<[], [PaymentStatus, number]>('SELECT status, sum(orders) FROM daily_orders GROUP BY status')
    .raw();
  const users = numberOf(db, COUNT_USERS);
  const activeUsers = numberOf(
    db,
    'SELECT count(*) FROM users WHERE is_active = 1 AND paid_until IS NOT NULL AND paid_until > ?',
  );
  const vouchers = db.prepare<[string], Counts['vouchers']>(
    `SELECT coalesce(sum(quantity), 0) AS total, coalesce(sum(used), 0) AS used, coalesce(sum(revoked), 0) AS revoked,
       coalesce(sum(quantity - used - revoked) FILTER (WHERE expires_at > ?), 0) AS available FROM voucher_batches`,
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
      vouchers: vouchers.get(now) as Counts['vouchers'],
      devices: devices(),
      activeBundles: activeBundles(),
    }),
    revenueByDay: (from, to) => byDay.all({ from, to }),
    revenueByBundle: (from, to) => byBundle.all({ from, to }),
    payersSince: numberOf(db, 'SELECT coalesce(sum(payers), 0) FROM payers_by_last_day WHERE day >= ?'),
  };
}
