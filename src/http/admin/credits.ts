/** Making good for an outage: time for everybody who had access then. */

import { creditOutage } from '../../contract/grants.ts';
import { invalid } from '../../domain/errors.ts';
import { many } from '../../domain/plural.ts';
import { type Instant, SECONDS_PER_HOUR, secondsBetween } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import type { Api } from '../route.ts';

const LONGEST_OUTAGE_SECONDS = 31 * 24 * SECONDS_PER_HOUR;

export function creditRoutes(api: Api, { commit, clock }: Context): void {
  api.handle(creditOutage, async ({ body, actor }) => {
    checkOutage(body, clock.now());
    const { from, to, hours: seconds, reason, preview } = body;
    const { affected, users } = await commit('creditOutage', { from, to, seconds, reason, preview }, actor);
    return {
      success: true,
      // The next reconciliation, within seconds, brings it to the router.
      message: `${preview ? 'This would give time' : 'Time was given'} to ${many(affected, 'person', 'people')}.`,
      preview,
      affected_users: affected,
      total_hours: (affected * seconds) / SECONDS_PER_HOUR,
      users: users.map(user => ({ id: user.id, phone_number: user.phone, paid_until: user.paidUntil })),
    };
  });
}

function checkOutage({ from, to }: { from: Instant; to: Instant }, now: Instant): void {
  if (from >= to) invalid('to', 'Give a time after from.');
  if (to > now) invalid('to', 'Give a time that has passed.');
  if (secondsBetween(from, to) > LONGEST_OUTAGE_SECONDS) invalid('from', 'Give an outage of 31 days at most.');
}
