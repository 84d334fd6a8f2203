/** How RouterOS reads what is written to a property, and how it prints it back. */
import { Trap } from './trap.ts';

/** Takes what a client wrote, gives what `print` will show. @throws Trap */
export type Writer = (value: string, property: string) => string;

const UNIT_SECONDS: Record<string, number> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };

/**
 * Reads `1w2d3h4m5s`, `1w2d03:04:05`, `03:04:05` and plain seconds.
 * @returns whole seconds, or null when the text is no duration
 */
export function parseDuration(text: string): number | null {
  const match = /^((?:\d+[wdhms])*)(?:(\d+):(\d{2}):(\d{2})|(\d+))?$/.exec(text);
  if (match === null || text === '') return null;
  const [, units = '', hours, minutes, seconds, plain] = match;
  let total = Number(plain ?? 0) + Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  for (const [, count, unit = ''] of units.matchAll(/(\d+)([wdhms])/g))
    total += Number(count) * (UNIT_SECONDS[unit] ?? 0);
  return total;
}

/** `1w2d3h4m5s`, zero parts left out; `0s` for nothing at all. */
export function formatDuration(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds));
  if (rest === 0) return '0s';
  let text = '';
  for (const unit of ['w', 'd', 'h', 'm', 's']) {
    const size = UNIT_SECONDS[unit] ?? 1;
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) text += `${count}${unit}`;
  }
  return text;
}

const MAC = /^[0-9a-f]{2}(?:[:-]?[0-9a-f]{2}){5}$/i;

export function formatMac(text: string): string {
  return (text.replace(/[:-]/g, '').toUpperCase().match(/../g) ?? []).join(':');
}

/** @returns the address as a number, or null when the text is no IPv4 address. */
export function parseAddress(text: string): number | null {
  const parts = text.split('.').map(part => (/^\d{1,3}$/.test(part) ? Number(part) : 256));
  if (parts.length !== 4 || parts.some(part => part > 255)) return null;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}

export function formatAddress(value: number): string {
  return [24, 16, 8, 0].map(shift => (value >>> shift) & 0xff).join('.');
}

export const text: Writer = value => value;

/** Written `yes` or `no`, read `true` or `false`. */
export const yesNo: Writer = (value, property) => {
  if (value === 'yes' || value === 'true') return 'true';
  if (value === 'no' || value === 'false') return 'false';
  throw noMatch(property);
};

export const time: Writer = (value, property) => {
  const seconds = parseDuration(value);
  if (seconds === null) throw new Trap(`invalid time value for argument ${property}`, 1);
  return formatDuration(seconds);
};

export const timeOrNone: Writer = (value, property) => (value === 'none' ? value : time(value, property));

export const mac: Writer = (value, property) => {
  if (!MAC.test(value)) throw new Trap(`invalid value of ${property}, mac address required`, 1);
  return formatMac(value);
};

export const address: Writer = (value, property) => {
  if (parseAddress(value) === null) throw new Trap(`invalid value for argument ${property}`, 1);
  return value;
};

export const whole: Writer = (value, property) => {
  if (!/^\d+$/.test(value)) throw new Trap(`invalid value for argument ${property}`, 1);
  return String(Number(value));
};

export const wholeOr =
  (word: string): Writer =>
  (value, property) =>
    value === word ? value : whole(value, property);

export const oneOf =
  (...words: string[]): Writer =>
  (value, property) => {
    if (!words.includes(value)) throw noMatch(property);
    return value;
  };

export function noMatch(property: string): Trap {
  return new Trap(`input does not match any value of ${property}`, 1);
}
