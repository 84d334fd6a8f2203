/** When the provider is asked about an order, should its notification never arrive. See docs/rules.md: Payments. */
import type { Payment } from './payments.ts';
import { addSeconds, type Instant, secondsBetween } from './time.ts';
import type { Tx } from './transaction.ts';

const HOUR = 3_600;

/** Seconds after creation. */
export const CHECK_SCHEDULE: readonly number[] = [
  20,
  40,
  60,
  90,
  120,
  180,
  300,
  480,
  720,
  1_200,
  1_800,
  HOUR,
  3 * HOUR,
  12 * HOUR,
  24 * HOUR,
  48 * HOUR,
];
export const CHECKED_FOR_SECONDS = 48 * HOUR;

/** The time of a check of the schedule, the first being 0; null when there are no more. */
export function checkTime(createdAt: Instant, checks: number): Instant | null {
  const offset = CHECK_SCHEDULE[checks];
  return offset === undefined ? null : addSeconds(createdAt, offset);
}

const ASK_AGAIN_SECONDS = 60;
/** A provider that is down for longer than this after the last check has lost us the order. */
const ASKED_AGAIN_FOR_SECONDS = 24 * HOUR;

/** The provider could not be asked: that is made up soon, it does not wait for a check hours away. */
export function recheckSoon(tx: Tx, { id, createdAt, checks, nextCheckAt }: Payment): void {
  if (secondsBetween(createdAt, tx.now) > CHECKED_FOR_SECONDS + ASKED_AGAIN_FOR_SECONDS) return;
  const soon = addSeconds(tx.now, ASK_AGAIN_SECONDS);
  if (nextCheckAt === null || nextCheckAt > soon) tx.payments.scheduleCheck(id, checks, soon);
}

/**
 * The next check of the schedule that still lies ahead: those missed while the appliance was off are not made up one
 * by one, and one that was brought forward uses up none.
 */
export function scheduleNextCheck(tx: Tx, payment: Payment): void {
  const age = secondsBetween(payment.createdAt, tx.now);
  let { checks } = payment;
  while ((CHECK_SCHEDULE[checks] ?? Number.POSITIVE_INFINITY) <= age) checks += 1;
  tx.payments.scheduleCheck(payment.id, checks, checkTime(payment.createdAt, checks));
}

interface RecheckUnsettled {
  /** What the provider grants. */
  requestsPerMinute: number;
}

/** How much of the provider's budget the questions after a start may take; people who pay now need the rest. */
const RECHECK_SHARE = 0.5;

/**
 * After a start: what was settled while the appliance was off is asked about, newest order first, as fast as the
 * provider's budget allows. @returns how many checks were brought forward
 */
export function recheckUnsettled(tx: Tx, { requestsPerMinute }: RecheckUnsettled): { due: number } {
  const pauseSeconds = 60 / (requestsPerMinute * RECHECK_SHARE);
  const waiting = tx.payments.waitingForCheck(tx.now, addSeconds(tx.now, -CHECKED_FOR_SECONDS));
  let due = 0;
  for (const [rank, { id, checks, nextCheckAt }] of waiting.entries()) {
    const turn = addSeconds(tx.now, rank * pauseSeconds);
    if (turn >= nextCheckAt) continue;
    tx.payments.scheduleCheck(id, checks, turn);
    due += 1;
  }
  return { due };
}
