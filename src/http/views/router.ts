/** The router's settings, resources, profiles and sessions, as the interface writes them. */
import type * as contract from '../../contract/router.ts';
import {
  apiPort,
  type RouterProfile,
  type RouterResources,
  type RouterSession,
  type RouterSettings,
} from '../../domain/ports.ts';
import type { RouterPlan, RouterStep } from '../../domain/provisioning.ts';
import { routerDuration } from '../../domain/time.ts';

/** Of the password, only whether there is one. */
export const routerConfigurationView = (settings: RouterSettings | null): contract.RouterConfiguration => ({
  router_ip: settings?.host ?? '',
  username: settings?.username ?? '',
  password_configured: settings !== null && settings.password !== '',
  api_port: settings?.port ?? apiPort(false),
  use_ssl: settings?.ssl ?? false,
  ssl_fingerprint: settings?.sslFingerprint ?? null,
  hotspot: settings?.hotspot ?? null,
  default_profile: settings?.profile ?? '',
});

export const resourcesView = (resources: RouterResources): contract.RouterInfo => ({
  uptime: resources.uptime,
  version: resources.version,
  board_name: resources.boardName,
  platform: resources.platform,
  cpu_load: resources.cpuLoad,
  free_memory: resources.freeMemory,
  total_memory: resources.totalMemory,
});

/** Of a router that has answered. */
export const connectedView = (resources: RouterResources): contract.RouterResources => ({
  ...resourcesView(resources),
  connection_status: 'connected',
});

export const routerProfileView = (profile: RouterProfile): contract.RouterProfile => ({
  name: profile.name,
  rate_limit: profile.rateLimit,
  shared_users: profile.sharedUsers,
  session_timeout: profile.sessionTimeout,
  idle_timeout: profile.idleTimeout,
});

/** A live session; the interface wants every value as text. */
export const sessionView = (session: RouterSession): contract.RouterSession => ({
  id: session.id,
  user: session.user,
  address: session.address,
  'mac-address': session.mac ?? '',
  'session-time': routerDuration(session.uptimeSeconds),
  'bytes-in': String(session.bytesIn),
  'bytes-out': String(session.bytesOut),
  'packets-in': String(session.packetsIn),
  'packets-out': String(session.packetsOut),
});

export const routerInfoView = ({ identity, version, uptime }: RouterResources) => ({ identity, version, uptime });

export const stepView = ({ what, why, command }: RouterStep): contract.RouterStep => ({ what, why, command });

export const planView = ({ steps, missing, notes }: RouterPlan): contract.RouterPlan => ({
  steps: steps.map(stepView),
  missing: [...missing],
  notes: [...notes],
});
