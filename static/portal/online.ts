/** Online: until when, how long that is, and the way on: out of the sign-in window, or to the page that was wanted. */

import { now } from '../shared/clock.ts';
import { wantedPage } from './address.ts';
import { byId, isShown, show } from './page.ts';
import { duration, fill, moment, text } from './words.ts';

let end = 0;
let whenOver: () => void = () => undefined;

/** @param over called once the time is used up while the page is open */
export function setUpOnline(over: () => void): void {
  whenOver = over;
  setInterval(tick, 1_000);
}

interface WayOn {
  href: string;
  label: string;
  lead: string;
}

/** @param until ISO 8601 */
export function showOnline(until: string): void {
  end = Date.parse(until);
  const way = wayOn(navigator.userAgent);
  const link = byId<HTMLAnchorElement>('continue');
  link.hidden = way === null;
  if (way !== null) {
    link.href = way.href;
    link.textContent = way.label;
  }
  show('online', 'open', fill(text.onlineUntil, { time: moment(until) }), way === null ? text.closePage : way.lead);
  tick();
}

/**
 * A system's sign-in window does not notice that the router let the phone in: opening the system's own probe page in it
 * does. Apple's window names itself like Safari without the word, Android's like an app's web view. Windows opens
 * the usual browser, where the page that was wanted is the better way.
 */
function wayOn(browser: string): WayOn | null {
  const finish = (href: string, lead: string) => ({ href, label: text.finish, lead });
  if (/iP(hone|ad|od)|Macintosh/.test(browser) && !/Safari|Firefox/.test(browser)) {
    return finish('http://captive.apple.com/hotspot-detect.html', text.finishApple);
  }
  if (/Android.*; wv\)/.test(browser)) {
    return finish('http://connectivitycheck.gstatic.com/generate_204', text.finishOther);
  }
  const page = wantedPage();
  if (page !== null) return { href: page.href, label: fill(text.continueTo, { site: page.host }), lead: '' };
  return /Windows NT/.test(browser) ? finish('http://www.msftconnecttest.com/redirect', text.finishOther) : null;
}

function tick(): void {
  if (!isShown('online')) return;
  const left = Math.floor((end - now()) / 1_000);
  if (left <= 0) return whenOver();
  const words = left < 60 ? text.lessThanAMinute : duration(left);
  if (byId('time-left').textContent !== words) byId('time-left').textContent = words;
}
