/** RouterOS text ↔ values. */
import { routerDuration } from '../domain/time.ts';

const DURATION =
  /^(?:(\d+)w)?(?:(\d+)d)?(?:(\d+):(\d{2}):(\d{2})(?:\.\d+)?|(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:\d+ms)?)$/;

/**
 * `1w2d3h4m5s`, `1w2d03:04:05`, `3m`, `1s500ms` → whole seconds, rounded down.
 * @returns null for anything else: nothing, `none`, `never`
 */
export function parseDuration(text: string | undefined): number | null {
  const match = text ? DURATION.exec(text) : null;
  if (match === null) return null;
  const [, weeks, days, clockHours, clockMinutes, clockSeconds, hours, minutes, seconds] = match;
  return (
    count(weeks) * 604_800 +
    count(days) * 86_400 +
    count(clockHours ?? hours) * 3_600 +
    count(clockMinutes ?? minutes) * 60 +
    count(clockSeconds ?? seconds)
  );
}

/** A duration whose zero means "without end" to the router. */
export function parseLimit(text: string | undefined): number | null {
  return parseDuration(text) || null;
}

/** A limit that has run out is written as one second, because the router reads zero as "without end". */
export function formatLimit(seconds: number): string {
  return routerDuration(Math.max(1, seconds));
}

/** The router writes `true` and `false`, older versions `yes` and `no`. */
export function parseBoolean(text: string | undefined): boolean {
  return text === 'true' || text === 'yes';
}

export function formatBoolean(value: boolean): string {
  return value ? 'yes' : 'no';
}

/** A counter; 0 when the router leaves it out. */
export function parseCount(text: string | undefined): number {
  return count(text);
}

function count(digits: string | undefined): number {
  const value = Number(digits ?? 0);
  return Number.isFinite(value) ? value : 0;
}
