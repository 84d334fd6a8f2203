/** The appliance itself: status, clock, jobs, messages. See docs/interface.md: Status and reports. */

import { confirmClock, forceLogout, listJobs, listMessages, readStatus } from '../../contract/system.ts';
import { hasAccess } from '../../domain/access.ts';
import { many } from '../../domain/plural.ts';
import { localClock } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import { paginationOf, rowsOf } from '../pagination.ts';
import type { Api } from '../route.ts';
import { sellerOf } from '../views/numbers.ts';
import { clockView, jobView, smsView, statusView } from '../views/system.ts';
import { disconnectPerson, inTime } from './disconnect.ts';

export function systemRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, policy } = context;

  api.handle(readStatus, async ({ caller }) => {
    const status = statusView(context, await context.vitals(), sellerOf(caller));
    return { success: true, status, timestamp: clock.now() };
  });

  api.handle(confirmClock, async ({ actor }) => {
    const before = clockView(context);
    clock.confirm();
    const now = clock.now();
    // Otherwise the next start would trust a heartbeat that was written while the clock was wrong.
    await commit('recordHeartbeat', { isConfirmed: true });
    await commit('recordAction', { action: 'clock.confirm', subject: 'clock', details: before }, actor);
    const message = `The clock counts as right: it is ${localClock(now, policy.timeZone)}.`;
    return { success: true, message, clock: clockView(context) };
  });

  api.handle(listJobs, () => ({ success: true, jobs: context.jobs().map(jobView) }));

  api.handle(listMessages, ({ query }) => {
    const messages = reads.sms.list(rowsOf(query)).map(smsView);
    return { success: true, messages, pagination: paginationOf(query, reads.sms.count()) };
  });

  api.handle(forceLogout, async ({ body, actor }) => {
    const user = reads.users.byPhone(body.phone_number);
    const macs = user === null ? [] : reads.devices.ofUser(user.id).map(device => device.mac);
    const ended = await inTime(disconnectPerson(context.site.routers, { phone: body.phone_number, macs }));
    const now = clock.now();
    const details = { userId: user?.id ?? null, sessions: ended };
    await commit('recordAction', { action: 'user.force_logout', subject: 'user', details }, actor);
    const done = ended === 0 ? 'Nobody was online with this number.' : `${many(ended, 'session')} ended.`;
    const butPaid =
      user !== null && user.paidUntil !== null && hasAccess(user, now)
        ? ` Paid time is still running until ${localClock(user.paidUntil, policy.timeZone)}, so a device comes back online; block the user (is_active: false) to prevent it.`
        : '';
    return { success: true, message: done + butPaid, router_response: `${ended} session(s) removed` };
  });
}
