/**
 * The driver of the built-in sandbox payment service (`src/simulator/payment`). It reaches the service over
 * HTTP like any other provider, so that practice and production run the same code.
 */
import { invalid } from '../domain/errors.ts';
import { formatAmount } from '../domain/money.ts';
import type { PaymentProvider, PaymentState, RefundAnswer } from '../domain/ports.ts';
import { isObject, parseJsonBytes, textAt } from '../outbound/json.ts';
import { readMoney } from './amounts.ts';
import { refundPending, refundRejected, withoutDetails } from './answers.ts';
import { createProviderClient, type DriverTools, type Exchange, providerWords, type Reply } from './http.ts';
import { headerOf, hmacHex, sameText } from './signature.ts';

export interface SandboxOptions {
  /** Where the service is mounted, e.g. `http://127.0.0.1:8080/sandbox`. */
  apiUrl: string;
  apiKey: string;
  webhookSecret: string;
}

const STATES: Readonly<Record<string, PaymentState>> = {
  PENDING: 'pending',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

export function createSandboxProvider(options: SandboxOptions, tools: DriverTools): PaymentProvider {
  const client = createProviderClient('sandbox', options.apiUrl, tools);
  const headers = { authorization: `Bearer ${options.apiKey}` };

  return {
    name: 'sandbox',
    capabilities: {
      currencies: 'any',
      refunds: 'partial',
      repeatableRefunds: true,
      signsWebhooks: true,
      walledGarden: [],
      requestsPerMinute: 600,
    },

    async createCheckout(request) {
      const exchange: Exchange = client.open('create');
      const reply = await exchange.send({
        method: 'POST',
        path: '/api/checkouts',
        headers,
        body: {
          order_reference: request.orderReference,
          amount: formatAmount(request.amount),
          currency: request.amount.currency,
          phone_number: request.phone,
          description: request.description,
          return_url: request.returnUrl,
          webhook_url: request.webhookUrl,
        },
      });
      if (reply.status === 401) exchange.keysRefused(reply);
      if (reply.status >= 400) exchange.refused(reply);
      const redirectUrl = textAt(reply.json, 'redirect_url');
      if (redirectUrl === null) exchange.unexpected(reply, 'no redirect_url');
      return { redirectUrl, paymentReference: textAt(reply.json, 'payment_reference') };
    },

    async verify({ orderReference }) {
      const exchange: Exchange = client.open('verify');
      const path = `/api/checkouts/${encodeURIComponent(orderReference)}`;
      const reply = await exchange.send({ method: 'GET', path, headers });
      if (reply.status === 401) exchange.keysRefused(reply);
      if (reply.status === 404) return withoutDetails('unknown');
      const state = STATES[textAt(reply.json, 'status') ?? ''];
      if (reply.status !== 200 || state === undefined) exchange.unexpected(reply, 'no status that we know');
      if (textAt(reply.json, 'order_reference') !== orderReference) exchange.unexpected(reply, 'another order');
      return {
        state,
        amount: readMoney(textAt(reply.json, 'amount'), textAt(reply.json, 'currency')),
        paymentReference: textAt(reply.json, 'payment_reference'),
        transactionId: textAt(reply.json, 'transaction_id'),
        channel: textAt(reply.json, 'payment_channel'),
        payerPhone: textAt(reply.json, 'phone_number'),
      };
    },

    parseWebhook({ rawBody, headers: received }) {
      const body = parseJsonBytes(rawBody);
      const orderReference = textAt(body, 'order_reference');
      const claimedState = textAt(body, 'payment_status');
      if (!isObject(body) || orderReference === null || claimedState === null) {
        invalid('body', 'This is not a payment notification.');
      }
      const expected = hmacHex('sha256', options.webhookSecret, rawBody);
      return {
        authenticity: sameText(headerOf(received, 'x-payment-signature'), expected) ? 'signed' : 'invalid',
        eventKey: textAt(body, 'event_id'),
        orderReference,
        paymentReference: textAt(body, 'payment_reference'),
        claimedState,
        amount: readMoney(textAt(body, 'amount'), textAt(body, 'currency')),
        phone: textAt(body, 'phone_number'),
        reply: null,
      };
    },

    async refund(request) {
      const exchange: Exchange = client.open('refund');
      const reply = await exchange.send({
        method: 'POST',
        path: '/api/refunds',
        headers: { ...headers, 'idempotency-key': request.idempotencyKey },
        body: {
          order_reference: request.orderReference,
          amount: formatAmount(request.amount),
          currency: request.amount.currency,
          reason: request.reason,
        },
      });
      if (reply.status === 401) exchange.keysRefused(reply);
      if (reply.status >= 400) return refundRejected(providerWords(reply));
      return refundAnswer(exchange, reply);
    },

    async refundStatus({ orderReference, reference }) {
      if (reference === null) return refundPending(null);
      const exchange: Exchange = client.open('refund status');
      const path = `/api/checkouts/${encodeURIComponent(orderReference)}/refunds/${encodeURIComponent(reference)}`;
      const reply = await exchange.send({ method: 'GET', path, headers });
      if (reply.status === 401) exchange.keysRefused(reply);
      return refundAnswer(exchange, reply);
    },
  };
}

function refundAnswer(exchange: Exchange, reply: Reply): RefundAnswer {
  const status = textAt(reply.json, 'status');
  const reference = textAt(reply.json, 'refund_id');
  if (status !== 'COMPLETED' && status !== 'PENDING') exchange.unexpected(reply, 'no refund status that we know');
  return status === 'COMPLETED' ? { outcome: 'completed', reference, message: null } : refundPending(reference);
}
