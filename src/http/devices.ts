/** A person's devices. Decisions: 6. */
import { mayRemove } from '../domain/asker.ts';
import { LangoError } from '../domain/errors.ts';
import type { Context } from './context.ts';
import { fields, mac, optional, phone, text } from './fields.ts';
import { askerOf } from './own-device.ts';
import { LONGEST_PROOF, requireProof } from './proofs.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';
import { deviceView } from './views.ts';

export function deviceRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, limits, defaultCountry, applyAccess } = context;
  const Person = fields({ phone_number: phone(defaultCountry) });
  const OneDevice = fields({
    phone_number: phone(defaultCountry),
    mac_address: mac(),
    proof: optional(text(LONGEST_PROOF)),
  });

  api.get(
    '/devices/:phone_number/',
    route({ auth: 'none', params: Person, limit: limits.devices }, ({ params }) => {
      const user = reads.users.byPhone(params.phone_number);
      return json(200, user === null ? [] : reads.devices.ofUser(user.id).map(deviceView));
    }),
  );

  api.post(
    '/devices/remove/',
    route(
      {
        auth: 'none',
        body: OneDevice,
        errors: 'action',
        limit: limits.devices,
      },
      async ({ body, clientIp }) => {
        const user = reads.users.byPhone(body.phone_number);
        const device = reads.devices.byMac(body.mac_address);
        if (user === null || device?.userId !== user.id) {
          throw new LangoError('DEVICE_NOT_REGISTERED', 'This device is not registered for this number.');
        }
        const asker = await askerOf(context, clientIp);
        const now = clock.now();
        const isAllowed = mayRemove(asker, device, reads.devices.ofUser(user.id), now);
        if (!isAllowed) requireProof(context, user, { text: body.proof, clientIp });
        const isFinal = !isAllowed || asker === device.mac;
        const input = { userId: user.id, mac: device.mac, actor: null, isFinal, now };
        const { remaining } = await commit('removeDevice', input);
        await applyAccess(user.id);
        return json(200, { success: true, message: 'The device was removed.', devices_remaining: remaining });
      },
    ),
  );
}
