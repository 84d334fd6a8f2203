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

export function createPresence(): Presence {
  let online = new Set<Mac>();
  const macsOf = (sessions: readonly RouterSession[]) =>
    sessions.map(session => session.mac).filter(mac => mac !== null);
  return {
    onlineMacs: () => [...online],
    isOnline: mac => online.has(mac),
    get onlineCount() {
      return online.size;
    },
    seeAll(sessions) {
      online = new Set(macsOf(sessions));
    },
    seeSome(macs, sessions) {
      for (const mac of macs) online.delete(mac);
      for (const mac of macsOf(sessions)) online.add(mac);
    },
  };
}
