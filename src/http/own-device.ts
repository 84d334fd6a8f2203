/** Whose device is asking: what the routers' host tables say of the address that a request comes from. */
import { type Asker, isDevice, mayName } from '../domain/asker.ts';
import { soonAfterOne, withDeadline } from '../domain/deadline.ts';
import type { NamedDevice } from '../domain/devices.ts';
import type { Mac } from '../domain/mac.ts';
import type { SiteRouter } from '../domain/site.ts';
import type { Context } from './context.ts';

/** How long a request waits for the host tables; after that the device is unknown. */
const TIMEOUT_MS = 1_500;
/** How much longer for the other routers, once one of them knows the address: one may be slow. */
const OTHERS_MS = 100;

/** Never throws. */
export async function askerOf(context: Context, clientIp: string): Promise<Asker> {
  if (!context.site.isConfigured) return 'no_router';
  return (await macBehind(context, clientIp)) ?? 'unknown';
}

/** The MAC of the device that is asking; null: no router knows it, or can be asked. Never throws. */
export async function macBehind(context: Context, clientIp: string): Promise<Mac | null> {
  return (await deviceBehind(context, clientIp))?.mac ?? null;
}

/** The same with the routers that say so. An address that two of them have behind different devices proves nothing. */
export async function deviceBehind(
  { site }: Context,
  clientIp: string,
): Promise<{ mac: Mac; routers: SiteRouter[] } | null> {
  if (site.routerAt(clientIp) !== null) return null;
  const there = site.routers.filter(({ port }) => port.state === 'connected');
  const answers = there.map(({ hostTable }) => withDeadline(hostTable.macBehind(clientIp), TIMEOUT_MS, () => null));
  const macs = await soonAfterOne(answers, mac => mac !== null, OTHERS_MS, null);
  const [mac, ...others] = new Set(macs.filter(known => known !== null));
  if (mac === undefined || others.length > 0) return null;
  const routers = there.filter((_, place) => macs[place] !== null);
  const [router] = routers;
  if (router !== undefined && routers.length === 1) site.hear(router, mac);
  return { mac, routers };
}

/** The device that a request wants online. */
export interface RequestedDevice extends NamedDevice {
  /** The request names it, and is known to come from another one. */
  isForeign: boolean;
}

/** The one that the request names, else the one that is asking; null: nobody can tell which. Never throws. */
export async function requestedDevice(
  context: Context,
  {
    mac_address: mac,
    ip_address: ip = null,
  }: { mac_address?: Mac | undefined; ip_address?: string | null | undefined },
  clientIp: string,
): Promise<RequestedDevice | null> {
  if (mac === undefined) {
    const own = await macBehind(context, clientIp);
    return own === null ? null : { mac: own, ip: clientIp, isItself: true, isForeign: false };
  }
  const asker = await askerOf(context, clientIp);
  return { mac, ip, isItself: isDevice(asker, mac), isForeign: !mayName(asker, mac) };
}

/** The same, where only the device itself will do, or one that nobody can tell from it. */
export async function ownDevice(...asked: Parameters<typeof requestedDevice>): Promise<NamedDevice | null> {
  const device = await requestedDevice(...asked);
  return device?.isForeign ? null : device;
}

/** Does the router that the device is at answer, and show a session of it, as far as is known here? */
export function isShownOnline({ site }: Context, mac: Mac): boolean {
  const at = site.routerOf(mac);
  const routers = at === null ? site.routers : [at];
  return routers.some(({ port, presence }) => port.state === 'connected' && presence.isOnline(mac));
}
