import type { Credit, CreditWrites } from '../domain/credits.ts';
import type { Database } from './database.ts';
import { type Columns, table } from './table.ts';

const COLUMNS: Columns<Credit> = {
  id: 'id',
  from: 'from_at',
  to: 'to_at',
  seconds: 'seconds',
  reason: 'reason',
  users: 'users',
  createdBy: 'created_by',
  createdAt: 'created_at',
};

export function creditRepository(db: Database): CreditWrites {
  const credits = table(db, 'credits', COLUMNS);
  // After each grant, and until the next one, the paid time ends where that grant ends.
  const usersWithAccess = db
    .prepare<[object], number>(
      `SELECT DISTINCT grants.user_id FROM grants JOIN users ON users.id = grants.user_id
       WHERE grants.ends_at > @from AND grants.at < @to AND users.is_active = 1 AND users.deleted_at IS NULL
         AND max(grants.at, @from) < min(grants.ends_at, @to, coalesce(
           (SELECT next.at FROM grants AS next WHERE next.user_id = grants.user_id AND next.id > grants.id
            ORDER BY next.id LIMIT 1), @to))
       ORDER BY grants.user_id`,
    )
    .pluck();
  return {
    find: credits.select<[object]>('WHERE from_at = @from AND to_at = @to AND seconds = @seconds').get,
    insert: credits.insert,
    usersWithAccessIn: (from, to) => usersWithAccess.all({ from, to }),
  };
}
