/**
 * Instants, durations and calendar days. The only file that touches `Date`.
 *
 * An instant is ISO 8601 text in UTC with milliseconds and a `Z`. Text of that one shape sorts as time
 * does, so instants compare with `<` in TypeScript and in SQL alike, and need no conversion at any edge.
 */
import { performance } from 'node:perf_hooks';
import { memoize } from './memoize.ts';

declare const instantBrand: unique symbol;
export type Instant = string & { readonly [instantBrand]: true };

declare const dayBrand: unique symbol;
/** A calendar day in the configured zone, `YYYY-MM-DD`. */
export type Day = string & { readonly [dayBrand]: true };

export const SECONDS_PER_HOUR = 3_600;
export const SECONDS_PER_DAY = 24 * SECONDS_PER_HOUR;

export interface Clock {
  /** The trusted time: see clock-guard. */
  now(): Instant;
  /** Milliseconds that only ever go forward; their zero means nothing. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now() {
    const ms = Date.now();
    if (ms !== present.ms) present = { ms, instant: fromEpochMs(ms) };
    return present.instant;
  },
  monotonic: () => performance.now(),
};

/** The time is asked for many times in a millisecond, and writing or reading an instant costs more than all the rest. */
let present = { ms: 0, instant: '1970-01-01T00:00:00.000Z' as Instant };

export function fromEpochMs(ms: number): Instant {
  return ms === present.ms ? present.instant : (new Date(ms).toISOString() as Instant);
}

export function toEpochMs(instant: Instant): number {
  return instant === present.instant ? present.ms : Date.parse(instant);
}

/** @throws RangeError when the text is not a date and time. */
export function parseInstant(text: string): Instant {
  return new Date(text).toISOString() as Instant;
}

export function addSeconds(instant: Instant, seconds: number): Instant {
  return fromEpochMs(toEpochMs(instant) + seconds * 1_000);
}

/** Whole seconds from `from` to `to`, rounded down; negative when `to` is earlier. */
export function secondsBetween(from: Instant, to: Instant): number {
  return Math.floor((toEpochMs(to) - toEpochMs(from)) / 1_000);
}

export function later(a: Instant | null, b: Instant): Instant {
  return a !== null && a > b ? a : b;
}

const UNITS: readonly [name: string, seconds: number][] = [
  ['week', 7 * SECONDS_PER_DAY],
  ['day', SECONDS_PER_DAY],
  ['hour', SECONDS_PER_HOUR],
  ['minute', 60],
  ['second', 1],
];

/** As routers write it: `1w2d3h4m5s`, whole seconds, without the parts that are zero. */
export function routerDuration(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds));
  let text = '';
  for (const [name, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) text += `${count}${name.charAt(0)}`;
  }
  return text || '0s';
}

/**
 * The two largest units of a duration, never rounded up: `1 day, 3 hours`, `45 minutes`,
 * `less than a minute`, `expired`. Replies have it as `time_remaining`.
 */
export function humanDuration(seconds: number): string {
  if (seconds <= 0) return 'expired';
  const parts: string[] = [];
  let rest = seconds;
  for (const [name, size] of UNITS.slice(1, 4)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
    else if (parts.length === 1) break;
  }
  return parts.length === 0 ? 'less than a minute' : parts.slice(0, 2).join(', ');
}

// en-CA writes a date as YYYY-MM-DD.
const dayFormat = memoize(
  timeZone => new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
);

export function isTimeZone(zone: string): boolean {
  try {
    dayFormat(zone);
    return true;
  } catch {
    return false;
  }
}

/** The calendar day of an instant in a zone. */
export function dayOf(instant: Instant, zone: string): Day {
  return dayFormat(zone).format(toEpochMs(instant)) as Day;
}

const hourFormat = memoize(timeZone => new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }));

/** The hour of the day of an instant in a zone, 0 to 23. */
export function hourOf(instant: Instant, zone: string): number {
  return Number(hourFormat(zone).format(toEpochMs(instant)));
}

export function addDays(day: Day, days: number): Day {
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10) as Day;
}

/** Days from `from` to `to`; 0 when they are the same. */
export const daysBetween = (from: Day, to: Day): number =>
  (Date.parse(to) - Date.parse(from)) / (SECONDS_PER_DAY * 1_000);

const clockFormat = memoize(timeZone => {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-CA', { timeZone, ...parts, hourCycle: 'h23' });
});

/** An instant as people in a zone read it, `2026-11-21 18:20`. For messages, never for decisions. */
export function localClock(instant: Instant, zone: string): string {
  return clockFormat(zone).format(toEpochMs(instant)).replace(',', '');
}

/** @returns the day, or null when the text is not a real calendar date `YYYY-MM-DD`. */
export function parseDay(text: string): Day | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const date = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? (text as Day) : null;
}

/**
 * The first instant of a day in a zone. Zones jump (daylight saving), so the start is searched for:
 * it is the earliest instant that falls on that day, which need not be a midnight.
 */
export function startOfDay(day: Day, zone: string): Instant {
  const utcMidnight = Date.parse(`${day}T00:00:00.000Z`);
  let before = utcMidnight - 16 * 3_600_000;
  let within = utcMidnight + 16 * 3_600_000;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (dayOf(fromEpochMs(middle), zone) < day) before = middle;
    else within = middle;
  }
  return fromEpochMs(within);
}
