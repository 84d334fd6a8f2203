/** Small jobs that keep the books tidy and the appliance's memory of time alive. */
import { PRUNABLE } from '../domain/pruning.ts';
import type { Commit } from '../domain/transaction.ts';
import type { Job } from './schedule.ts';

const CHUNK = 1_000;

/** Ended sessions, old notifications and messages, devices removed long ago. */
export function pruneJob(commit: Commit): Job {
  return {
    name: 'prune sessions',
    periodSeconds: 3_600,
    async run() {
      for (const what of PRUNABLE) while ((await commit('prune', { what, limit: CHUNK })).pruned === CHUNK);
    },
  };
}

/** Writes down the time, so that a start with a wrong clock is noticed. */
export function heartbeatJob(commit: Commit): Job {
  return {
    name: 'heartbeat',
    periodSeconds: 60,
    run: () => commit('recordHeartbeat', {}),
  };
}
