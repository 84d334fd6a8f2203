/** A person's devices. Decisions: 6. */
import { LangoError } from '../domain/errors.ts';
import type { Context } from './context.ts';
import { fields, mac, phone } from './fields.ts';
import { mayRemove } from './own-device.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';
import { deviceView } from './views.ts';

export function deviceRoutes(api: Api, context: Context): void {
  const { reads, commit, clock, limits, defaultCountry, applyAccess } = context;
  const Person = fields({ phone_number: phone(defaultCountry) });
  const OneDevice = fields({ phone_number: phone(defaultCountry), mac_address: mac() });

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
        if (!(await mayRemove(context, clientIp, body.mac_address))) {
          throw new LangoError(
            'FORBIDDEN',
            'This device is on the Wi-Fi now. Remove it there, or switch off its Wi-Fi first.',
          );
        }
        const input = { userId: user.id, mac: body.mac_address, actor: null, now: clock.now() };
        const { remaining } = await commit('removeDevice', input);
        await applyAccess(user.id);
        return json(200, { success: true, message: 'The device was removed.', devices_remaining: remaining });
      },
    ),
  );
}
