/** Notices when nobody can get online any more, and when somebody can again. */
import type { Mac } from '../domain/mac.ts';
import type { Reach } from '../domain/outages.ts';
import type { Clock, Instant } from '../domain/time.ts';
import type { Commit, Reads } from '../domain/transaction.ts';
import type { Job } from './schedule.ts';

interface FollowOutageOptions {
  /** Can anybody get online? */
  reach: () => Reach;
  reads: Reads;
  commit: Commit;
  clock: Pick<Clock, 'now'>;
  reconcile: (macs: readonly Mac[]) => Promise<unknown>;
}

export function followOutageJob({ reach, reads, commit, clock, reconcile }: FollowOutageOptions): Job {
  /** Since when nobody can, as far as is known; null: somebody could at the last look. */
  let since: Instant | null = null;
  let lastOpen: Instant | null = null;
  return {
    name: 'follow outage',
    periodSeconds: 15,
    async run() {
      const now = reach();
      const isKnown = reads.settings.get('outage') !== null;
      if (now !== 'closed') {
        since = null;
        lastOpen = clock.now();
        if (!isKnown) return;
      } else if (since === null) {
        // At a start the router is always away for a moment; one look is not enough to say so.
        since = lastOpen ?? clock.now();
        if (!isKnown) return;
      }
      const { userIds } = await commit('followOutage', { reach: now, since: since ?? clock.now() });
      await reconcile(userIds.flatMap(reads.entitlements.macsOfUser));
    },
  };
}
