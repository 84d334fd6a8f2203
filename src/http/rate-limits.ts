/**
 * How often a stranger may ask.
 *
 * Counters live in memory, in windows that start with a key's first use. A table holds a bounded number of keys, so
 * nobody can fill it: when it is full, the windows that end first make room.
 */
import ipaddr from 'ipaddr.js';

import { LangoError } from '../domain/errors.ts';
import type { Clock } from '../domain/time.ts';

export interface RateLimit {
  /**
   * Counts one use by that client, and one of each subject (a number, an admin) whoever names it. Counting comes
   * before the work: tries that are made at one moment are no more than tries that are made in turn.
   *
   *     const giveBack = limits.redeem.take(clientIp);
   *     const redeemed = await redeem(code);   // throws for a wrong one, which stays counted
   *     giveBack();
   *
   * @param address null: only the subjects are counted
   * @returns takes the use back, for limits on what fails: that is known only afterwards
   * @throws LangoError RATE_LIMITED, and then nothing was counted
   */
  take(address: string | null, ...subjects: readonly string[]): () => void;
}

export interface RateLimits {
  login: RateLimit;
  /** Passwords and second factors that were wrong, of an admin; `login` counts per address. */
  adminAttempts: RateLimit;
  /** Wrong codes only. */
  redeem: RateLimit;
  /** Known codes that were used or have ended: whoever has one could send it without end. */
  redeemSpent: RateLimit;
  initiatePayment: RateLimit;
  freeAccess: RateLimit;
  /** Bundles that were given to an address. */
  freeGiven: RateLimit;
  userStatus: RateLimit;
  verify: RateLimit;
  devices: RateLimit;
  /** Wrong ones only; the subject is the phone number. */
  proofs: RateLimit;
  /** Codes by SMS, which cost money: asked for from an address, and sent to a number. */
  codesFrom: RateLimit;
  codesTo: RateLimit;
  /** Questions that are the router's to ask; it may ask them as often as it likes. */
  routerQuestions: RateLimit;
  captivePortal: RateLimit;
  /** Notifications that anybody can have sent: they are recorded, and a stranger could fill the disk with them. */
  unprovenWebhooks: RateLimit;
  /** The same, counted by the order that they name in place of an address. */
  unprovenWebhooksOfOrder: RateLimit;
}

export interface RateLimitOptions {
  clock: Pick<Clock, 'monotonic'>;
  /** Whose uses are not counted; nobody's unless said otherwise. */
  isExempt?: (address: string) => boolean;
  /** Keys a table holds at most. */
  capacity?: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DEFAULT_CAPACITY = 10_000;

/**
 * Requests that name a phone number or a code are counted per address alone. Counting per number would let a stranger
 * lock its owner out.
 */
export function createRateLimits({
  clock,
  isRouter,
}: {
  clock: RateLimitOptions['clock'];
  isRouter: (address: string) => boolean;
}): RateLimits {
  const limit = (uses: number, windowMs = MINUTE_MS) => createRateLimit(uses, windowMs, { clock });
  return {
    login: limit(5),
    adminAttempts: limit(10, 10 * MINUTE_MS),
    redeem: limit(10, 10 * MINUTE_MS),
    redeemSpent: limit(60),
    initiatePayment: limit(10),
    freeAccess: limit(10),
    freeGiven: limit(5, HOUR_MS),
    userStatus: limit(60),
    verify: limit(60),
    devices: limit(60),
    proofs: limit(10, HOUR_MS),
    codesFrom: limit(10, HOUR_MS),
    codesTo: limit(3, HOUR_MS),
    routerQuestions: createRateLimit(60, MINUTE_MS, { clock, isExempt: isRouter }),
    captivePortal: limit(60),
    unprovenWebhooks: limit(60),
    unprovenWebhooksOfOrder: limit(30),
  };
}

export function createRateLimit(uses: number, windowMs: number, options: RateLimitOptions): RateLimit {
  const { clock, isExempt = () => false, capacity = DEFAULT_CAPACITY } = options;
  const addresses = new WindowTable(windowMs, capacity);
  const subjects = new WindowTable(windowMs, capacity);

  return {
    take(address, ...named) {
      if (address !== null && isExempt(address)) return () => {};
      const now = clock.monotonic();
      const networks = address === null ? [] : [networkOf(address)];
      for (const network of networks) refuse(addresses.waitBelow(uses, network, now));
      for (const subject of named) refuse(subjects.waitBelow(uses, subject, now));
      const counted = [
        ...networks.map(network => addresses.count(network, now)),
        ...named.map(subject => subjects.count(subject, now)),
      ];
      return () => {
        for (const window of counted) window.uses -= 1;
      };
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
 * Uses per key within a window. All windows have one length, and a map keeps its keys as they came: the first is the
 * next to end.
 */
class WindowTable {
  readonly #windows = new Map<string, Window>();
  readonly #windowMs: number;
  readonly #capacity: number;

  constructor(windowMs: number, capacity: number) {
    this.#windowMs = windowMs;
    this.#capacity = capacity;
  }

  count(key: string, now: number): Window {
    const known = this.#windows.get(key);
    if (known !== undefined && known.endsAt > now) {
      known.uses += 1;
      return known;
    }
    this.#windows.delete(key);
    if (this.#windows.size === this.#capacity) this.#makeRoom();
    const window = { uses: 1, endsAt: now + this.#windowMs };
    this.#windows.set(key, window);
    return window;
  }

  /** Milliseconds until the key has had fewer than `uses` uses; 0 when it has. */
  waitBelow(uses: number, key: string, now: number): number {
    const window = this.#windows.get(key);
    return window === undefined || window.endsAt <= now || window.uses < uses ? 0 : window.endsAt - now;
  }

  /** For several at once: a map steps over all that were deleted from its front whenever it is asked for its first. */
  #makeRoom(): void {
    let left = Math.ceil(this.#capacity / 100);
    for (const key of this.#windows.keys()) {
      this.#windows.delete(key);
      left -= 1;
      if (left === 0) return;
    }
  }
}

/** A subscriber usually has a whole IPv6 /64, so a /64 counts as one client. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const parsed = ipaddr.parse(address);
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':') : address;
}
