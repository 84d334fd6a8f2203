/** Brings a phone online that may be and is not, at a bounded rate for each phone and for all. */
import type { Mac } from '../domain/mac.ts';
import type { Site } from '../domain/site.ts';
import type { Clock } from '../domain/time.ts';

export interface WakeOptions {
  site: Pick<Site, 'isConnected' | 'isOnline'>;
  clock: Pick<Clock, 'monotonic'>;
  /** Never throws. */
  reconcile: (macs: readonly Mac[]) => Promise<unknown>;
}

/** One reconciliation for each phone in this time. */
const WINDOW_MS = 5_000;
/** In one window; the regular pass finds the others. */
const MOST_WOKEN = 1_000;

/** @returns resolves once the router is up to date; at once for a phone that was reconciled just now. Never rejects. */
export function createWake({
  site,
  clock,
  reconcile,
}: WakeOptions): (mac: Mac, whom?: 'though_online') => Promise<void> {
  let woken = new Set<Mac>();
  let windowEndsAt = 0;
  return async (mac, whom) => {
    if (!site.isConnected || (whom !== 'though_online' && site.isOnline(mac))) return;
    const now = clock.monotonic();
    if (now >= windowEndsAt) {
      woken = new Set();
      windowEndsAt = now + WINDOW_MS;
    }
    if (woken.has(mac) || woken.size >= MOST_WOKEN) return;
    woken.add(mac);
    await reconcile([mac]);
  };
}
