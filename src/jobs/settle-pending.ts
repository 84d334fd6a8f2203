/** Asks the provider about open orders on schedule, and closes those that nobody paid. */
import type { Settler } from '../domain/settlement.ts';
import type { Clock } from '../domain/time.ts';
import type { Commit, Reads } from '../domain/transaction.ts';
import type { Job } from './schedule.ts';

const PERIOD_SECONDS = 5;
const CHUNK = 500;
/** Orders looked at for each question: those whose makers have had their part of the budget are passed over. */
const LOOKED_AT = 20;
/** Questions under way at once. */
const CONCURRENCY = 8;

export interface SettlePendingOptions {
  reads: Reads;
  commit: Commit;
  clock: Clock;
  settler: Settler;
  /** What the provider allows for polling. */
  requestsPerMinute: number;
}

export function settlePendingJob({ reads, commit, clock, settler, requestsPerMinute }: SettlePendingOptions): Job {
  const perRun = Math.max(1, Math.floor((requestsPerMinute * PERIOD_SECONDS) / 60));
  return {
    name: 'settle pending',
    periodSeconds: PERIOD_SECONDS,
    async run() {
      const now = clock.now();
      if (reads.payments.anyExpired(now)) await commit('cancelExpiredOrders', { limit: CHUNK });
      const due = reads.payments.dueForCheck(clock.now(), perRun * LOOKED_AT).values();
      let left = perRun;
      const worker = async () => {
        for (const payment of due) {
          if (left <= 0) return;
          left -= 1;
          const { answered } = await settler.settle(payment, 'schedule');
          if (answered === null) left += 1;
          // A provider that is down: whoever is left stays due.
          if (answered === false) left = 0;
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    },
  };
}
