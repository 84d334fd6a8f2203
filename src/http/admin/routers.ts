/** The list of the site's routers. See docs/interface.md: Router administration. */
import type { GivenSettings } from '../../contract/router.ts';
import { addRouter, listRouters, removeRouter } from '../../contract/routers.ts';
import { invalid } from '../../domain/errors.ts';
import { apiPort, type RouterSettings } from '../../domain/ports.ts';
import { requireConfirmed } from '../confirmation.ts';
import type { Context } from '../context.ts';
import type { Api } from '../route.ts';
import { resourcesView, siteRouterView } from '../views/router.ts';

export function adminRoutersRoutes(api: Api, context: Context): void {
  const { site, configuredRouter, commit } = context;

  api.handle(listRouters, () => ({ success: true, routers: site.routers.map(siteRouterView) }));

  api.handle(addRouter, async ({ body: { name, ...given }, caller, actor }) => {
    requireConfirmed(context, caller);
    const settings = completedSettings(null, given);
    const resources = await site.defaultRouter.port.test(settings);
    const { id } = await commit('addRouter', { name, settings, configured: configuredRouter }, actor);
    site.refresh();
    return {
      success: true,
      message: 'The router answers, and is in use.',
      router: siteRouterView(site.router(id)),
      router_info: resourcesView(resources),
    };
  });

  api.handle(removeRouter, async ({ params: { router_id: id }, caller, actor }) => {
    requireConfirmed(context, caller);
    await commit('removeRouter', { id }, actor);
    site.refresh();
    return { success: true, message: 'The router is off the list. What Lango made on it stays there.' };
  });
}

/** What was given, over what is known. @throws LangoError VALIDATION while something is missing */
export function completedSettings(known: RouterSettings | null, given: GivenSettings): RouterSettings {
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
