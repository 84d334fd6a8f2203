/** Numbers, money and time in the words of the page's language. */
import { now } from './clock.ts';
import type { Forms, LiveText } from './language.ts';
import { byId } from './page.ts';

export const text: LiveText = JSON.parse(byId('text').textContent || '');

let currency = '';
let timeZone: string | undefined;

/** What the business counts in. Both are checked here, because Intl throws on what it does not know. */
export function setLocalUnits(units: { currency: string; time_zone: string }): void {
  if (works(() => new Intl.NumberFormat('en', { style: 'currency', currency: units.currency }))) {
    currency = units.currency;
  }
  if (works(() => new Intl.DateTimeFormat('en', { timeZone: units.time_zone }))) timeZone = units.time_zone;
}

function works(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

export function fill(pattern: string, values: Record<string, string>): string {
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? (values[name] as string) : whole));
}

/** `12 hours`, in the form that the number asks for. */
export function count(n: number, forms: Forms): string {
  const category = 'PluralRules' in Intl ? new Intl.PluralRules(text.locale).select(n) : 'other';
  const form = forms[category as keyof Forms] || forms.other;
  return fill(form, { n: new Intl.NumberFormat(text.locale).format(n) });
}

/** `TSh 1,000`; whole amounts without decimals, and the bare number while the currency is not known. */
export function money(amount: number): string {
  const whole = Number.isInteger(amount);
  return new Intl.NumberFormat(text.locale, {
    ...(currency === '' ? {} : { style: 'currency' as const, currency }),
    ...(whole ? { minimumFractionDigits: 0, maximumFractionDigits: 0 } : {}),
  }).format(amount);
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The two largest units, never rounded up: `1 day 3 hours`, `45 minutes`.
 * One day is said as 24 hours, because it does not end at midnight.
 */
export function duration(seconds: number): string {
  if (seconds < MINUTE) return count(seconds, text.seconds);
  if (seconds < HOUR) return count(Math.floor(seconds / MINUTE), text.minutes);
  const [unit, forms, rest, restForms] =
    seconds < 2 * DAY && seconds !== DAY * 1.5
      ? ([HOUR, text.hours, MINUTE, text.minutes] as const)
      : ([DAY, text.days, HOUR, text.hours] as const);
  const large = count(Math.floor(seconds / unit), forms);
  const small = Math.floor((seconds % unit) / rest);
  return small === 0 ? large : `${large} ${count(small, restForms)}`;
}

/** `18:20` today, `Sunday 22 November at 18:20` on any other day; by the business's clock. */
export function moment(iso: string): string {
  const at = Date.parse(iso);
  const hour = { hour: '2-digit', minute: '2-digit', hour12: false } as const;
  const date = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  const zone = timeZone === undefined ? {} : { timeZone };
  const day = new Intl.DateTimeFormat(text.locale, { ...date, ...zone });
  const today = day.format(at) === day.format(now());
  return new Intl.DateTimeFormat(text.locale, { ...(today ? {} : date), ...hour, ...zone }).format(at);
}
