/** The appliance itself: status, clock, jobs, messages. See docs/interface.md: Status and reports. */
import { hasAccess } from '../../domain/access.ts';
import { localClock } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import { fields, pageSizeText, pageText, routerUser } from '../fields.ts';
import { paginationView } from '../pagination.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import { sellerOf, statusNumbers } from '../views/numbers.ts';
import { clockView, connectionStatus, jobView, providerView, smsView, vitalsView } from '../views/system.ts';
import { disconnectPerson, inTime } from './disconnect.ts';

const Page = fields({ page: pageText(), page_size: pageSizeText() });

export function systemRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, policy, defaultCountry } = context;

  api.get(
    '/admin/status/',
    route({ auth: 'cashier' }, async ({ caller }) => {
      const { databaseConnected, problems, warnings } = context.health();
      const status = {
        database_status: databaseConnected ? 'connected' : 'disconnected',
        router_status: connectionStatus(context),
        ...vitalsView(await context.vitals()),
        ...statusNumbers(context, sellerOf(caller)),
        online: context.presence.onlineCount,
        problems,
        warnings,
        payment_provider: providerView(context),
      };
      return json(200, { success: true, status, timestamp: clock.now() });
    }),
  );

  api.post(
    '/admin/clock/confirm/',
    route({ auth: 'owner' }, async ({ actor }) => {
      const before = clockView(context);
      clock.confirm();
      const now = clock.now();
      // Otherwise a start would believe what the clock said while it was wrong.
      await commit('noteHeartbeat', { isConfirmed: true });
      await commit('noteAction', { action: 'clock.confirm', subject: 'clock', details: before }, actor);
      const message = `The clock counts as right: it is ${localClock(now, policy.timeZone)}.`;
      return json(200, { success: true, message, clock: clockView(context) });
    }),
  );

  api.get(
    '/admin/jobs/',
    route({ auth: 'staff' }, () => json(200, { success: true, jobs: context.jobs().map(jobView) })),
  );

  api.get(
    '/admin/sms/',
    route({ auth: 'staff', query: Page }, ({ query }) => {
      const { page, page_size: pageSize } = query;
      const messages = reads.sms.list({ limit: pageSize, offset: (page - 1) * pageSize }).map(smsView);
      const pagination = paginationView({ page, pageSize, total: reads.sms.count() });
      return json(200, { success: true, messages, pagination });
    }),
  );

  const ForceLogout = fields({ phone_number: routerUser(defaultCountry) });
  api.post(
    '/force-logout/',
    route({ auth: 'cashier', body: ForceLogout, errors: 'router' }, async ({ body, actor }) => {
      const user = reads.users.byPhone(body.phone_number);
      const macs = user === null ? [] : reads.devices.ofUser(user.id).map(device => device.mac);
      const ended = await inTime(disconnectPerson(context, { phone: body.phone_number, macs }));
      const now = clock.now();
      const details = { userId: user?.id ?? null, sessions: ended };
      await commit('noteAction', { action: 'user.force_logout', subject: 'user', details }, actor);
      const done = ended === 0 ? 'Nobody was online with this number.' : `${ended} session(s) ended.`;
      const butPaid =
        user !== null && user.paidUntil !== null && hasAccess(user, now)
          ? ` Paid time is still running until ${localClock(user.paidUntil, policy.timeZone)}, so a device comes back online; block the user (is_active: false) to prevent it.`
          : '';
      return json(200, { success: true, message: done + butPaid, router_response: `${ended} session(s) removed` });
    }),
  );
}
