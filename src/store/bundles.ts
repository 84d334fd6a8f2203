import type { Bundle, BundleFields, BundleWrites } from '../domain/bundles.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';

const COLUMNS =
  'id, name, description, price_minor, currency, duration_seconds, is_active, display_order, router_profile, created_at, version';
const ORDER = 'ORDER BY display_order, price_minor, id';

interface Row {
  id: number;
  name: string;
  description: string;
  price_minor: number;
  currency: string;
  duration_seconds: number;
  is_active: 0 | 1;
  display_order: number;
  router_profile: string | null;
  created_at: Instant;
  version: number;
}

function toBundle(row: Row): Bundle {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    price: { minor: row.price_minor, currency: row.currency },
    durationSeconds: row.duration_seconds,
    isActive: row.is_active === 1,
    displayOrder: row.display_order,
    routerProfile: row.router_profile,
    createdAt: row.created_at,
    version: row.version,
  };
}

const toColumns = ({ price, isActive, ...rest }: BundleFields) => ({
  ...rest,
  priceMinor: price.minor,
  currency: price.currency,
  isActive: Number(isActive),
});

export function bundleRepository(db: Database): BundleWrites {
  const byId = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM bundles WHERE id = ? AND archived_at IS NULL`);
  const list = db.prepare<[], Row>(`SELECT ${COLUMNS} FROM bundles WHERE archived_at IS NULL ${ORDER}`);
  const active = db.prepare<[], Row>(
    `SELECT ${COLUMNS} FROM bundles WHERE archived_at IS NULL AND is_active = 1 ${ORDER}`,
  );
  const sales = db.prepare<[number], { purchases: number; revenue: number }>(
    `SELECT coalesce(sum(payments), 0) AS purchases, coalesce(sum(revenue_minor), 0) AS revenue
     FROM daily_stats WHERE bundle_id = ?`,
  );
  const currencyOf = db.prepare<[number], string>('SELECT currency FROM bundles WHERE id = ?').pluck();
  const profileOf = db.prepare<[number], string | null>('SELECT router_profile FROM bundles WHERE id = ?').pluck();
  const insert = db.prepare<[object], Row>(
    `INSERT INTO bundles (name, description, price_minor, currency, duration_seconds, is_active, display_order, router_profile, created_at)
     VALUES (@name, @description, @priceMinor, @currency, @durationSeconds, @isActive, @displayOrder, @routerProfile, @createdAt)
     RETURNING ${COLUMNS}`,
  );
  const update = db.prepare(
    `UPDATE bundles SET name = @name, description = @description, price_minor = @priceMinor, currency = @currency,
       duration_seconds = @durationSeconds, is_active = @isActive, display_order = @displayOrder, router_profile = @routerProfile,
       version = version + 1
     WHERE id = @id`,
  );
  const referenced = db
    .prepare<[object], 0 | 1>(
      'SELECT EXISTS (SELECT 1 FROM payments WHERE bundle_id = @id) OR EXISTS (SELECT 1 FROM voucher_batches WHERE bundle_id = @id)',
    )
    .pluck();
  const archive = db.prepare('UPDATE bundles SET archived_at = @now, is_active = 0 WHERE id = @id');
  const remove = db.prepare('DELETE FROM bundles WHERE id = ?');

  return {
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? null : toBundle(row);
    },
    list: () => list.all().map(toBundle),
    listActive: () => active.all().map(toBundle),
    salesOf(id) {
      const row = sales.get(id) ?? { purchases: 0, revenue: 0 };
      return { purchases: row.purchases, revenue: { minor: row.revenue, currency: currencyOf.get(id) ?? '' } };
    },
    profileOf: id => profileOf.get(id) ?? null,
    insert: ({ createdAt, ...bundle }) => toBundle(insert.get({ ...toColumns(bundle), createdAt }) as Row),
    update: (id, bundle) => void update.run({ id, ...toColumns(bundle) }),
    isReferenced: id => referenced.get({ id }) === 1,
    archive: (id, now) => void archive.run({ id, now }),
    remove: id => void remove.run(id),
  };
}
