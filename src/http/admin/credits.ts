/** Making good for an outage: time for everybody who had access then. */
import * as v from 'valibot';
import { LangoError } from '../../domain/errors.ts';
import { type Instant, SECONDS_PER_HOUR, secondsBetween } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import { bool, fields, hours, instant, optional, text } from '../fields.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';

const Credit = fields({ from: instant(), to: instant(), hours: hours(), reason: text(200), preview: optional(bool()) });

const LONGEST_OUTAGE_SECONDS = 31 * 24 * SECONDS_PER_HOUR;

export function creditRoutes(api: Api, { commit, clock }: Context): void {
  api.post(
    '/admin/credit/',
    route({ auth: 'staff', body: Credit }, async ({ body, actor }) => {
      const now = clock.now();
      checkOutage(body, now);
      const { from, to, hours: seconds, reason, preview = true } = body;
      const { affected, users } = await commit('creditOutage', { from, to, seconds, reason, preview }, actor);
      return json(200, {
        success: true,
        // Nobody's phone is touched here: the router hears of it with the next reconciliation, within seconds.
        message: preview ? `${affected} people would be given time.` : `${affected} people were given time.`,
        preview,
        affected_users: affected,
        total_hours: (affected * seconds) / SECONDS_PER_HOUR,
        users: users.map(user => ({ id: user.id, phone_number: user.phone, paid_until: user.paidUntil })),
      });
    }),
  );
}

function checkOutage({ from, to }: v.InferOutput<typeof Credit>, now: Instant): void {
  const details: Record<string, string[]> = {};
  if (from >= to) details['to'] = ['Give a time after from.'];
  else if (to > now) details['to'] = ['Give a time that has passed.'];
  else if (secondsBetween(from, to) > LONGEST_OUTAGE_SECONDS) details['from'] = ['Give an outage of 31 days at most.'];
  if (Object.keys(details).length > 0) throw new LangoError('VALIDATION', 'Some fields need attention.', { details });
}
