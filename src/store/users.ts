import type { Phone } from '../domain/phone.ts';
import type { Instant } from '../domain/time.ts';
import type { User, UserWrites } from '../domain/users.ts';
import type { Database } from './database.ts';

const COLUMNS = 'id, phone, is_active, max_devices, paid_until, language, router_profile, created_at';

interface Row {
  id: number;
  phone: Phone;
  is_active: 0 | 1;
  max_devices: number;
  paid_until: Instant | null;
  language: string | null;
  router_profile: string | null;
  created_at: Instant;
}

function toUser(row: Row): User {
  return {
    id: row.id,
    phone: row.phone,
    isActive: row.is_active === 1,
    maxDevices: row.max_devices,
    paidUntil: row.paid_until,
    language: row.language,
    routerProfile: row.router_profile,
    createdAt: row.created_at,
  };
}

export function userRepository(db: Database): UserWrites {
  const byId = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM users WHERE id = ? AND deleted_at IS NULL`);
  // A deleted person's phone column holds no number, so nothing else is needed here.
  const byPhone = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM users WHERE phone = ?`);
  const insert = db.prepare(`INSERT INTO users (phone, max_devices, created_at) VALUES (@phone, @maxDevices, @now)`);
  const setAccess = db.prepare(
    'UPDATE users SET paid_until = @paidUntil, router_profile = @routerProfile WHERE id = @id',
  );
  const update = db.prepare(
    `UPDATE users SET phone = coalesce(@phone, phone), is_active = coalesce(@isActive, is_active),
       max_devices = coalesce(@maxDevices, max_devices)
     WHERE id = @id`,
  );
  const anonymise = db.prepare(
    `UPDATE users SET phone = 'deleted:' || id, is_active = 0, language = NULL, deleted_at = @now WHERE id = @id`,
  );

  const find = (row: Row | undefined): User | null => (row === undefined ? null : toUser(row));
  return {
    byId: id => find(byId.get(id)),
    byPhone: phone => find(byPhone.get(phone)),
    ensure(phone, maxDevices, now) {
      const known = byPhone.get(phone);
      if (known !== undefined) return toUser(known);
      insert.run({ phone, maxDevices, now });
      return toUser(byPhone.get(phone) as Row);
    },
    setAccess: (id, access) => void setAccess.run({ id, ...access }),
    update(id, { phone, isActive, maxDevices }) {
      update.run({
        id,
        phone: phone ?? null,
        isActive: isActive === undefined ? null : Number(isActive),
        maxDevices: maxDevices ?? null,
      });
    },
    anonymise: (id, now) => void anonymise.run({ id, now }),
  };
}
