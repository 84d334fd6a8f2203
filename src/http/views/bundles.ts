/** What is for sale: to everybody, and with its sales to staff. See docs/interface.md: Bundle. */
import type { BundleForSale } from '../../contract/bundles.ts';
import type { Bundle, BundleSales } from '../../domain/bundles.ts';
import { amountNumber, formatAmount } from '../../domain/money.ts';
import { SECONDS_PER_HOUR } from '../../domain/time.ts';

export const bundleForSaleView = (bundle: Bundle): BundleForSale => ({
  id: bundle.id,
  name: bundle.name,
  price: amountNumber(bundle.price),
  duration_hours: bundle.durationSeconds / SECONDS_PER_HOUR,
  description: bundle.description,
  is_active: bundle.isActive,
});

export const bundleView = (bundle: Bundle, sales: BundleSales) => ({
  id: bundle.id,
  name: bundle.name,
  description: bundle.description,
  price: formatAmount(bundle.price),
  duration_hours: bundle.durationSeconds / SECONDS_PER_HOUR,
  is_active: bundle.isActive,
  display_order: bundle.displayOrder,
  router_profile: bundle.routerProfile,
  total_purchases: sales.purchases,
  revenue: formatAmount(sales.revenue),
  version: bundle.version,
});
