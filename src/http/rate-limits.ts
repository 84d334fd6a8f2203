/**
 * How often a stranger may ask. Decisions, section 11.
 *
 * Counters live in memory, in windows that start with a key's first use. A table holds a bounded number of keys, so
 * nobody can fill it: when it is full, the window that would end first makes room.
 */
import ipaddr from 'ipaddr.js';

import { LangoError } from '../domain/errors.ts';
import type { Clock } from '../domain/time.ts';

export interface RateLimit {
  /** Counts one use of that client. @throws LangoError RATE_LIMITED */
  take(address: string): void;
  /** Counts one use of the phone or code that the client names. @throws LangoError RATE_LIMITED */
  takeSubject(address: string, subject: string): void;
  /** Refuses as `take` and `takeSubject` do, without counting. @throws LangoError RATE_LIMITED */
  check(address: string, subject: string | null): void;
  /** Counts one use, and refuses nothing: for limits on failures, known only afterwards. */
  punish(address: string, subject: string | null): void;
}

export interface RateLimits {
  login: RateLimit;
  /** Wrong codes only: `check` before, `punish` after a code that was not known. */
  redeem: RateLimit;
  initiatePayment: RateLimit;
  userStatus: RateLimit;
  verify: RateLimit;
  devices: RateLimit;
  /** Notifications that are nobody's: they are recorded, and a stranger could fill the disk with them. */
  strangeNotices: RateLimit;
}

export interface RateLimitOptions {
  clock: Pick<Clock, 'monotonic'>;
  /** True for the router's own address, which is never limited. */
  isExempt: (address: string) => boolean;
  /** Keys a table holds at most. */
  capacity?: number;
}

const MINUTE_MS = 60_000;
const DEFAULT_CAPACITY = 10_000;

export function createRateLimits(options: RateLimitOptions): RateLimits {
  const limit = (uses: number, windowMs: number) => createRateLimit(uses, windowMs, options);
  return {
    login: limit(5, MINUTE_MS),
    redeem: limit(10, 10 * MINUTE_MS),
    initiatePayment: limit(10, MINUTE_MS),
    userStatus: limit(60, MINUTE_MS),
    verify: limit(60, MINUTE_MS),
    devices: limit(60, MINUTE_MS),
    strangeNotices: limit(60, MINUTE_MS),
  };
}

export function createRateLimit(uses: number, windowMs: number, options: RateLimitOptions): RateLimit {
  const { clock, isExempt, capacity = DEFAULT_CAPACITY } = options;
  const addresses = new WindowTable(windowMs, capacity);
  const subjects = new WindowTable(windowMs, capacity);

  return {
    take(address) {
      if (isExempt(address)) return;
      const now = clock.monotonic();
      refuse(addresses.waitBelow(uses, networkOf(address), now));
      addresses.count(networkOf(address), now);
    },
    takeSubject(address, subject) {
      if (isExempt(address)) return;
      const now = clock.monotonic();
      refuse(subjects.waitBelow(uses, subject, now));
      subjects.count(subject, now);
    },
    check(address, subject) {
      if (isExempt(address)) return;
      const now = clock.monotonic();
      refuse(addresses.waitBelow(uses, networkOf(address), now));
      if (subject !== null) refuse(subjects.waitBelow(uses, subject, now));
    },
    punish(address, subject) {
      if (isExempt(address)) return;
      const now = clock.monotonic();
      addresses.count(networkOf(address), now);
      if (subject !== null) subjects.count(subject, now);
    },
  };
}

function refuse(waitMs: number): void {
  if (waitMs === 0) return;
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  const message = `Too many requests. Please try again in ${retryAfterSeconds} s.`;
  throw new LangoError('RATE_LIMITED', message, { retryAfterSeconds });
}

interface Window {
  uses: number;
  readonly endsAt: number;
}

/**
 * Uses per key within a window. All windows are of one length, so the order of their starts is that of their ends:
 * a ring of keys gives the next one to end without a search.
 */
class WindowTable {
  readonly #windows = new Map<string, Window>();
  readonly #ring: string[] = [];
  readonly #windowMs: number;
  readonly #capacity: number;
  #first = 0;

  constructor(windowMs: number, capacity: number) {
    this.#windowMs = windowMs;
    this.#capacity = capacity;
  }

  count(key: string, now: number): void {
    this.#dropEnded(now);
    const window = this.#windows.get(key);
    if (window !== undefined) {
      window.uses += 1;
      return;
    }
    if (this.#windows.size === this.#capacity) this.#dropFirst();
    this.#ring[(this.#first + this.#windows.size) % this.#capacity] = key;
    this.#windows.set(key, { uses: 1, endsAt: now + this.#windowMs });
  }

  /** Milliseconds until the key has had fewer than `uses` uses; 0 when it has. */
  waitBelow(uses: number, key: string, now: number): number {
    const window = this.#windows.get(key);
    return window === undefined || window.endsAt <= now || window.uses < uses ? 0 : window.endsAt - now;
  }

  #dropEnded(now: number): void {
    while ((this.#windows.get(this.#ring[this.#first] ?? '')?.endsAt ?? Number.POSITIVE_INFINITY) <= now) {
      this.#dropFirst();
    }
  }

  #dropFirst(): void {
    this.#windows.delete(this.#ring[this.#first] ?? '');
    this.#first = (this.#first + 1) % this.#capacity;
  }
}

/** One subscriber commonly holds a whole IPv6 /64, so that is what counts as one client. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const parsed = ipaddr.parse(address);
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : address;
}
