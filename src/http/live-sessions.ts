import { ROUTER_TIMEOUT_MS, withDeadline } from '../domain/deadline.ts';
import type { Device } from '../domain/devices.ts';
import type { RouterSession } from '../domain/ports.ts';
import type { SiteRouter } from '../domain/site.ts';

export interface LiveSession extends RouterSession {
  routerId: number;
}

/** The sessions of these devices on these routers; none of one that does not answer in time. Never throws. */
export async function liveSessions(routers: readonly SiteRouter[], devices: readonly Device[]): Promise<LiveSession[]> {
  if (devices.length === 0) return [];
  const macs = devices.map(device => device.mac);
  const there = routers.filter(({ port }) => port.state === 'connected');
  const sessions = there.map(async ({ id, port }) => {
    const found = await withDeadline(port.sessions({ macs }), ROUTER_TIMEOUT_MS, () => []).catch(() => []);
    return found.map(session => ({ ...session, routerId: id }));
  });
  return (await Promise.all(sessions)).flat();
}
