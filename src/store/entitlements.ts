import type { Entitlement, EntitlementReads } from '../domain/entitlements.ts';
import type { Mac } from '../domain/mac.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';
import { type Columns, table } from './table.ts';

const COLUMNS: Columns<Entitlement> = {
  userId: 'id',
  phone: 'phone',
  mac: 'devices.mac',
  slot: 'devices.slot',
  paidUntil: 'paid_until',
  routerProfile: 'router_profile',
};

export function entitlementRepository(db: Database): EntitlementReads {
  const entitlements = table(db, 'users', COLUMNS, {
    joined: 'JOIN devices ON devices.user_id = users.id AND devices.removed_at IS NULL',
  });
  const entitled =
    'users.is_active = 1 AND users.paid_until IS NOT NULL AND users.paid_until > +@now AND users.deleted_at IS NULL';
  const all = entitlements.select<[object]>(`WHERE ${entitled}`);
  // The plus keeps SQLite from planning this join anew for each value, which takes longer than running it.
  const ofMac = entitlements.select<[object]>(`WHERE devices.mac = +@mac AND ${entitled}`);
  const macsOfUser = db
    .prepare<[number], Mac>('SELECT mac FROM devices WHERE user_id = ? GROUP BY mac ORDER BY max(id) DESC LIMIT 32')
    .pluck();
  const expired = db.prepare<[Instant, Instant, number], { userId: number; paidUntil: Instant }>(
    `SELECT id AS userId, paid_until AS paidUntil FROM users
     WHERE is_active = 1 AND paid_until IS NOT NULL AND paid_until > ? AND paid_until <= ? ORDER BY paid_until LIMIT ?`,
  );
  return {
    all: now => all.all({ now }),
    ofMacs: (macs, now) => macs.flatMap(mac => ofMac.all({ mac, now })),
    macsOfUser: userId => macsOfUser.all(userId),
    expiredBetween: (from, to, limit) =>
      expired.all(from, to, limit).map(person => ({ ...person, macs: macsOfUser.all(person.userId) })),
  };
}
