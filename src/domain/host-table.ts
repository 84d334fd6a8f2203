/**
 * The router's host table: which device has an address, and which are on the Wi-Fi. Anybody can cause the first
 * question, so it is answered from a shared copy: one read of the router at a time, and one a second at most.
 */
import { type Asked, type AskedFrom, behindOneRow } from './host-rows.ts';
import type { Mac } from './mac.ts';
import type { HotspotPort, RouterHost } from './ports.ts';
import type { Clock } from './time.ts';

export interface HostTable {
  /**
   * The MAC that had the address within the last five seconds; null: unknown, or the router does not answer.
   * An address that the copy lacks causes another read, so that a phone that has just joined is found. Never
   * rejects; takes as long as the router does.
   */
  macBehind(address: string): Promise<Mac | null>;
  /** What a device has asked within the last half minute. */
  askedFrom: AskedFrom;
  /**
   * Every device that was on the Wi-Fi within the last five seconds, with the row that it is behind; null: the router
   * does not answer. Never rejects; takes as long as the router does.
   */
  devices(): Promise<ReadonlyMap<Mac, RouterHost> | null>;
  /** Those behind any hotspot of the router, also one that Lango does not look after. Never rejects. */
  everywhere(): Promise<ReadonlySet<Mac>>;
}

const FRESH_MS = 5_000;
const BETWEEN_READS_MS = 1_000;
const JUST_ASKED_MS = 30_000;
/** Devices whose last address is kept. */
const MOST_ASKERS = 5_000;

export function createHostTable(
  router: Pick<HotspotPort, 'macsByAddress' | 'hosts'>,
  clock: Pick<Clock, 'monotonic'>,
): HostTable {
  const addresses = copyOf(() => router.macsByAddress(), clock);
  const rows = copyOf(async () => behindOneRow(await router.hosts(), askedFrom), clock);

  /** The one that asked last comes last. */
  const askers = new Map<Mac, { address: string; at: number }>();

  function known(address: string): Mac | null {
    const mac = addresses.fresh()?.get(address) ?? null;
    if (mac !== null) remember(mac, address);
    return mac;
  }

  function remember(mac: Mac, address: string): void {
    askers.delete(mac);
    askers.set(mac, { address, at: clock.monotonic() });
    const [oldest] = askers.keys();
    if (askers.size > MOST_ASKERS && oldest !== undefined) askers.delete(oldest);
  }

  function askedFrom(mac: Mac): Asked | null {
    const asker = askers.get(mac);
    if (asker === undefined) return null;
    const ago = clock.monotonic() - asker.at;
    return ago > JUST_ASKED_MS ? null : { address: asker.address, secondsAgo: ago / 1_000 };
  }

  return {
    askedFrom,
    async macBehind(address) {
      const mac = known(address);
      if (mac !== null) return mac;
      await addresses.renew();
      return known(address);
    },
    async everywhere() {
      if (addresses.fresh() === null) await addresses.renew();
      return new Set(addresses.fresh()?.values());
    },
    async devices() {
      if (rows.fresh() === null) await rows.renew();
      return rows.fresh();
    },
  };
}

interface Copy<Value> {
  /** null: what was read last is too old, or nothing was. */
  fresh(): Value | null;
  /** Reads again, or waits for the read that is under way; does neither within a second of the last one. Never rejects. */
  renew(): Promise<void>;
}

function copyOf<Value>(read: () => Promise<Value>, clock: Pick<Clock, 'monotonic'>): Copy<Value> {
  let copy: { readonly value: Value; readonly askedAt: number } | null = null;
  let lastAskedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function readNow(): Promise<void> {
    const askedAt = clock.monotonic();
    lastAskedAt = askedAt;
    try {
      copy = { value: await read(), askedAt };
    } catch {
      // The old copy expires by itself.
    }
  }

  return {
    fresh: () => (copy === null || clock.monotonic() - copy.askedAt >= FRESH_MS ? null : copy.value),
    async renew() {
      if (reading === null && clock.monotonic() - lastAskedAt < BETWEEN_READS_MS) return;
      reading ??= readNow().finally(() => {
        reading = null;
      });
      await reading;
    },
  };
}
