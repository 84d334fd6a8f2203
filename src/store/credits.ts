import type { Credit, CreditWrites } from '../domain/credits.ts';
import type { Database } from './database.ts';

const COLUMNS = `id, from_at AS "from", to_at AS "to", seconds, reason, users, created_by AS createdBy, created_at AS createdAt`;

export function creditRepository(db: Database): CreditWrites {
  const find = db.prepare<[object], Credit>(
    `SELECT ${COLUMNS} FROM credits WHERE from_at = @from AND to_at = @to AND seconds = @seconds`,
  );
  const insert = db.prepare(
    `INSERT INTO credits (from_at, to_at, seconds, reason, users, created_by, created_at)
     VALUES (@from, @to, @seconds, @reason, @users, @createdBy, @createdAt)`,
  );
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
    find: credit => find.get(credit) ?? null,
    insert: credit => void insert.run(credit),
    usersWithAccessIn: (from, to) => usersWithAccess.all({ from, to }),
  };
}
