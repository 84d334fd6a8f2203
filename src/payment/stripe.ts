/**
 * Stripe Checkout: cards and wallets. Form-encoded requests, replies in JSON.
 * Source: docs.stripe.com/api (checkout/sessions, refunds, errors, idempotent_requests), docs.stripe.com/webhooks.
 */
import * as v from 'valibot';
import { LangoError } from '../domain/errors.ts';
import type { Money } from '../domain/money.ts';
import type { PaymentState, RefundAnswer } from '../domain/ports.ts';
import { addSeconds, type Clock, type Instant, toEpochMs } from '../domain/time.ts';
import { field, isObject, type Json, textAt } from '../outbound/json.ts';
import { needed } from '../outbound/settings.ts';
import { headerOf, hmacHex, sameText } from '../outbound/signature.ts';
import { fromUnits, toUnits } from './amounts.ts';
import { refundByHand, refundPending, refundRejected, webAddress, withoutDetails } from './answers.ts';
import { type ProviderCall, type ProviderReply, providerMessage } from './client.ts';
import { type PaymentCalls, paymentDriver } from './driver.ts';

/** Pinned, so that an upgrade of the account never changes what replies look like. */
const API_VERSION = '2024-06-20';

/** A notification older than this is a replay. */
const TOLERANCE_SECONDS = 300;

/** A session lives 30 minutes to 24 hours from its creation. */
const SHORTEST_SESSION_SECONDS = 1_800;
const LONGEST_SESSION_SECONDS = 86_000;

/** Decimals of Stripe's units where they are not two. Source: docs.stripe.com/currencies. */
const ZERO_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '));
const THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '));

const SETTINGS = v.object({
  apiKey: needed('the secret key'),
  /** `whsec_…` */
  webhookSecret: needed('the signing secret of the webhook endpoint'),
});

export const stripe = paymentDriver({
  name: 'stripe',
  title: 'Stripe',
  api: 'https://api.stripe.com/v1',
  keys: { sandbox: /^[sr]k_test_/, live: /^[sr]k_live_/ },
  settings: SETTINGS,
  capabilities: {
    currencies: 'any',
    refunds: 'partial',
    repeatableRefunds: true,
    walledGarden: [
      ...['checkout', 'js', 'api', 'm', 'r', 'q', 'b', 'hooks', 'pay'].map(host => `${host}.stripe.com`),
      'm.stripe.network',
      ...['a', 'b', 'c', 'f'].map(host => `${host}.stripecdn.com`),
      'hcaptcha.com',
    ],
    requestsPerMinute: 120,
  },
  headers: ({ apiKey }) => ({ authorization: `Bearer ${apiKey}`, 'stripe-version': API_VERSION }),
  calls,
});

function calls(settings: v.InferOutput<typeof SETTINGS>, clock: Clock): PaymentCalls {
  /** False once the key was found not to be allowed to: a restricted one may lack what only names the channel. */
  let mayReadCharges = true;

  /** With the charge where the key allows: it says what was paid with, the session only what was offered. */
  async function session(call: ProviderCall, id: string): Promise<ProviderReply> {
    const path = `/checkout/sessions/${encodeURIComponent(id)}`;
    if (mayReadCharges) {
      const expanded = `${path}?expand[]=payment_intent.latest_charge`;
      const reply = await call.get(expanded, { reads: status => status === 403 });
      if (reply.status !== 403) return reply;
      mayReadCharges = false;
    }
    return call.get(path);
  }

  return {
    async createCheckout(request, call: ProviderCall) {
      const units = unitsOf(request.amount);
      if (units === null) throw new LangoError('PAYMENT_FAILED', 'Stripe cannot take this amount.');
      const form = {
        mode: 'payment',
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': request.amount.currency.toLowerCase(),
        'line_items[0][price_data][unit_amount]': units,
        'line_items[0][price_data][product_data][name]': request.description,
        success_url: request.returnUrl,
        cancel_url: request.returnUrl,
        client_reference_id: request.orderReference,
        'payment_intent_data[metadata][order_reference]': request.orderReference,
        expires_at: sessionEnd(request.expiresAt, clock.now()),
      };
      // The order is the idempotency key: asked again after a lost reply, Stripe answers with the same session.
      const reply = await post(call, '/checkout/sessions', form, request.orderReference);
      if (reply.status === 400 || reply.status === 402) call.refused(reply);
      const redirectUrl = webAddress(textAt(reply.json, 'url'));
      const paymentReference = textAt(reply.json, 'id');
      if (reply.status !== 200 || redirectUrl === null || paymentReference === null) {
        call.unexpected(reply, 'no session');
      }
      return { redirectUrl, paymentReference };
    },

    async verify({ orderReference, paymentReference }, call: ProviderCall) {
      // Stripe knows a session by its own id only; without it the payer has never seen a page to pay on.
      if (paymentReference === null) return withoutDetails('unknown');
      const reply = await session(call, paymentReference);
      if (reply.status === 404) return withoutDetails('unknown');
      const state = stateOf(reply.json);
      if (reply.status !== 200 || state === null) call.unexpected(reply, 'no status that we know');
      if (textAt(reply.json, 'client_reference_id') !== orderReference) call.unexpected(reply, 'another order');
      return {
        state,
        amount: amountOf(reply.json),
        paymentReference,
        transactionId: textAt(reply.json, 'payment_intent', 'id') ?? textAt(reply.json, 'payment_intent'),
        channel: textAt(reply.json, 'payment_intent', 'latest_charge', 'payment_method_details', 'type'),
        payerPhone: textAt(reply.json, 'customer_details', 'phone'),
      };
    },

    parseWebhook(body, { rawBody, headers, now }) {
      const type = textAt(body, 'type');
      const object = field(body, 'data', 'object');
      if (type === null || !isObject(object)) return null;
      const isSession = textAt(object, 'object') === 'checkout.session';
      const signed = isSigned(headerOf(headers, 'stripe-signature'), rawBody, settings.webhookSecret, now);
      return {
        authenticity: signed ? 'signed' : 'invalid',
        eventKey: textAt(body, 'id'),
        orderReference: textAt(object, 'client_reference_id') ?? textAt(object, 'metadata', 'order_reference'),
        paymentReference: isSession ? textAt(object, 'id') : null,
        claimedState: textAt(object, 'payment_status') ?? type,
        amount: isSession ? amountOf(object) : null,
        phone: textAt(object, 'customer_details', 'phone'),
        reply: null,
      };
    },

    async refund(request, call: ProviderCall) {
      if (request.transactionId === null) {
        return refundByHand('Stripe refunds by its payment intent, which this payment lacks: use its dashboard.');
      }
      const units = unitsOf(request.amount);
      if (units === null) return refundRejected('Stripe cannot pay out this amount.');
      const form = {
        payment_intent: request.transactionId,
        amount: units,
        reason: 'requested_by_customer',
        'metadata[reason]': request.reason,
      };
      const reply = await post(call, '/refunds', form, request.idempotencyKey);
      if (reply.status >= 400 && reply.status !== 409) return refundRejected(providerMessage(reply));
      return refundAnswer(call, reply);
    },

    async refundStatus({ reference }, call: ProviderCall) {
      if (reference === null) return refundPending(null);
      return refundAnswer(call, await call.get(`/refunds/${encodeURIComponent(reference)}`));
    },
  };
}

function post(
  call: ProviderCall,
  path: string,
  form: Record<string, string>,
  idempotencyKey: string,
): Promise<ProviderReply> {
  return call.post(path, new URLSearchParams(form), { headers: { 'idempotency-key': idempotencyKey } });
}

function refundAnswer(call: ProviderCall, reply: ProviderReply): RefundAnswer {
  const status = textAt(reply.json, 'status');
  const reference = textAt(reply.json, 'id');
  if (reply.status !== 200 || status === null) call.unexpected(reply, 'no refund status');
  if (status === 'failed' || status === 'canceled') return refundRejected(textAt(reply.json, 'failure_reason'));
  return status === 'succeeded' ? { outcome: 'completed', reference, message: null } : refundPending(reference);
}

function stateOf(session: Json): PaymentState | null {
  const status = textAt(session, 'status');
  const paid = textAt(session, 'payment_status');
  if (paid === 'paid') return 'completed';
  if (paid !== 'unpaid') return null;
  if (status === 'expired') return 'cancelled';
  // Complete and unpaid: the bank has not answered yet.
  return status === 'open' || status === 'complete' ? 'pending' : null;
}

function amountOf(session: Json): Money | null {
  const currency = textAt(session, 'currency')?.toUpperCase() ?? null;
  return currency === null ? null : fromUnits(textAt(session, 'amount_total'), decimalsOf(currency), currency);
}

function unitsOf(amount: Money): string | null {
  return toUnits(amount, decimalsOf(amount.currency));
}

function decimalsOf(currency: string): number {
  if (ZERO_DECIMALS.has(currency)) return 0;
  return THREE_DECIMALS.has(currency) ? 3 : 2;
}

/**
 * Seconds since 1970. Counted from the order's own expiry, so that a repeated request is the same request
 * to the letter, as the idempotency key demands; the half hour is Stripe's shortest life of a session.
 */
function sessionEnd(expiresAt: Instant, now: Instant): string {
  const wanted = toEpochMs(addSeconds(expiresAt, SHORTEST_SESSION_SECONDS));
  const latest = toEpochMs(addSeconds(now, LONGEST_SESSION_SECONDS));
  return String(Math.floor(Math.min(wanted, latest) / 1_000));
}

/** `t=<seconds>,v1=<hex>[,v1=<hex>]` over `<t>.<raw body>`; several signatures while a secret is being rolled. */
function isSigned(header: string | null, rawBody: Buffer, secret: string, now: Instant): boolean {
  const parts = (header ?? '').split(',').map(part => part.split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) return false;
  if (toEpochMs(now) / 1_000 - Number(time) > TOLERANCE_SECONDS) return false;
  const expected = hmacHex('sha256', secret, `${time}.`, rawBody);
  return parts.some(([name, signature]) => name === 'v1' && sameText(signature ?? null, expected));
}
