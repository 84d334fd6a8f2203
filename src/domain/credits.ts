/** Time given to everybody who had access while the Wi-Fi was down. */
import { grantTime, placeGrant } from './access.ts';
import { LangoError } from './errors.ts';
import type { Phone } from './phone.ts';
import type { Instant } from './time.ts';
import type { StaffTx } from './transaction.ts';

export interface Credit {
  id: number;
  from: Instant;
  to: Instant;
  seconds: number;
  reason: string;
  /** How many people were given time. */
  users: number;
  createdBy: string;
  createdAt: Instant;
}

export interface CreditWrites {
  find(credit: Pick<Credit, 'from' | 'to' | 'seconds'>): Credit | null;
  insert(credit: Omit<Credit, 'id'>): void;
  /** People not blocked now whose paid time ran at some moment of [from, to), as it stood at that moment. Oldest first. */
  usersWithAccessIn(from: Instant, to: Instant): number[];
}

interface CreditOutage {
  from: Instant;
  to: Instant;
  seconds: number;
  reason: string;
  /** True: nothing is written, and the answer is what would be. */
  preview: boolean;
}

interface CreditResult {
  affected: number;
  /** The first of them, with the end of their access after the credit. */
  users: { id: number; phone: Phone; paidUntil: Instant }[];
}

const USERS_SHOWN = 100;

/** All of them or nobody. @throws LangoError CONFLICT this very credit was given before */
export function creditOutage(tx: StaffTx, input: CreditOutage): CreditResult {
  const { from, to, seconds, reason, preview } = input;
  if (tx.credits.find({ from, to, seconds }) !== null) {
    throw new LangoError('CONFLICT', 'This credit has been given already, for the same time and as many hours.');
  }
  const userIds = tx.credits.usersWithAccessIn(from, to);
  const users: CreditResult['users'] = [];
  for (const [index, id] of userIds.entries()) {
    if (preview && index === USERS_SHOWN) break;
    const user = tx.users.byId(id);
    if (user === null) continue;
    const grant = { source: 'admin', sourceId: null, seconds, by: tx.actor.name, reason } as const;
    const { endsAt } = preview ? placeGrant(user.paidUntil, seconds, tx.now) : grantTime(tx, user, grant);
    if (index < USERS_SHOWN) users.push({ id, phone: user.phone, paidUntil: endsAt });
  }
  const affected = userIds.length;
  if (!preview) {
    tx.credits.insert({ from, to, seconds, reason, users: affected, createdBy: tx.actor.name, createdAt: tx.now });
    const after = { from, to, seconds, reason, users: affected };
    tx.record('credit.give', 'credit', null, null, after);
  }
  return { affected, users };
}
