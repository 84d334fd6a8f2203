/**
 * ClickPesa: hosted checkout links, Tanzanian mobile money and cards.
 * Source: docs.clickpesa.com (checkout-link-api, querying-for-payments, webhooks, checksum).
 *
 * There is no sandbox, no refund API, and one link can be paid more than once: what several payments brought
 * together is reported as the amount, so that a second payment shows as too much. The page a payer returns to
 * is set in ClickPesa's dashboard.
 */
import * as v from 'valibot';
import { invalid } from '../domain/errors.ts';
import type { Money } from '../domain/money.ts';
import type { PaymentState, Verification } from '../domain/ports.ts';
import type { Clock } from '../domain/time.ts';
import { isObject, type Json, JsonNumber, type JsonObject, textAt } from '../outbound/json.ts';
import { needed, optional } from '../outbound/settings.ts';
import { hmacHex, sameText } from '../outbound/signature.ts';
import { majorUnits, readMoney } from './amounts.ts';
import { phoneDigits, refundByHand, webAddress, withoutDetails } from './answers.ts';
import { type ProviderCall, providerMessage } from './client.ts';
import { type PaymentCalls, paymentDriver } from './driver.ts';
import { createTokenKeeper } from './token.ts';

const NO_REFUNDS = 'ClickPesa has no refunds by API: pay the amount out in its dashboard.';

/** A token lives an hour. */
const KEEP_TOKEN_SECONDS = 50 * 60;

const STATES: Readonly<Record<string, PaymentState>> = {
  SUCCESS: 'completed',
  SETTLED: 'completed',
  PENDING: 'pending',
  PROCESSING: 'pending',
  'ON-HOLD': 'pending',
  FAILED: 'failed',
  REFUNDED: 'reversed',
  REVERSED: 'reversed',
};

/** Of several attempts on one link, the state that decides stands first: only a success outweighs what we do not know. */
const DECIDING: readonly PaymentState[] = ['completed', 'unknown', 'pending', 'reversed', 'failed'];

const SETTINGS = v.object({
  apiKey: needed('the API key'),
  clientId: needed('the client id'),
  /** Signs requests and notifications; null when checksums are off in the dashboard. */
  webhookSecret: optional('the checksum key'),
});

export const clickpesa = paymentDriver({
  name: 'clickpesa',
  title: 'ClickPesa',
  api: 'https://api.clickpesa.com/third-parties',
  sandboxApi: null,
  settings: SETTINGS,
  capabilities: {
    currencies: ['TZS', 'USD'],
    refunds: 'none',
    repeatableRefunds: false,
    walledGarden: ['checkout.clickpesa.com', 'api.clickpesa.com'],
    // 120 a minute are allowed; payers who start a payment need some of them.
    requestsPerMinute: 60,
  },
  calls,
});

function calls(settings: v.InferOutput<typeof SETTINGS>, clock: Clock): PaymentCalls {
  const tokens = createTokenKeeper(
    {
      keepSeconds: KEEP_TOKEN_SECONDS,
      isRefusal: ({ status }) => isTokenRefused(status),
      async fetch(call: ProviderCall) {
        const headers = { 'client-id': settings.clientId, 'api-key': settings.apiKey };
        const reply = await call.post('/generate-token', undefined, { headers });
        const token = textAt(reply.json, 'token');
        if (reply.status !== 200 || token === null) call.unexpected(reply, 'no token');
        // ClickPesa's token carries its own `Bearer `, says its documentation; its samples do not always.
        return token.startsWith('Bearer ') ? token : `Bearer ${token}`;
      },
    },
    clock,
  );

  const withToken = (token: string) => ({ headers: { authorization: token }, reads: isTokenRefused });

  return {
    async createCheckout(request, call: ProviderCall) {
      const payload = {
        totalPrice: majorUnits(request.amount),
        orderReference: request.orderReference,
        orderCurrency: request.amount.currency,
        customerPhone: phoneDigits(request.phone),
        callbackUrl: request.webhookUrl,
      };
      const checksumKey = settings.webhookSecret;
      const body = checksumKey === null ? payload : { ...payload, checksum: canonicalChecksum(checksumKey, payload) };
      const reply = await tokens.send(call, token =>
        call.post('/checkout-link/generate-checkout-url', body, withToken(token)),
      );
      if (/checksum/i.test(providerMessage(reply) ?? '')) call.keysRefused(reply);
      if (reply.status === 400 || reply.status === 409) call.refused(reply);
      const redirectUrl = webAddress(textAt(reply.json, 'checkoutLink'));
      if (reply.status >= 300 || redirectUrl === null) call.unexpected(reply, 'no checkoutLink');
      return { redirectUrl, paymentReference: null };
    },

    async verify({ orderReference }, call: ProviderCall) {
      const path = `/payments/${encodeURIComponent(orderReference)}`;
      const reply = await tokens.send(call, token => call.get(path, withToken(token)));
      // Nobody has tried to pay on the link yet.
      if (reply.status === 404) return withoutDetails('pending');
      if (reply.status !== 200 || !Array.isArray(reply.json)) call.unexpected(reply, 'not a list of payments');
      const attempts = (reply.json as readonly Json[]).map(attempt => {
        const state = STATES[textAt(attempt, 'status') ?? ''] ?? 'unknown';
        if (textAt(attempt, 'orderReference') !== orderReference) call.unexpected(reply, 'another order');
        return { attempt, state };
      });
      const verification = combine(attempts);
      if (verification.state === 'unknown') call.unexpected(reply, 'a status that we do not know');
      return verification;
    },

    parseWebhook(body) {
      const data = isObject(body) && isObject(body['data']) ? body['data'] : body;
      const orderReference = textAt(data, 'orderReference');
      if (!isObject(body) || orderReference === null) return null;
      const event = textAt(body, 'event') ?? textAt(body, 'eventType');
      const id = textAt(data, 'id') ?? textAt(data, 'paymentId');
      const status = textAt(data, 'status') ?? event ?? 'UNKNOWN';
      return {
        authenticity: isSigned(settings.webhookSecret, body) ? 'signed' : 'unsigned',
        eventKey: id === null ? null : `${event ?? ''}:${id}:${status}`,
        orderReference,
        paymentReference: textAt(data, 'paymentReference'),
        claimedState: status,
        amount: amountOf(data),
        phone: phoneOf(data),
        reply: null,
      };
    },

    async refund() {
      return refundByHand(NO_REFUNDS);
    },

    async refundStatus() {
      return refundByHand(NO_REFUNDS);
    },
  };
}

const isTokenRefused = (status: number) => status === 401;

function combine(attempts: readonly { attempt: Json; state: PaymentState }[]): Verification {
  const state = DECIDING.find(each => attempts.some(attempt => attempt.state === each));
  if (state === undefined) return withoutDetails('pending');
  const deciding = attempts.filter(each => each.state === state).map(each => each.attempt);
  const [first] = deciding;
  return {
    state,
    amount: state === 'completed' ? together(deciding.map(amountOf)) : amountOf(first),
    paymentReference: textAt(first, 'paymentReference'),
    transactionId: textAt(first, 'id') ?? textAt(first, 'paymentId'),
    channel: textAt(first, 'channel'),
    payerPhone: phoneOf(first),
  };
}

/** The sum of the amounts that are in the first one's currency. */
function together(amounts: readonly (Money | null)[]): Money | null {
  const known = amounts.filter(amount => amount !== null);
  const currency = known[0]?.currency;
  if (currency === undefined) return null;
  const minor = known.reduce((sum, amount) => (amount.currency === currency ? sum + amount.minor : sum), 0);
  return { minor, currency };
}

/** Its samples disagree on the names. */
function amountOf(data: Json | undefined): Money | null {
  return readMoney(
    textAt(data, 'collectedAmount') ?? textAt(data, 'amount'),
    textAt(data, 'collectedCurrency') ?? textAt(data, 'currency'),
  );
}

function phoneOf(data: Json | undefined): string | null {
  return textAt(data, 'paymentPhoneNumber') ?? textAt(data, 'customer', 'customerPhoneNumber');
}

// --------------------------------------------------------------------------------------- checksums

/**
 * Whether the body carries its own checksum, by either method. A mismatch is not an attack yet (the published
 * samples disagree on escaping), so such a notification counts as unsigned: a hint to ask, never a proof.
 */
function isSigned(checksumKey: string | null, body: JsonObject): boolean {
  const checksum = textAt(body, 'checksum');
  if (checksumKey === null || checksum === null) return false;
  const { checksum: _checksum, checksumMethod: _method, ...payload } = body;
  const expected =
    textAt(body, 'checksumMethod') === 'legacy'
      ? legacyChecksum(checksumKey, payload)
      : canonicalChecksum(checksumKey, payload);
  return sameText(checksum.toLowerCase(), expected);
}

/** Hex HMAC-SHA256 over compact JSON with keys sorted at every level; numbers as they were written. */
export function canonicalChecksum(checksumKey: string, payload: JsonObject): string {
  return hmacHex(
    'sha256',
    checksumKey,
    compact(payload, keys => keys.toSorted()),
  );
}

/** Hex HMAC-SHA256 over the values in the order of their keys, one after another without a separator. */
export function legacyChecksum(checksumKey: string, payload: JsonObject): string {
  const values = Object.keys(payload)
    .toSorted()
    .map(key => {
      const value = payload[key] ?? null;
      if (value === null) return '';
      return typeof value === 'string' ? value : compact(value, keys => keys);
    });
  return hmacHex('sha256', checksumKey, values.join(''));
}

const DEEPEST = 32;

function compact(value: Json, order: (keys: string[]) => string[], depth = 0): string {
  if (depth > DEEPEST) invalid('body', 'This is nested too deep for a payment notification.');
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map((item: Json) => compact(item, order, depth + 1)).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = order(Object.keys(value)).map(key => {
    return `${JSON.stringify(key)}:${compact(value[key] ?? null, order, depth + 1)}`;
  });
  return `{${members.join(',')}}`;
}
