/** Follows refunds that are under way to their end, also those that a crash left without an answer. */
import type { Refunder } from '../domain/refunding.ts';
import type { Job } from './schedule.ts';

export function settleRefundsJob(refunder: Refunder): Job {
  return { name: 'settle refunds', periodSeconds: 60, run: refunder.followAll };
}
