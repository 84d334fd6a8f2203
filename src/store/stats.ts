import type { BundleRevenue, DayRevenue, StatReads } from '../domain/stats.ts';
import type { Database } from './database.ts';

interface Tally {
  name: string;
  rows: number;
}

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
  const payersSince = db
    .prepare<[string], number>('SELECT coalesce(sum(payers), 0) FROM payers_by_last_day WHERE day >= ?')
    .pluck();
  const orders = db.prepare<[], Tally>('SELECT status AS name, sum(orders) AS rows FROM order_totals GROUP BY status');
  const rows = db.prepare<[], Tally>('SELECT name, rows FROM row_counts');
  const users = db.prepare<[], number>("SELECT coalesce(sum(rows), 0) FROM list_blocks WHERE list = 'users'").pluck();
  const activeUsers = db
    .prepare<[string], number>(
      'SELECT count(*) FROM users WHERE is_active = 1 AND paid_until IS NOT NULL AND paid_until > ?',
    )
    .pluck();
  const available = db
    .prepare<[string], number>(
      'SELECT coalesce(sum(quantity - used - revoked), 0) FROM voucher_batches WHERE expires_at > ?',
    )
    .pluck();
  const activeBundles = db
    .prepare<[], number>('SELECT count(*) FROM bundles WHERE archived_at IS NULL AND is_active = 1')
    .pluck();

  const tallies = (found: Tally[]) => {
    const known = new Map(found.map(tally => [tally.name, tally.rows]));
    return (name: string) => known.get(name) ?? 0;
  };
  return {
    counts(now) {
      const status = tallies(orders.all());
      const count = tallies(rows.all());
      return {
        users: users.get() as number,
        activeUsers: activeUsers.get(now) as number,
        payments: {
          pending: status('pending'),
          completed: status('completed'),
          failed: status('failed'),
          cancelled: status('cancelled'),
        },
        vouchers: {
          total: count('vouchers'),
          used: count('vouchers.used'),
          revoked: count('vouchers.revoked'),
          available: available.get(now) as number,
        },
        devices: count('devices'),
        activeBundles: activeBundles.get() as number,
      };
    },
    revenueByDay: (from, to) => byDay.all({ from, to }),
    revenueByBundle: (from, to) => byBundle.all({ from, to }),
    payersSince: day => payersSince.get(day) as number,
  };
}
