/**
 * The driver of the built-in sandbox payment service (`src/sandbox`). It reaches the service over
 * HTTP like any other provider, so that practice and production run the same code.
 */
import * as v from 'valibot';
import { formatAmount } from '../domain/money.ts';
import type { PaymentState, RefundAnswer } from '../domain/ports.ts';
import { isObject, textAt } from '../outbound/json.ts';
import { headerOf, hmacHex, sameText } from '../outbound/signature.ts';
import { readMoney } from './amounts.ts';
import { refundPending, refundRejected, withoutDetails } from './answers.ts';
import { type ProviderCall, type ProviderReply, providerMessage } from './client.ts';
import { type PaymentCalls, paymentDriver } from './driver.ts';

const STATES: Readonly<Record<string, PaymentState>> = {
  PENDING: 'pending',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

/** Its service makes both when it starts, where none are given. */
const SETTINGS = v.object({ apiKey: v.nullable(v.string(), ''), webhookSecret: v.nullable(v.string(), '') });

export const sandbox = paymentDriver({
  name: 'sandbox',
  title: 'Sandbox',
  isBuiltIn: true,
  settings: SETTINGS,
  capabilities: {
    currencies: 'any',
    refunds: 'partial',
    repeatableRefunds: true,
    walledGarden: [],
    requestsPerMinute: 600,
  },
  headers: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}` }),
  calls,
});

function calls(settings: v.InferOutput<typeof SETTINGS>): PaymentCalls {
  return {
    async createCheckout(request, call: ProviderCall) {
      const reply = await call.post('/api/checkouts', {
        order_reference: request.orderReference,
        amount: formatAmount(request.amount),
        currency: request.amount.currency,
        phone_number: request.phone,
        description: request.description,
        return_url: request.returnUrl,
        webhook_url: request.webhookUrl,
      });
      if (reply.status >= 400) call.refused(reply);
      const redirectUrl = textAt(reply.json, 'redirect_url');
      if (redirectUrl === null) call.unexpected(reply, 'no redirect_url');
      return { redirectUrl, paymentReference: textAt(reply.json, 'payment_reference') };
    },

    async verify({ orderReference }, call: ProviderCall) {
      const reply = await call.get(`/api/checkouts/${encodeURIComponent(orderReference)}`);
      if (reply.status === 404) return withoutDetails('unknown');
      const state = STATES[textAt(reply.json, 'status') ?? ''];
      if (reply.status !== 200 || state === undefined) call.unexpected(reply, 'no status that we know');
      if (textAt(reply.json, 'order_reference') !== orderReference) call.unexpected(reply, 'another order');
      return {
        state,
        amount: readMoney(textAt(reply.json, 'amount'), textAt(reply.json, 'currency')),
        paymentReference: textAt(reply.json, 'payment_reference'),
        transactionId: textAt(reply.json, 'transaction_id'),
        channel: textAt(reply.json, 'payment_channel'),
        payerPhone: textAt(reply.json, 'phone_number'),
      };
    },

    parseWebhook(body, { rawBody, headers }) {
      const orderReference = textAt(body, 'order_reference');
      const claimedState = textAt(body, 'payment_status');
      if (!isObject(body) || orderReference === null || claimedState === null) {
        return null;
      }
      const expected = hmacHex('sha256', settings.webhookSecret, rawBody);
      return {
        authenticity: sameText(headerOf(headers, 'x-payment-signature'), expected) ? 'signed' : 'invalid',
        eventKey: textAt(body, 'event_id'),
        orderReference,
        paymentReference: textAt(body, 'payment_reference'),
        claimedState,
        amount: readMoney(textAt(body, 'amount'), textAt(body, 'currency')),
        phone: textAt(body, 'phone_number'),
        reply: null,
      };
    },

    async refund(request, call: ProviderCall) {
      const body = {
        order_reference: request.orderReference,
        amount: formatAmount(request.amount),
        currency: request.amount.currency,
        reason: request.reason,
      };
      const headers = { 'idempotency-key': request.idempotencyKey };
      const reply = await call.post('/api/refunds', body, { headers });
      return reply.status >= 400 ? refundRejected(providerMessage(reply)) : refundAnswer(call, reply);
    },

    async refundStatus({ orderReference, reference }, call: ProviderCall) {
      if (reference === null) return refundPending(null);
      const path = `/api/checkouts/${encodeURIComponent(orderReference)}/refunds/${encodeURIComponent(reference)}`;
      return refundAnswer(call, await call.get(path));
    },
  };
}

function refundAnswer(call: ProviderCall, reply: ProviderReply): RefundAnswer {
  const status = textAt(reply.json, 'status');
  const reference = textAt(reply.json, 'refund_id');
  if (status !== 'COMPLETED' && status !== 'PENDING') call.unexpected(reply, 'no refund status that we know');
  return status === 'COMPLETED' ? { outcome: 'completed', reference, message: null } : refundPending(reference);
}
