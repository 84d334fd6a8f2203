import type { Bundle, BundleWrites } from '../domain/bundles.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';
import { type Columns, flag, money, table } from './table.ts';

const COLUMNS: Columns<Bundle> = {
  id: 'id',
  name: 'name',
  description: 'description',
  price: money('price_minor', 'currency'),
  durationSeconds: 'duration_seconds',
  isActive: flag('is_active'),
  freeEveryHours: 'free_every_hours',
  displayOrder: 'display_order',
  routerProfile: 'router_profile',
  createdAt: 'created_at',
  version: 'version',
};
const ORDER = 'ORDER BY display_order, price_minor, id';

export function bundleRepository(db: Database): BundleWrites {
  const bundles = table<Bundle, { archivedAt: Instant }>(db, 'bundles', COLUMNS, {
    hidden: { archivedAt: 'archived_at' },
  });
  const withArchived = bundles.select<[number]>('WHERE id = ?');
  const referenced = db
    .prepare<[object], 0 | 1>(
      `SELECT EXISTS (SELECT 1 FROM payments WHERE bundle_id = @id) OR EXISTS (SELECT 1 FROM voucher_batches WHERE bundle_id = @id)
         OR EXISTS (SELECT 1 FROM free_claims WHERE bundle_id = @id)`,
    )
    .pluck();
  const remove = db.prepare('DELETE FROM bundles WHERE id = ?');

  return {
    byId: bundles.select<[number]>('WHERE id = ? AND archived_at IS NULL').get,
    list: bundles.select<[]>(`WHERE archived_at IS NULL ${ORDER}`).all,
    listActive: bundles.select<[]>(`WHERE archived_at IS NULL AND is_active = 1 ${ORDER}`).all,
    profileOf: id => withArchived.get(id)?.routerProfile ?? null,
    insert: bundles.add,
    update: bundles.update,
    isReferenced: id => referenced.get({ id }) === 1,
    archive: (id, now) => bundles.update(id, { archivedAt: now, isActive: false }),
    remove: id => void remove.run(id),
  };
}
