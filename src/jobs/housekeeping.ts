/** Small jobs that keep the books tidy and the appliance's memory of time alive. */
import type { Clock } from '../domain/time.ts';
import { addSeconds } from '../domain/time.ts';
import type { Commit } from '../domain/transaction.ts';
import type { Job } from './schedule.ts';

const CHUNK = 1_000;
const DAY = 86_400;
const WEBHOOK_LOG_DAYS = 90;
const REMOVED_DEVICE_DAYS = 90;

interface Tools {
  commit: Commit;
  clock: Clock;
}

/** Ended sessions, old notifications and messages, devices removed long ago. */
export function pruneJob({ commit, clock }: Tools): Job {
  return {
    name: 'prune sessions',
    periodSeconds: 3_600,
    async run() {
      const now = clock.now();
      await untilDone(async () => (await commit('pruneSessions', { limit: CHUNK })).pruned);
      const oldLogs = { before: addSeconds(now, -WEBHOOK_LOG_DAYS * DAY), limit: CHUNK };
      await untilDone(async () => (await commit('pruneWebhookLogs', oldLogs)).pruned);
      const oldDevices = { before: addSeconds(now, -REMOVED_DEVICE_DAYS * DAY), limit: CHUNK };
      await untilDone(async () => (await commit('pruneDevices', oldDevices)).pruned);
      await untilDone(async () => (await commit('pruneSms', { limit: CHUNK })).pruned);
    },
  };
}

async function untilDone(pruneChunk: () => Promise<number>): Promise<void> {
  while ((await pruneChunk()) === CHUNK);
}

/** Plans are chosen by statistics, and the tables grow. */
export function optimizeJob(optimize: () => void): Job {
  return { name: 'optimize', periodSeconds: DAY, run: async () => optimize() };
}

/** Writes down the time, so that a start with a wrong clock is noticed. */
export function heartbeatJob({ commit }: Pick<Tools, 'commit'>): Job {
  return {
    name: 'heartbeat',
    periodSeconds: 60,
    run: () => commit('noteHeartbeat', {}),
  };
}
