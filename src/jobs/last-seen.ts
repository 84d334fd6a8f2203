/** When devices were last seen: collected in memory, written together. Nothing here is paid for. */
import type { Clock, Instant } from '../domain/time.ts';
import type { Commit } from '../domain/transaction.ts';
import type { Job } from './schedule.ts';

export interface LastSeen {
  record(deviceId: number, ip: string | null): void;
  flush(): Promise<void>;
  job: Job;
}

/** Within this time a device is recorded once: finer would only wear the flash. */
const SIGHTING_MS = 60_000;
/** Sightings beyond this are dropped until the next write; no hotspot has so many. */
const MOST_DUE = 20_000;
/** How many devices' latest sightings are remembered, in 18 MiB; one more, and it starts afresh. */
const MOST_DEVICES = 200_000;
const CHUNK = 500;

export function createLastSeen({ commit, clock }: { commit: Commit; clock: Clock }): LastSeen {
  let due = new Map<number, { ip: string | null; at: Instant }>();
  /** When, by the monotonic clock, each was recorded, and whether with an address. */
  const lastRecorded = new Map<number, { ms: number; hasIp: boolean }>();

  function isNews(deviceId: number, ip: string | null, ms: number): boolean {
    const last = lastRecorded.get(deviceId);
    return last === undefined || ms - last.ms >= SIGHTING_MS || (ip !== null && !last.hasIp);
  }

  async function flush(): Promise<void> {
    // In the order of the table, so that devices that share a page are written together.
    const rows = [...due].map(([deviceId, sighting]) => ({ deviceId, ...sighting }));
    rows.sort((a, b) => a.deviceId - b.deviceId);
    due = new Map();
    for (let start = 0; start < rows.length; start += CHUNK) {
      await commit('touchDevices', { seen: rows.slice(start, start + CHUNK) });
    }
  }

  return {
    record(deviceId, ip) {
      const ms = clock.monotonic();
      if (due.size >= MOST_DUE || !isNews(deviceId, ip, ms)) return;
      if (lastRecorded.size >= MOST_DEVICES) lastRecorded.clear();
      lastRecorded.set(deviceId, { ms, hasIp: ip !== null });
      due.set(deviceId, { ip, at: clock.now() });
    },
    flush,
    job: { name: 'last seen', periodSeconds: 5, run: flush },
  };
}
