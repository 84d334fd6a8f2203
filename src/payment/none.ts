/**
 * No provider: time is sold as vouchers and for cash. Orders of a provider that was configured before are known to
 * nobody who could be asked, and stay as they are in the books.
 */
import { invalid, LangoError } from '../domain/errors.ts';
import type { PaymentProvider } from '../domain/ports.ts';
import { refundByHand, withoutDetails } from './answers.ts';

const BY_HAND = 'No payment provider is set: send the money back by hand.';

export function createNoProvider(): PaymentProvider {
  return {
    name: 'none',
    capabilities: {
      currencies: 'any',
      refunds: 'none',
      repeatableRefunds: false,
      signsWebhooks: false,
      walledGarden: [],
      // Questions are answered here, without asking anybody.
      requestsPerMinute: 600,
    },
    async createCheckout() {
      throw new LangoError('PAYMENT_PROVIDER_UNAVAILABLE', 'No payment provider is set.');
    },
    verify: async () => withoutDetails('unknown'),
    parseWebhook: () => invalid('body', 'No payment provider is set: nobody sends notifications.'),
    refund: async () => refundByHand(BY_HAND),
    refundStatus: async () => refundByHand(BY_HAND),
  };
}
