import type { Phone } from '../domain/phone.ts';
import type { Instant } from '../domain/time.ts';
import type { User, UserFilter, UserWrites } from '../domain/users.ts';
import type { Database } from './database.ts';
import { AMONG, anyOf, type Conditions, phoneTerm, where } from './filters.ts';
import { numberOf } from './statements.ts';
import { type Columns, flag, table } from './table.ts';

const COLUMNS: Columns<User> = {
  id: 'id',
  phone: 'phone',
  name: 'name',
  note: 'note',
  isActive: flag('is_active'),
  maxDevices: 'max_devices',
  paidUntil: 'paid_until',
  language: 'language',
  routerProfile: 'router_profile',
  createdAt: 'created_at',
  version: 'version',
};

/** A count of the whole table is a matter of microseconds; one with a condition looks at each row. */
export const COUNT_USERS =
  'SELECT (SELECT count(*) FROM users) - (SELECT count(*) FROM users WHERE deleted_at IS NOT NULL)';

export function userRepository(db: Database): UserWrites {
  const users = table<User, { deletedAt: Instant }>(db, 'users', COLUMNS, { hidden: { deletedAt: 'deleted_at' } });
  // A deleted person's phone column holds no number, so nothing else is needed here.
  const byPhone = users.select<[Phone]>('WHERE phone = ?').get;
  const countAll = numberOf(db, COUNT_USERS);
  return {
    byId: users.select<[number]>('WHERE id = ? AND deleted_at IS NULL').get,
    byPhone,
    page(filter, now, { limit, offset }) {
      const { terms, params } = conditionsOf(filter, now, 'set');
      const ids = `SELECT id FROM users ${where(terms)} ORDER BY id DESC LIMIT @limit OFFSET @offset`;
      return users.select(`WHERE id IN (${ids}) ORDER BY id DESC`).all({ ...params, limit, offset });
    },
    count(filter, now) {
      if (Object.values(filter).every(value => value === undefined)) return countAll();
      const { terms, params } = conditionsOf(filter, now, 'set');
      return numberOf(db, `SELECT count(*) FROM users ${where(terms)}`)(params);
    },
    walk(filter, now) {
      const { terms, params } = conditionsOf(filter, now, 'row');
      // By id alone: any other index could make a few ids look at the whole table.
      const among = users.select(`NOT INDEXED ${where([...AMONG, ...terms])} ORDER BY id DESC`);
      return ids => among.all({ ...params, ...ids });
    },
    lastId: numberOf(db, 'SELECT coalesce(max(id), 0) FROM users'),
    ensure: (phone, maxDevices, now) => byPhone(phone) ?? users.add({ phone, maxDevices, createdAt: now }),
    setLanguage: (id, language) => users.update(id, { language }),
    setAccess: users.update,
    update: users.update,
    anonymise: (id, now) =>
      users.update(id, {
        phone: `deleted:${id}` as Phone,
        name: null,
        note: null,
        isActive: false,
        language: null,
        deletedAt: now,
      }),
  };
}

const ACCESS = {
  active: 'is_active = 1 AND paid_until > @now',
  expired: 'is_active = 1 AND paid_until <= @now',
  blocked: 'is_active = 0',
  never: 'is_active = 1 AND paid_until IS NULL',
};

function conditionsOf(filter: UserFilter, now: Instant, as: 'set' | 'row'): Conditions {
  const { phone, search, isActive, access } = filter;
  const params: Conditions['params'] = { now };
  const terms = ['deleted_at IS NULL'];
  if (isActive !== undefined) terms.push(`is_active = ${Number(isActive)}`);
  if (access !== undefined) terms.push(ACCESS[access]);
  if (phone !== undefined) terms.push(anyOf([phoneTerm(phone, 'phone', params)], 'users', as));
  if (search !== undefined) {
    const byPhone = search.phone === null ? [] : [phoneTerm(search.phone, 'searchPhone', params)];
    params['part'] = `%${search.text.replaceAll(/[%_\\]/g, '\\$&')}%`;
    terms.push(anyOf([...byPhone, DESCRIBED], 'users', as));
  }
  return { terms, params };
}

/** Says what its index holds, so that SQLite looks there. */
const DESCRIBED = `(name IS NOT NULL OR note IS NOT NULL)
  AND (name LIKE @part ESCAPE '\\' OR note LIKE @part ESCAPE '\\')`;
