/**
 * The captive-portal document of RFC 8908, which lets phones show "time left" and "renew" by themselves. A phone finds
 * it by DHCP option 114. An addition to the interface.
 */
import { readCaptivity } from '../contract/portal.ts';
import { hasAccess, secondsLeft } from '../domain/access.ts';
import type { Mac } from '../domain/mac.ts';
import type { Instant } from '../domain/time.ts';
import type { Context } from './context.ts';
import { isShownOnline, macBehind } from './own-device.ts';
import { networkOf } from './rate-limits.ts';
import type { Api } from './route.ts';

export function captivePortalRoutes(api: Api, context: Context): void {
  const { baseUrl, clock, reads } = context;
  api.handle(
    readCaptivity,
    async ({ clientIp }) => {
      const shared = { 'user-portal-url': `${baseUrl}/`, 'can-extend-session': true };
      const mac = await macBehind(context, clientIp);
      if (mac === null) return { captive: true, ...shared };
      const now = clock.now();
      const paidUntil = paidUntilOf(context, mac, now);
      if (paidUntil === null) {
        const order = reads.payments.openOrderOf(mac, networkOf(clientIp), now);
        return { captive: true, ...shared, ...(order === null ? {} : { 'order-reference': order.orderReference }) };
      }
      await context.wake(mac, 'though_online');
      if (!isShownOnline(context, mac)) return { captive: true, ...shared, 'paid-until': paidUntil };
      return { captive: false, ...shared, 'seconds-remaining': secondsLeft(paidUntil, now) };
    },
    { limit: context.limits.captivePortal },
  );
}

/** null: the device is nobody's, or its person has no access. */
function paidUntilOf({ reads }: Context, mac: Mac, now: Instant): Instant | null {
  const device = reads.devices.byMac(mac);
  const user = device === null ? null : reads.users.byId(device.userId);
  return user !== null && hasAccess(user, now) ? user.paidUntil : null;
}
