/**
 * Paystack: cards, bank and mobile money in Nigeria, Ghana, Kenya, South Africa, Côte d'Ivoire.
 * Source: paystack.com/docs/api and github.com/PaystackOSS/openapi. Amounts are in hundredths in every currency.
 */
import * as v from 'valibot';
import { LangoError } from '../domain/errors.ts';
import type { PaymentState, RefundAnswer } from '../domain/ports.ts';
import { isObject, rawNumber, textAt } from '../outbound/json.ts';
import { needed } from '../outbound/settings.ts';
import { headerOf, hmacHex, sameText } from '../outbound/signature.ts';
import { fromUnits, toUnits } from './amounts.ts';
import { refundPending, refundRejected, standInEmail, webAddress, withoutDetails } from './answers.ts';
import { type ProviderCall, type ProviderReply, providerMessage } from './client.ts';
import { type PaymentCalls, paymentDriver } from './driver.ts';

/** Even the franc CFA, which has no cents, is sent times a hundred. */
const DECIMALS = 2;

const NEEDS_ATTENTION =
  'Paystack cannot pay this back the way it was paid: open the refund in its dashboard and retry it with the ' +
  'customer’s bank details.';

const STATES: Readonly<Record<string, PaymentState>> = {
  success: 'completed',
  failed: 'failed',
  reversed: 'reversed',
  // "Abandoned" is every order whose payer has not finished, and may still finish.
  abandoned: 'pending',
  ongoing: 'pending',
  pending: 'pending',
  processing: 'pending',
  queued: 'pending',
};

const SETTINGS = v.object({
  /** Authorises requests and signs notifications. */
  apiKey: needed('the secret key'),
  emailDomain: needed('a domain for the payers’ e-mail addresses'),
});

export const paystack = paymentDriver({
  name: 'paystack',
  title: 'Paystack',
  api: 'https://api.paystack.co',
  keys: { sandbox: /^sk_test_/, live: /^sk_live_/ },
  settings: SETTINGS,
  capabilities: {
    currencies: ['NGN', 'GHS', 'KES', 'ZAR', 'XOF', 'USD'],
    refunds: 'partial',
    repeatableRefunds: false,
    walledGarden: [
      'checkout.paystack.com',
      'standard.paystack.com',
      'api.paystack.com',
      'js.paystack.com',
      'checkout.paystack.co',
      'standard.paystack.co',
      'api.paystack.co',
      'js.paystack.co',
    ],
    requestsPerMinute: 60,
  },
  headers: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
  calls,
});

function calls(settings: v.InferOutput<typeof SETTINGS>): PaymentCalls {
  return {
    async createCheckout(request, call: ProviderCall) {
      const units = toUnits(request.amount, DECIMALS);
      if (units === null) throw new LangoError('PAYMENT_FAILED', 'Paystack cannot take this amount.');
      const reply = await call.post('/transaction/initialize', {
        email: standInEmail(request.phone, settings.emailDomain),
        amount: rawNumber(units),
        currency: request.amount.currency,
        reference: request.orderReference,
        callback_url: request.returnUrl,
        metadata: JSON.stringify({ cancel_action: request.returnUrl }),
      });
      if (reply.status === 400) call.refused(reply);
      const redirectUrl = webAddress(textAt(reply.json, 'data', 'authorization_url'));
      if (reply.status !== 200 || redirectUrl === null) call.unexpected(reply, 'no authorization_url');
      return { redirectUrl, paymentReference: null };
    },

    async verify({ orderReference }, call: ProviderCall) {
      const reply = await call.get(`/transaction/verify/${encodeURIComponent(orderReference)}`);
      // An order is known from its creation on, so this one was never created.
      if (/reference not found/i.test(providerMessage(reply) ?? '')) return withoutDetails('unknown');
      const data = isObject(reply.json) ? reply.json['data'] : undefined;
      const state = STATES[textAt(data, 'status') ?? ''];
      if (reply.status !== 200 || state === undefined) call.unexpected(reply, 'no status that we know');
      if (textAt(data, 'reference') !== orderReference) call.unexpected(reply, 'another order');
      return {
        state,
        amount: fromUnits(textAt(data, 'amount'), DECIMALS, textAt(data, 'currency')),
        paymentReference: null,
        transactionId: textAt(data, 'id'),
        channel: textAt(data, 'channel'),
        payerPhone: textAt(data, 'customer', 'phone'),
      };
    },

    parseWebhook(body, { rawBody, headers }) {
      const event = textAt(body, 'event');
      const data = isObject(body) ? body['data'] : undefined;
      if (event === null || !isObject(data)) return null;
      const expected = hmacHex('sha512', settings.apiKey, rawBody);
      const id = textAt(data, 'id') ?? textAt(data, 'refund_reference');
      return {
        authenticity: sameText(headerOf(headers, 'x-paystack-signature'), expected) ? 'signed' : 'invalid',
        eventKey: id === null ? null : `${event}:${id}`,
        // Refunds name the payment they belong to in a field of their own.
        orderReference: textAt(data, 'transaction_reference') ?? textAt(data, 'reference'),
        paymentReference: null,
        claimedState: textAt(data, 'status') ?? event,
        amount: fromUnits(textAt(data, 'amount'), DECIMALS, textAt(data, 'currency')),
        phone: textAt(data, 'customer', 'phone'),
        reply: null,
      };
    },

    async refund(request, call: ProviderCall) {
      const units = toUnits(request.amount, DECIMALS);
      if (units === null) return refundRejected('Paystack cannot pay out this amount.');
      const reply = await call.post('/refund', {
        transaction: request.orderReference,
        amount: rawNumber(units),
        merchant_note: request.reason,
      });
      return reply.status >= 400 ? refundRejected(providerMessage(reply)) : refundAnswer(call, reply);
    },

    async refundStatus({ reference }, call: ProviderCall) {
      if (reference === null) return refundPending(null);
      return refundAnswer(call, await call.get(`/refund/${encodeURIComponent(reference)}`));
    },
  };
}

function refundAnswer(call: ProviderCall, reply: ProviderReply): RefundAnswer {
  const status = textAt(reply.json, 'data', 'status');
  const reference = textAt(reply.json, 'data', 'id');
  if (reply.status >= 300 || status === null) call.unexpected(reply, 'no refund status');
  if (status === 'failed') return refundRejected(providerMessage(reply));
  if (status === 'processed') return { outcome: 'completed', reference, message: null };
  return refundPending(reference, status === 'needs-attention' ? NEEDS_ATTENTION : null);
}
