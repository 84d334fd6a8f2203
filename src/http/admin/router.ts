/** The router, for those who look after it. See docs/interface.md: Router administration. */

import {
  activeUsers,
  configureRouter,
  createRouterProfile,
  disconnectEverybody,
  disconnectUser,
  type GivenSettings,
  rebootRouter,
  routerConfiguration,
  routerInfo,
  routerProfiles,
  routerResources,
  testConnection,
} from '../../contract/router.ts';
import type { Actor } from '../../domain/audit.ts';
import { invalid, LangoError } from '../../domain/errors.ts';
import { many } from '../../domain/plural.ts';
import { apiPort, type RouterSettings } from '../../domain/ports.ts';
import { rateLimitProblem } from '../../domain/rate-limit.ts';
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

const REBOOT_CONFIRMATION = 'REBOOT_ROUTER';

export function adminRouterRoutes(api: Api, context: Context): void {
  const { router, commit, defaultCountry } = context;
  const record = (action: string, details: Record<string, unknown> | null, actor: Actor) =>
    commit('recordAction', { action, subject: 'router', details }, actor);

  api.handle(routerConfiguration, () => ({
    success: true,
    configuration: routerConfigurationView(context.routerSettings()),
  }));

  api.handle(configureRouter, async ({ body, caller, actor }) => {
    requireConfirmed(context, caller);
    const settings = completed(context.routerSettings(), body);
    const resources = await router.test(settings);
    await commit('changeRouterSettings', { settings }, actor);
    // Read again: of two changes at once, the later one counts.
    router.configure(context.routerSettings());
    return {
      success: true,
      message: 'The router answers, and its settings are in use.',
      configuration: routerConfigurationView(settings),
      router_info: resourcesView(resources),
    };
  });

  api.handle(testConnection, async ({ body, caller }) => {
    // Another address must not receive the stored password.
    if (body.password === undefined && Object.keys(body).length > 0) requireConfirmed(context, caller);
    try {
      const resources = await router.test(completed(context.routerSettings(), body));
      return { success: true, message: 'The router answers.', router_info: resourcesView(resources) };
    } catch (error) {
      if (!(error instanceof LangoError) || error.code === 'INTERNAL') throw error;
      const why = Object.values(error.details ?? {}).flat();
      return { success: false, message: [error.message, ...why].join(' '), router_info: null };
    }
  });

  api.handle(routerInfo, async () => ({ success: true, router_info: connectedView(await router.resources()) }));
  api.handle(routerResources, async () => ({
    success: true,
    system_resources: connectedView(await router.resources()),
  }));

  api.handle(activeUsers, async () => {
    const sessions = (await router.sessions()).map(sessionView);
    return { success: true, active_users: sessions, total_count: sessions.length };
  });

  api.handle(disconnectUser, async ({ body, actor }) => {
    const ended = await inTime(disconnectName(context, body.username, defaultCountry));
    if (ended === 0) throw new LangoError('NOT_FOUND', 'This user is not connected.');
    await record('router.disconnect_user', { username: body.username, sessions: ended }, actor);
    const message = `${many(ended, 'session')} ended. Who has paid time left comes back online; block the user to prevent it.`;
    return { success: true, message, disconnected_count: ended };
  });

  api.handle(disconnectEverybody, async ({ actor }) => {
    const ended = await inTime(disconnectAll(context));
    await record('router.disconnect_all', { sessions: ended }, actor);
    const message = `${many(ended, 'session')} ended. Who has paid time left comes back online.`;
    return { success: true, message, disconnected_count: ended };
  });

  api.handle(rebootRouter, async ({ body, actor }) => {
    if (body.confirm !== REBOOT_CONFIRMATION) {
      const message = `Nothing was done. To reboot the router, send confirm with the exact text ${REBOOT_CONFIRMATION}.`;
      return json(400, { success: false, message });
    }
    await router.reboot();
    await record('router.reboot', null, actor);
    return { success: true, message: 'The router is rebooting. People come back online by themselves.' };
  });

  api.handle(routerProfiles, async () => ({
    success: true,
    profiles: (await router.profiles()).map(routerProfileView),
  }));

  api.handle(createRouterProfile, async ({ body, actor }) => {
    const problem = rateLimitProblem(body.rate_limit ?? '');
    if (problem !== null) invalid('rate_limit', `The router would refuse every login with it: ${problem}`);
    await router.createProfile(camelCased(body));
    await record('router.create_profile', { ...body }, actor);
    const profile = { name: body.name, rate_limit: body.rate_limit ?? null };
    return { success: true, message: 'The profile was created. Bundles can name it now.', profile };
  });
}

/** What was given, over what is known. @throws LangoError VALIDATION while something is missing */
function completed(known: RouterSettings | null, given: GivenSettings): RouterSettings {
  const address = given.router_ip ?? known?.host;
  const username = given.username ?? known?.username;
  if (address === undefined) invalid('router_ip', "Give the router's address.");
  if (username === undefined) invalid('username', "Give the user name of the appliance's account on the router.");
  const ssl = given.use_ssl ?? known?.ssl ?? false;
  // A port that was never chosen goes with the kind of connection.
  const usual = known === null || known.port === apiPort(known.ssl) ? apiPort(ssl) : known.port;
  return {
    host: address,
    port: given.api_port ?? usual,
    username,
    password: given.password ?? known?.password ?? '',
    ssl,
    sslFingerprint: given.ssl_fingerprint === undefined ? (known?.sslFingerprint ?? null) : given.ssl_fingerprint,
    hotspot: given.hotspot === undefined ? (known?.hotspot ?? null) : given.hotspot,
    profile: given.default_profile ?? known?.profile ?? 'default',
  };
}
