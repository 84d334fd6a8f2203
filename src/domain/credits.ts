/** Time given to everybody who had access while the Wi-Fi was down. */
import { grantTime, placeGrant } from './access.ts';
import type { Actor } from './audit.ts';
import { LangoError } from './errors.ts';
import type { Phone } from './phone.ts';
import type { Instant } from './time.ts';
import type { Tx } from './transaction.ts';

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

export interface CreditOutage {
  from: Instant;
  to: Instant;
  seconds: number;
  reason: string;
  /** True: nothing is written, and the answer is what would be. */
  preview: boolean;
  actor: Actor;
  now: Instant;
}

export interface CreditResult {
  affected: number;
  /** The first of them, with the end of their access after the credit. */
  users: { id: number; phone: Phone; paidUntil: Instant }[];
}

const USERS_SHOWN = 100;

/** All of them or nobody. @throws LangoError CONFLICT this very credit was given before */
export function creditOutage(tx: Tx, input: CreditOutage): CreditResult {
  const { from, to, seconds, reason, preview, actor, now } = input;
  if (tx.credits.find({ from, to, seconds }) !== null) {
    throw new LangoError('CONFLICT', 'This credit has been given already, for the same time and as many hours.');
  }
  const userIds = tx.credits.usersWithAccessIn(from, to);
  const users: CreditResult['users'] = [];
  for (const [index, id] of userIds.entries()) {
    if (preview && index === USERS_SHOWN) break;
    const user = tx.users.byId(id);
    if (user === null) continue;
    const grant = { source: 'admin', sourceId: null, seconds, by: actor.name, reason, at: now } as const;
    const { endsAt } = preview ? placeGrant(user.paidUntil, seconds, now) : grantTime(tx, user, grant);
    if (index < USERS_SHOWN) users.push({ id, phone: user.phone, paidUntil: endsAt });
  }
  const affected = userIds.length;
  if (!preview) {
    tx.credits.insert({ from, to, seconds, reason, users: affected, createdBy: actor.name, createdAt: now });
    const after = { from, to, seconds, reason, users: affected };
    const entry = { action: 'credit.give', subject: 'credit', subjectId: null, before: null, after };
    tx.audit.append({ ...entry, actor, now });
  }
  return { affected, users };
}
