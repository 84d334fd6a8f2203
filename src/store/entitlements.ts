import type { Entitlement, EntitlementReads } from '../domain/entitlements.ts';
import type { Mac } from '../domain/mac.ts';
import type { Phone } from '../domain/phone.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';

interface Row {
  user_id: number;
  phone: Phone;
  mac: Mac;
  slot: number;
  paid_until: Instant;
  router_profile: string | null;
}

const toEntitlement = (row: Row): Entitlement => ({
  userId: row.user_id,
  phone: row.phone,
  mac: row.mac,
  slot: row.slot,
  paidUntil: row.paid_until,
  routerProfile: row.router_profile,
});

export function entitlementRepository(db: Database): EntitlementReads {
  const select = `SELECT users.id AS user_id, users.phone, devices.mac, devices.slot, users.paid_until, users.router_profile
    FROM users JOIN devices ON devices.user_id = users.id AND devices.removed_at IS NULL`;
  const entitled =
    'users.is_active = 1 AND users.paid_until IS NOT NULL AND users.paid_until > +@now AND users.deleted_at IS NULL';
  const all = db.prepare<[object], Row>(`${select} WHERE ${entitled}`);
  // The plus keeps SQLite from planning this join anew for each value, which takes longer than running it.
  const ofMac = db.prepare<[object], Row>(`${select} WHERE devices.mac = +@mac AND ${entitled}`);
  const macsOfUser = db
    .prepare<[number], Mac>('SELECT mac FROM devices WHERE user_id = ? GROUP BY mac ORDER BY max(id) DESC LIMIT 32')
    .pluck();
  const expired = db.prepare<[object], { id: number; paid_until: Instant }>(
    `SELECT id, paid_until FROM users
     WHERE is_active = 1 AND paid_until IS NOT NULL AND paid_until > @from AND paid_until <= @to
     ORDER BY paid_until LIMIT @limit`,
  );

  return {
    all: now => all.all({ now }).map(toEntitlement),
    ofMacs: (macs, now) => macs.flatMap(mac => ofMac.all({ mac, now })).map(toEntitlement),
    macsOfUser: userId => macsOfUser.all(userId),
    expiredBetween: (from, to, limit) =>
      expired
        .all({ from, to, limit })
        .map(row => ({ userId: row.id, paidUntil: row.paid_until, macs: macsOfUser.all(row.id) })),
  };
}
