/** Numbers and time in the words of the page's language. */
import { inWords } from '../../src/contract/words.ts';
import { now } from '../shared/clock.ts';
import type { LiveText } from './language.ts';
import { byId } from './page.ts';

const { dir, dataset } = document.documentElement;

export const text: LiveText = JSON.parse(byId('text').textContent || '');
export const { count, duration, fill, withTime, explain } = inWords(text, dir === 'rtl');

const NEAR_DAYS = 6;
const DAY_MS = 86_400_000;

/**
 * `18:20` today, `Sunday 18:20` in the days ahead, `22 November, 18:20` on any other; by the business's clock.
 * @param iso ISO 8601
 */
export function moment(iso: string): string {
  const at = Date.parse(iso);
  const date = format({ day: 'numeric', month: 'long' });
  const time = format({ hour: '2-digit', minute: '2-digit', hour12: false }).format(at);
  if (date.format(at) === date.format(now())) return time;
  const days = (at - now()) / DAY_MS;
  if (days > 0 && days < NEAR_DAYS) return `${format({ weekday: 'long' }).format(at)} ${time}`;
  return `${date.format(at)}, ${time}`;
}

/** Intl throws on a zone that this phone does not know; the page must tell the time all the same. */
function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(text.locale, { ...options, timeZone: dataset.zone || undefined });
  } catch {
    return new Intl.DateTimeFormat(text.locale, options);
  }
}
