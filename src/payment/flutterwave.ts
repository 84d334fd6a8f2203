/**
 * Flutterwave v3, Standard checkout: cards and mobile money in many African countries.
 * Source: developer.flutterwave.com (collecting-payments/standard, transaction verification, webhooks, refunds).
 */
import * as v from 'valibot';
import { formatAmount } from '../domain/money.ts';
import type { PaymentState, RefundAnswer } from '../domain/ports.ts';
import { type Clock, secondsBetween } from '../domain/time.ts';
import { isObject, rawNumber, textAt } from '../outbound/json.ts';
import { needed } from '../outbound/settings.ts';
import { headerOf, sameText } from '../outbound/signature.ts';
import { majorUnits, readMoney } from './amounts.ts';
import {
  phoneDigits,
  refundByHand,
  refundPending,
  refundRejected,
  standInEmail,
  webAddress,
  withoutDetails,
} from './answers.ts';
import { type ProviderCall, type ProviderReply, providerMessage } from './client.ts';
import { type PaymentCalls, paymentDriver } from './driver.ts';

const LONGEST_SESSION_MINUTES = 1_440;

const STATES: Readonly<Record<string, PaymentState>> = {
  successful: 'completed',
  pending: 'pending',
  failed: 'failed',
};

const SETTINGS = v.object({
  apiKey: needed('the secret key'),
  /** The "secret hash" of the dashboard, sent back in `verif-hash`. */
  webhookSecret: needed('the secret hash of the webhook'),
  emailDomain: needed('a domain for the payers’ e-mail addresses'),
});

export const flutterwave = paymentDriver({
  name: 'flutterwave',
  title: 'Flutterwave',
  api: 'https://api.flutterwave.com/v3',
  keys: { sandbox: /^FLWSECK_TEST-/, live: /^FLWSECK-/ },
  settings: SETTINGS,
  capabilities: {
    currencies: ['GHS', 'KES', 'MWK', 'NGN', 'RWF', 'TZS', 'UGX', 'USD', 'XAF', 'XOF', 'ZAR', 'ZMW'],
    refunds: 'partial',
    repeatableRefunds: false,
    walledGarden: ['*.flutterwave.com', 'api.ravepay.co'],
    requestsPerMinute: 60,
  },
  headers: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
  calls,
});

function calls(settings: v.InferOutput<typeof SETTINGS>, clock: Clock): PaymentCalls {
  return {
    async createCheckout(request, call: ProviderCall) {
      const minutes = Math.ceil(secondsBetween(clock.now(), request.expiresAt) / 60);
      const reply = await call.post('/payments', {
        tx_ref: request.orderReference,
        amount: rawNumber(formatAmount(request.amount)),
        currency: request.amount.currency,
        redirect_url: request.returnUrl,
        session_duration: Math.min(Math.max(minutes, 1), LONGEST_SESSION_MINUTES),
        customer: {
          email: standInEmail(request.phone, settings.emailDomain),
          phonenumber: phoneDigits(request.phone),
        },
        customizations: { title: plain(request.description) },
      });
      if (reply.status === 400) call.refused(reply);
      const redirectUrl = webAddress(textAt(reply.json, 'data', 'link'));
      if (reply.status !== 200 || redirectUrl === null) call.unexpected(reply, 'no link');
      return { redirectUrl, paymentReference: null };
    },

    async verify({ orderReference }, call: ProviderCall) {
      const query = new URLSearchParams({ tx_ref: orderReference });
      const reply = await call.get(`/transactions/verify_by_reference?${query.toString()}`);
      // Flutterwave has no transaction until the payer chooses how to pay.
      if (/no transaction was found/i.test(providerMessage(reply) ?? '')) return withoutDetails('pending');
      const data = isObject(reply.json) ? reply.json['data'] : undefined;
      const state = STATES[textAt(data, 'status') ?? ''];
      if (reply.status !== 200 || state === undefined) call.unexpected(reply, 'no status that we know');
      if (textAt(data, 'tx_ref') !== orderReference) call.unexpected(reply, 'another order');
      return {
        state,
        amount: readMoney(textAt(data, 'amount'), textAt(data, 'currency')),
        paymentReference: textAt(data, 'flw_ref'),
        transactionId: textAt(data, 'id'),
        channel: textAt(data, 'payment_type'),
        payerPhone: textAt(data, 'customer', 'phone_number'),
      };
    },

    parseWebhook(body, { headers }) {
      const event = textAt(body, 'event');
      const data = isObject(body) ? body['data'] : undefined;
      if (event === null || !isObject(data)) return null;
      const id = textAt(data, 'id');
      const status = textAt(data, 'status') ?? event;
      return {
        authenticity: sameText(headerOf(headers, 'verif-hash'), settings.webhookSecret) ? 'shared-secret' : 'invalid',
        eventKey: id === null ? null : `${event}:${id}:${status}`,
        orderReference: textAt(data, 'tx_ref'),
        paymentReference: textAt(data, 'flw_ref'),
        claimedState: status,
        amount: readMoney(textAt(data, 'amount'), textAt(data, 'currency')),
        phone: textAt(data, 'customer', 'phone_number'),
        reply: null,
      };
    },

    async refund(request, call: ProviderCall) {
      if (request.transactionId === null) {
        return refundByHand('Flutterwave refunds by its transaction id, which this payment lacks: use its dashboard.');
      }
      const path = `/transactions/${encodeURIComponent(request.transactionId)}/refund`;
      const body = { amount: rawNumber(majorUnits(request.amount)), comments: plain(request.reason) };
      const reply = await call.post(path, body);
      return reply.status >= 400 ? refundRejected(providerMessage(reply)) : refundAnswer(call, reply);
    },

    async refundStatus({ reference }, call: ProviderCall) {
      if (reference === null) return refundPending(null);
      return refundAnswer(call, await call.get(`/refunds/${encodeURIComponent(reference)}`));
    },
  };
}

function refundAnswer(call: ProviderCall, reply: ProviderReply): RefundAnswer {
  const status = textAt(reply.json, 'data', 'status');
  const reference = textAt(reply.json, 'data', 'id');
  if (reply.status !== 200 || status === null) call.unexpected(reply, 'no refund status');
  if (status === 'failed') return refundRejected(providerMessage(reply));
  // A bare `completed` was taken up and is not paid out yet; then comes `completed-mpgs`, `completed-momo`, … or `complete`.
  const isPaidOut = status === 'complete' || status.startsWith('completed-');
  return isPaidOut ? { outcome: 'completed', reference, message: null } : refundPending(reference);
}

/** Flutterwave's firewall answers an HTML 403 to `#` and to some other characters in free text. */
function plain(text: string): string {
  return text
    .replace(/[^\w .,:-]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 100);
}
