/** Vouchers over the counter: sold one by one or by the sheet, and taken back. See docs/rules.md: Vouchers. */
import { isCashier, requireShift } from './cashiers.ts';
import { found, LangoError, refuseField } from './errors.ts';
import { type IdempotencyKey, type SoldByKey, soldBefore } from './idempotency.ts';
import type { Money } from './money.ts';
import { payingShift } from './shifts.ts';
import { type Day, dayOf, hourOf, type Instant } from './time.ts';
import type { StaffTx } from './transaction.ts';
import { type BatchRecord, refuseUnusable, requireBatch, type Voucher } from './vouchers.ts';

/** Codes of one batch that changed hands at once. */
export interface VoucherSale {
  id: number;
  batchId: number;
  bundleId: number;
  bundleName: string;
  quantity: number;
  /** Of one. */
  price: Money;
  soldBy: string;
  shiftId: number | null;
  soldAt: Instant;
  /** How many of them can still be taken back. */
  unused: number;
  /** How many of them, unused, were taken back; 0: none. */
  returned: number;
  returnedBy: string | null;
  returnedAt: Instant | null;
}

export interface VoucherSaleReads {
  byId(id: number): VoucherSale | null;
  /** Newest first. */
  list(filter: SaleFilter, page: { limit: number; offset: number }): VoucherSale[];
  count(filter: SaleFilter): number;
}

interface SaleFilter {
  soldBy?: string | undefined;
  batchId?: number | undefined;
}

/** The day and hour in the configured zone. */
interface Moment {
  day: Day;
  hour: number;
}

export interface VoucherSaleWrites extends VoucherSaleReads, SoldByKey<VoucherSale> {
  insert(
    sale: Omit<VoucherSale, 'id' | 'bundleName' | 'unused' | 'returned' | 'returnedBy' | 'returnedAt'> & {
      key: IdempotencyKey;
    },
    at: Moment,
  ): VoucherSale;
  takeBack(
    id: number,
    back: { returned: number; returnedBy: string; returnedAt: Instant; returnShiftId: number | null },
    at: Moment,
  ): void;
}

interface SellVouchers {
  /** Out of the oldest stock of it. */
  bundleId?: number | undefined;
  batchId?: number | undefined;
  /** The very card that changes hands. Canonical; null: what was typed cannot be one. */
  code?: string | null | undefined;
  /** `all`: the sheet, whatever is left of the batch. */
  quantity: number | 'all';
  /** Of one; left out: the batch's. */
  price?: Money | undefined;
  idempotencyKey?: IdempotencyKey;
}

/**
 * Counts in the seller's open shift, where there is one. Cards go in the order in which they were printed.
 * @throws LangoError SHIFT_REQUIRED; FORBIDDEN a cashier names another price; NOT_FOUND no such batch
 * @throws LangoError CONFLICT not as many are left, or it is sold already; VOUCHER_INVALID VOUCHER_REVOKED VOUCHER_EXPIRED
 */
export function sellVouchers(tx: StaffTx, input: SellVouchers): VoucherSale {
  const known = soldBefore(tx, input.idempotencyKey, tx.voucherSales, sale => isSale(tx, sale, input));
  if (known !== null) return known;
  requireShift(tx);
  if (input.price !== undefined && isCashier(tx)) {
    refuseField('FORBIDDEN', 'price', 'Cashiers sell at the price of the batch.');
  }
  const card = input.code === undefined ? null : requireCard(tx, input.code);
  const batch = card === null ? requireStock(tx, input) : requireBatch(tx, card.batchId, tx.now);
  if (batch.kind === 'giveaway') throw new LangoError('CONFLICT', 'This batch is given away, not sold.');
  const quantity = card === null ? wantedOf(batch, input.quantity) : 1;
  const { id } = tx.voucherSales.insert(
    {
      batchId: batch.id,
      bundleId: batch.bundleId,
      quantity,
      price: input.price ?? batch.price,
      soldBy: tx.actor.name,
      shiftId: tx.shifts.openOf(tx.actor.adminId)?.id ?? null,
      soldAt: tx.now,
      key: input.idempotencyKey,
    },
    momentOf(tx),
  );
  if (card === null) tx.vouchers.sellFromStock(batch.id, quantity, id);
  else tx.vouchers.sell(card.id, id);
  const sale = found(tx.voucherSales.byId(id), 'sale of vouchers');
  tx.record('voucher.sell', 'voucher_sale', sale.id, null, sale);
  return sale;
}

/** Whether that is what came of this. */
function isSale(tx: StaffTx, sale: VoucherSale, { bundleId, batchId, code, quantity, price }: SellVouchers): boolean {
  if (price !== undefined && price.minor !== sale.price.minor) return false;
  if (code !== undefined) return code !== null && tx.vouchers.byCode(code)?.saleId === sale.id;
  if (quantity !== 'all' && quantity !== sale.quantity) return false;
  return batchId === undefined ? bundleId === sale.bundleId : batchId === sale.batchId;
}

/** A card in somebody's hand may have been used before it is booked. */
function requireCard(tx: StaffTx, code: string | null): Voucher {
  const voucher = code === null ? null : tx.vouchers.byCode(code);
  if (voucher === null)
    throw new LangoError('VOUCHER_INVALID', 'This code is not known. Please check it letter by letter.');
  if (voucher.saleId !== null) refuseField('CONFLICT', 'code', 'This voucher is sold already.');
  if (voucher.usedAt === null) refuseUnusable(voucher, tx.now);
  return voucher;
}

function requireStock(tx: StaffTx, { bundleId, batchId }: SellVouchers): BatchRecord {
  if (batchId !== undefined) return requireBatch(tx, batchId, tx.now);
  const batch = bundleId === undefined ? null : tx.vouchers.oldestStock(bundleId, tx.now);
  if (batch !== null) return batch;
  return refuseField('CONFLICT', 'bundle_id', 'No voucher of this bundle is in stock. Make some first.');
}

function wantedOf({ inStock }: BatchRecord, quantity: number | 'all'): number {
  const wanted = quantity === 'all' ? inStock : quantity;
  if (wanted > 0 && wanted <= inStock) return wanted;
  return refuseField('CONFLICT', 'quantity', `${inStock} of this batch are left to sell.`);
}

/**
 * Takes back what nobody has used of a sale: those codes are worth nothing from now on, and the money is given back, from
 * the drawer of who gives it if their shift is open, else of who sold them.
 * @throws LangoError NOT_FOUND; REFUND_NOT_ALLOWED nothing of it is left unused, or it was taken back before
 */
export function returnVouchers(
  tx: StaffTx,
  { saleId, reason, fromDrawer = true }: { saleId: number; reason: string; fromDrawer?: boolean | undefined },
): VoucherSale {
  const before = found(tx.voucherSales.byId(saleId), 'sale of vouchers');
  const returned = before.returned > 0 ? 0 : tx.vouchers.takeBack(saleId, tx.actor.name, tx.now);
  if (returned === 0) throw new LangoError('REFUND_NOT_ALLOWED', 'Nothing of this sale is left to take back.');
  const drawer = fromDrawer ? payingShift(tx, { adminId: tx.actor.adminId, soldIn: before.shiftId }) : null;
  const back = { returned, returnedBy: tx.actor.name, returnedAt: tx.now, returnShiftId: drawer?.id ?? null };
  tx.voucherSales.takeBack(saleId, back, momentOf(tx));
  tx.record('voucher.take_back', 'voucher_sale', saleId, null, { ...back, reason });
  return { ...before, ...back, unused: 0 };
}

const momentOf = ({ now, policy }: StaffTx): Moment => ({
  day: dayOf(now, policy.timeZone),
  hour: hourOf(now, policy.timeZone),
});
