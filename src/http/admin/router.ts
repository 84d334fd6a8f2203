/** The router, for those who look after it. See docs/interface.md: Router administration. */

import {
  activeUsers,
  configureRouter,
  createRouterProfile,
  disconnectEverybody,
  disconnectUser,
  rebootRouter,
  routerConfiguration,
  routerInfo,
  routerProfiles,
  routerResources,
  testConnection,
} from '../../contract/router.ts';
import type { Actor } from '../../domain/audit.ts';
import { invalid, LangoError } from '../../domain/errors.ts';
import { parsePhone, stripDeviceSuffix } from '../../domain/phone.ts';
import { many } from '../../domain/plural.ts';
import { rateLimitProblem } from '../../domain/rate-limit.ts';
import type { SiteRouter } from '../../domain/site.ts';
import { requireConfirmed } from '../confirmation.ts';
import type { Context } from '../context.ts';
import { camelCased } from '../names.ts';
import { json } from '../reply.ts';
import type { Api } from '../route.ts';
import {
  connectedView,
  resourcesView,
  routerConfigurationView,
  routerProfileView,
  sessionView,
} from '../views/router.ts';
import { disconnectAll, disconnectName, inTime } from './disconnect.ts';
import { completedSettings } from './routers.ts';

const REBOOT_CONFIRMATION = 'REBOOT_ROUTER';

export function adminRouterRoutes(api: Api, context: Context): void {
  const { site, configuredRouter, reads, commit, defaultCountry } = context;
  const record = (action: string, router: SiteRouter, details: Record<string, unknown> | null, actor: Actor) =>
    commit('recordAction', { action, subject: 'router', subjectId: router.id, details }, actor);

  api.handle(routerConfiguration, ({ query }) => ({
    success: true,
    configuration: routerConfigurationView(site.router(query.router_id)),
  }));

  api.handle(configureRouter, async ({ body: { router_id, name, ...given }, caller, actor }) => {
    requireConfirmed(context, caller);
    const { id, settings: known, port } = site.router(router_id);
    const settings = completedSettings(known, given);
    const resources = await port.test(settings);
    await commit('changeRouter', { id, change: { name, settings }, configured: configuredRouter }, actor);
    site.refresh();
    return {
      success: true,
      message: 'The router answers, and its settings are in use.',
      configuration: routerConfigurationView(site.router(id)),
      router_info: resourcesView(resources),
    };
  });

  api.handle(testConnection, async ({ body: { router_id, ...given }, caller }) => {
    const { settings: known, port } = site.router(router_id);
    // Another address must not receive the stored password.
    if (given.password === undefined && Object.keys(given).length > 0) requireConfirmed(context, caller);
    try {
      const resources = await port.test(completedSettings(known, given));
      return { success: true, message: 'The router answers.', router_info: resourcesView(resources) };
    } catch (error) {
      if (!(error instanceof LangoError) || error.code === 'INTERNAL') throw error;
      const why = Object.values(error.details ?? {}).flat();
      return { success: false, message: [error.message, ...why].join(' '), router_info: null };
    }
  });

  const resourcesOf = async (id: number | undefined) => connectedView(await site.router(id).port.resources());
  api.handle(routerInfo, async ({ query }) => ({ success: true, router_info: await resourcesOf(query.router_id) }));
  api.handle(routerResources, async ({ query }) => ({
    success: true,
    system_resources: await resourcesOf(query.router_id),
  }));

  api.handle(activeUsers, async ({ query }) => {
    const { id, port } = site.router(query.router_id);
    const sessions = (await port.sessions()).map(session => sessionView({ ...session, routerId: id }));
    return { success: true, active_users: sessions, total_count: sessions.length };
  });

  api.handle(disconnectUser, async ({ body: { router_id, username }, actor }) => {
    const routers = router_id === undefined ? site.routers : [site.router(router_id)];
    const ended = await inTime(disconnectName(routers, username, defaultCountry));
    if (ended === 0) throw new LangoError('NOT_FOUND', 'This user is not connected.');
    // The number is not kept beside the person, who may be deleted.
    const phone = parsePhone(stripDeviceSuffix(username.trim()), defaultCountry);
    const user = phone === null ? null : reads.users.byPhone(phone);
    const details = { ...(user === null ? { username } : { userId: user.id }), sessions: ended };
    await commit('recordAction', { action: 'router.disconnect_user', subject: 'router', details }, actor);
    const message = `${many(ended, 'session')} ended. Who has paid time left comes back online; block the user to prevent it.`;
    return { success: true, message, disconnected_count: ended };
  });

  api.handle(disconnectEverybody, async ({ body, actor }) => {
    const router = site.router(body.router_id);
    const ended = await inTime(disconnectAll(router));
    await record('router.disconnect_all', router, { sessions: ended }, actor);
    const message = `${many(ended, 'session')} ended. Who has paid time left comes back online.`;
    return { success: true, message, disconnected_count: ended };
  });

  api.handle(rebootRouter, async ({ body, actor }) => {
    const router = site.router(body.router_id);
    if (body.confirm !== REBOOT_CONFIRMATION) {
      const message = `Nothing was done. To reboot the router, send confirm with the exact text ${REBOOT_CONFIRMATION}.`;
      return json(400, { success: false, message });
    }
    await router.port.reboot();
    await record('router.reboot', router, null, actor);
    return { success: true, message: 'The router is rebooting. People come back online by themselves.' };
  });

  api.handle(routerProfiles, async ({ query }) => ({
    success: true,
    profiles: (await site.router(query.router_id).port.profiles()).map(routerProfileView),
  }));

  api.handle(createRouterProfile, async ({ body: { router_id, ...profile }, actor }) => {
    const router = site.router(router_id);
    const problem = rateLimitProblem(profile.rate_limit ?? '');
    if (problem !== null) invalid('rate_limit', `The router would refuse every login with it: ${problem}`);
    await router.port.createProfile(camelCased(profile));
    await record('router.create_profile', router, { ...profile }, actor);
    const { name, rate_limit = null } = profile;
    const message = 'The profile was created. Bundles can name it now.';
    return { success: true, message, profile: { name, rate_limit } };
  });
}
