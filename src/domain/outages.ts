/**
 * Outages: while nobody can get online, time that is bought does not run, for 24 hours at most. See docs/rules.md: Access.
 *
 * The ledger only grows, and says so at every moment: time is bought as ever, and what of it has been lost is given back
 * when it is about to end, and when the outage is over. What is owed follows from the ledger alone, so a second look
 * gives nothing more.
 */
import { type Grant, grantTime, placeGrant } from './access.ts';
import type { Site } from './site.ts';
import { addSeconds, type Instant, later, SECONDS_PER_DAY, secondsBetween } from './time.ts';
import type { Tx } from './transaction.ts';
import type { User } from './users.ts';

/** `no_router`: none is configured, so nobody is kept from anything. */
export type Reach = 'open' | 'closed' | 'no_router';

/** Can anybody get online? */
export function reachOf({ isConfigured, isConnected }: Pick<Site, 'isConfigured' | 'isConnected'>): Reach {
  if (!isConfigured) return 'no_router';
  return isConnected ? 'open' : 'closed';
}

/** What is bought begins this much later at most. */
const LONGEST_SECONDS = SECONDS_PER_DAY;
/** Time that ends this soon is looked after now: the next look may be late. */
const SOON_SECONDS = 60;
const BY = 'outage';
const REASON = 'Bought while the router did not answer: begins when it is back.';

interface FollowOutage {
  reach: Reach;
  /** Since when nobody can get online, should this be the beginning of it. */
  since: Instant;
}

/** @returns the people who were given back time that they could not use */
export function followOutage(tx: Tx, { reach, since }: FollowOutage): { userIds: number[] } {
  const outage = tx.settings.get('outage');
  const isOver = reach !== 'closed';
  if (outage === null) {
    if (!isOver) tx.settings.set('outage', { from: since }, tx.now);
    return { userIds: [] };
  }
  if (isOver) tx.settings.clear('outage');
  if (reach === 'no_router') return { userIds: [] };
  const soon = addSeconds(tx.now, SOON_SECONDS);
  const userIds = tx.grants.usersBuyingSince(outage.from).filter(userId => {
    const user = tx.users.byId(userId);
    if (user === null || (!isOver && user.paidUntil !== null && user.paidUntil > soon)) return false;
    return giveBack(tx, user, outage.from);
  });
  return { userIds };
}

function giveBack(tx: Tx, user: User, from: Instant): boolean {
  const running = later(user.paidUntil, tx.now);
  const end = endWithout(tx.grants.ofUser(user.id), from, tx.now);
  if (end === null || end <= running) return false;
  const seconds = -secondsBetween(end, running);
  grantTime(tx, user, { source: 'admin', sourceId: null, seconds, by: BY, reason: REASON });
  return true;
}

/** When paid time would end, had none that was bought since `from` run before `now`. */
function endWithout(grants: readonly Grant[], from: Instant, now: Instant): Instant | null {
  let end: Instant | null = null;
  for (const { source, by, startsAt, seconds, at } of grants) {
    if (at >= from && source === 'admin' && by === BY) continue;
    if (at >= from && (source === 'payment' || source === 'voucher')) {
      const latest = addSeconds(startsAt, LONGEST_SECONDS);
      end = addSeconds(later(end, latest < now ? latest : now), seconds);
    } else end = placeGrant(end, seconds, at).endsAt;
  }
  return end;
}
