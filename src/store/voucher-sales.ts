import { randomUUID } from 'node:crypto';
import type { Day } from '../domain/time.ts';
import type { VoucherSale, VoucherSaleWrites } from '../domain/voucher-sales.ts';
import type { Database } from './database.ts';
import { termsOf, where } from './filters.ts';
import { numberOf } from './statements.ts';
import { type Columns, money, table } from './table.ts';

const COLUMNS: Columns<VoucherSale> = {
  id: 'id',
  batchId: 'batch_id',
  bundleId: 'bundle_id',
  bundleName: 'bundles.name',
  quantity: 'quantity',
  price: money('price_minor', 'bundles.currency'),
  soldBy: 'sold_by',
  shiftId: 'shift_id',
  soldAt: 'sold_at',
  unused: `(SELECT count(*) FROM vouchers
    WHERE sale_id = voucher_sales.id AND used_at IS NULL AND revoked_at IS NULL)`,
  returned: 'returned',
  returnedBy: 'returned_by',
  returnedAt: 'returned_at',
};

interface Hidden {
  key: string;
  soldDay: Day;
  soldHour: number;
  returnedDay: Day;
  returnedHour: number;
  returnShiftId: number;
}

const HIDDEN: Columns<Hidden> = {
  key: 'uid',
  soldDay: 'sold_day',
  soldHour: 'sold_hour',
  returnedDay: 'returned_day',
  returnedHour: 'returned_hour',
  returnShiftId: 'return_shift_id',
};

const TERMS = { soldBy: 'sold_by = @soldBy', batchId: 'batch_id = @batchId' };

export function voucherSaleRepository(db: Database): VoucherSaleWrites {
  const sales = table<VoucherSale, Hidden>(db, 'voucher_sales', COLUMNS, {
    joined: 'JOIN bundles ON bundles.id = voucher_sales.bundle_id',
    hidden: HIDDEN,
  });
  return {
    byId: sales.select<[number]>('WHERE voucher_sales.id = ?').get,
    list: (filter, page) =>
      sales
        .select(`${where(termsOf(filter, TERMS))} ORDER BY voucher_sales.id DESC LIMIT @limit OFFSET @offset`)
        .all({ ...filter, ...page }),
    count: filter => numberOf(db, `SELECT count(*) FROM voucher_sales ${where(termsOf(filter, TERMS))}`)(filter),
    byKey: sales.select<[string]>('WHERE uid = ?').get,
    insert: (sale, { day, hour }) =>
      sales.add({ ...sale, key: sale.key ?? randomUUID(), soldDay: day, soldHour: hour }),
    takeBack: (id, { returnShiftId, ...back }, { day, hour }) =>
      sales.update(
        id,
        { ...back, ...(returnShiftId !== null && { returnShiftId }), returnedDay: day, returnedHour: hour },
        'returned = 0',
      ),
  };
}
