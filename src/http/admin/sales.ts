/** Bundles sold for cash at the counter. */
import { sellForCash } from '../../contract/sales.ts';
import type { Context } from '../context.ts';
import type { Api } from '../route.ts';
import { paymentView } from '../views/payments.ts';
import { userView } from '../views/users.ts';

export function saleRoutes(api: Api, { reads, commit, clock, policy, site, applyAccess }: Context): void {
  api.handle(sellForCash, async ({ body, actor }) => {
    const input = {
      phone: body.phone_number,
      bundleId: body.bundle_id,
      receiptNumber: body.receipt_number,
      idempotencyKey: body.idempotency_key,
      mac: body.mac_address ?? null,
      onlineMacs: site.onlineMacs(),
    };
    const { payment, user } = await commit('sellForCash', input, actor);
    await applyAccess(user.id);
    return {
      success: true,
      message:
        payment.deviceAllowed === false
          ? "Sold. All of the person's devices are online: remove one of them to use this one."
          : 'Sold. The time is running.',
      payment: paymentView(payment, 0),
      user: userView(user, reads, clock.now()),
      receipt_by_sms: policy.smsEnabled,
      ...(payment.deviceAllowed === null ? {} : { device_allowed: payment.deviceAllowed }),
    };
  });
}
