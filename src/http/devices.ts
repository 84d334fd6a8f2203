/** A person's devices. See docs/rules.md: Devices. */
import { listDevices, removeDevice, sendProofCode } from '../contract/devices.ts';
import { mayRemove } from '../domain/asker.ts';
import { devicePolicyOf } from '../domain/device-policy.ts';
import type { Device } from '../domain/devices.ts';
import { LangoError } from '../domain/errors.ts';
import { CODE_MINUTES } from '../domain/proof-codes.ts';
import { mayStillSendCodes } from '../domain/sms.ts';
import { addSeconds, type Instant, SECONDS_PER_DAY } from '../domain/time.ts';
import type { Context } from './context.ts';
import { askerOf } from './own-device.ts';
import { requireProof } from './proofs.ts';
import type { Api } from './route.ts';
import { deviceView } from './views/devices.ts';

export function deviceRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, limits, applyAccess, policy, proofCodes, log } = context;
  const limit = limits.devices;
  api.handle(
    listDevices,
    ({ params }) => {
      const user = reads.users.byPhone(params.phone_number);
      const devices = user === null ? [] : reads.devices.ofUser(user.id);
      return devices.map(deviceView);
    },
    { limit },
  );

  api.handle(
    removeDevice,
    async ({ body, clientIp, actor }) => {
      const user = reads.users.byPhone(body.phone_number);
      const device = reads.devices.byMac(body.mac_address);
      if (user === null || device?.userId !== user.id) {
        throw new LangoError('DEVICE_NOT_REGISTERED', 'This device is not registered for this number.');
      }
      const asker = await askerOf(context, clientIp);
      const now = clock.now();
      const isAllowed =
        actor !== null || mayRemove(asker, device, reads.devices.ofUser(user.id), now) || isAway(context, device, now);
      if (!isAllowed) requireProof(context, user, { text: body.proof, clientIp });
      const isFinal = actor !== null || !isAllowed || asker === device.mac;
      const input = { userId: user.id, mac: device.mac, isFinal };
      const { remaining } = await commit('removeDevice', input, actor);
      await applyAccess(user.id);
      return { success: true, message: 'The device was removed.', devices_remaining: remaining };
    },
    { limit },
  );

  api.handle(
    sendProofCode,
    ({ body, clientIp }) => {
      const number = body.phone_number;
      const now = clock.now();
      if (!policy.smsEnabled) throw new LangoError('SMS_UNAVAILABLE', 'No SMS can be sent here. Use another proof.');
      limits.codesFrom.take(clientIp);
      limits.codesTo.take(number);
      if (!mayStillSendCodes(reads, policy, now)) {
        throw new LangoError(
          'SMS_UNAVAILABLE',
          'No more codes can be sent today. Use another proof, or ask the staff.',
        );
      }
      const key = proofCodes.open(number, clientIp);
      // The reply does not wait for the commit: its time would tell which numbers have an account.
      commit('queueDeviceCode', { phone: number, key }).catch(error => log.warn({ err: error }, 'sms.code_not_queued'));
      return {
        success: true,
        message: `If this number has an account, a code is on its way to it. Give it here within ${CODE_MINUTES} minutes.`,
      };
    },
    { limit },
  );
}

/** Not seen for a day, where the owner's setting allows to remove such devices. Unknown while a router is away. */
function isAway({ reads, site }: Context, device: Device, now: Instant): boolean {
  const isKnown = site.isConnected && site.routers.every(({ port }) => port.state !== 'disconnected');
  if (devicePolicyOf(reads).swap !== 'when_away' || !isKnown) return false;
  return !site.isOnline(device.mac) && device.lastSeen <= addSeconds(now, -SECONDS_PER_DAY);
}
