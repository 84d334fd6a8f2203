import type { FreeClaimWrites } from '../domain/free-access.ts';
import type { Database } from './database.ts';
import { changes } from './statements.ts';

export function freeClaimRepository(db: Database): FreeClaimWrites {
  const insert = db.prepare(
    'INSERT INTO free_claims (bundle_id, user_id, mac, at) VALUES (@bundleId, @userId, @mac, @at)',
  );
  const taken = db
    .prepare<[object], 0 | 1>(
      `SELECT EXISTS (SELECT 1 FROM free_claims WHERE mac = @mac AND bundle_id = @bundleId AND at > @since)
         OR EXISTS (SELECT 1 FROM free_claims WHERE user_id = @userId AND bundle_id = @bundleId AND at > @since)`,
    )
    .pluck();
  const forget = db.prepare('DELETE FROM free_claims WHERE user_id = ?');
  return {
    insert: claim => void insert.run(claim),
    isTaken: claim => taken.get(claim) === 1,
    forget: userId => void forget.run(userId),
    pruneBefore: changes(
      db,
      'DELETE FROM free_claims WHERE id IN (SELECT id FROM free_claims WHERE at < ? ORDER BY at LIMIT ?)',
    ),
  };
}
