import { randomUUID } from 'node:crypto';
import type { Instant } from '../domain/time.ts';
import {
  type BatchRecord,
  parseVoucherCode,
  searchCode,
  type Voucher,
  type VoucherFilter,
  type VoucherWrites,
} from '../domain/vouchers.ts';
import type { Database } from './database.ts';
import { AMONG, type Conditions, termsOf, where } from './filters.ts';
import { numberOf } from './statements.ts';
import { type Columns, flag, money, table } from './table.ts';

const COLUMNS: Columns<Voucher> = {
  id: 'id',
  batchId: 'batch_id',
  bundleId: 'bundle_id',
  bundleName: 'bundles.name',
  code: 'code',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  usedBy: 'used_by',
  usedByPhone: 'users.phone',
  usedAt: 'used_at',
  deviceAllowed: flag('device_allowed'),
  revokedAt: 'revoked_at',
  revokedBy: 'revoked_by',
  madeBy: 'voucher_batches.created_by',
  saleId: 'sale_id',
  soldBy: 'voucher_sales.sold_by',
  soldAt: 'voucher_sales.sold_at',
  price: money('voucher_sales.price_minor', 'bundles.currency'),
  durationSeconds: 'voucher_batches.duration_seconds',
};
const JOINED = `JOIN bundles ON bundles.id = vouchers.bundle_id
  JOIN voucher_batches ON voucher_batches.id = vouchers.batch_id
  LEFT JOIN voucher_sales ON voucher_sales.id = vouchers.sale_id
  LEFT JOIN users ON users.id = vouchers.used_by AND users.deleted_at IS NULL`;

type BatchRow = Omit<BatchRecord, 'available' | 'inStock'>;

const BATCH_COLUMNS: Columns<BatchRow & { leftStock: number }> = {
  id: 'id',
  uid: 'uid',
  bundleId: 'bundle_id',
  bundleName: 'bundles.name',
  quantity: 'quantity',
  durationSeconds: 'duration_seconds',
  expiresAt: 'expires_at',
  createdBy: 'created_by',
  createdAt: 'created_at',
  kind: 'kind',
  price: money('price_minor', 'bundles.currency'),
  used: 'used',
  revoked: 'revoked',
  sold: 'sold',
  usedUnsold: 'used_unsold',
  leftStock: 'left_stock',
};

function withAvailable({ leftStock, ...batch }: BatchRow & { leftStock: number }, now: Instant): BatchRecord {
  // The codes of a batch expire together.
  const isGood = batch.expiresAt > now;
  return {
    ...batch,
    available: isGood ? batch.quantity - batch.used - batch.revoked : 0,
    inStock: isGood && batch.kind === 'stock' ? batch.quantity - leftStock : 0,
  };
}

const TERMS = {
  id: 'vouchers.id = @id',
  bundleId: 'vouchers.bundle_id = @bundleId',
  batchId: 'vouchers.batch_id = @batchId',
  saleId: 'vouchers.sale_id = @saleId',
};

function conditionsOf(filter: VoucherFilter): Conditions {
  const { isUsed, code, reader } = filter;
  const params: Conditions['params'] = { ...filter };
  const terms = termsOf(filter, TERMS);
  if (isUsed !== undefined) terms.push(`vouchers.used_at IS ${isUsed ? 'NOT NULL' : 'NULL'}`);
  if (code !== undefined) {
    terms.push("replace(vouchers.code, '-', '') LIKE '%' || @part || '%'");
    params['part'] = searchCode(code);
    if (reader !== undefined) {
      terms.push(`(vouchers.used_at IS NOT NULL OR vouchers.code = @wholeCode
        OR vouchers.batch_id IN (SELECT id FROM voucher_batches WHERE created_by = @reader)
        OR vouchers.sale_id IN (SELECT id FROM voucher_sales WHERE sold_by = @reader))`);
      params['wholeCode'] = parseVoucherCode(code) ?? '';
    }
  }
  return { terms, params };
}

export function voucherRepository(db: Database): VoucherWrites {
  const vouchers = table(db, 'vouchers', COLUMNS, { joined: JOINED });
  const batches = table(db, 'voucher_batches', BATCH_COLUMNS, {
    joined: 'JOIN bundles ON bundles.id = voucher_batches.bundle_id',
  });
  const batchById = batches.select<[number]>('WHERE voucher_batches.id = ?');
  const batchPage = batches.select<[object]>('ORDER BY voucher_batches.id DESC LIMIT @limit OFFSET @offset');
  const insert = db
    .prepare<[object], string>(
      `INSERT INTO vouchers (uid, batch_id, bundle_id, code, created_at, expires_at)
       SELECT value ->> 0, @batchId, @bundleId, value ->> 1, @createdAt, @expiresAt FROM json_each(@rows) WHERE true
       ON CONFLICT (code) DO NOTHING RETURNING code`,
    )
    .pluck();
  const revokeBatch = db.prepare(
    `UPDATE vouchers SET revoked_at = @now, revoked_by = @by
     WHERE batch_id = @batchId AND used_at IS NULL AND revoked_at IS NULL`,
  );
  const oldestStock = batches.select<[object]>(
    `WHERE voucher_batches.bundle_id = @bundleId AND kind = 'stock'
     AND left_stock < quantity AND expires_at > @now ORDER BY voucher_batches.id LIMIT 1`,
  );
  const sellFromStock = db.prepare(
    `UPDATE vouchers SET sale_id = @saleId WHERE id IN (SELECT id FROM vouchers
       WHERE batch_id = @batchId AND sale_id IS NULL AND used_at IS NULL AND revoked_at IS NULL ORDER BY id LIMIT @quantity)`,
  );
  const takeBack = db.prepare(
    `UPDATE vouchers SET sale_id = NULL, revoked_at = @now, revoked_by = @by
     WHERE sale_id = @saleId AND used_at IS NULL AND revoked_at IS NULL`,
  );
  const claim = db.prepare(
    `UPDATE vouchers SET used_by = @userId, used_at = @now
     WHERE id = @id AND used_at IS NULL AND revoked_at IS NULL AND expires_at > @now`,
  );

  return {
    byId: vouchers.select<[number]>('WHERE vouchers.id = ?').get,
    ofUser: vouchers.select<[number, number]>('WHERE vouchers.used_by = ? ORDER BY vouchers.id DESC LIMIT ?').all,
    walk(filter) {
      const { terms, params } = conditionsOf(filter);
      const among = vouchers.select(
        `${where([...AMONG.map(term => `vouchers.${term}`), ...terms])} ORDER BY vouchers.id DESC`,
      );
      return ids => among.all({ ...params, ...ids });
    },
    lastId: numberOf(db, 'SELECT coalesce(max(id), 0) FROM vouchers'),
    batches: (now, page) => batchPage.all(page).map(batch => withAvailable(batch, now)),
    countBatches: numberOf(db, 'SELECT count(*) FROM voucher_batches'),
    batchById(id, now) {
      const batch = batchById.get(id);
      return batch === null ? null : withAvailable(batch, now);
    },
    oldestStock(bundleId, now) {
      const batch = oldestStock.get({ bundleId, now });
      return batch === null ? null : withAvailable(batch, now);
    },
    inStockOf: numberOf(
      db,
      `SELECT coalesce(sum(quantity - left_stock), 0) FROM voucher_batches
       WHERE bundle_id = ? AND kind = 'stock' AND left_stock < quantity AND expires_at > ?`,
    ),
    countMadeBy: numberOf(
      db,
      'SELECT coalesce(sum(quantity), 0) FROM voucher_batches WHERE created_by = ? AND created_at >= ?',
    ),
    revoke: (id, by, now) =>
      vouchers.update(id, { revokedAt: now, revokedBy: by }, 'used_at IS NULL AND revoked_at IS NULL'),
    revokeBatch: (batchId, by, now) => revokeBatch.run({ batchId, by, now }).changes,
    // The plus keeps SQLite from planning this join anew for each value, which takes four times as long as running it.
    byCode: vouchers.select<[string]>('WHERE vouchers.code = +?').get,
    list(filter, page) {
      const { terms, params } = conditionsOf(filter);
      const list = vouchers.select(`${where(terms)} ORDER BY vouchers.id DESC LIMIT @limit OFFSET @offset`);
      return list.all({ ...params, ...page });
    },
    count(filter) {
      const { terms, params } = conditionsOf(filter);
      return numberOf(db, `SELECT count(*) FROM vouchers ${where(terms)}`)(params);
    },
    insertBatch(batch) {
      const made = { ...batch, uid: randomUUID() };
      return { ...made, id: batches.insert(made) };
    },
    insert: (batch, codes) => insert.all({ ...batch, rows: JSON.stringify(codes.map(code => [randomUUID(), code])) }),
    claim: input => claim.run(input).changes === 1,
    sellFromStock: (batchId, quantity, saleId) => void sellFromStock.run({ batchId, quantity, saleId }),
    sell: (id, saleId) => void vouchers.update(id, { saleId }),
    takeBack: (saleId, by, now) => takeBack.run({ saleId, by, now }).changes,
    setDeviceAllowed: (id, deviceAllowed) => vouchers.update(id, { deviceAllowed }),
  };
}
