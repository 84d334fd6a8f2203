/** Free bundles, taken with one tap. See docs/rules.md: Bundles and users. */
import { takeFreeBundle } from '../contract/bundles.ts';
import { devicePolicyOf } from '../domain/device-policy.ts';
import { invalid, LangoError } from '../domain/errors.ts';
import type { Mac } from '../domain/mac.ts';
import { SECONDS_PER_HOUR } from '../domain/time.ts';
import type { User } from '../domain/users.ts';
import type { Context } from './context.ts';
import { requestedDevice } from './own-device.ts';
import { requireProof } from './proofs.ts';
import type { Api } from './route.ts';

export function freeAccessRoutes(api: Api, context: Context): void {
  const { reads, commit, limits, site, applyAccess, proofCodes } = context;
  api.handle(
    takeFreeBundle,
    async ({ body, clientIp }) => {
      const { phone_number: phone, bundle_id: bundleId, language = null } = body;
      if (site.isConfigured && !site.isConnected) {
        throw new LangoError('ROUTER_UNAVAILABLE', 'The router does not answer, so nobody can get online now.');
      }
      // Numbers are free to invent: what counts is the device that the router shows.
      const device = await requestedDevice(context, body, clientIp);
      if (device === null || !device.isItself) {
        return invalid('mac_address', 'Open this page on the device that is to go online.');
      }
      const user = reads.users.byPhone(phone);
      const isProven = isOthers(context, user, device.mac);
      if (isProven) requireProof(context, user ?? { id: null, phone }, { text: body.proof, clientIp });
      const giveBack = limits.freeGiven.take(clientIp);
      const taken = await commit('takeFree', { phone, bundleId, device, isProven, language }).catch(error => {
        giveBack();
        throw error;
      });
      if (isProven) proofCodes.useUp(phone, clientIp);
      await applyAccess(taken.userId);
      const isOnline = site.isOnline(device.mac);
      const { name, durationSeconds } = taken.bundle;
      return {
        success: true,
        message: isOnline ? 'You are online.' : 'The time is yours. The router lets this device in within seconds.',
        access_granted: true,
        subscription_end: taken.paidUntil,
        bundle: { name, duration_hours: durationSeconds / SECONDS_PER_HOUR },
        online: isOnline,
      };
    },
    { limit: limits.freeAccess },
  );
}

/** A number that money has named is not a stranger's to use up, nor to get a device of theirs onto. */
function isOthers({ reads }: Context, user: User | null, mac: Mac): boolean {
  if (user !== null && (reads.devices.byMac(mac)?.userId === user.id || reads.devices.hasPaid(user.id, mac))) {
    return false;
  }
  if (devicePolicyOf(reads).newDevices === 'with_proof') return true;
  return user !== null && reads.grants.ofUser(user.id).some(({ source }) => source !== 'admin');
}
