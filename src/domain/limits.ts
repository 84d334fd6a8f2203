/** Numbers that staff may change at run time; where they have not, the configuration's hold. */
import type { SettingReads } from './settings.ts';
import type { Policy, StaffTx } from './transaction.ts';

export interface Limits {
  /** Of people who are new; staff may give each person another number. */
  defaultMaxDevices: number;
  /** An order left unpaid for this long becomes cancelled. */
  orderExpiryMinutes: number;
  /** What messages may cost: what is beyond is dropped. Days are those of the configured zone. */
  smsPerNumberPerDay: number;
  smsPerDay: number;
}

/** Null: as configured. */
export type OwnLimits = { readonly [Name in keyof Limits]: Limits[Name] | null };

/** Enough for ten voucher codes and the messages of a busy day to one number. */
const SMS_LIMITS = { smsPerNumberPerDay: 20, smsPerDay: 1_000 };

/** What holds while staff have set nothing. */
export function configuredLimits({ defaultMaxDevices, orderExpiryMinutes }: Policy): Limits {
  return { defaultMaxDevices, orderExpiryMinutes, ...SMS_LIMITS };
}

/** What holds now. */
export function limitsOf({ settings, policy }: { settings: SettingReads; policy: Policy }): Limits {
  const own = Object.entries(settings.get('limits') ?? {}).filter(([, value]) => value !== null);
  return { ...configuredLimits(policy), ...Object.fromEntries(own) };
}

/** @returns what holds from now on */
export function changeLimits(tx: StaffTx, { limits }: { limits: OwnLimits }): Limits {
  const before = limitsOf(tx);
  tx.settings.set('limits', limits, tx.now);
  const after = limitsOf(tx);
  tx.record('settings.limits', 'settings', null, before, after);
  return after;
}
