/** The router, for those who look after it. See docs/interface.md: Router administration. */
import * as v from 'valibot';
import type { Actor } from '../../domain/audit.ts';
import { invalid, LangoError } from '../../domain/errors.ts';
import type { RouterResources, RouterSettings } from '../../domain/ports.ts';
import { requireConfirmed } from '../confirmation.ts';
import type { Context } from '../context.ts';
import { bool, fields, optional, secret, text, wholeNumber } from '../fields.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import { resourcesView, routerConfigurationView, routerProfileView, sessionView } from '../views/router.ts';
import { disconnectAll, disconnectName, inTime } from './disconnect.ts';

const PORT = { min: 1, max: 65_535 };
const REBOOT_CONFIRMATION = 'REBOOT_ROUTER';

const Settings = fields({
  router_ip: optional(host()),
  username: optional(text(100)),
  password: optional(secret(200)),
  api_port: optional(wholeNumber(PORT)),
  use_ssl: optional(bool()),
  ssl_fingerprint: v.optional(v.nullable(fingerprint())),
  hotspot: v.optional(v.nullable(text(100))),
  default_profile: optional(text(100)),
});
const Disconnect = fields({ username: text(64) });
const Reboot = fields({ confirm: v.optional(v.unknown()) });
const NewProfile = fields({
  name: text(100),
  rate_limit: optional(text(200)),
  session_timeout: optional(text(50)),
  idle_timeout: optional(text(50)),
});

export function adminRouterRoutes(api: Api, context: Context): void {
  const { router, commit, defaultCountry } = context;
  const note = (action: string, details: Record<string, unknown> | null, actor: Actor) =>
    commit('noteAction', { action, subject: 'router', details }, actor);

  api.get(
    '/admin/router/config/',
    route({ auth: 'owner', errors: 'router' }, () =>
      json(200, { success: true, configuration: routerConfigurationView(context.routerSettings()) }),
    ),
  );

  api.post(
    '/admin/router/config/',
    route({ auth: 'owner', body: Settings, errors: 'router' }, async ({ body, caller, actor }) => {
      requireConfirmed(context, caller);
      const settings = completed(context.routerSettings(), body);
      const resources = await router.test(settings);
      await commit('changeRouterSettings', { settings }, actor);
      // As it stands by now: of two changes at once, the later one counts.
      router.configure(context.routerSettings());
      return json(200, {
        success: true,
        message: 'The router answers, and its settings are in use.',
        configuration: routerConfigurationView(settings),
        router_info: resourcesView(resources),
      });
    }),
  );

  api.post(
    '/admin/router/test-connection/',
    route({ auth: 'owner', body: Settings, errors: 'router' }, async ({ body, caller }) => {
      // Another address would be told the password that is kept.
      if (body.password === undefined && Object.keys(body).length > 0) requireConfirmed(context, caller);
      try {
        const resources = await router.test(completed(context.routerSettings(), body));
        return json(200, { success: true, message: 'The router answers.', router_info: resourcesView(resources) });
      } catch (error) {
        if (!(error instanceof LangoError) || error.code === 'INTERNAL') throw error;
        const why = Object.values(error.details ?? {}).flat();
        return json(200, { success: false, message: [error.message, ...why].join(' '), router_info: null });
      }
    }),
  );

  const withState = (resources: RouterResources) => ({ ...resourcesView(resources), connection_status: 'connected' });
  api.get(
    '/admin/router/router-info/',
    route({ auth: 'staff', errors: 'router' }, async () =>
      json(200, { success: true, router_info: withState(await router.resources()) }),
    ),
  );
  api.get(
    '/admin/router/resources/',
    route({ auth: 'staff', errors: 'router' }, async () =>
      json(200, { success: true, system_resources: withState(await router.resources()) }),
    ),
  );

  api.get(
    '/admin/router/active-users/',
    route({ auth: 'cashier', errors: 'router' }, async () => {
      const sessions = (await router.sessions()).map(sessionView);
      return json(200, { success: true, active_users: sessions, total_count: sessions.length });
    }),
  );

  api.post(
    '/admin/router/disconnect-user/',
    route({ auth: 'cashier', body: Disconnect, errors: 'router' }, async ({ body, actor }) => {
      const ended = await inTime(disconnectName(context, body.username, defaultCountry));
      if (ended === 0) throw new LangoError('NOT_FOUND', 'This user is not connected.');
      await note('router.disconnect_user', { username: body.username, sessions: ended }, actor);
      const message = `${ended} session(s) ended. Who has paid time left comes back online; block the user to prevent it.`;
      return json(200, { success: true, message, disconnected_count: ended });
    }),
  );

  api.post(
    '/admin/router/disconnect-all/',
    route({ auth: 'staff', errors: 'router' }, async ({ actor }) => {
      const ended = await inTime(disconnectAll(context));
      await note('router.disconnect_all', { sessions: ended }, actor);
      const message = `${ended} session(s) ended. Who has paid time left comes back online.`;
      return json(200, { success: true, message, disconnected_count: ended });
    }),
  );

  api.post(
    '/admin/router/reboot/',
    route({ auth: 'owner', body: Reboot, errors: 'router' }, async ({ body, actor }) => {
      if (body.confirm !== REBOOT_CONFIRMATION) {
        const message = `Nothing was done. To reboot the router, send confirm with the exact text ${REBOOT_CONFIRMATION}.`;
        return json(400, { success: false, message });
      }
      await router.reboot();
      await note('router.reboot', null, actor);
      return json(200, { success: true, message: 'The router is rebooting. People come back online by themselves.' });
    }),
  );

  api.get(
    '/admin/router/profiles/',
    route({ auth: 'staff', errors: 'router' }, async () =>
      json(200, { success: true, profiles: (await router.profiles()).map(routerProfileView) }),
    ),
  );

  api.post(
    '/admin/router/profiles/create/',
    route({ auth: 'staff', body: NewProfile, errors: 'router' }, async ({ body, actor }) => {
      await router.createProfile({
        name: body.name,
        ...(body.rate_limit === undefined ? {} : { rateLimit: body.rate_limit }),
        ...(body.session_timeout === undefined ? {} : { sessionTimeout: body.session_timeout }),
        ...(body.idle_timeout === undefined ? {} : { idleTimeout: body.idle_timeout }),
      });
      await note('router.create_profile', { ...body }, actor);
      const profile = { name: body.name, rate_limit: body.rate_limit ?? null };
      return json(200, { success: true, message: 'The profile was created. Bundles can name it now.', profile });
    }),
  );
}

/** What was given, over what is known. @throws LangoError VALIDATION while something is missing */
function completed(known: RouterSettings | null, given: v.InferOutput<typeof Settings>): RouterSettings {
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

const apiPort = (ssl: boolean): number => (ssl ? 8_729 : 8_728);

function host(): v.GenericSchema<string, string> {
  const message = 'Give the address of the router, such as 192.168.88.1.';
  return v.pipe(v.string(message), v.trim(), v.regex(/^[0-9A-Za-z](?:[0-9A-Za-z.:-]{0,252}[0-9A-Za-z])?$/, message));
}

/** SHA-256 of the router's certificate: 64 hex digits, with or without colons. */
function fingerprint(): v.GenericSchema<string, string> {
  const message = 'Give the SHA-256 fingerprint of the certificate, 64 hex digits, or null.';
  const bare = v.transform((value: string) => value.replaceAll(/[:\s]/g, '').toLowerCase());
  return v.pipe(v.string(message), bare, v.regex(/^[0-9a-f]{64}$/, message));
}
