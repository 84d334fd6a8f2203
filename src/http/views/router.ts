/** The router's settings, resources and profiles, as the interface writes them. */
import type { RouterProfile, RouterResources, RouterSettings } from '../../domain/ports.ts';

/** Told where no router is set: the port of RouterOS's API. */
export const USUAL_API_PORT = 8_728;

/** Of the password, only whether there is one. */
export const routerConfigurationView = (settings: RouterSettings | null) => ({
  router_ip: settings?.host ?? '',
  username: settings?.username ?? '',
  password_configured: settings !== null && settings.password !== '',
  api_port: settings?.port ?? USUAL_API_PORT,
  use_ssl: settings?.ssl ?? false,
  ssl_fingerprint: settings?.sslFingerprint ?? null,
  hotspot: settings?.hotspot ?? null,
  default_profile: settings?.profile ?? '',
});

export const resourcesView = (resources: RouterResources) => ({
  uptime: resources.uptime,
  version: resources.version,
  board_name: resources.boardName,
  platform: resources.platform,
  cpu_load: resources.cpuLoad,
  free_memory: resources.freeMemory,
  total_memory: resources.totalMemory,
});

export const profileView = (profile: RouterProfile) => ({
  name: profile.name,
  rate_limit: profile.rateLimit,
  shared_users: profile.sharedUsers,
  session_timeout: profile.sessionTimeout,
  idle_timeout: profile.idleTimeout,
});
