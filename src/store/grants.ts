import type { Grant, GrantSource, GrantWrites } from '../domain/access.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';

const COLUMNS = 'id, user_id, source, source_id, seconds, starts_at, ends_at, by, reason, at';

interface Row {
  id: number;
  user_id: number;
  source: GrantSource;
  source_id: number | null;
  seconds: number;
  starts_at: Instant;
  ends_at: Instant;
  by: string;
  reason: string;
  at: Instant;
}

const toGrant = (row: Row): Grant => ({
  id: row.id,
  userId: row.user_id,
  source: row.source,
  sourceId: row.source_id,
  seconds: row.seconds,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
  by: row.by,
  reason: row.reason,
  at: row.at,
});

export function grantRepository(db: Database): GrantWrites {
  const ofUser = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM grants WHERE user_id = ? ORDER BY id`);
  const latest = db.prepare<[number, number], Row>(
    `SELECT ${COLUMNS} FROM grants WHERE user_id = ? ORDER BY id DESC LIMIT ?`,
  );
  const ofSource = db.prepare<[string, number], Row>(
    `SELECT ${COLUMNS} FROM grants WHERE source = ? AND source_id = ?`,
  );
  const lastSource = db
    .prepare<[number], GrantSource>('SELECT source FROM grants WHERE user_id = ? ORDER BY id DESC LIMIT 1')
    .pluck();
  const insert = db.prepare(
    `INSERT INTO grants (user_id, source, source_id, seconds, starts_at, ends_at, by, reason, at)
     VALUES (@userId, @source, @sourceId, @seconds, @startsAt, @endsAt, @by, @reason, @at)`,
  );
  return {
    ofUser: userId => ofUser.all(userId).map(toGrant),
    latestOfUser: (userId, limit) => latest.all(userId, limit).map(toGrant),
    ofSource(source, sourceId) {
      const row = ofSource.get(source, sourceId);
      return row === undefined ? null : toGrant(row);
    },
    lastSourceOfUser: userId => lastSource.get(userId) ?? null,
    append: grant => ({ ...grant, id: Number(insert.run(grant).lastInsertRowid) }),
  };
}
