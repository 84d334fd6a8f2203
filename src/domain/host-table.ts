/**
 * Which device has an address, by the router's host table. Anybody can cause this question, so it is answered from a
 * shared copy: one read of the router at a time, and one a second at most.
 */
import type { Mac } from './mac.ts';
import type { HotspotPort } from './ports.ts';
import type { Clock } from './time.ts';

export interface HostTable {
  /**
   * The MAC that had the address within the last five seconds; null: unknown, or the router does not answer.
   * An address that the copy lacks causes another read, so that a phone that has just joined is found. Never
   * rejects; takes as long as the router does.
   */
  macBehind(address: string): Promise<Mac | null>;
  /** The address from which a device has asked within the last half minute; null: it has not. */
  askedFrom(mac: Mac): string | null;
}

const FRESH_MS = 5_000;
const BETWEEN_READS_MS = 1_000;
const JUST_ASKED_MS = 30_000;
/** Devices whose last address is kept. */
const MOST_ASKERS = 5_000;

export function createHostTable(
  router: Pick<HotspotPort, 'macsByAddress'>,
  clock: Pick<Clock, 'monotonic'>,
): HostTable {
  let copy: { readonly macs: ReadonlyMap<string, Mac>; readonly askedAt: number } | null = null;
  let lastAskedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  /** The one that asked last comes last. */
  const askers = new Map<Mac, { address: string; at: number }>();

  function known(address: string): Mac | null {
    if (copy === null || clock.monotonic() - copy.askedAt >= FRESH_MS) return null;
    const mac = copy.macs.get(address) ?? null;
    if (mac !== null) remember(mac, address);
    return mac;
  }

  function remember(mac: Mac, address: string): void {
    askers.delete(mac);
    askers.set(mac, { address, at: clock.monotonic() });
    const [oldest] = askers.keys();
    if (askers.size > MOST_ASKERS && oldest !== undefined) askers.delete(oldest);
  }

  async function read(): Promise<void> {
    const askedAt = clock.monotonic();
    lastAskedAt = askedAt;
    try {
      copy = { macs: await router.macsByAddress(), askedAt };
    } catch {
      // The old copy expires by itself.
    }
  }

  return {
    askedFrom(mac) {
      const asker = askers.get(mac);
      return asker === undefined || clock.monotonic() - asker.at > JUST_ASKED_MS ? null : asker.address;
    },
    async macBehind(address) {
      const mac = known(address);
      if (mac !== null) return mac;
      if (reading === null && clock.monotonic() - lastAskedAt < BETWEEN_READS_MS) return null;
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
      return known(address);
    },
  };
}
