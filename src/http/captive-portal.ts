/**
 * The captive-portal document of RFC 8908, which lets phones show "time left" and "renew" by themselves. A phone finds
 * it by DHCP option 114. An addition to the interface.
 */
import { readCaptivity } from '../contract/portal.ts';
import { hasAccess, secondsLeft } from '../domain/access.ts';
import type { User } from '../domain/users.ts';
import type { Context } from './context.ts';
import { macBehind } from './own-device.ts';
import type { Api } from './route.ts';

export function captivePortalRoutes(api: Api, context: Context): void {
  const { baseUrl, clock } = context;
  api.handle(
    readCaptivity,
    async ({ clientIp }) => {
      const user = await userBehind(context, clientIp);
      const now = clock.now();
      const isFree = user !== null && hasAccess(user, now);
      return {
        captive: !isFree,
        'user-portal-url': `${baseUrl}/`,
        'can-extend-session': true,
        ...(isFree ? { 'seconds-remaining': secondsLeft(user.paidUntil, now) } : {}),
      };
    },
    { limit: context.limits.captivePortal },
  );
}

/** The device that asks, found in the router's host table: the request names no phone number. */
async function userBehind(context: Context, clientIp: string): Promise<User | null> {
  const mac = await macBehind(context, clientIp);
  const device = mac === null ? null : context.reads.devices.byMac(mac);
  return device === null ? null : context.reads.users.byId(device.userId);
}
