/** Do the payment provider's keys work: asked now, for the settings page. */
import { LangoError } from '../../domain/errors.ts';
import { sellsOnline } from '../../domain/orders.ts';
import { askAboutNobody } from '../../domain/provider-check.ts';
import type { Context } from '../context.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';

export function providerCheckRoutes(api: Api, { provider, policy }: Context): void {
  api.post(
    '/admin/settings/check-provider/',
    route({ auth: 'owner' }, async () => {
      if (!sellsOnline(policy)) {
        const message = 'No payment provider is set (LANGO_PAYMENT_PROVIDER): vouchers and cash only.';
        return json(200, { success: false, message });
      }
      try {
        await askAboutNobody(provider, policy.currency);
        return json(200, { success: true, message: `${provider.name} answers and accepts the keys.` });
      } catch (error) {
        if (!(error instanceof LangoError)) throw error;
        const message = `${provider.name} cannot be used now: ${error.message} Check the keys and the Internet line.`;
        return json(200, { success: false, message });
      }
    }),
  );
}
