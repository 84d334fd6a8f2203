import type { Phone } from '../domain/phone.ts';
import type { Instant } from '../domain/time.ts';
import type { User, UserFilter, UserWrites } from '../domain/users.ts';
import type { Database } from './database.ts';
import { phoneTerm, type Sql } from './filters.ts';

const COLUMNS = 'id, phone, is_active, max_devices, paid_until, language, router_profile, created_at, version';

interface Row {
  id: number;
  phone: Phone;
  is_active: 0 | 1;
  max_devices: number;
  paid_until: Instant | null;
  language: string | null;
  router_profile: string | null;
  created_at: Instant;
  version: number;
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
    version: row.version,
  };
}

/** A count of the whole table is a matter of microseconds; one with a condition looks at each row. */
export const COUNT_USERS =
  'SELECT (SELECT count(*) FROM users) - (SELECT count(*) FROM users WHERE deleted_at IS NOT NULL)';

export function userRepository(db: Database): UserWrites {
  const byId = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM users WHERE id = ? AND deleted_at IS NULL`);
  // A deleted person's phone column holds no number, so nothing else is needed here.
  const byPhone = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM users WHERE phone = ?`);
  const insert = db.prepare(`INSERT INTO users (phone, max_devices, created_at) VALUES (@phone, @maxDevices, @now)`);
  const setAccess = db.prepare(
    'UPDATE users SET paid_until = @paidUntil, router_profile = @routerProfile WHERE id = @id',
  );
  const setLanguage = db.prepare('UPDATE users SET language = ? WHERE id = ?');
  const update = db.prepare(
    `UPDATE users SET phone = coalesce(@phone, phone), is_active = coalesce(@isActive, is_active),
       max_devices = coalesce(@maxDevices, max_devices), version = version + 1
     WHERE id = @id`,
  );
  const anonymise = db.prepare(
    `UPDATE users SET phone = 'deleted:' || id, is_active = 0, language = NULL, deleted_at = @now WHERE id = @id`,
  );

  const lastId = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM users').pluck();
  const countAll = db.prepare<[], number>(COUNT_USERS).pluck();

  const find = (row: Row | undefined): User | null => (row === undefined ? null : toUser(row));
  return {
    byId: id => find(byId.get(id)),
    byPhone: phone => find(byPhone.get(phone)),
    page(filter, now, { limit, offset }) {
      const { text, params } = whereOf(filter, now, 'set');
      const ids = `SELECT id FROM users WHERE ${text} ORDER BY id DESC LIMIT @limit OFFSET @offset`;
      return db
        .prepare<[object], Row>(`SELECT ${COLUMNS} FROM users WHERE id IN (${ids}) ORDER BY id DESC`)
        .all({ ...params, limit, offset })
        .map(toUser);
    },
    count(filter, now) {
      if (Object.values(filter).every(value => value === undefined)) return countAll.get() as number;
      const { text, params } = whereOf(filter, now, 'set');
      return db.prepare<[object], number>(`SELECT count(*) FROM users WHERE ${text}`).pluck().get(params) as number;
    },
    walk(filter, now) {
      const { text, params } = whereOf(filter, now, 'row');
      // By id alone: any other index could make a few ids look at the whole table.
      const rows = db.prepare<[object], Row>(
        `SELECT ${COLUMNS} FROM users NOT INDEXED WHERE id >= @lowest AND id < @below AND ${text} ORDER BY id DESC`,
      );
      return ids => rows.all({ ...params, ...ids }).map(toUser);
    },
    lastId: () => lastId.get() as number,
    ensure(phone, maxDevices, now) {
      const known = byPhone.get(phone);
      if (known !== undefined) return toUser(known);
      insert.run({ phone, maxDevices, now });
      return toUser(byPhone.get(phone) as Row);
    },
    setLanguage: (id, language) => void setLanguage.run(language, id),
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

const ACCESS = {
  active: 'is_active = 1 AND paid_until > @now',
  expired: 'is_active = 1 AND paid_until <= @now',
  blocked: 'is_active = 0',
  never: 'is_active = 1 AND paid_until IS NULL',
};

/** @param search `set`: for one statement over the whole table; `row`: for walking it piece by piece */
function whereOf({ phone, isActive, access }: UserFilter, now: Instant, search: 'set' | 'row'): Sql {
  const terms = ['deleted_at IS NULL'];
  const params: Sql['params'] = {};
  if (isActive !== undefined) {
    terms.push('is_active = @isActive');
    params['isActive'] = Number(isActive);
  }
  if (access !== undefined) {
    terms.push(ACCESS[access]);
    if (access === 'active' || access === 'expired') params['now'] = now;
  }
  if (phone !== undefined) {
    const term = phoneTerm(phone, 'phone', params);
    terms.push(search === 'row' ? term : `id IN (SELECT id FROM users WHERE ${term})`);
  }
  return { text: terms.join(' AND '), params };
}
