/** What is for sale: to everybody, and with its sales to staff. See docs/interface.md: Bundle. */
import * as contract from '../../contract/bundles.ts';
import type { Bundle } from '../../domain/bundles.ts';
import { amountNumber, formatAmount, type Money } from '../../domain/money.ts';
import type { Revenue } from '../../domain/stats.ts';
import { SECONDS_PER_HOUR } from '../../domain/time.ts';
import { viewOf } from '../names.ts';

const plainForSale = viewOf(contract.BundleForSale);

export const bundleForSaleView = (bundle: Bundle): contract.BundleForSale => ({
  ...plainForSale(bundle),
  price: amountNumber(bundle.price),
  duration_hours: bundle.durationSeconds / SECONDS_PER_HOUR,
});

const plainBundle = viewOf(contract.Bundle);

/** @param stock codes that can be sold, and what the next one costs */
export const bundleView = (
  bundle: Bundle,
  { sales, grossMinor }: Revenue,
  stock: { vouchers: number; price: Money | null },
): contract.Bundle => ({
  ...plainBundle(bundle),
  price: formatAmount(bundle.price),
  duration_hours: bundle.durationSeconds / SECONDS_PER_HOUR,
  total_purchases: sales,
  revenue: formatAmount({ ...bundle.price, minor: grossMinor }),
  vouchers_in_stock: stock.vouchers,
  voucher_price: stock.price === null ? null : formatAmount(stock.price),
});
