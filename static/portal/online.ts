/** Online: until when, how long that is, and the page that the person wanted in the first place. */
import { wantedPage } from './address.ts';
import { now } from './clock.ts';
import { byId, isShown, show } from './page.ts';
import { duration, fill, moment, text } from './words.ts';

let end = 0;
let whenOver: () => void = () => undefined;

/** @param over called once the time is used up while the page is open */
export function setUpOnline(over: () => void): void {
  whenOver = over;
  setInterval(tick, 1_000);
}

/** @param until ISO 8601 */
export function showOnline(until: string): void {
  end = Date.parse(until);
  const page = wantedPage();
  const link = byId<HTMLAnchorElement>('continue');
  link.hidden = page === null;
  if (page !== null) {
    link.href = page.href;
    link.textContent = fill(text.continueTo, { site: page.host });
  }
  show('online', 'open', fill(text.onlineUntil, { time: moment(until) }), page === null ? text.closePage : '');
  tick();
}

function tick(): void {
  if (!isShown('online')) return;
  const left = Math.floor((end - now()) / 1_000);
  if (left <= 0) return whenOver();
  const words = left < 60 ? text.lessThanAMinute : duration(left);
  if (byId('time-left').textContent !== words) byId('time-left').textContent = words;
}
