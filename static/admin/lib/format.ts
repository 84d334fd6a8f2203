/** Amounts, times and sizes as staff read them. Times are in the business's zone, whatever this device's is. */
import type { Portal } from '../../../src/contract/portal.ts';
import { now } from '../../shared/clock.ts';
import { createStore } from './store.ts';

export interface Business {
  name: string;
  currency: string;
  timeZone: string;
  supportPhone: string | null;
  /** Of the Wi-Fi, as phones list it. */
  networkName: string | null;
  /** No real money moves. */
  sandbox: boolean;
}

export const business = createStore<Business>({
  name: 'Lango',
  currency: 'TZS',
  timeZone: 'UTC',
  supportPhone: null,
  networkName: null,
  sandbox: false,
});

export const businessOf = (portal: Portal): Business => ({
  name: portal.business_name,
  currency: portal.currency,
  timeZone: portal.time_zone,
  supportPhone: portal.support_phone,
  networkName: portal.network_name,
  sandbox: portal.sandbox,
});

/** `'1000.00'` → `TZS 1,000`; the decimals show only where there are any. */
export function money(amount: string | number): string {
  const { currency } = business.get();
  return `${currency} ${plainAmount(amount)}`;
}

export function plainAmount(amount: string | number): string {
  const value = Number(amount);
  const digits = Number.isInteger(value) ? 0 : currencyDecimals();
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** At least two: averages have them, too. */
export function currencyDecimals(): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: business.get().currency });
  return Math.max(2, format.resolvedOptions().maximumFractionDigits ?? 0);
}

export const count = (value: number): string => value.toLocaleString('en');

/** `1 order`, `1,200 orders` */
export const many = (value: number, one: string, more = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : more}`;

const inZone = (iso: string | number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: business.get().timeZone }).format(new Date(iso));

/** `18:20`, `Sat 21 Nov, 18:20`, with the year where it is another. */
export function dateTime(iso: string | null | undefined): string {
  if (iso === null || iso === undefined) return '–';
  const year = dayOf(iso).slice(0, 4) === dayOf(now()).slice(0, 4) ? {} : { year: 'numeric' as const };
  const time = inZone(iso, { hour: '2-digit', minute: '2-digit' });
  return dayOf(iso) === dayOf(now())
    ? `Today, ${time}`
    : `${inZone(iso, { weekday: 'short', day: 'numeric', month: 'short', ...year })}, ${time}`;
}

export function date(iso: string | null | undefined): string {
  if (iso === null || iso === undefined) return '–';
  return inZone(iso, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** `21 Nov 2026, 18:20`: on paper, no day stays today. */
export const onPaper = (iso: string): string => `${date(iso)}, ${inZone(iso, { hour: '2-digit', minute: '2-digit' })}`;

/** `2026-11-21`, in the business's zone. */
export function dayOf(when: string | number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: business.get().timeZone }).format(new Date(when));
}

/** A day of the calendar belongs to no zone. @param day `2026-11-21`, or its midnight in UTC in milliseconds */
export const calendarDay = (day: string | number, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(day));

const DAY_MS = 86_400_000;
export const today = (): string => dayOf(now());
export const daysAgo = (days: number): string => dayOf(now() - days * DAY_MS);

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** The two largest units: `1 day 3 hours`; `less than a minute`. */
export function span(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds));
  const parts: string[] = [];
  for (const [name, size] of UNITS) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount > 0) parts.push(many(amount, name));
  }
  return parts.slice(0, 2).join(' ') || 'less than a minute';
}

/** Hours as a bundle is spoken of: `30 minutes`, `24 hours`, `7 days`. */
export function hours(value: number): string {
  const seconds = Math.round(value * 3_600);
  if (seconds < 60) return `${seconds} seconds`;
  return seconds === 86_400 ? '24 hours' : span(seconds);
}

/** Seconds from now; negative when it is past. */
export const secondsUntil = (iso: string): number => (Date.parse(iso) - now()) / 1_000;

export function ago(iso: string | null | undefined): string {
  if (iso === null || iso === undefined) return 'never';
  const seconds = -secondsUntil(iso);
  return seconds < 60 ? 'just now' : `${span(seconds).split(/(?<=[a-z]) (?=\d)/)[0]} ago`;
}

export function bytes(value: string | number): string {
  let size = Number(value);
  for (const unit of ['B', 'KB', 'MB', 'GB']) {
    if (size < 1_000) return `${size < 10 && unit !== 'B' ? size.toFixed(1) : Math.round(size)} ${unit}`;
    size /= 1_000;
  }
  return `${size.toFixed(1)} TB`;
}

/** `payment_received` → `Payment received`; `router.configure` → `Router configure`. */
export function words(name: string): string {
  const text = name.replace(/[._-]+/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
