/** People: found, changed, given time, disconnected. See docs/interface.md: Users. */
import * as v from 'valibot';
import { SECONDS_PER_HOUR } from '../../domain/time.ts';
import { ACCESS_STATES, requireUser, type User, type UserFilter } from '../../domain/users.ts';
import { readerOf } from '../code-readers.ts';
import type { Context } from '../context.ts';
import { expectedVersion } from '../expected-version.ts';
import {
  bool,
  boolText,
  fields,
  hours,
  id,
  idText,
  mac,
  optional,
  pageSizeText,
  pageText,
  phone,
  phonePart,
  text,
  wholeNumber,
} from '../fields.ts';
import { filterBy, filterByWord } from '../filters.ts';
import { liveSessions } from '../live-sessions.ts';
import { paginationView } from '../pagination.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import { deviceView } from '../views/devices.ts';
import { paymentView, refundView } from '../views/payments.ts';
import { sessionView } from '../views/router.ts';
import { grantView, userView } from '../views/users.ts';
import { voucherView } from '../views/vouchers.ts';
import { disconnectPerson, inTime } from './disconnect.ts';

const MAX_DEVICES = { min: 1, max: 100 };
/** Of each kind of related row, the newest. */
const RELATED_SHOWN = 100;

/** The filter of the list and of its export. */
export const userFilterFields = (country: string) => ({
  phone_number: filterBy(phonePart(country)),
  search: filterBy(phonePart(country)),
  is_active: filterBy(boolText()),
  status: filterByWord(ACCESS_STATES),
});

type UserQuery = v.InferOutput<v.ObjectSchema<ReturnType<typeof userFilterFields>, undefined>>;

export const userFilterOf = (query: UserQuery): UserFilter => ({
  phone: query.phone_number ?? query.search,
  isActive: query.is_active,
  access: query.status,
});

export function adminUserRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, router, applyAccess, defaultCountry } = context;
  const OneUser = fields({ user_id: idText() });
  const List = fields({ page: pageText(), page_size: pageSizeText(), ...userFilterFields(defaultCountry) });
  const Update = fields({
    is_active: optional(bool()),
    max_devices: optional(wholeNumber(MAX_DEVICES)),
    phone_number: optional(phone(defaultCountry)),
    expected_version: optional(id()),
  });
  const Grant = fields({ hours: hours(), reason: text(200) });
  const OneDevice = fields({ mac_address: mac() });
  const NamedDevice = fields({ mac_address: mac(), device_name: text(60) });
  const view = (user: User) => userView(user, reads, clock.now());

  api.get(
    ['/admin/users/', '/users/'],
    route({ auth: 'cashier', query: List }, ({ query }) => {
      const now = clock.now();
      const filter = userFilterOf(query);
      const { page, page_size: pageSize } = query;
      const users = reads.users.page(filter, now, { limit: pageSize, offset: (page - 1) * pageSize });
      const pagination = paginationView({ page, pageSize, total: reads.users.count(filter, now) });
      return json(200, { success: true, users: users.map(user => userView(user, reads, now)), pagination });
    }),
  );

  api.get(
    ['/admin/users/:user_id/', '/users/:user_id/'],
    route({ auth: 'cashier', params: OneUser }, async ({ params, caller }) => {
      const user = requireUser(reads, params.user_id);
      const devices = reads.devices.ofUser(user.id);
      const sessions = await liveSessions(context, devices);
      return json(200, {
        success: true,
        user: {
          ...userView(user, reads, clock.now()),
          devices: devices.map(deviceView),
          payments: reads.payments
            .ofUser(user.id, RELATED_SHOWN)
            .map(payment => paymentView(payment, reads.refunds.refundedMinor(payment.id))),
          grants: reads.grants.latestOfUser(user.id, RELATED_SHOWN).map(grantView),
          vouchers: reads.vouchers
            .ofUser(user.id, RELATED_SHOWN)
            .map(voucher => voucherView(voucher, readerOf(caller))),
          refunds: reads.refunds.ofUser(user.id, RELATED_SHOWN).map(refundView),
          sessions: sessions.map(sessionView),
          router_connected: router.state === 'connected',
        },
      });
    }),
  );

  api.put(
    '/admin/users/:user_id/update/',
    route({ auth: 'staff', params: OneUser, body: Update }, async ({ params, body, headers, actor }) => {
      const change = { isActive: body.is_active, maxDevices: body.max_devices, phone: body.phone_number };
      const userId = params.user_id;
      const version = expectedVersion(headers, body.expected_version);
      const user = await commit('updateUser', { userId, version, change }, actor);
      await applyAccess(userId);
      return json(200, { success: true, message: 'The user was updated.', user: view(user) });
    }),
  );

  api.delete(
    '/admin/users/:user_id/delete/',
    route({ auth: 'staff', params: OneUser }, async ({ params, actor }) => {
      await commit('deleteUser', { userId: params.user_id }, actor);
      await applyAccess(params.user_id);
      return json(200, { success: true, message: 'The user was deleted. Payments stay in the books.' });
    }),
  );

  api.post(
    '/admin/users/:user_id/grant/',
    route({ auth: 'staff', params: OneUser, body: Grant }, async ({ params, body, actor }) => {
      const input = { userId: params.user_id, seconds: body.hours, reason: body.reason };
      const { grant, user } = await commit('giveTime', input, actor);
      await applyAccess(params.user_id);
      const message = `${body.hours / SECONDS_PER_HOUR} hours were added.`;
      return json(200, { success: true, message, user: view(user), grant: grantView(grant) });
    }),
  );

  api.post(
    '/admin/users/:user_id/disconnect/',
    route({ auth: 'cashier', params: OneUser, errors: 'router' }, async ({ params, actor }) => {
      const user = requireUser(reads, params.user_id);
      const macs = reads.devices.ofUser(user.id).map(device => device.mac);
      const ended = await inTime(disconnectPerson(context, { phone: user.phone, macs }));
      const entry = { action: 'user.disconnect', subject: 'user', subjectId: user.id, details: { sessions: ended } };
      await commit('noteAction', entry, actor);
      const message = ended === 0 ? 'The user was not connected.' : 'The user was disconnected.';
      return json(200, { success: true, message, disconnected_count: ended });
    }),
  );

  api.post(
    '/admin/users/:user_id/devices/remove/',
    route({ auth: 'cashier', params: OneUser, body: OneDevice, errors: 'action' }, async ({ params, body, actor }) => {
      const user = requireUser(reads, params.user_id);
      const removal = { userId: user.id, mac: body.mac_address, isFinal: true };
      const { remaining } = await commit('removeDevice', removal, actor);
      await applyAccess(user.id);
      return json(200, { success: true, message: 'The device was removed.', devices_remaining: remaining });
    }),
  );

  api.post(
    '/admin/users/:user_id/devices/rename/',
    route(
      { auth: 'cashier', params: OneUser, body: NamedDevice, errors: 'action' },
      async ({ params, body, actor }) => {
        const user = requireUser(reads, params.user_id);
        const input = { userId: user.id, mac: body.mac_address, name: body.device_name };
        const device = await commit('renameDevice', input, actor);
        return json(200, { success: true, message: 'The device was renamed.', device: deviceView(device) });
      },
    ),
  );
}
