/** The end of paid time: people are told that it is near, and are cut off when it has come. */
import type { GuardedClock } from '../domain/clock-guard.ts';
import type { Mac } from '../domain/mac.ts';
import { addSeconds, type Instant } from '../domain/time.ts';
import type { Commit, Reads } from '../domain/transaction.ts';
import type { Job } from './schedule.ts';

/** Chunks small enough that nothing else waits for them. */
const CHUNK = 1_000;
const ANNOUNCED_CHUNK = 500;
/** After a start: how far back ends of access are looked for, to tell people of them. */
const LOOK_BACK_SECONDS = 3_600;

interface ExpireAccessOptions {
  reads: Reads;
  commit: Commit;
  clock: GuardedClock;
  reconcile: (macs: readonly Mac[]) => Promise<boolean>;
}

/** Whom it tells, and when, was planned when the time was given. */
export function announceEndingJob({ commit, clock }: Pick<ExpireAccessOptions, 'commit' | 'clock'>): Job {
  const limit = ANNOUNCED_CHUNK;
  return {
    name: 'announce ending',
    periodSeconds: 30,
    async run() {
      while ((await commit('announceEnding', { limit, until: clock.cutOffTime() })).due === limit);
    },
  };
}

/** Cuts off whose time has ended, and says so. Whatever it misses, the reconciler finds. */
export function expireAccessJob({ reads, commit, clock, reconcile }: ExpireAccessOptions): Job {
  let doneUntil: Instant | null = null;
  return {
    name: 'expire access',
    periodSeconds: 5,
    async run() {
      const until = clock.cutOffTime();
      let from: Instant = doneUntil ?? addSeconds(until, -LOOK_BACK_SECONDS);
      for (;;) {
        const expired = reads.entitlements.expiredBetween(from, until, CHUNK);
        const last = expired.at(-1);
        if (last === undefined) break;
        await commit('announceExpiry', { userIds: expired.map(person => person.userId), until });
        await reconcile(expired.flatMap(person => person.macs));
        if (expired.length < CHUNK) break;
        // More than a chunk may end at one instant; the rest of that instant is the reconciler's.
        from = last.paidUntil;
      }
      doneUntil = until;
    },
  };
}
