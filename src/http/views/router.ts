/** The router's settings, resources and profiles, as the interface writes them. */
import type { RouterProfile, RouterResources, RouterSettings } from '../../domain/ports.ts';

/** Of the password, only whether there is one. */
export const routerConfigurationView = (settings: RouterSettings | null) => ({
  router_ip: settings?.host ?? null,
  username: settings?.username ?? null,
  password_configured: settings !== null && settings.password !== '',
  api_port: settings?.port ?? null,
  use_ssl: settings?.ssl ?? false,
  ssl_fingerprint: settings?.sslFingerprint ?? null,
  hotspot: settings?.hotspot ?? null,
  default_profile: settings?.profile ?? null,
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
