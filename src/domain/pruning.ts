/** What the books forget by themselves. */
import { addDays, addSeconds, dayOf, SECONDS_PER_DAY } from './time.ts';
import type { Tx } from './transaction.ts';

const KEPT_DAYS = 90;
/** A free bundle is given once a year at least. */
const LONGEST_FREE_EVERY = 366 * SECONDS_PER_DAY;
const longAgo = (tx: Tx) => addSeconds(tx.now, -KEPT_DAYS * SECONDS_PER_DAY);

/** Each forgets so many rows at most. @returns how many */
const FORGET = {
  endedSessions: (tx: Tx, limit: number) => tx.admins.pruneSessions(tx.now, limit),
  webhookLogs: (tx: Tx, limit: number) => tx.webhookLogs.prune(longAgo(tx), limit),
  removedDevices: (tx: Tx, limit: number) => tx.devices.pruneBefore(longAgo(tx), limit),
  freeClaims: (tx: Tx, limit: number) => tx.freeClaims.pruneBefore(addSeconds(tx.now, -LONGEST_FREE_EVERY), limit),
  sms: (tx: Tx, limit: number) => tx.sms.pruneBefore(addDays(dayOf(tx.now, tx.policy.timeZone), -KEPT_DAYS), limit),
};

type Prunable = keyof typeof FORGET;
export const PRUNABLE = Object.keys(FORGET) as Prunable[];

export function prune(tx: Tx, { what, limit }: { what: Prunable; limit: number }): { pruned: number } {
  return { pruned: FORGET[what](tx, limit) };
}
