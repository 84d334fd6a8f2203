/** Vouchers over the counter: sold one by one or by the sheet, and taken back. */
import { listVoucherSales, refundVouchers, sellVouchers } from '../../contract/voucher-sales.ts';
import { invalid } from '../../domain/errors.ts';
import { many } from '../../domain/plural.ts';
import { parseVoucherCode } from '../../domain/vouchers.ts';
import { readerOf } from '../code-readers.ts';
import type { Context } from '../context.ts';
import { paginationOf, rowsOf } from '../pagination.ts';
import type { Api } from '../route.ts';
import { saleView } from '../views/voucher-sales.ts';
import { voucherView } from '../views/vouchers.ts';

/** More are printed from their batch. */
const CODES_SHOWN = 100;

export function voucherSaleRoutes(api: Api, { reads, commit }: Context): void {
  api.handle(sellVouchers, async ({ body, caller, actor }) => {
    const { bundle_id: bundleId, batch_id: batchId, code, price, idempotency_key: idempotencyKey } = body;
    if (bundleId === undefined && batchId === undefined && code === undefined) {
      invalid('bundle_id', 'Say what is sold: a bundle_id, a batch_id or a code.');
    }
    const what = { bundleId, batchId, code: code === undefined ? code : parseVoucherCode(code) };
    const quantity = body.all === true ? ('all' as const) : body.quantity;
    const sale = await commit('sellVouchers', { ...what, quantity, price, idempotencyKey }, actor);
    const vouchers = reads.vouchers.list({ saleId: sale.id }, { limit: CODES_SHOWN, offset: 0 });
    return {
      success: true,
      message: `Sold: ${many(sale.quantity, 'voucher')}.`,
      sale: saleView(sale),
      vouchers: vouchers.map(voucher => voucherView(voucher, readerOf(caller))),
    };
  });

  api.handle(listVoucherSales, ({ query, caller }) => {
    const filter = { batchId: query.batch_id, soldBy: readerOf(caller) ?? undefined };
    const sales = reads.voucherSales.list(filter, rowsOf(query)).map(saleView);
    return { success: true, sales, pagination: paginationOf(query, reads.voucherSales.count(filter)) };
  });

  api.handle(refundVouchers, async ({ params, body, actor }) => {
    const { reason, from_drawer: fromDrawer } = body;
    const sale = await commit('returnVouchers', { saleId: params.sale_id, reason, fromDrawer }, actor);
    return { success: true, message: `Taken back: ${many(sale.returned, 'voucher')}.`, sale: saleView(sale) };
  });
}
