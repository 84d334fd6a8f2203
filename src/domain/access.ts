/**
 * Who may be online, until when. Every change of paid time is one row of the grants ledger, which only
 * grows; `users.paid_until` is the end of its last row, kept for speed.
 */
import { planReminder } from './sms.ts';
import { addSeconds, type Instant, later, secondsBetween } from './time.ts';
import type { StaffTx, Tx } from './transaction.ts';
import { requireUser, type User } from './users.ts';

export type GrantSource = 'payment' | 'voucher' | 'admin' | 'refund';

export interface Grant {
  id: number;
  userId: number;
  source: GrantSource;
  /** The payment, voucher or refund; null for time given by an admin. */
  sourceId: number | null;
  /** Negative when time was taken back. */
  seconds: number;
  startsAt: Instant;
  /** The person's `paid_until` right after this grant. */
  endsAt: Instant;
  by: string;
  reason: string;
  at: Instant;
}

export interface GrantReads {
  /** Oldest first. */
  ofUser(userId: number): Grant[];
  /** Newest first. */
  latestOfUser(userId: number, limit: number): Grant[];
  ofSource(source: GrantSource, sourceId: number): Grant | null;
  /** Where the person's time came from last. */
  lastSourceOfUser(userId: number): GrantSource | null;
  /** People who were given time for a payment or a voucher since then. */
  usersBuyingSince(from: Instant): number[];
}

export interface GrantWrites extends GrantReads {
  /** A second grant of one payment or voucher breaks a unique index, and with it the transaction. */
  append(grant: Omit<Grant, 'id'>): Grant;
}

export function hasAccess(user: Pick<User, 'isActive' | 'paidUntil'>, now: Instant): boolean {
  return user.isActive && user.paidUntil !== null && user.paidUntil > now;
}

/** Paid time left, in whole seconds; 0 once `paidUntil` has passed. */
export function secondsLeft(paidUntil: Instant | null, now: Instant): number {
  return paidUntil === null ? 0 : Math.max(0, secondsBetween(now, paidUntil));
}

/**
 * Where a grant starts and ends. Time that is given begins when the running time ends, so it never shortens;
 * time that is taken back ends no earlier than now, and never moves an end that has passed.
 */
export function placeGrant(
  paidUntil: Instant | null,
  seconds: number,
  now: Instant,
): { startsAt: Instant; endsAt: Instant } {
  const startsAt = later(paidUntil, now);
  if (seconds >= 0) return { startsAt, endsAt: addSeconds(startsAt, seconds) };
  if (paidUntil === null || paidUntil <= now) return { startsAt: paidUntil ?? now, endsAt: paidUntil ?? now };
  return { startsAt, endsAt: later(addSeconds(paidUntil, seconds), now) };
}

/**
 * Writes the grant and moves the person's `paid_until` with it.
 * @param routerProfile the profile that comes with what was bought; left out: the person keeps theirs
 */
export function grantTime(
  tx: Tx,
  user: User,
  grant: Pick<Grant, 'source' | 'sourceId' | 'seconds' | 'by' | 'reason'>,
  routerProfile: string | null = user.routerProfile,
): Grant {
  const written = tx.grants.append({
    ...grant,
    userId: user.id,
    at: tx.now,
    ...placeGrant(user.paidUntil, grant.seconds, tx.now),
  });
  tx.users.setAccess(user.id, { paidUntil: written.endsAt, routerProfile });
  planReminder(tx, user.id, written.endsAt);
  return written;
}

interface GiveTime {
  userId: number;
  seconds: number;
  reason: string;
}

/** Time given by hand, to one person. @throws LangoError NOT_FOUND */
export function giveTime(tx: StaffTx, { userId, seconds, reason }: GiveTime): { user: User; grant: Grant } {
  const user = requireUser(tx, userId);
  const grant = grantTime(tx, user, { source: 'admin', sourceId: null, seconds, by: tx.actor.name, reason });
  tx.record('user.grant', 'user', userId, null, grant);
  return { user: requireUser(tx, userId), grant };
}

/** What `paid_until` must be, computed from the ledger alone. */
export function paidUntilFromLedger(grants: readonly Pick<Grant, 'seconds' | 'at'>[]): Instant | null {
  let paidUntil: Instant | null = null;
  for (const grant of grants) paidUntil = placeGrant(paidUntil, grant.seconds, grant.at).endsAt;
  return paidUntil;
}
