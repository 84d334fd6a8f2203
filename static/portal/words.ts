/** Numbers, money and time in the words of the page's language. */
import { now } from '../shared/clock.ts';
import type { Forms, LiveText } from './language.ts';
import { byId } from './page.ts';

export const text: LiveText = JSON.parse(byId('text').textContent || '');

let currency = '';
let timeZone = '';

/** What the business counts in. */
export function setLocalUnits(units: { currency: string; time_zone: string }): void {
  currency = units.currency;
  timeZone = units.time_zone;
}

/** Intl throws on a currency or zone that it does not know; the page must show prices all the same. */
function attempt<T>(wanted: () => T, instead: () => T): T {
  try {
    return wanted();
  } catch {
    return instead();
  }
}

/** Right-to-left text would turn a phone number around; isolated, each value keeps its own order. */
const [ISOLATE, END] = document.documentElement.dir === 'rtl' ? ['\u2068', '\u2069'] : ['', ''];

export function fill(pattern: string, values: Record<string, string>): string {
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in values ? `${ISOLATE}${values[name]}${END}` : whole,
  );
}

// Intl's objects are slow to make on a cheap phone: one of each is enough.
const plurals = 'PluralRules' in Intl ? new Intl.PluralRules(text.locale) : null;
const moneyFormats: Record<string, Intl.NumberFormat> = {};

/** `12 hours`, in the form that the number asks for. */
export function count(n: number, forms: Forms): string {
  const category = plurals === null ? 'other' : plurals.select(n);
  return (forms[category as keyof Forms] || forms.other).replace('{n}', String(n));
}

/** `TSh 1,000`; whole amounts without decimals, and the bare number while the currency is not known. */
export function money(amount: number): string {
  return moneyFormat(amount).format(amount);
}

/** The same in two kinds of parts, so that the number can be told from the currency at a glance. */
export function moneyParts(amount: number): { currency: boolean; text: string }[] {
  const format = moneyFormat(amount);
  if (!('formatToParts' in format)) return [{ currency: false, text: money(amount) }];
  return format.formatToParts(amount).map(({ type, value }) => ({ currency: type === 'currency', text: value }));
}

function moneyFormat(amount: number): Intl.NumberFormat {
  const whole = Number.isInteger(amount);
  const digits = whole ? { minimumFractionDigits: 0, maximumFractionDigits: 0 } : {};
  const known = `${currency} ${whole}`;
  moneyFormats[known] =
    moneyFormats[known] ||
    attempt(
      () => new Intl.NumberFormat(text.locale, { style: 'currency', currency, ...digits }),
      () => new Intl.NumberFormat(text.locale, digits),
    );
  return moneyFormats[known];
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

const NEAR_DAYS = 6;

/**
 * `18:20` today, `Sunday 18:20` in the days ahead, `22 November, 18:20` on any other; by the business's clock.
 * @param iso ISO 8601
 */
export function moment(iso: string): string {
  const at = Date.parse(iso);
  const format = (options: Intl.DateTimeFormatOptions) =>
    attempt(
      () => new Intl.DateTimeFormat(text.locale, { ...options, timeZone }),
      () => new Intl.DateTimeFormat(text.locale, options),
    );
  const date = format({ day: 'numeric', month: 'long' });
  const time = format({ hour: '2-digit', minute: '2-digit', hour12: false }).format(at);
  if (date.format(at) === date.format(now())) return time;
  const days = (at - now()) / 1_000 / DAY;
  if (days > 0 && days < NEAR_DAYS) return `${format({ weekday: 'long' }).format(at)} ${time}`;
  return `${date.format(at)}, ${time}`;
}
