/** Cashiers' shifts. */
import type * as contract from '../../contract/shifts.ts';
import { formatAmount } from '../../domain/money.ts';
import { expectedMinor, type Shift } from '../../domain/shifts.ts';

export function shiftView(shift: Shift, currency: string): contract.Shift {
  const amountOf = (minor: number) => formatAmount({ minor, currency });
  const expected = expectedMinor(shift);
  return {
    id: shift.id,
    admin: shift.adminName,
    opened_at: shift.openedAt,
    closed_at: shift.closedAt,
    opening_float: amountOf(shift.openingFloatMinor),
    sales_count: shift.sales,
    sales_total: amountOf(shift.salesMinor),
    expected: amountOf(expected),
    counted: shift.countedMinor === null ? null : amountOf(shift.countedMinor),
    difference: shift.countedMinor === null ? null : amountOf(shift.countedMinor - expected),
    note: shift.note,
  };
}
