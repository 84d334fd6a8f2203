import { randomUUID } from 'node:crypto';
import type { Phone } from '../domain/phone.ts';
import type { Instant } from '../domain/time.ts';
import type { BatchRecord, Voucher, VoucherFilter, VoucherWrites } from '../domain/vouchers.ts';
import { parseVoucherCode, searchCode } from '../domain/vouchers.ts';
import type { Database } from './database.ts';

const COLUMNS = `vouchers.id, vouchers.batch_id, vouchers.bundle_id, bundles.name AS bundle_name, vouchers.code,
  vouchers.created_at, vouchers.expires_at, vouchers.used_by, users.phone AS used_by_phone, vouchers.used_at,
  vouchers.device_allowed, vouchers.revoked_at, vouchers.revoked_by, voucher_batches.created_by AS sold_by,
  voucher_batches.duration_seconds`;
const JOINS = `FROM vouchers JOIN bundles ON bundles.id = vouchers.bundle_id
  JOIN voucher_batches ON voucher_batches.id = vouchers.batch_id
  LEFT JOIN users ON users.id = vouchers.used_by AND users.deleted_at IS NULL`;

interface Row {
  id: number;
  batch_id: number;
  bundle_id: number;
  bundle_name: string;
  code: string;
  created_at: Instant;
  expires_at: Instant;
  used_by: number | null;
  used_by_phone: Phone | null;
  used_at: Instant | null;
  device_allowed: 0 | 1 | null;
  revoked_at: Instant | null;
  revoked_by: string | null;
  sold_by: string;
  duration_seconds: number;
}

function toVoucher(row: Row): Voucher {
  return {
    id: row.id,
    batchId: row.batch_id,
    bundleId: row.bundle_id,
    bundleName: row.bundle_name,
    code: row.code,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    usedBy: row.used_by,
    usedByPhone: row.used_by_phone,
    usedAt: row.used_at,
    deviceAllowed: row.device_allowed === null ? null : row.device_allowed === 1,
    revokedAt: row.revoked_at,
    revokedBy: row.revoked_by,
    soldBy: row.sold_by,
    durationSeconds: row.duration_seconds,
  };
}

const BATCH = `SELECT voucher_batches.id, voucher_batches.uid, voucher_batches.bundle_id, bundles.name AS bundle_name,
  voucher_batches.quantity, voucher_batches.duration_seconds, voucher_batches.expires_at, voucher_batches.created_by,
  voucher_batches.created_at, voucher_batches.used, voucher_batches.revoked
  FROM voucher_batches JOIN bundles ON bundles.id = voucher_batches.bundle_id`;

interface BatchRow {
  id: number;
  uid: string;
  bundle_id: number;
  bundle_name: string;
  quantity: number;
  duration_seconds: number;
  expires_at: Instant;
  created_by: string;
  created_at: Instant;
  used: number;
  revoked: number;
}

function toBatch(row: BatchRow, now: Instant): BatchRecord {
  return {
    id: row.id,
    uid: row.uid,
    bundleId: row.bundle_id,
    bundleName: row.bundle_name,
    quantity: row.quantity,
    durationSeconds: row.duration_seconds,
    expiresAt: row.expires_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
    used: row.used,
    revoked: row.revoked,
    // The codes of a batch expire together.
    available: row.expires_at > now ? row.quantity - row.used - row.revoked : 0,
  };
}

function whereOf(filter: VoucherFilter): { where: string; params: Record<string, string | number> } {
  const terms: string[] = [];
  const params: Record<string, string | number> = {};
  if (filter.isUsed !== undefined) terms.push(`vouchers.used_at IS ${filter.isUsed ? 'NOT NULL' : 'NULL'}`);
  if (filter.bundleId !== undefined) {
    terms.push('vouchers.bundle_id = @bundleId');
    params['bundleId'] = filter.bundleId;
  }
  if (filter.batchId !== undefined) {
    terms.push('vouchers.batch_id = @batchId');
    params['batchId'] = filter.batchId;
  }
  if (filter.code !== undefined) {
    terms.push("replace(vouchers.code, '-', '') LIKE '%' || @code || '%'");
    params['code'] = searchCode(filter.code);
    if (filter.reader !== undefined) {
      terms.push(`(vouchers.used_at IS NOT NULL OR vouchers.code = @wholeCode
        OR vouchers.batch_id IN (SELECT id FROM voucher_batches WHERE created_by = @reader))`);
      params['wholeCode'] = parseVoucherCode(filter.code) ?? '';
      params['reader'] = filter.reader;
    }
  }
  return { where: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, params };
}

export function voucherRepository(db: Database): VoucherWrites {
  const byId = db.prepare<[number], Row>(`SELECT ${COLUMNS} ${JOINS} WHERE vouchers.id = ?`);
  const ofUser = db.prepare<[number, number], Row>(
    `SELECT ${COLUMNS} ${JOINS} WHERE vouchers.used_by = ? ORDER BY vouchers.id DESC LIMIT ?`,
  );
  const lastId = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM vouchers').pluck();
  const batches = db.prepare<[number, number], BatchRow>(`${BATCH} ORDER BY voucher_batches.id DESC LIMIT ? OFFSET ?`);
  const countBatches = db.prepare<[], number>('SELECT count(*) FROM voucher_batches').pluck();
  const batchById = db.prepare<[number], BatchRow>(`${BATCH} WHERE voucher_batches.id = ?`);
  const countMadeBy = db
    .prepare<[string, Instant], number>(
      'SELECT coalesce(sum(quantity), 0) FROM voucher_batches WHERE created_by = ? AND created_at >= ?',
    )
    .pluck();
  const revoke = db.prepare(
    'UPDATE vouchers SET revoked_at = @now, revoked_by = @by WHERE id = @id AND used_at IS NULL AND revoked_at IS NULL',
  );
  const revokeBatch = db.prepare(
    `UPDATE vouchers SET revoked_at = @now, revoked_by = @by
     WHERE batch_id = @batchId AND used_at IS NULL AND revoked_at IS NULL`,
  );
  // The plus keeps SQLite from planning this join anew for each value, which takes four times as long as running it.
  const byCode = db.prepare<[string], Row>(`SELECT ${COLUMNS} ${JOINS} WHERE vouchers.code = +?`);
  const insertBatch = db
    .prepare<[object], number>(
      `INSERT INTO voucher_batches (uid, bundle_id, quantity, duration_seconds, expires_at, created_by, created_at)
     VALUES (@uid, @bundleId, @quantity, @durationSeconds, @expiresAt, @createdBy, @createdAt) RETURNING id`,
    )
    .pluck();
  const insert = db
    .prepare<[object], string>(
      `INSERT INTO vouchers (uid, batch_id, bundle_id, code, created_at, expires_at)
       SELECT value ->> 0, @batchId, @bundleId, value ->> 1, @createdAt, @expiresAt FROM json_each(@rows) WHERE true
       ON CONFLICT (code) DO NOTHING RETURNING code`,
    )
    .pluck();
  const claim = db.prepare(
    `UPDATE vouchers SET used_by = @userId, used_at = @now
     WHERE id = @id AND used_at IS NULL AND revoked_at IS NULL AND expires_at > @now`,
  );
  const noteDevice = db.prepare('UPDATE vouchers SET device_allowed = @allowed WHERE id = @id');

  return {
    byId(id) {
      const row = byId.get(id);
      return row === undefined ? null : toVoucher(row);
    },
    ofUser: (userId, limit) => ofUser.all(userId, limit).map(toVoucher),
    walk(filter) {
      const { where, params } = whereOf(filter);
      const rows = db.prepare<[object], Row>(
        `SELECT ${COLUMNS} ${JOINS} ${where === '' ? 'WHERE' : `${where} AND`}
           vouchers.id >= @lowest AND vouchers.id < @below ORDER BY vouchers.id DESC`,
      );
      return ids => rows.all({ ...params, ...ids }).map(toVoucher);
    },
    lastId: () => lastId.get() as number,
    batches: (now, { limit, offset }) => batches.all(limit, offset).map(row => toBatch(row, now)),
    countBatches: () => countBatches.get() as number,
    batchById(id, now) {
      const row = batchById.get(id);
      return row === undefined ? null : toBatch(row, now);
    },
    countMadeBy: (name, since) => countMadeBy.get(name, since) as number,
    revoke: (id, by, now) => revoke.run({ id, by, now }).changes === 1,
    revokeBatch: (batchId, by, now) => revokeBatch.run({ batchId, by, now }).changes,
    byCode(code) {
      const row = byCode.get(code);
      return row === undefined ? null : toVoucher(row);
    },
    list(filter, { limit, offset }) {
      const { where, params } = whereOf(filter);
      const sql = `SELECT ${COLUMNS} ${JOINS} ${where} ORDER BY vouchers.id DESC LIMIT @limit OFFSET @offset`;
      return db
        .prepare<[object], Row>(sql)
        .all({ ...params, limit, offset })
        .map(toVoucher);
    },
    count(filter) {
      const { where, params } = whereOf(filter);
      return db.prepare<[object], number>(`SELECT count(*) FROM vouchers ${where}`).pluck().get(params) as number;
    },
    insertBatch(batch) {
      const uid = randomUUID();
      return { ...batch, uid, id: insertBatch.get({ ...batch, uid }) as number };
    },
    insert: (batch, codes) => insert.all({ ...batch, rows: JSON.stringify(codes.map(code => [randomUUID(), code])) }),
    claim: input => claim.run(input).changes === 1,
    noteDevice: (id, allowed) => void noteDevice.run({ id, allowed: Number(allowed) }),
  };
}
