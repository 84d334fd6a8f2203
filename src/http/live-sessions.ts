import { ROUTER_TIMEOUT_MS, withDeadline } from '../domain/deadline.ts';
import type { Device } from '../domain/devices.ts';
import type { RouterSession } from '../domain/ports.ts';
import type { Context } from './context.ts';

/** The sessions of these devices; none when the router does not answer in time. Never throws. */
export async function liveSessions({ router }: Context, devices: readonly Device[]): Promise<RouterSession[]> {
  if (devices.length === 0 || router.state !== 'connected') return [];
  const macs = devices.map(device => device.mac);
  return withDeadline(router.sessions({ macs }), ROUTER_TIMEOUT_MS, () => []).catch(() => []);
}
