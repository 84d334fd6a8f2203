/** Who the router showed online when it was last read; kept in memory, refreshed by every reconciliation. */
import type { Mac } from './mac.ts';

export interface Presence {
  /** MACs with a live session, at the last read. */
  onlineMacs(): readonly Mac[];
  isOnline(mac: Mac): boolean;
  readonly onlineCount: number;
  /** Replaces everything that was known. */
  seeAll(online: readonly Mac[]): void;
  /** Replaces what was known of these addresses. */
  seeSome(macs: readonly Mac[], online: readonly Mac[]): void;
}

/** @param onChange called with each device that comes online or goes offline */
export function createPresence(onChange: (mac: Mac) => void = () => {}): Presence {
  const online = new Set<Mac>();
  function see(macs: Iterable<Mac>, seen: ReadonlySet<Mac>): void {
    for (const mac of new Set([...macs, ...seen])) {
      if (seen.has(mac) === online.has(mac)) continue;
      if (seen.has(mac)) online.add(mac);
      else online.delete(mac);
      onChange(mac);
    }
  }

  return {
    onlineMacs: () => [...online],
    isOnline: mac => online.has(mac),
    get onlineCount() {
      return online.size;
    },
    seeAll: macs => see(online, new Set(macs)),
    seeSome: (macs, seen) => see(macs, new Set(seen)),
  };
}
