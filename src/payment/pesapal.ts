/**
 * Pesapal API 3.0: mobile money and cards in Kenya, Tanzania, Uganda, Malawi, Rwanda, Zambia, Zimbabwe.
 * Source: developer.pesapal.com, how-to-integrate/e-commerce/api-30-json.
 *
 * Replies of status 200 may carry an error, and the real status stands in the body. Notifications are
 * unsigned and say no more than "ask again about this order".
 */
import * as v from 'valibot';
import { formatAmount } from '../domain/money.ts';
import type { PaymentState } from '../domain/ports.ts';
import type { Clock } from '../domain/time.ts';
import { type Json, rawNumber, textAt } from '../outbound/json.ts';
import { needed } from '../outbound/settings.ts';
import { readMoney } from './amounts.ts';
import { phoneDigits, refundByHand, refundPending, refundRejected, webAddress, withoutDetails } from './answers.ts';
import { type ProviderCall, type ProviderReply, providerMessage } from './client.ts';
import { type PaymentCalls, paymentDriver } from './driver.ts';
import { createTokenKeeper } from './token.ts';

/** A token lives five minutes. */
const KEEP_TOKEN_SECONDS = 4 * 60;

const STATES: Readonly<Record<string, PaymentState>> = {
  // "INVALID": also what an order says that nobody has tried to pay.
  '0': 'pending',
  '1': 'completed',
  '2': 'failed',
  '3': 'reversed',
};

const SETTINGS = v.object({ apiKey: needed('the consumer secret'), clientId: needed('the consumer key') });

export const pesapal = paymentDriver({
  name: 'pesapal',
  title: 'Pesapal',
  api: 'https://pay.pesapal.com/v3',
  sandboxApi: 'https://cybqa.pesapal.com/pesapalv3',
  needsPublicAddress: true,
  settings: SETTINGS,
  capabilities: {
    currencies: ['KES', 'TZS', 'UGX', 'MWK', 'RWF', 'ZMW', 'ZWL', 'USD'],
    refunds: 'partial',
    repeatableRefunds: false,
    walledGarden: ['pay.pesapal.com', 'www.pesapal.com', 'cybqa.pesapal.com'],
    requestsPerMinute: 60,
  },
  calls,
});

function calls(settings: v.InferOutput<typeof SETTINGS>, clock: Clock): PaymentCalls {
  /** Notification ids by address; Pesapal wants every address registered before the first order. */
  const notificationIds = new Map<string, string>();
  /** Listed by Pesapal, and not accepted with an order. */
  const unusableIds = new Set<string>();

  const tokens = createTokenKeeper(
    {
      keepSeconds: KEEP_TOKEN_SECONDS,
      isRefusal: reply => statusOf(reply) === '401',
      async fetch(call: ProviderCall) {
        const body = { consumer_key: settings.clientId, consumer_secret: settings.apiKey };
        const reply = await call.post('/api/Auth/RequestToken', body, { reads: anyStatus });
        if (/consumer_key|consumer_secret/.test(errorCode(reply) ?? '')) call.keysRefused(reply);
        const token = textAt(reply.json, 'token');
        if (statusOf(reply) !== '200' || token === null) call.unexpected(reply, 'no token');
        return token;
      },
    },
    clock,
  );

  const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` }, reads: anyStatus });
  const get = (call: ProviderCall, path: string) => tokens.send(call, token => call.get(path, withToken(token)));
  const post = (call: ProviderCall, path: string, body: object) =>
    tokens.send(call, token => call.post(path, body, withToken(token)));

  async function notificationId(call: ProviderCall, url: string): Promise<string> {
    const id = notificationIds.get(url) ?? (await registeredId(call, url)) ?? (await register(call, url));
    notificationIds.set(url, id);
    return id;
  }

  /** An earlier start has registered it: each registration more is one more address that Pesapal sends to. */
  async function registeredId(call: ProviderCall, url: string): Promise<string | null> {
    const { json } = await get(call, '/api/URLSetup/GetIpnList');
    const list = Array.isArray(json) ? (json as readonly Json[]) : [];
    const ids = list
      .filter(entry => textAt(entry, 'url') === url && isUsable(entry))
      .map(entry => textAt(entry, 'ipn_id'));
    return ids.find(id => id !== null && !unusableIds.has(id)) ?? null;
  }

  async function register(call: ProviderCall, url: string): Promise<string> {
    const body = { url, ipn_notification_type: 'POST' };
    const reply = await post(call, '/api/URLSetup/RegisterIPN', body);
    const id = textAt(reply.json, 'ipn_id');
    if (statusOf(reply) !== '200' || id === null) call.unexpected(reply, `no ipn_id for ${url}: it must be public`);
    return id;
  }

  const verify: PaymentCalls['verify'] = async ({ orderReference, paymentReference }, call: ProviderCall) => {
    // Pesapal knows orders by its own id only; without it the payer has never seen a page to pay on.
    if (paymentReference === null) return withoutDetails('unknown');
    const query = new URLSearchParams({ orderTrackingId: paymentReference });
    const reply = await get(call, `/api/Transactions/GetTransactionStatus?${query.toString()}`);
    if (errorCode(reply) === 'payment_details_not_found') return withoutDetails('pending');
    const state = STATES[textAt(reply.json, 'status_code') ?? ''];
    if (statusOf(reply) !== '200' || state === undefined) call.unexpected(reply, 'no status that we know');
    if (textAt(reply.json, 'merchant_reference') !== orderReference) call.unexpected(reply, 'another order');
    const account = textAt(reply.json, 'payment_account');
    return {
      state,
      amount: readMoney(textAt(reply.json, 'amount'), textAt(reply.json, 'currency')),
      paymentReference,
      transactionId: textAt(reply.json, 'confirmation_code'),
      channel: textAt(reply.json, 'payment_method'),
      // A masked card number is no phone.
      payerPhone: account !== null && /^\+?\d{7,15}$/.test(account) ? account : null,
    };
  };

  return {
    async createCheckout(request, call: ProviderCall) {
      const reply = await post(call, '/api/Transactions/SubmitOrderRequest', {
        id: request.orderReference,
        currency: request.amount.currency,
        amount: rawNumber(formatAmount(request.amount)),
        description: request.description,
        callback_url: request.returnUrl,
        cancellation_url: request.returnUrl,
        notification_id: await notificationId(call, request.webhookUrl),
        billing_address: { phone_number: phoneDigits(request.phone) },
      });
      if (/ipn|notification/i.test(errorCode(reply) ?? '')) {
        unusableIds.add(notificationIds.get(request.webhookUrl) ?? '');
        notificationIds.delete(request.webhookUrl);
        call.unexpected(reply, `the notification address ${request.webhookUrl} is not accepted: it must be public`);
      }
      if (errorCode(reply) !== null) call.refused(reply);
      const redirectUrl = webAddress(textAt(reply.json, 'redirect_url'));
      const paymentReference = textAt(reply.json, 'order_tracking_id');
      if (statusOf(reply) !== '200' || redirectUrl === null || paymentReference === null) {
        call.unexpected(reply, 'no redirect_url');
      }
      return { redirectUrl, paymentReference };
    },

    verify,

    parseWebhook(body, { now }) {
      const type = textAt(body, 'OrderNotificationType');
      const trackingId = textAt(body, 'OrderTrackingId');
      const orderReference = textAt(body, 'OrderMerchantReference');
      if (type === null || trackingId === null || orderReference === null) {
        return null;
      }
      return {
        authenticity: 'unsigned',
        // Each change of an order sends the same three ids: only those of one minute are the same event.
        eventKey: `${type}:${trackingId}:${now.slice(0, 16)}`,
        orderReference,
        paymentReference: trackingId,
        claimedState: type,
        amount: null,
        phone: null,
        reply: {
          orderNotificationType: type,
          orderTrackingId: trackingId,
          orderMerchantReference: orderReference,
          status: 200,
        },
      };
    },

    async refund(request, call: ProviderCall) {
      if (request.transactionId === null) {
        return refundByHand('Pesapal refunds by its confirmation code, which this payment lacks: use its dashboard.');
      }
      const reply = await post(call, '/api/Transactions/RefundRequest', {
        confirmation_code: request.transactionId,
        amount: formatAmount(request.amount),
        username: 'lango',
        remarks: request.reason,
      });
      const status = statusOf(reply);
      // Pesapal takes one refund a payment, so a repeated request is rejected and never paid twice.
      if (errorCode(reply) !== null || status === '500') return refundRejected(providerMessage(reply));
      if (status !== '200') call.unexpected(reply, 'no refund status that we know');
      // Received is not refunded: the merchant must approve it at Pesapal first.
      return refundPending(request.transactionId);
    },

    async refundStatus({ reference, ...order }, call: ProviderCall) {
      // Pesapal tells nothing of a refund but that the payment was reversed in the end.
      const { state } = await verify(order, call);
      return state === 'reversed' ? { outcome: 'completed', reference, message: null } : refundPending(reference);
    },
  };
}

/** Registered for POST, and not switched off; where the list does not say, it is taken to be. */
function isUsable(entry: Json): boolean {
  const method = textAt(entry, 'ipn_notification_type_description') ?? 'POST';
  return method.toUpperCase() === 'POST' && (textAt(entry, 'ipn_status') ?? '1') === '1';
}

/** What failed stands in the body. */
const anyStatus = () => true;

/** The status in the body where there is one: Pesapal answers 200 and means 500. */
function statusOf(reply: ProviderReply): string {
  return reply.status === 200 ? (textAt(reply.json, 'status') ?? '200') : String(reply.status);
}

function errorCode(reply: ProviderReply): string | null {
  return textAt(reply.json, 'error', 'code');
}
