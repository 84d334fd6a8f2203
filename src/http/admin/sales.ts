/** Bundles sold for cash at the counter. */

import type { Context } from '../context.ts';
import { fields, id, mac, optional, phone, text } from '../fields.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import { paymentView } from '../views/payments.ts';
import { userView } from '../views/users.ts';

export function saleRoutes(api: Api, { reads, commit, clock, presence, applyAccess, defaultCountry }: Context): void {
  const Sale = fields({
    phone_number: phone(defaultCountry),
    bundle_id: id(),
    receipt_number: text(40),
    mac_address: optional(mac()),
  });

  api.post(
    '/admin/sales/',
    route({ auth: 'cashier', body: Sale }, async ({ body, actor }) => {
      const input = {
        phone: body.phone_number,
        bundleId: body.bundle_id,
        receiptNumber: body.receipt_number,
        mac: body.mac_address ?? null,
        onlineMacs: presence.onlineMacs(),
      };
      const { payment, user } = await commit('sellForCash', input, actor);
      await applyAccess(user.id);
      return json(201, {
        success: true,
        message:
          payment.deviceAllowed === false
            ? "Sold. All of the person's devices are online: remove one of them to use this one."
            : 'Sold. The time is running.',
        payment: paymentView(payment, 0),
        user: userView(user, reads, clock.now()),
        ...(payment.deviceAllowed === null ? {} : { device_allowed: payment.deviceAllowed }),
      });
    }),
  );
}
