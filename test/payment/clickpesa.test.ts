import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import * as v from 'valibot';
import { clickpesa } from '../../src/payment/clickpesa.ts';
import { type DriverUnderTest, type Rig, startRig, testFaults } from './faults.ts';
import { checkoutRequest, rejectsWith, type SeenRequest } from './support.ts';

const CHECKSUM_KEY = 'CHKa1b2c3d4e5f6';
const API_KEY = 'api-key-of-the-shop';
const CLIENT_ID = 'client-id-of-the-shop';
const ORDER = 'AB12CD34EF56GH78IJ90';

/** docs.clickpesa.com/api-reference/collection/generate-checkout-link: "Body With Total Amount". */
const CheckoutLinkBody = v.strictObject({
  totalPrice: v.pipe(v.string(), v.regex(/^\d+(\.\d\d)?$/)),
  orderReference: v.pipe(v.string(), v.regex(/^[A-Za-z0-9]+$/)),
  orderCurrency: v.picklist(['TZS', 'USD']),
  customerPhone: v.optional(v.pipe(v.string(), v.regex(/^\d{9,15}$/))),
  callbackUrl: v.optional(v.pipe(v.string(), v.url())),
  checksum: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
});

/** docs.clickpesa.com/home/checksum, the JavaScript sample, in our words. */
function documentedChecksum(key: string, payload: Record<string, unknown>): string {
  const sorted = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(sorted);
    const source = value as Record<string, unknown>;
    return Object.fromEntries(
      Object.keys(source)
        .toSorted()
        .map(name => [name, sorted(source[name])]),
    );
  };
  return createHmac('sha256', key)
    .update(JSON.stringify(sorted(payload)))
    .digest('hex');
}

/** docs.clickpesa.com/api-reference/collection/querying-for-payments. */
function payment(change: object = {}): object {
  return {
    id: 'LCPCATJHWWYQBY',
    status: 'SUCCESS',
    paymentReference: 'MP260521.1357.V51245',
    paymentPhoneNumber: '255712345678',
    orderReference: ORDER,
    collectedAmount: 1000,
    collectedCurrency: 'TZS',
    message: 'success',
    updatedAt: '2026-11-21T10:01:00.000Z',
    createdAt: '2026-11-21T10:00:30.000Z',
    customer: { customerName: 'Asha', customerPhoneNumber: '255712345678', customerEmail: 'a@example.com' },
    clientId: CLIENT_ID,
    ...change,
  };
}

let tokens = 0;
function token(request: SeenRequest) {
  if (request.headers['client-id'] !== CLIENT_ID || request.headers['api-key'] !== API_KEY) {
    return { status: 401, body: { statusCode: 401, message: 'Unauthorized' } };
  }
  tokens += 1;
  return { body: { success: true, token: `Bearer eyJ.token-number-${tokens}` } };
}

const driver: DriverUnderTest = {
  name: 'clickpesa',
  create: (apiUrl, tools) =>
    clickpesa.create({ apiUrl, clientId: CLIENT_ID, apiKey: API_KEY, webhookSecret: CHECKSUM_KEY }, tools),
  play(request) {
    if (request.path === '/generate-token') return token(request);
    if (!request.headers.authorization?.startsWith('Bearer eyJ.')) {
      return { status: 401, body: { statusCode: 401, message: 'Unauthorized' } };
    }
    if (request.path === '/checkout-link/generate-checkout-url') {
      return { body: { checkoutLink: 'https://checkout.clickpesa.com/abc', clientId: CLIENT_ID } };
    }
    return { body: [payment()] };
  },
  preliminaries: path => (path === '/generate-token' ? { body: { success: true, token: 'Bearer eyJ.good' } } : null),
  secrets: [API_KEY, CHECKSUM_KEY, 'eyJ.'],
  paymentReference: null,
  currency: 'TZS',
};

testFaults(driver);

const asked = { orderReference: ORDER, paymentReference: null };
const paths = (rig: Rig) => rig.server.requests.map(request => `${request.method} ${request.path}`);

/** The API's answer to everything after the token. */
function answer(rig: Rig, status: number, body: unknown): void {
  rig.server.play = request => (request.path === '/generate-token' ? token(request) : { status, body });
}

function parseEvent(rig: Rig, rawBody: string) {
  return rig.provider.parseWebhook({
    rawBody: Buffer.from(rawBody),
    headers: {},
    now: rig.clock.now(),
  });
}

test('a checkout link is asked for as the documents say, with a checksum over the body', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.provider.createCheckout(checkoutRequest()), {
    redirectUrl: 'https://checkout.clickpesa.com/abc',
    paymentReference: null,
  });
  assert.deepEqual(paths(rig), ['POST /generate-token', 'POST /checkout-link/generate-checkout-url']);
  const body = v.parse(CheckoutLinkBody, JSON.parse(rig.server.requests[1]?.body ?? ''));
  const { checksum, ...payload } = body;
  assert.equal(checksum, documentedChecksum(CHECKSUM_KEY, payload));
  assert.equal(body.totalPrice, '1000');
  assert.equal(body.customerPhone, '255712345678');
});

test('without a checksum key nothing is signed, and no notification counts as signed', async t => {
  const create: DriverUnderTest['create'] = (apiUrl, tools) =>
    clickpesa.create({ apiUrl, clientId: CLIENT_ID, apiKey: API_KEY, webhookSecret: null }, tools);
  const rig = await startRig(t, { ...driver, create });
  await rig.provider.createCheckout(checkoutRequest());
  assert.equal(JSON.parse(rig.server.requests[1]?.body ?? '').checksum, undefined);
  const payload = { event: 'PAYMENT RECEIVED', data: payment() };
  const body = JSON.stringify({ ...payload, checksum: documentedChecksum('', payload) });
  assert.equal(parseEvent(rig, body).authenticity, 'unsigned');
});

test('a paid order is verified with what was collected', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.provider.verify(asked), {
    state: 'completed',
    amount: { minor: 100_000, currency: 'TZS' },
    paymentReference: 'MP260521.1357.V51245',
    transactionId: 'LCPCATJHWWYQBY',
    channel: null,
    payerPhone: '255712345678',
  });
});

test('every documented status has its meaning, and a link nobody used yet is pending', async t => {
  const rig = await startRig(t, driver);
  for (const [status, state] of [
    ['SUCCESS', 'completed'],
    ['SETTLED', 'completed'],
    ['PROCESSING', 'pending'],
    ['PENDING', 'pending'],
    ['ON-HOLD', 'pending'],
    ['FAILED', 'failed'],
    ['REFUNDED', 'reversed'],
    ['REVERSED', 'reversed'],
  ] as const) {
    answer(rig, 200, [payment({ status })]);
    assert.equal((await rig.provider.verify(asked)).state, state, status);
  }
  answer(rig, 404, { statusCode: 404, message: 'Payment not found', error: 'Not Found' });
  assert.equal((await rig.provider.verify(asked)).state, 'pending');
  answer(rig, 200, []);
  assert.equal((await rig.provider.verify(asked)).state, 'pending');
});

test('of several attempts the successful one decides, and two payments add up', async t => {
  const rig = await startRig(t, driver);
  answer(rig, 200, [payment({ status: 'FAILED', id: 'A' }), payment({ status: 'PENDING', id: 'B' })]);
  assert.equal((await rig.provider.verify(asked)).state, 'pending');
  answer(rig, 200, [payment({ status: 'FAILED', id: 'A' }), payment({ status: 'SUCCESS', id: 'B' })]);
  assert.equal((await rig.provider.verify(asked)).transactionId, 'B');
  answer(rig, 200, [payment({ status: 'DREAMING', id: 'A' }), payment({ status: 'SUCCESS', id: 'B' })]);
  assert.equal((await rig.provider.verify(asked)).transactionId, 'B');
  for (const status of ['PENDING', 'FAILED']) {
    answer(rig, 200, [payment({ status: 'DREAMING', id: 'A' }), payment({ status, id: 'B' })]);
    await rejectsWith(rig.provider.verify(asked), 'PAYMENT_PROVIDER_UNAVAILABLE');
  }
  answer(rig, 200, [payment({ id: 'A' }), payment({ id: 'B' }), payment({ id: 'C', collectedCurrency: 'USD' })]);
  const twice = await rig.provider.verify(asked);
  assert.equal(twice.transactionId, 'A');
  assert.deepEqual(twice.amount, { minor: 200_000, currency: 'TZS' });
});

test('a wrong amount and a wrong currency are reported as they are', async t => {
  const rig = await startRig(t, driver);
  answer(rig, 200, [payment({ collectedAmount: '999.50' })]);
  assert.deepEqual((await rig.provider.verify(asked)).amount, { minor: 99_950, currency: 'TZS' });
  answer(rig, 200, [payment({ collectedCurrency: 'USD' })]);
  assert.deepEqual((await rig.provider.verify(asked)).amount, { minor: 100_000, currency: 'USD' });
  answer(rig, 200, [
    payment({ collectedAmount: undefined, amount: '1000', collectedCurrency: undefined, currency: 'TZS' }),
  ]);
  assert.deepEqual((await rig.provider.verify(asked)).amount, { minor: 100_000, currency: 'TZS' });
});

test('an unknown status or another order’s payment is an unexpected answer', async t => {
  const rig = await startRig(t, driver);
  for (const change of [{ status: 'MAYBE' }, { orderReference: 'ANOTHERORDER' }]) {
    answer(rig, 200, [payment(change)]);
    await rejectsWith(rig.provider.verify(asked), 'PAYMENT_PROVIDER_UNAVAILABLE');
  }
});

test('one token serves many calls, at once and one after another, until its hour is nearly over', async t => {
  const rig = await startRig(t, driver);
  await Promise.all([rig.provider.verify(asked), rig.provider.verify(asked), rig.provider.verify(asked)]);
  await rig.provider.verify(asked);
  const tokenRequests = () => paths(rig).filter(path => path === 'POST /generate-token').length;
  assert.equal(tokenRequests(), 1);
  rig.clock.advance(55 * 60);
  await rig.provider.verify(asked);
  assert.equal(tokenRequests(), 2);
});

test('a token that expires mid-way is renewed once, and the call succeeds', async t => {
  const rig = await startRig(t, driver);
  await rig.provider.verify(asked);
  const stale = rig.server.requests.at(-1)?.headers.authorization;
  rig.server.play = request =>
    request.headers.authorization === stale ? { status: 401, body: { message: 'Unauthorized' } } : driver.play(request);
  assert.equal((await rig.provider.verify(asked)).state, 'completed');
  assert.equal(paths(rig).filter(path => path === 'POST /generate-token').length, 2);
});

test('keys that are not accepted are an error in the log, whichever request finds out', async t => {
  const rig = await startRig(t, driver);
  const keysRefused = async (call: Promise<unknown>) => {
    await rejectsWith(call, 'PAYMENT_PROVIDER_UNAVAILABLE');
    assert.equal(rig.log.entries.at(-1)?.event, 'payment.keys_refused');
    assert.equal(rig.log.entries.at(-1)?.level, 'error');
  };
  rig.server.play = () => ({ status: 403, body: { message: 'Invalid or Expired API-Key', statusCode: 403 } });
  await keysRefused(rig.provider.verify(asked));
  answer(rig, 401, { message: 'Unauthorized' });
  await keysRefused(rig.provider.verify(asked));
  const before = rig.server.requests.length;
  await keysRefused(rig.provider.createCheckout(checkoutRequest()));
  assert.ok(rig.server.requests.length - before <= 4, 'it must not try for ever');
  answer(rig, 400, { statusCode: 400, message: ['Invalid checksum'], error: 'Bad Request' });
  await keysRefused(rig.provider.createCheckout(checkoutRequest()));
});

test('a refused link is the payer’s to know: bad order, or a reference used before', async t => {
  const rig = await startRig(t, driver);
  answer(rig, 400, { statusCode: 400, message: ['totalPrice must be at least 1000'], error: 'Bad Request' });
  await rejectsWith(rig.provider.createCheckout(checkoutRequest()), 'PAYMENT_FAILED');
  assert.equal(rig.log.entries.at(-1)?.fields['words'], 'totalPrice must be at least 1000');
  answer(rig, 409, { statusCode: 409, message: 'Order reference already used', error: 'Conflict' });
  await rejectsWith(rig.provider.createCheckout(checkoutRequest()), 'PAYMENT_FAILED');
  answer(rig, 200, { checkoutLink: 'javascript:alert(1)' });
  await rejectsWith(rig.provider.createCheckout(checkoutRequest()), 'PAYMENT_PROVIDER_UNAVAILABLE');
});

/** docs.clickpesa.com/home/webhooks, PAYMENT RECEIVED. */
const RECEIVED = {
  event: 'PAYMENT RECEIVED',
  data: {
    id: 'ORD123456LCP7890',
    status: 'SUCCESS',
    paymentReference: 'abc123def456ghi789',
    orderReference: ORDER,
    collectedAmount: '1000',
    collectedCurrency: 'TZS',
    message: 'success',
    channel: 'CRDB DIRECT DEBIT MANDATE',
    customer: { customerName: 'Zuhura Ñandú 中', customerPhoneNumber: '255700000000', customerEmail: 'j@example.com' },
  },
};

test('a notification with the canonical checksum is signed, whatever the order of its keys', async t => {
  const rig = await startRig(t, driver);
  const checksum = documentedChecksum(CHECKSUM_KEY, RECEIVED);
  const expected = {
    authenticity: 'signed',
    eventKey: 'PAYMENT RECEIVED:ORD123456LCP7890:SUCCESS',
    orderReference: ORDER,
    paymentReference: 'abc123def456ghi789',
    claimedState: 'SUCCESS',
    amount: { minor: 100_000, currency: 'TZS' },
    phone: '255700000000',
    reply: null,
  };
  assert.deepEqual(parseEvent(rig, JSON.stringify({ ...RECEIVED, checksum, checksumMethod: 'canonical' })), expected);
  const shuffled = {
    checksum,
    data: Object.fromEntries(Object.entries(RECEIVED.data).toReversed()),
    event: RECEIVED.event,
  };
  assert.deepEqual(parseEvent(rig, JSON.stringify(shuffled, null, 2)), expected);
  assert.deepEqual(parseEvent(rig, JSON.stringify({ ...RECEIVED, checksum: checksum.toUpperCase() })), expected);
});

test('the checksum is over numbers as they were written, nested lists and non-ASCII included', async t => {
  const rig = await startRig(t, driver);
  const fields = `"a":[{"z":1.0,"b":10.50},null,true,"é/\\"中"],"data":{"collectedAmount":1000.0,"collectedCurrency":"TZS","orderReference":"${ORDER}"}`;
  const canonical = fields.replace('{"z":1.0,"b":10.50}', '{"b":10.50,"z":1.0}');
  const checksum = createHmac('sha256', CHECKSUM_KEY).update(`{${canonical}}`).digest('hex');
  const signed = parseEvent(rig, `{"checksum":"${checksum}", ${fields}}`);
  assert.equal(signed.authenticity, 'signed');
  assert.deepEqual(signed.amount, { minor: 100_000, currency: 'TZS' });
  assert.equal(parseEvent(rig, `{"checksum":"${checksum}", ${fields.replace('1.0,', '1,')}}`).authenticity, 'unsigned');
});

test('the legacy checksum is over the values in the order of their keys', async t => {
  const rig = await startRig(t, driver);
  const body = {
    eventType: 'PAYMENT RECEIVED',
    paymentId: 'P1',
    orderReference: ORDER,
    status: 'SUCCESS',
    amount: '1000',
    currency: 'TZS',
    note: 'Ñ 中',
    empty: null,
  };
  // amount, currency, empty, eventType, note, orderReference, paymentId, status
  const checksum = createHmac('sha256', CHECKSUM_KEY)
    .update(`1000TZSPAYMENT RECEIVEDÑ 中${ORDER}P1SUCCESS`)
    .digest('hex');
  const signed = parseEvent(rig, JSON.stringify({ ...body, checksum, checksumMethod: 'legacy' }));
  assert.equal(signed.authenticity, 'signed');
  assert.equal(signed.eventKey, 'PAYMENT RECEIVED:P1:SUCCESS');
  assert.equal(parseEvent(rig, JSON.stringify({ ...body, checksum })).authenticity, 'unsigned');
  const numbers = createHmac('sha256', CHECKSUM_KEY).update(`1000.0${ORDER}`).digest('hex');
  assert.equal(
    parseEvent(rig, `{"orderReference":"${ORDER}","amount":1000.0,"checksum":"${numbers}","checksumMethod":"legacy"}`)
      .authenticity,
    'signed',
  );
});

test('an altered or unsigned notification is no more than a hint to ask', async t => {
  const rig = await startRig(t, driver);
  const checksum = documentedChecksum(CHECKSUM_KEY, RECEIVED);
  const altered = JSON.stringify({ ...RECEIVED, checksum }).replace('"1000"', '"9000"');
  assert.equal(parseEvent(rig, altered).authenticity, 'unsigned');
  assert.equal(parseEvent(rig, JSON.stringify(RECEIVED)).authenticity, 'unsigned');
  assert.equal(parseEvent(rig, JSON.stringify({ ...RECEIVED, checksum: '' })).authenticity, 'unsigned');
});

test('a duplicate notification has the same key, another event of the same payment has not', async t => {
  const rig = await startRig(t, driver);
  const first = parseEvent(rig, JSON.stringify(RECEIVED));
  assert.equal(parseEvent(rig, JSON.stringify(RECEIVED, null, 1)).eventKey, first.eventKey);
  const failed = { event: 'PAYMENT FAILED', data: { ...RECEIVED.data, status: 'FAILED' } };
  assert.notEqual(parseEvent(rig, JSON.stringify(failed)).eventKey, first.eventKey);
});

test('a notification nested beyond reason is refused', async t => {
  const rig = await startRig(t, driver);
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
  assert.throws(() => parseEvent(rig, `{"orderReference":"X","checksum":"00","deep":${deep}}`), { code: 'VALIDATION' });
});

test('a refund is for staff to make by hand', async t => {
  const rig = await startRig(t, driver);
  const refund = await rig.provider.refund({
    orderReference: ORDER,
    transactionId: 'LCPCATJHWWYQBY',
    amount: { minor: 100_000, currency: 'TZS' },
    reason: 'router broke',
    idempotencyKey: 'r1',
  });
  assert.equal(refund.outcome, 'manual');
  const status = { orderReference: ORDER, paymentReference: null, reference: null };
  assert.equal((await rig.provider.refundStatus(status)).outcome, 'manual');
  assert.equal(rig.server.requests.length, 0);
});
