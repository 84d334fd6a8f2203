/** Sales of vouchers. */
import { VoucherSale } from '../../contract/voucher-sales.ts';
import { formatAmount } from '../../domain/money.ts';
import type { VoucherSale as Sale } from '../../domain/voucher-sales.ts';
import { viewOf } from '../names.ts';

const plain = viewOf(VoucherSale);

export const saleView = (sale: Sale): VoucherSale => ({
  ...plain(sale),
  bundle: sale.bundleName,
  price: formatAmount(sale.price),
  total: formatAmount({ ...sale.price, minor: sale.quantity * sale.price.minor }),
});
