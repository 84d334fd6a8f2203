/** The routers of a site. What is asked of one of them is in `router.ts`. */
import * as v from 'valibot';

import { done, endpoint, found } from './endpoint.ts';
import * as field from './fields.ts';
import { RouterConfiguration, RouterInfo, routerName, Settings } from './router.ts';
import * as value from './values.ts';

/** How a router does, as far as is known without asking it. */
export const RouterState = v.object({
  router_id: value.id,
  name: value.string,
  connection_status: v.picklist(['connected', 'disconnected', 'not_configured']),
  /** What went wrong last. */
  problem: v.nullable(value.string),
  /** Devices with a session there. */
  online: value.integer,
});
export type RouterState = v.InferOutput<typeof RouterState>;

export const SiteRouter = v.object({ ...RouterConfiguration.entries, ...RouterState.entries });
export type SiteRouter = v.InferOutput<typeof SiteRouter>;

export const listRouters = endpoint({
  method: 'GET',
  path: '/admin/routers/',
  summary: 'The routers of the site, the default one first',
  auth: 'owner',
  errors: 'router',
  reply: found({ routers: v.array(SiteRouter) }),
});

export const addRouter = endpoint({
  method: 'POST',
  path: '/admin/routers/',
  summary: 'Add a router; kept only if it answers, and used at once',
  auth: 'owner',
  errors: 'router',
  body: v.object({ name: routerName, ...Settings.entries }),
  status: 201,
  reply: done({ router: SiteRouter, router_info: RouterInfo }),
  refuses: [409],
});

export const removeRouter = endpoint({
  method: 'DELETE',
  path: '/admin/routers/:router_id/',
  summary: 'Take a router off the list; the default one stays',
  auth: 'owner',
  errors: 'router',
  params: v.object({ router_id: field.idText }),
  reply: done({}),
  refuses: [404, 409],
});
