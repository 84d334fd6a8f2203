/** The requests a minute that a provider grants, shared by everything that asks it. */
import type { Clock } from './time.ts';

export interface RequestBudget {
  /**
   * Takes one request of the budget.
   * @param share of the minute's budget, up to 1; what is spent beyond it is left for more urgent questions
   * @returns false: no more than that share may be spent now; nothing was taken
   */
  take(share: number): boolean;
}

const MINUTE_MS = 60_000;

/** In no minute, wherever it begins, are more than `perMinute` requests taken. */
export function createRequestBudget(perMinute: number, clock: Clock): RequestBudget {
  /** When each request of the last minute was taken, oldest first. */
  const taken: number[] = [];
  return {
    take(share) {
      const now = clock.monotonic();
      const stillCounts = taken.findIndex(at => now - at < MINUTE_MS);
      taken.splice(0, stillCounts === -1 ? taken.length : stillCounts);
      if (taken.length >= Math.max(1, Math.floor(perMinute * share))) return false;
      taken.push(now);
      return true;
    },
  };
}
