/** Do the payment provider's keys work: asked now, for the settings page. */
import { checkProvider } from '../../contract/settings.ts';
import { LangoError } from '../../domain/errors.ts';
import { sellsOnline } from '../../domain/orders.ts';
import { askAboutNobody } from '../../domain/provider-check.ts';
import type { Context } from '../context.ts';
import type { Api } from '../route.ts';

export function providerCheckRoutes(api: Api, { provider, policy }: Context): void {
  api.handle(checkProvider, async () => {
    if (!sellsOnline(policy)) {
      const message = 'No payment provider is set (LANGO_PAYMENT_PROVIDER): vouchers and cash only.';
      return { success: false, message };
    }
    try {
      await askAboutNobody(provider);
      return { success: true, message: `${provider.name} answers and accepts the keys.` };
    } catch (error) {
      if (!(error instanceof LangoError)) throw error;
      const message = `${provider.name} cannot be used now: ${error.message} Check the keys and the Internet line.`;
      return { success: false, message };
    }
  });
}
