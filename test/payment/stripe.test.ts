import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stripe } from 'stripe';
import * as v from 'valibot';
import type { RefundRequest } from '../../src/domain/ports.ts';
import { toEpochMs } from '../../src/domain/time.ts';
import { hmacHex } from '../../src/outbound/signature.ts';
import { stripe as stripeDriver } from '../../src/payment/stripe.ts';
import { type DriverUnderTest, type Rig, startRig, testFaults } from './faults.ts';
import { checkoutRequest, rejectsWith, type SeenRequest } from './support.ts';

const KEY = 'sk_test_0123456789abcdef0123456789';
const SECRET = 'whsec_0123456789abcdef0123456789abcdef';
const ORDER = 'AB12CD34EF56GH78IJ90';
const SESSION = 'cs_test_a1b2c3d4e5f6g7h8i9j0';

/** docs.stripe.com/api/checkout/sessions/create; every value of a form is a text. */
const SessionForm = v.strictObject({
  mode: v.literal('payment'),
  'line_items[0][quantity]': v.literal('1'),
  'line_items[0][price_data][currency]': v.pipe(v.string(), v.regex(/^[a-z]{3}$/)),
  'line_items[0][price_data][unit_amount]': v.pipe(v.string(), v.regex(/^[1-9]\d*$/)),
  'line_items[0][price_data][product_data][name]': v.string(),
  success_url: v.pipe(v.string(), v.url()),
  cancel_url: v.pipe(v.string(), v.url()),
  client_reference_id: v.pipe(v.string(), v.maxLength(200)),
  'payment_intent_data[metadata][order_reference]': v.string(),
  expires_at: v.pipe(v.string(), v.regex(/^\d{10}$/)),
});

/** docs.stripe.com/api/refunds/create. */
const RefundForm = v.strictObject({
  payment_intent: v.string(),
  amount: v.pipe(v.string(), v.regex(/^[1-9]\d*$/)),
  reason: v.picklist(['duplicate', 'fraudulent', 'requested_by_customer']),
  'metadata[reason]': v.pipe(v.string(), v.maxLength(500)),
});

/** docs.stripe.com/api/checkout/sessions/object. */
/** docs.stripe.com/api/charges/object: what was paid with. */
const intent = (type: string) => ({
  id: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  object: 'payment_intent',
  latest_charge: { id: 'ch_1', object: 'charge', payment_method_details: { type } },
});

function session(change: object = {}): object {
  return {
    id: SESSION,
    object: 'checkout.session',
    amount_subtotal: 100_000,
    amount_total: 100_000,
    client_reference_id: ORDER,
    currency: 'tzs',
    customer_details: { email: 'asha@example.com', phone: null },
    payment_intent: intent('card'),
    payment_method_types: ['link', 'card'],
    payment_status: 'paid',
    status: 'complete',
    url: null,
    ...change,
  };
}

const failure = (type: string, code: string, message: string) => ({ error: { type, code, message } });

const driver: DriverUnderTest = {
  name: 'stripe',
  create: (apiUrl, tools) => stripeDriver.create({ apiUrl, apiKey: KEY, webhookSecret: SECRET }, tools),
  play(request: SeenRequest) {
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      return { status: 401, body: failure('invalid_request_error', '', 'Invalid API Key provided: sk_test_****') };
    }
    if (request.method === 'POST' && request.path === '/checkout/sessions') {
      const url = `https://checkout.stripe.com/c/pay/${SESSION}`;
      return { body: session({ status: 'open', payment_status: 'unpaid', payment_intent: null, url }) };
    }
    if (request.path === '/refunds') return { body: { id: 're_1', object: 'refund', status: 'succeeded' } };
    return { body: session() };
  },
  secrets: [KEY, SECRET],
  paymentReference: SESSION,
  currency: 'TZS',
};

testFaults(driver);

const asked = { orderReference: ORDER, paymentReference: SESSION };
const formOf = (request: SeenRequest | undefined) => Object.fromEntries(new URLSearchParams(request?.body ?? ''));

function answer(rig: Rig, body: unknown, status = 200): void {
  rig.server.play = () => ({ status, body });
}

test('a session is created as the documents say, with the order as its idempotency key', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.provider.createCheckout(checkoutRequest()), {
    redirectUrl: `https://checkout.stripe.com/c/pay/${SESSION}`,
    paymentReference: SESSION,
  });
  const [sent] = rig.server.requests;
  assert.equal(`${sent?.method} ${sent?.path}`, 'POST /checkout/sessions');
  assert.equal(sent?.headers['idempotency-key'], ORDER);
  assert.match(sent?.headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/);
  assert.match(String(sent?.headers['stripe-version']), /^\d{4}-\d\d-\d\d/);
  const form = v.parse(SessionForm, formOf(sent));
  assert.equal(form['line_items[0][price_data][unit_amount]'], '100000');
  assert.equal(form.client_reference_id, ORDER);
});

test('a session lives half an hour to a day, and a repeated request is the same to the letter', async t => {
  const rig = await startRig(t, driver);
  const seconds = async (expiresAt: string) => {
    await rig.provider.createCheckout(checkoutRequest({ expiresAt: expiresAt as never }));
    return Number(formOf(rig.server.requests.at(-1))['expires_at']) - toEpochMs(rig.clock.now()) / 1_000;
  };
  for (const expiresAt of ['2026-11-21T10:05:00.000Z', '2026-11-21T10:30:00.000Z', '2026-11-23T10:30:00.000Z']) {
    const life = await seconds(expiresAt);
    assert.ok(life >= 30 * 60 && life <= 24 * 3_600, `${life} s`);
  }
  await rig.provider.createCheckout(checkoutRequest());
  rig.clock.advance(45);
  await rig.provider.createCheckout(checkoutRequest());
  const [first, second] = rig.server.requests.slice(-2);
  assert.equal(second?.body, first?.body);
  assert.equal(second?.headers['idempotency-key'], first?.headers['idempotency-key']);
});

test('amounts are in Stripe’s own unit of each currency', async t => {
  const rig = await startRig(t, driver);
  for (const [amount, units] of [
    [{ minor: 500, currency: 'JPY' }, '500'],
    [{ minor: 1_050, currency: 'USD' }, '1050'],
    [{ minor: 5_000, currency: 'UGX' }, '500000'],
    [{ minor: 12_340, currency: 'KWD' }, '12340'],
  ] as const) {
    await rig.provider.createCheckout(checkoutRequest({ amount }));
    assert.equal(formOf(rig.server.requests.at(-1))['line_items[0][price_data][unit_amount]'], units);
    answer(rig, session({ amount_total: Number(units), currency: amount.currency.toLowerCase() }));
    assert.deepEqual((await rig.provider.verify(asked)).amount, amount);
    rig.server.play = driver.play;
  }
});

test('a paid session is verified', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.provider.verify(asked), {
    state: 'completed',
    amount: { minor: 100_000, currency: 'TZS' },
    paymentReference: SESSION,
    transactionId: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
    channel: 'card',
    payerPhone: null,
  });
  const [request] = rig.server.requests;
  assert.equal(request?.path, `/checkout/sessions/${SESSION}`);
  assert.equal(request?.query.get('expand[]'), 'payment_intent.latest_charge');
});

test('the channel is what was paid with, not what was offered; nobody knows it before', async t => {
  const rig = await startRig(t, driver);
  answer(rig, session({ payment_intent: intent('mobilepay') }));
  assert.equal((await rig.provider.verify(asked)).channel, 'mobilepay');
  answer(rig, session({ payment_intent: null, payment_status: 'unpaid', status: 'open' }));
  assert.equal((await rig.provider.verify(asked)).channel, null);
});

test('a restricted key that may not read charges still verifies, and is not asked for them again', async t => {
  const rig = await startRig(t, driver);
  rig.server.play = ({ query }) =>
    query.has('expand[]')
      ? {
          status: 403,
          body: failure('invalid_request_error', 'more_permissions_required', 'The key lacks permissions'),
        }
      : { body: session({ payment_intent: 'pi_1' }) };
  for (let time = 0; time < 2; time += 1) {
    const { state, transactionId, channel } = await rig.provider.verify(asked);
    assert.deepEqual([state, transactionId, channel], ['completed', 'pi_1', null]);
  }
  assert.equal(rig.server.requests.length, 3);
  assert.equal(rig.log.entries.length, 0);
});

test('every documented pair of states has its meaning', async t => {
  const rig = await startRig(t, driver);
  for (const [status, payment_status, state] of [
    ['complete', 'paid', 'completed'],
    ['complete', 'unpaid', 'pending'],
    ['open', 'unpaid', 'pending'],
    ['expired', 'unpaid', 'cancelled'],
  ] as const) {
    answer(rig, session({ status, payment_status }));
    assert.equal((await rig.provider.verify(asked)).state, state);
  }
  answer(rig, failure('invalid_request_error', 'resource_missing', 'No such checkout.session'), 404);
  assert.equal((await rig.provider.verify(asked)).state, 'unknown');
  const before = rig.server.requests.length;
  assert.equal((await rig.provider.verify({ ...asked, paymentReference: null })).state, 'unknown');
  assert.equal(rig.server.requests.length, before);
});

test('a wrong amount and a wrong currency are reported as they are', async t => {
  const rig = await startRig(t, driver);
  answer(rig, session({ amount_total: 99_999 }));
  assert.deepEqual((await rig.provider.verify(asked)).amount, { minor: 99_999, currency: 'TZS' });
  answer(rig, session({ currency: 'jpy' }));
  assert.deepEqual((await rig.provider.verify(asked)).amount, { minor: 100_000, currency: 'JPY' });
});

test('another order’s session and states that make no sense are unexpected answers', async t => {
  const rig = await startRig(t, driver);
  for (const change of [
    { client_reference_id: 'ANOTHER' },
    { payment_status: 'maybe' },
    { payment_status: 'no_payment_required' },
    { payment_status: 'unpaid', status: 'maybe' },
  ]) {
    answer(rig, session(change));
    await rejectsWith(rig.provider.verify(asked), 'PAYMENT_PROVIDER_UNAVAILABLE');
  }
});

test('each documented error of a create ends as what it is', async t => {
  const rig = await startRig(t, driver);
  const create = () => rig.provider.createCheckout(checkoutRequest());
  answer(rig, failure('invalid_request_error', 'amount_too_small', 'The amount is too small'), 400);
  await rejectsWith(create(), 'PAYMENT_FAILED');
  assert.equal(rig.log.entries.at(-1)?.fields['words'], 'The amount is too small');
  answer(rig, failure('card_error', 'card_declined', 'Declined'), 402);
  await rejectsWith(create(), 'PAYMENT_FAILED');
  answer(rig, failure('idempotency_error', 'idempotency_key_in_use', 'Another request is under way'), 409);
  await rejectsWith(create(), 'PAYMENT_PROVIDER_UNAVAILABLE');
  for (const status of [401, 403]) {
    answer(rig, failure('invalid_request_error', '', `Invalid API Key provided: ${KEY}`), status);
    await rejectsWith(create(), 'PAYMENT_PROVIDER_UNAVAILABLE');
    assert.equal(rig.log.entries.at(-1)?.event, 'payment.keys_refused');
  }
  assert.ok(!rig.log.text().includes(KEY));
});

const stripe = new Stripe(KEY);

function parseEvent(rig: Rig, rawBody: string, signature: string | undefined) {
  return rig.provider.parseWebhook({
    rawBody: Buffer.from(rawBody),
    headers: { 'stripe-signature': signature },
    now: rig.clock.now(),
  });
}

/** docs.stripe.com/api/events/object. */
function event(type = 'checkout.session.completed', object: object = session()): string {
  return JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object }, note: 'Ñ 中 😀' }, null, 2);
}

function header(rig: Rig, payload: string, options: { secret?: string; age?: number; scheme?: string } = {}): string {
  const timestamp = Math.floor(toEpochMs(rig.clock.now()) / 1_000) - (options.age ?? 0);
  const scheme = options.scheme ?? 'v1';
  return stripe.webhooks.generateTestHeaderString({ payload, secret: options.secret ?? SECRET, timestamp, scheme });
}

test('HMAC agrees with the vectors of stripe-node', () => {
  for (const [payload, expected] of [
    ['', 'f7f9bd47fb987337b5796fdc1fdb9ba221d0d5396814bfcaf9521f43fd8927fd'],
    ['{"obj1":"hello","obj2":"world"}', 'bebb1a643997f419b315ddba19e6f5411e1ce7f810ba6d3617ce72823092f363'],
    ['😀', '837da296d05c4fe31f61d5d7ead035099d9585a5bcde87de952012a78f0b0c43'],
  ] as const) {
    assert.equal(hmacHex('sha256', 'test_secret', payload), expected);
  }
});

test('a notification signed by Stripe’s own library is signed', async t => {
  const rig = await startRig(t, driver);
  const body = event();
  assert.deepEqual(parseEvent(rig, body, header(rig, body)), {
    authenticity: 'signed',
    eventKey: 'evt_1',
    orderReference: ORDER,
    paymentReference: SESSION,
    claimedState: 'paid',
    amount: { minor: 100_000, currency: 'TZS' },
    phone: null,
    reply: null,
  });
});

test('altered bytes, another secret, another scheme and a mangled header are invalid, as they are to the library', async t => {
  const rig = await startRig(t, driver);
  const body = event();
  const good = header(rig, body);
  const cases: [string, string, string | undefined][] = [
    ['altered body', body.replace('100000', '100001'), good],
    ['reserialised body', JSON.stringify(JSON.parse(body)), good],
    ['another secret', body, header(rig, body, { secret: 'whsec_other' })],
    ['another scheme', body, header(rig, body, { scheme: 'v0' })],
    ['altered signature', body, good.replace(/.$/, last => (last === '0' ? '1' : '0'))],
    ['altered time', body, good.replace(/t=(\d+)/, (_, time) => `t=${Number(time) + 1}`)],
    ['no time', body, good.replace(/t=\d+,/, '')],
    ['no signature', body, good.replace(/,v1=.*/, '')],
    ['empty', body, ''],
    ['absent', body, undefined],
    ['nonsense', body, 't=,v1=,=,'],
  ];
  for (const [title, bytes, signature] of cases) {
    assert.equal(parseEvent(rig, bytes, signature).authenticity, 'invalid', title);
    assert.throws(() => stripe.webhooks.constructEvent(bytes, signature ?? '', SECRET, 1e9), title);
  }
});

test('a notification older than 300 seconds is a replay, one just younger is not', async t => {
  const rig = await startRig(t, driver);
  const body = event();
  assert.equal(parseEvent(rig, body, header(rig, body, { age: 300 })).authenticity, 'signed');
  assert.equal(parseEvent(rig, body, header(rig, body, { age: 301 })).authenticity, 'invalid');
  assert.equal(parseEvent(rig, body, header(rig, body, { age: -60 })).authenticity, 'signed');
});

test('while a secret is being rolled, any one of the signatures is enough', async t => {
  const rig = await startRig(t, driver);
  const body = event();
  const old = header(rig, body, { secret: 'whsec_old' });
  const current = header(rig, body).split(',v1=')[1];
  assert.equal(parseEvent(rig, body, `${old},v1=${current}`).authenticity, 'signed');
});

test('a duplicate notification has the same key; other events still name their order', async t => {
  const rig = await startRig(t, driver);
  const body = event();
  assert.equal(
    parseEvent(rig, body, header(rig, body)).eventKey,
    parseEvent(rig, body, header(rig, body, { age: 20 })).eventKey,
  );
  const charge = event('charge.refunded', { id: 'ch_1', object: 'charge', metadata: { order_reference: ORDER } });
  const refunded = parseEvent(rig, charge, header(rig, charge));
  assert.equal(refunded.orderReference, ORDER);
  assert.equal(refunded.paymentReference, null);
  assert.equal(refunded.claimedState, 'charge.refunded');
  assert.equal(refunded.amount, null);
});

const refund: RefundRequest = {
  orderReference: ORDER,
  transactionId: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  amount: { minor: 50_000, currency: 'TZS' },
  reason: 'half a day of outage',
  idempotencyKey: 'refund-1',
};

test('a refund carries its idempotency key, and every answer has its meaning', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.provider.refund(refund), { outcome: 'completed', reference: 're_1', message: null });
  const [sent] = rig.server.requests;
  assert.equal(`${sent?.method} ${sent?.path}`, 'POST /refunds');
  assert.equal(sent?.headers['idempotency-key'], 'refund-1');
  const form = v.parse(RefundForm, formOf(sent));
  assert.equal(form.amount, '50000');
  assert.equal(form['metadata[reason]'], 'half a day of outage');
  for (const [status, outcome] of [
    ['pending', 'pending'],
    ['requires_action', 'pending'],
    ['failed', 'rejected'],
    ['canceled', 'rejected'],
  ] as const) {
    answer(rig, { id: 're_1', object: 'refund', status, failure_reason: 'lost_or_stolen_card' });
    assert.equal((await rig.provider.refund(refund)).outcome, outcome);
  }
  answer(rig, failure('invalid_request_error', 'charge_already_refunded', 'Charge has already been refunded.'), 400);
  assert.deepEqual(await rig.provider.refund(refund), {
    outcome: 'rejected',
    reference: null,
    message: 'Charge has already been refunded.',
  });
  answer(rig, failure('idempotency_error', 'idempotency_key_in_use', 'Under way'), 409);
  await rejectsWith(rig.provider.refund(refund), 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.equal((await rig.provider.refund({ ...refund, transactionId: null })).outcome, 'manual');
});

/** docs.stripe.com/api/refunds/retrieve. */
test('a pending refund is asked about by its id until it is done', async t => {
  const rig = await startRig(t, driver);
  const pending = { orderReference: ORDER, paymentReference: SESSION, reference: 're_1' };
  answer(rig, { id: 're_1', object: 'refund', status: 'pending' });
  assert.equal((await rig.provider.refundStatus(pending)).outcome, 'pending');
  assert.equal(rig.server.requests.at(-1)?.path, '/refunds/re_1');
  answer(rig, { id: 're_1', object: 'refund', status: 'succeeded' });
  assert.equal((await rig.provider.refundStatus(pending)).outcome, 'completed');
  answer(rig, { id: 're_1', object: 'refund', status: 'failed', failure_reason: 'expired_or_canceled_card' });
  assert.equal((await rig.provider.refundStatus(pending)).message, 'expired_or_canceled_card');
  answer(rig, failure('invalid_request_error', 'resource_missing', 'No such refund'), 404);
  await rejectsWith(rig.provider.refundStatus(pending), 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.equal((await rig.provider.refundStatus({ ...pending, reference: null })).outcome, 'pending');
});
