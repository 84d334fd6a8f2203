/** The requests a minute that a provider grants, shared by everything that asks it. */
import type { Clock } from './time.ts';

interface RequestBudget {
  /**
   * Takes one request of the budget.
   * @param share of the minute's budget, up to 1; what is spent beyond it is left for more urgent questions
   * @param asker who caused it; one that had a request in the last twenty seconds gets a part of the share only, so
   *   that something is left for others. null: not counted by asker
   * @returns false: no more than that share may be spent now; nothing was taken
   */
  take(share: number, asker?: string | null): boolean;
}

const MINUTE_MS = 60_000;
const PAUSE_MS = 20_000;
/** The part of a share that is open to askers who had a request in the last twenty seconds. */
const WITHOUT_PAUSE = 0.4;

/** In no minute, wherever it begins, are more than `perMinute` requests taken. */
export function createRequestBudget(perMinute: number, clock: Clock): RequestBudget {
  /** The requests of the last minute, oldest first. */
  const taken: { at: number; asker: string | null }[] = [];
  return {
    take(share, asker = null) {
      const now = clock.monotonic();
      const stillCounts = taken.findIndex(({ at }) => now - at < MINUTE_MS);
      taken.splice(0, stillCounts === -1 ? taken.length : stillCounts);
      const last = asker === null ? undefined : taken.findLast(each => each.asker === asker);
      const mostOfIt = last !== undefined && now - last.at < PAUSE_MS ? WITHOUT_PAUSE : 1;
      if (taken.length >= Math.max(1, Math.floor(perMinute * share * mostOfIt))) return false;
      taken.push({ at: now, asker });
      return true;
    },
  };
}
