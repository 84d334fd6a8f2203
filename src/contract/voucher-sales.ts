/** Vouchers over the counter: sold one by one or by the sheet, and taken back. */
import * as v from 'valibot';

import { done, endpoint, paged } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';
import { QUANTITY, Voucher } from './vouchers.ts';

export const VoucherSale = v.object({
  id: value.id,
  batch_id: value.id,
  bundle_id: value.id,
  bundle: value.string,
  quantity: value.integer,
  /** Of one. */
  price: value.amount,
  total: value.amount,
  sold_by: value.string,
  shift_id: v.nullable(value.id),
  sold_at: value.instant,
  /** How many of them can still be taken back: nobody has used them. */
  unused: value.integer,
  /** How many of them, unused, were taken back, and the money for them given back. */
  returned: value.integer,
  returned_by: v.nullable(value.string),
  returned_at: v.nullable(value.instant),
});
export type VoucherSale = v.InferOutput<typeof VoucherSale>;

export const sellVouchers = endpoint({
  method: 'POST',
  path: '/admin/voucher-sales/',
  summary: 'Sell vouchers out of the stock of a bundle or a batch, or the one with a code',
  auth: 'cashier',
  body: v.object({
    bundle_id: field.optional(field.id),
    batch_id: field.optional(field.id),
    code: field.optional(field.text(60)),
    quantity: field.withDefault(field.wholeNumber(QUANTITY), 1),
    /** The sheet: all that is left of the batch. */
    all: field.optional(field.boolean),
    /** Of one; the batch's unless said otherwise, which cashiers may not. */
    price: field.optional(field.amount),
    idempotency_key: field.idempotencyKey,
  }),
  status: 201,
  /** The first hundred of them. */
  reply: done({ sale: VoucherSale, vouchers: v.array(Voucher) }),
  refuses: [409, 410],
});

export const listVoucherSales = endpoint({
  method: 'GET',
  path: '/admin/voucher-sales/',
  summary: 'Sales of vouchers, newest first; a cashier sees their own',
  auth: 'cashier',
  query: v.object({ ...field.pages, batch_id: field.filter(field.idText) }),
  reply: paged('sales', VoucherSale, {}),
});

export const refundVouchers = endpoint({
  method: 'POST',
  path: '/admin/voucher-sales/:sale_id/refund/',
  summary: 'Take back what nobody has used of a sale, and give the money back',
  auth: 'owner',
  params: v.object({ sale_id: field.idText }),
  body: v.object({ reason: field.text(200), from_drawer: field.optional(field.boolean) }),
  reply: done({ sale: VoucherSale }),
  refuses: [409],
});
