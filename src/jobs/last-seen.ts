/** When devices were last seen: collected in memory, written together. Nothing here is paid for. */
import type { Clock, Instant } from '../domain/time.ts';
import type { Commit } from '../domain/transaction.ts';
import type { Job } from './schedule.ts';

export interface LastSeen {
  note(deviceId: number, ip: string | null): void;
  flush(): Promise<void>;
  job: Job;
}

/** Sightings beyond this are dropped until the next write; no hotspot has so many. */
const MOST_DEVICES = 20_000;
const CHUNK = 500;

export function createLastSeen({ commit, clock }: { commit: Commit; clock: Clock }): LastSeen {
  let seen = new Map<number, { ip: string | null; at: Instant }>();

  async function flush(): Promise<void> {
    // In the order of the table, so that devices that share a page are written together.
    const rows = [...seen].map(([deviceId, sighting]) => ({ deviceId, ...sighting }));
    rows.sort((a, b) => a.deviceId - b.deviceId);
    seen = new Map();
    for (let start = 0; start < rows.length; start += CHUNK) {
      await commit('touchDevices', { seen: rows.slice(start, start + CHUNK) });
    }
  }

  return {
    note(deviceId, ip) {
      if (seen.size < MOST_DEVICES || seen.has(deviceId)) seen.set(deviceId, { ip, at: clock.now() });
    },
    flush,
    job: { name: 'last seen', cron: '*/5 * * * * *', periodSeconds: 5, run: flush },
  };
}
