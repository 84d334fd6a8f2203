/** Who the router showed online when it was last read; kept in memory, refreshed by every reconciliation. */
import type { Mac } from './mac.ts';
import type { RouterSession } from './ports.ts';

export interface Presence {
  /** MACs with a live session, at the last read. */
  onlineMacs(): readonly Mac[];
  isOnline(mac: Mac): boolean;
  readonly onlineCount: number;
  /** Replaces everything that was known. */
  seeAll(sessions: readonly RouterSession[]): void;
  /** Replaces what was known of these addresses. */
  seeSome(macs: readonly Mac[], sessions: readonly RouterSession[]): void;
}

/** @param onChange hears of each device that comes online or goes */
export function createPresence(onChange: (mac: Mac) => void = () => {}): Presence {
  const online = new Set<Mac>();
  const macsOf = (sessions: readonly RouterSession[]) =>
    new Set(sessions.map(session => session.mac).filter(mac => mac !== null));

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
    seeAll: sessions => see(online, macsOf(sessions)),
    seeSome: (macs, sessions) => see(macs, macsOf(sessions)),
  };
}
