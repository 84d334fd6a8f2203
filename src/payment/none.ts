/**
 * No provider: time is sold as vouchers and for cash. Orders of a provider that was configured before are known to
 * nobody who could be asked, and stay as they are in the books.
 */
import * as v from 'valibot';
import { invalid, LangoError } from '../domain/errors.ts';
import { refundByHand, withoutDetails } from './answers.ts';
import { paymentDriver } from './driver.ts';

const BY_HAND = 'No payment provider is set: send the money back by hand.';

export const none = paymentDriver({
  name: 'none',
  title: 'None',
  settings: v.object({}),
  capabilities: {
    currencies: 'any',
    refunds: 'none',
    repeatableRefunds: false,
    walledGarden: [],
    // Questions are answered here, without asking anybody.
    requestsPerMinute: 600,
  },
  calls: () => ({
    async createCheckout() {
      throw new LangoError('PAYMENT_PROVIDER_UNAVAILABLE', 'No payment provider is set.');
    },
    verify: async () => withoutDetails('unknown'),
    parseWebhook: () => invalid('body', 'No payment provider is set: nobody sends notifications.'),
    refund: async () => refundByHand(BY_HAND),
    refundStatus: async () => refundByHand(BY_HAND),
  }),
});
