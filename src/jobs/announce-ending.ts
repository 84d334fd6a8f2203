/** Tells people that their time is about to end. Whom, and when, was planned when the time was given. */
import type { GuardedClock } from '../domain/clock-guard.ts';
import type { Commit } from '../domain/transaction.ts';
import type { Job } from './schedule.ts';

/** A chunk small enough that nothing else waits for it. */
const CHUNK = 500;

export function announceEndingJob({ commit, clock }: { commit: Commit; clock: GuardedClock }): Job {
  return {
    name: 'announce ending',
    periodSeconds: 30,
    async run() {
      while ((await commit('announceEnding', { limit: CHUNK, until: clock.cutOffTime() })).due === CHUNK);
    },
  };
}
