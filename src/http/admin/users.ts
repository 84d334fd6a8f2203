/** People: found, changed, given time, disconnected. See docs/interface.md: Users. */

import type * as v from 'valibot';
import * as contract from '../../contract/users.ts';
import { textSearch } from '../../domain/phone.ts';
import { many } from '../../domain/plural.ts';
import { SECONDS_PER_HOUR } from '../../domain/time.ts';
import { requireUser, type User, type UserFilter } from '../../domain/users.ts';
import { readerOf } from '../code-readers.ts';
import type { Context } from '../context.ts';
import { expectedVersion } from '../expected-version.ts';
import { liveSessions } from '../live-sessions.ts';
import { camelCased } from '../names.ts';
import { paginationOf, rowsOf } from '../pagination.ts';
import type { Api } from '../route.ts';
import { deviceView } from '../views/devices.ts';
import { grantView } from '../views/grants.ts';
import { userDetailView, userView } from '../views/users.ts';
import { disconnectPerson, inTime } from './disconnect.ts';

export const userFilterOf = (
  { search, ...query }: v.InferOutput<typeof contract.UserFilter>,
  country: string,
): UserFilter => ({
  phone: query.phone_number,
  search: search === undefined ? search : textSearch(search, country),
  isActive: query.is_active,
  access: query.status,
});

export function adminUserRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, applyAccess } = context;
  const view = (user: User) => userView(user, reads, clock.now());

  api.handle(contract.listUsers, ({ query }) => {
    const now = clock.now();
    const filter = userFilterOf(query, context.defaultCountry);
    return {
      success: true,
      users: reads.users.page(filter, now, rowsOf(query)).map(user => userView(user, reads, now)),
      pagination: paginationOf(query, reads.users.count(filter, now)),
    };
  });

  api.handle(contract.showUser, async ({ params, caller }) => {
    const user = requireUser(reads, params.user_id);
    const devices = reads.devices.ofUser(user.id);
    const sessions = await liveSessions(context.site.routers, devices);
    const around = { devices, sessions, reader: readerOf(caller) };
    return { success: true, user: userDetailView(user, context, around) };
  });

  api.handle(contract.updateUser, async ({ params, body, headers, actor }) => {
    const { expected_version, phone_number: phone, ...change } = body;
    const version = expectedVersion(headers, expected_version);
    const input = { userId: params.user_id, version, change: { phone, ...camelCased(change) } };
    const user = await commit('updateUser', input, actor);
    await applyAccess(user.id);
    return { success: true, message: 'The user was updated.', user: view(user) };
  });

  api.handle(contract.describeUser, async ({ params, body, actor }) => {
    const change = { name: body.name ?? null, note: body.note ?? null };
    const user = await commit('updateUser', { userId: params.user_id, change }, actor);
    return { success: true, message: 'It is written down.', user: view(user) };
  });

  api.handle(contract.deleteUser, async ({ params, actor }) => {
    await commit('deleteUser', { userId: params.user_id }, actor);
    await applyAccess(params.user_id);
    return { success: true, message: 'The user was deleted. Payments stay in the books.' };
  });

  api.handle(contract.giveTime, async ({ params, body, actor }) => {
    const input = { userId: params.user_id, seconds: body.hours, reason: body.reason };
    const { grant, user } = await commit('giveTime', input, actor);
    await applyAccess(user.id);
    const message = `${many(body.hours / SECONDS_PER_HOUR, 'hour')} added.`;
    return { success: true, message, user: view(user), grant: grantView(grant) };
  });

  api.handle(contract.disconnectUser, async ({ params, actor }) => {
    const user = requireUser(reads, params.user_id);
    const macs = reads.devices.ofUser(user.id).map(device => device.mac);
    const ended = await inTime(disconnectPerson(context.site.routers, { phone: user.phone, macs }));
    const entry = { action: 'user.disconnect', subject: 'user', subjectId: user.id, details: { sessions: ended } };
    await commit('recordAction', entry, actor);
    const message = ended === 0 ? 'The user was not connected.' : 'The user was disconnected.';
    return { success: true, message, disconnected_count: ended };
  });

  api.handle(contract.removeUserDevice, async ({ params, body, actor }) => {
    const user = requireUser(reads, params.user_id);
    const removal = { userId: user.id, mac: body.mac_address, isFinal: true };
    const { remaining } = await commit('removeDevice', removal, actor);
    await applyAccess(user.id);
    return { success: true, message: 'The device was removed.', devices_remaining: remaining };
  });

  api.handle(contract.renameUserDevice, async ({ params, body, actor }) => {
    const user = requireUser(reads, params.user_id);
    const input = { userId: user.id, mac: body.mac_address, name: body.device_name };
    const device = await commit('renameDevice', input, actor);
    return { success: true, message: 'The device was renamed.', device: deviceView(device) };
  });
}
