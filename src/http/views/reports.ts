/** What was sold and given back. */
import type * as contract from '../../contract/reports.ts';
import { formatAmount } from '../../domain/money.ts';
import { type BundleRevenue, type DayRevenue, type GroupRevenue, netMinor, type Revenue } from '../../domain/stats.ts';

export function totalsView(revenue: Revenue, currency: string): contract.RevenueTotals {
  const amountOf = (minor: number) => formatAmount({ minor, currency });
  return {
    payments: revenue.sales,
    revenue: amountOf(revenue.grossMinor),
    refunds: amountOf(revenue.refundedMinor),
    net: amountOf(netMinor(revenue)),
  };
}

/** A row of a report, by what its rows tell apart. */
export const revenueOfView = (currency: string) => ({
  day: (row: DayRevenue): contract.RevenueRow => ({ day: row.day, ...totalsView(row, currency), payers: row.payers }),
  bundle: (row: BundleRevenue): contract.RevenueRow => ({
    bundle_id: row.bundleId,
    bundle_name: row.bundleName,
    ...totalsView(row, currency),
    payers: row.payers,
  }),
  hour: (row: GroupRevenue): contract.RevenueRow => ({ hour: Number(row.group), ...totalsView(row, currency) }),
  method: (row: GroupRevenue): contract.RevenueRow => ({ method: String(row.group), ...totalsView(row, currency) }),
  place: (row: GroupRevenue): contract.RevenueRow => ({ place: String(row.group), ...totalsView(row, currency) }),
  cashier: (row: GroupRevenue): contract.RevenueRow => ({
    cashier: row.group === '' ? null : String(row.group),
    ...totalsView(row, currency),
  }),
});
