/** Settings that staff change at run time; they override the environment. */
import type { CashierRules } from './cashiers.ts';
import type { DevicePolicy } from './device-policy.ts';
import { refuseField } from './errors.ts';
import type { OwnLimits } from './limits.ts';
import type { RouterSettings } from './ports.ts';
import type { RouterKey } from './router-key.ts';
import type { SmsKind } from './sms.ts';
import { type OwnSmsTexts, textProblem } from './sms-texts.ts';
import type { Instant } from './time.ts';
import type { StaffTx, Tx } from './transaction.ts';

/** Every setting there is, and its shape. */
export interface SettingValues {
  /** Of the default router: read through `routersOf`, as is its name. */
  router: RouterSettings;
  routerName: string;
  /** Read through `routerPassword`. */
  routerKey: RouterKey;
  /** What the portal shows of the business. */
  branding: Branding;
  /** Written every minute: the latest trusted time, which a start with a wrong clock is compared with. */
  heartbeat: { at: Instant };
  /** Hash of the one-time code that opens the set-up page; gone once there is an admin. */
  setup: { codeHash: string };
  /** Since when nobody can get online; gone once somebody can. */
  outage: { from: Instant };
  /** Read through `devicePolicyOf`. */
  devices: DevicePolicy;
  /** Read through `limitsOf`. */
  limits: OwnLimits;
  /** Read through `cashierRulesOf`. */
  cashiers: CashierRules;
  /** What messages say in place of the built-in words. */
  messages: OwnSmsTexts;
}

export interface Branding {
  businessName: string;
  logoUrl: string | null;
  /** `#rrggbb` */
  primaryColor: string;
  supportPhone: string | null;
  /** Of the Wi-Fi, as phones list it; printed on vouchers and receipts. */
  networkName: string | null;
  termsUrl: string | null;
  /** Two letters; null: the configured one. */
  language: string | null;
}

export const DEFAULT_BRANDING: Branding = {
  businessName: 'Wi-Fi',
  logoUrl: null,
  primaryColor: '#0b6e4f',
  supportPhone: null,
  networkName: null,
  termsUrl: null,
  language: null,
};

export function changeBranding(tx: StaffTx, { branding }: { branding: Branding }): void {
  const before = tx.settings.get('branding');
  tx.settings.set('branding', branding, tx.now);
  tx.record('settings.branding', 'settings', null, before, branding);
}

interface ChangeMessage {
  language: string;
  kind: SmsKind;
  /** Null: the built-in one. */
  text: string | null;
}

/** @throws LangoError VALIDATION the text cannot be sent */
export function changeMessage(tx: StaffTx, { language, kind, text }: ChangeMessage): void {
  const problem = text === null ? null : textProblem(kind, text, tx.policy.currency);
  if (problem !== null) refuseField('VALIDATION', 'text', problem);
  const own = tx.settings.get('messages') ?? {};
  const { [kind]: before = null, ...others } = own[language] ?? {};
  tx.settings.set('messages', { ...own, [language]: text === null ? others : { ...others, [kind]: text } }, tx.now);
  tx.record('settings.messages', 'settings', null, { language, kind, text: before }, { language, kind, text });
}

export interface SettingReads {
  get<Name extends keyof SettingValues>(name: Name): SettingValues[Name] | null;
}

export interface SettingWrites extends SettingReads {
  set<Name extends keyof SettingValues>(name: Name, value: SettingValues[Name], now: Instant): void;
  clear(name: keyof SettingValues): void;
}

/** @param isConfirmed an operator confirmed the clock, so a time earlier than the last heartbeat counts too */
export function recordHeartbeat(tx: Tx, { isConfirmed = false }: { isConfirmed?: boolean }): void {
  const known = tx.settings.get('heartbeat');
  if (known === null || known.at < tx.now || isConfirmed) tx.settings.set('heartbeat', { at: tx.now }, tx.now);
}

/** Lets the holder of a one-time code make the first admin. */
export function openSetup(tx: Tx, { codeHash }: { codeHash: string }): void {
  tx.settings.set('setup', { codeHash }, tx.now);
}
