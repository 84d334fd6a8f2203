/** The router's settings, resources, profiles and sessions, as the interface writes them. */
import * as contract from '../../contract/router.ts';
import type { RouterState, SiteRouter as SiteRouterView } from '../../contract/routers.ts';
import { apiPort, type RouterResources } from '../../domain/ports.ts';
import type { RouterPlan } from '../../domain/provisioning.ts';
import type { Router } from '../../domain/routers.ts';
import type { SiteRouter } from '../../domain/site.ts';
import { routerDuration } from '../../domain/time.ts';
import type { LiveSession } from '../live-sessions.ts';
import { viewOf } from '../names.ts';

/** Of the password, only whether there is one. */
export const routerConfigurationView = ({ id, name, settings }: Router): contract.RouterConfiguration => ({
  router_id: id,
  name,
  router_ip: settings?.host ?? '',
  username: settings?.username ?? '',
  password_configured: settings !== null && settings.password !== '',
  api_port: settings?.port ?? apiPort(false),
  use_ssl: settings?.ssl ?? false,
  ssl_fingerprint: settings?.sslFingerprint ?? null,
  hotspot: settings?.hotspot ?? null,
  default_profile: settings?.profile ?? '',
});

export const resourcesView = viewOf(contract.RouterInfo);

/** Of a router that has answered. */
export const connectedView = (resources: RouterResources): contract.RouterResources => ({
  ...resourcesView(resources),
  connection_status: 'connected',
});

export const routerProfileView = viewOf(contract.RouterProfile);

/** How it does, by what is known without asking it. */
export const routerStateView = ({ id, name, port, presence }: SiteRouter): RouterState => ({
  router_id: id,
  name,
  connection_status: port.state,
  problem: port.lastError,
  online: presence.onlineCount,
});

export const siteRouterView = (router: SiteRouter): SiteRouterView => ({
  ...routerConfigurationView(router),
  ...routerStateView(router),
});

/** A live session; the interface wants every value of the router's own as text. */
export const sessionView = (session: LiveSession): contract.RouterSession => ({
  id: session.id,
  user: session.user,
  address: session.address,
  'mac-address': session.mac ?? '',
  'session-time': routerDuration(session.uptimeSeconds),
  'bytes-in': String(session.bytesIn),
  'bytes-out': String(session.bytesOut),
  'packets-in': String(session.packetsIn),
  'packets-out': String(session.packetsOut),
  router_id: session.routerId,
});

export const stepView = viewOf(contract.RouterStep);

/** A change of our own settings; there is nothing to type into the router's console. */
export const useSecureLine = {
  what: 'Let Lango use the router’s encrypted API, and take no machine with another certificate for the router.',
  why: 'What goes over the line now can be listened to.',
  command: '',
} satisfies contract.RouterStep;

export const planView = ({ steps, missing, notes, secureLine }: RouterPlan): contract.RouterPlan => ({
  steps: [...steps.map(stepView), ...(secureLine === null ? [] : [useSecureLine])],
  missing: [...missing],
  notes: [...notes],
});
