import type { Grant, GrantSource, GrantWrites } from '../domain/access.ts';
import type { Database } from './database.ts';
import { type Columns, table } from './table.ts';

const COLUMNS: Columns<Grant> = {
  id: 'id',
  userId: 'user_id',
  source: 'source',
  sourceId: 'source_id',
  seconds: 'seconds',
  startsAt: 'starts_at',
  endsAt: 'ends_at',
  by: 'by',
  reason: 'reason',
  at: 'at',
};

export function grantRepository(db: Database): GrantWrites {
  const grants = table(db, 'grants', COLUMNS);
  const lastSource = db
    .prepare<[number], GrantSource>('SELECT source FROM grants WHERE user_id = ? ORDER BY id DESC LIMIT 1')
    .pluck();
  const buyers = db
    .prepare<[object], number>(
      `SELECT DISTINCT grants.user_id FROM grants
       INDEXED BY grants_by_end WHERE ends_at > @from AND at >= @from AND source IN ('payment', 'voucher') ORDER BY user_id`,
    )
    .pluck();
  return {
    usersBuyingSince: from => buyers.all({ from }),
    ofUser: grants.select<[number]>('WHERE user_id = ? ORDER BY id').all,
    latestOfUser: grants.select<[number, number]>('WHERE user_id = ? ORDER BY id DESC LIMIT ?').all,
    ofSource: grants.select<[string, number]>('WHERE source = ? AND source_id = ?').get,
    lastSourceOfUser: userId => lastSource.get(userId) ?? null,
    append: grant => ({ ...grant, id: grants.insert(grant) }),
  };
}
