/** Cashiers' shifts. */
import type * as contract from '../../contract/shifts.ts';
import { formatAmount } from '../../domain/money.ts';
import { type CashMovement, expectedMinor, type Shift } from '../../domain/shifts.ts';

interface Reader {
  currency: string;
  /** True: what should be in the drawer is not told while somebody still has to count it. */
  isBlind: boolean;
}

export function shiftView(shift: Shift, { currency, isBlind }: Reader): contract.Shift {
  const amountOf = (minor: number) => formatAmount({ minor, currency });
  const expected = expectedMinor(shift);
  const { countedMinor } = shift;
  const isTold = countedMinor !== null || !isBlind;
  return {
    id: shift.id,
    admin: shift.adminName,
    opened_at: shift.openedAt,
    closed_at: shift.closedAt,
    opening_float: amountOf(shift.openingFloatMinor),
    sales_count: isTold ? shift.sales : null,
    sales_total: isTold ? amountOf(shift.salesMinor) : null,
    vouchers_count: isTold ? shift.vouchers : null,
    vouchers_total: isTold ? amountOf(shift.vouchersMinor) : null,
    refunds_count: isTold ? shift.refunds : null,
    refunds_total: isTold ? amountOf(shift.refundsMinor) : null,
    expected: isTold ? amountOf(expected) : null,
    cash_in: amountOf(shift.cashInMinor),
    cash_out: amountOf(shift.cashOutMinor),
    counted: countedMinor === null ? null : amountOf(countedMinor),
    difference: countedMinor === null ? null : amountOf(countedMinor - expected),
    note: shift.note,
  };
}

export const shiftDetailView = (
  shift: Shift,
  movements: readonly CashMovement[],
  reader: Reader,
): contract.ShiftDetail => ({
  ...shiftView(shift, reader),
  movements: movements.map(({ id, amountMinor, reason, at }) => ({
    id,
    direction: amountMinor < 0 ? 'out' : 'in',
    amount: formatAmount({ minor: Math.abs(amountMinor), currency: reader.currency }),
    reason,
    at,
  })),
});
