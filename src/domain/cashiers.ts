/** What cashiers are held to, beyond their role: when they sell, and how many vouchers they make. */
import type { Actor } from './audit.ts';
import { LangoError } from './errors.ts';
import type { SettingReads } from './settings.ts';
import { dayOf, type Instant, startOfDay } from './time.ts';
import type { Tx } from './transaction.ts';

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

export interface ChangeCashierRules {
  /** What is absent stays as it is. */
  change: { sellWithinShift?: boolean | undefined; vouchersPerDay?: number | undefined };
  actor: Actor;
  now: Instant;
}

export function changeCashierRules(tx: Tx, { change, actor, now }: ChangeCashierRules): CashierRules {
  const before = cashierRulesOf(tx);
  const after = {
    sellWithinShift: change.sellWithinShift ?? before.sellWithinShift,
    vouchersPerDay: change.vouchersPerDay ?? before.vouchersPerDay,
  };
  tx.settings.set('cashiers', after, now);
  const entry = { action: 'settings.cashiers', subject: 'settings', subjectId: null };
  tx.audit.append({ ...entry, before, after, actor, now });
  return after;
}

const isCashier = (tx: Tx, { adminId }: Actor): boolean =>
  adminId !== null && tx.admins.byId(adminId)?.role === 'cashier';

/** @throws LangoError SHIFT_REQUIRED */
export function requireShift(tx: Tx, actor: Actor): void {
  if (!isCashier(tx, actor) || !cashierRulesOf(tx).sellWithinShift) return;
  if (actor.adminId !== null && tx.shifts.openOf(actor.adminId) !== null) return;
  throw new LangoError('SHIFT_REQUIRED', 'Open your shift first: what you sell is counted in it.');
}

/** @throws LangoError VOUCHER_LIMIT more than the cashier may still make today; says how many that is */
export function requireVoucherAllowance(tx: Tx, quantity: number, actor: Actor, now: Instant): void {
  if (!isCashier(tx, actor)) return;
  const { vouchersPerDay } = cashierRulesOf(tx);
  const { timeZone } = tx.policy;
  const made = tx.vouchers.countMadeBy(actor.name, startOfDay(dayOf(now, timeZone), timeZone));
  const left = Math.max(0, vouchersPerDay - made);
  if (quantity <= left) return;
  const message = `A cashier makes ${vouchersPerDay} vouchers a day at most; ${left} are left for you today.`;
  throw new LangoError('VOUCHER_LIMIT', message, { facts: { vouchers_left: left } });
}
