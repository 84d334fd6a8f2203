/** What cashiers are held to, beyond their role: when they sell, and how many vouchers they make. */

import { type Edit, edited } from './edits.ts';
import { LangoError } from './errors.ts';
import { many } from './plural.ts';
import type { SettingReads } from './settings.ts';
import { dayOf, startOfDay } from './time.ts';
import type { StaffTx } from './transaction.ts';

export interface CashierRules {
  /** True: what a cashier sells is in a shift of theirs, or is not sold. */
  sellWithinShift: boolean;
  /** Codes that one cashier may make in a day of the configured zone. */
  vouchersPerDay: number;
}

const DEFAULT_RULES: CashierRules = { sellWithinShift: true, vouchersPerDay: 100 };

export function cashierRulesOf({ settings }: { settings: SettingReads }): CashierRules {
  return { ...DEFAULT_RULES, ...settings.get('cashiers') };
}

export function changeCashierRules(tx: StaffTx, { change }: { change: Edit<CashierRules> }): CashierRules {
  const before = cashierRulesOf(tx);
  const after = edited(before, change);
  tx.settings.set('cashiers', after, tx.now);
  tx.record('settings.cashiers', 'settings', null, before, after);
  return after;
}

export const isCashier = ({ actor, admins }: StaffTx): boolean =>
  actor.adminId !== null && admins.byId(actor.adminId)?.role === 'cashier';

/** @throws LangoError SHIFT_REQUIRED */
export function requireShift(tx: StaffTx): void {
  if (!isCashier(tx) || !cashierRulesOf(tx).sellWithinShift || tx.shifts.openOf(tx.actor.adminId) !== null) return;
  throw new LangoError('SHIFT_REQUIRED', 'Open your shift first: what you sell is counted in it.');
}

/** @throws LangoError VOUCHER_LIMIT more than the cashier may still make today; says how many that is */
export function requireVoucherAllowance(tx: StaffTx, quantity: number): void {
  if (!isCashier(tx)) return;
  const { vouchersPerDay } = cashierRulesOf(tx);
  const { timeZone } = tx.policy;
  const made = tx.vouchers.countMadeBy(tx.actor.name, startOfDay(dayOf(tx.now, timeZone), timeZone));
  const left = Math.max(0, vouchersPerDay - made);
  if (quantity <= left) return;
  const message = `A cashier makes ${many(vouchersPerDay, 'voucher')} a day at most; ${left} ${left === 1 ? 'is' : 'are'} left for you today.`;
  throw new LangoError('VOUCHER_LIMIT', message, { facts: { vouchers_left: left } });
}
