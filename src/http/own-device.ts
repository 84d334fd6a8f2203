/** Whose device is asking: what the router's host table says of the address that a request comes from. */
import { type Asker, isDevice, mayName } from '../domain/asker.ts';
import { withDeadline } from '../domain/deadline.ts';
import type { NamedDevice } from '../domain/devices.ts';
import type { Mac } from '../domain/mac.ts';
import type { Context } from './context.ts';

/** How long a request waits for the host table; after that the device is unknown. */
const TIMEOUT_MS = 1_500;

/** Never throws. */
export async function askerOf(context: Context, clientIp: string): Promise<Asker> {
  if (context.router.settings === null) return 'no_router';
  return (await macBehind(context, clientIp)) ?? 'unknown';
}

/** The MAC of the device that is asking; null: the router does not know it, or cannot be asked. Never throws. */
export async function macBehind({ router, hostTable }: Context, clientIp: string): Promise<Mac | null> {
  if (router.state !== 'connected' || router.isAt(clientIp)) return null;
  return withDeadline(hostTable.macBehind(clientIp), TIMEOUT_MS, () => null);
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
