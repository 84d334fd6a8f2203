/** Brings a phone online that may be and is not, without anybody waiting for it. */
import type { Mac } from '../domain/mac.ts';
import type { HotspotPort } from '../domain/ports.ts';
import type { Presence } from '../domain/presence.ts';
import type { Clock } from '../domain/time.ts';

export interface WakeOptions {
  router: Pick<HotspotPort, 'state'>;
  presence: Pick<Presence, 'isOnline'>;
  clock: Pick<Clock, 'monotonic'>;
  /** Never throws. */
  reconcile: (macs: readonly Mac[]) => Promise<boolean>;
}

/** A phone is looked after once in this time, however often it is asked for. */
const WINDOW_MS = 5_000;
/** In one window; the pass over everything finds the others. */
const MOST_WOKEN = 1_000;

export function createWake({ router, presence, clock, reconcile }: WakeOptions): (mac: Mac) => void {
  let woken = new Set<Mac>();
  let windowEndsAt = 0;
  return mac => {
    if (router.state !== 'connected' || presence.isOnline(mac)) return;
    const now = clock.monotonic();
    if (now >= windowEndsAt) {
      woken = new Set();
      windowEndsAt = now + WINDOW_MS;
    }
    if (woken.has(mac) || woken.size >= MOST_WOKEN) return;
    woken.add(mac);
    void reconcile([mac]);
  };
}
