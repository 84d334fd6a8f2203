import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import type { RefundRequest } from '../../src/domain/ports.ts';
import { flutterwave } from '../../src/payment/flutterwave.ts';
import { type DriverUnderTest, type Rig, startRig, testFaults } from './faults.ts';
import { checkoutRequest, rejectsWith, type SeenRequest } from './support.ts';

const KEY = 'FLWSECK_TEST-0123456789abcdef-X';
const HASH = 'the-secret-hash-of-the-dashboard';
const ORDER = 'AB12CD34EF56GH78IJ90';

/** developer.flutterwave.com/docs/collecting-payments/standard, step 1. */
const PaymentBody = v.strictObject({
  tx_ref: v.string(),
  amount: v.number(),
  currency: v.pipe(v.string(), v.length(3)),
  redirect_url: v.pipe(v.string(), v.url()),
  session_duration: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_440)),
  customer: v.strictObject({
    email: v.pipe(v.string(), v.email()),
    phonenumber: v.optional(v.string()),
    name: v.optional(v.string()),
  }),
  customizations: v.optional(v.object({ title: v.optional(v.string()) })),
});

/** developer.flutterwave.com/v3.0.0/reference/transaction-refund. */
const RefundBody = v.strictObject({ amount: v.number(), comments: v.optional(v.string()) });

/** flutterwaveinc.mintlify.app/api-reference/transactions/verify-a-transaction-by-transaction-reference. */
function transaction(change: object = {}): object {
  return {
    id: 4975363,
    tx_ref: ORDER,
    flw_ref: '0537565244201710840859363',
    amount: 1000,
    currency: 'TZS',
    charged_amount: 1014,
    status: 'successful',
    payment_type: 'mobilemoneytz',
    customer: { id: 2374551, name: 'Anonymous customer', phone_number: '255712345678', email: 'x@wifi.example' },
    ...change,
  };
}

const fetched = (change: object = {}) => ({
  status: 'success',
  message: 'Transaction fetched successfully',
  data: transaction(change),
});

const refunded = (status: string) => ({
  status: 'success',
  message: 'Transaction refund initiated',
  data: { id: 8612, tx_id: 4975363, amount_refunded: 500, status, destination: 'payment_source' },
});

const driver: DriverUnderTest = {
  name: 'flutterwave',
  create: (apiUrl, tools) =>
    flutterwave.create({ apiUrl, apiKey: KEY, webhookSecret: HASH, emailDomain: 'wifi.example' }, tools),
  play(request: SeenRequest) {
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      return { status: 401, body: { status: 'error', message: 'Invalid authorization key', data: null } };
    }
    if (request.path === '/payments') {
      const data = { link: 'https://checkout.flutterwave.com/v3/hosted/pay/0a1b' };
      return { body: { status: 'success', message: 'Hosted Link', data } };
    }
    if (request.path.endsWith('/refund')) return { body: refunded('completed') };
    return { body: fetched() };
  },
  secrets: [KEY, HASH],
  paymentReference: null,
  currency: 'TZS',
};

testFaults(driver);

const asked = { orderReference: ORDER, paymentReference: null };

function answer(rig: Rig, body: unknown, status = 200): void {
  rig.server.play = () => ({ status, body });
}

test('a payment is created as the documents say, for as long as the order lives', async t => {
  const rig = await startRig(t, driver);
  const request = checkoutRequest({ description: 'Wi-Fi #1: 1 day & <more>' });
  assert.deepEqual(await rig.provider.createCheckout(request), {
    redirectUrl: 'https://checkout.flutterwave.com/v3/hosted/pay/0a1b',
    paymentReference: null,
  });
  const [sent] = rig.server.requests;
  assert.equal(`${sent?.method} ${sent?.path}`, 'POST /payments');
  const body = v.parse(PaymentBody, JSON.parse(sent?.body ?? ''));
  assert.equal(body.tx_ref, ORDER);
  assert.equal(body.session_duration, 30);
  assert.equal(body.customer.email, '255712345678@wifi.example');
  assert.match(sent?.body ?? '', /"amount":1000\.00,/);
  assert.equal(body.customizations?.title, 'Wi-Fi 1: 1 day more');
});

test('the session never lasts less than a minute or more than a day', async t => {
  const rig = await startRig(t, driver);
  const duration = async (expiresAt: string) => {
    await rig.provider.createCheckout(checkoutRequest({ expiresAt: expiresAt as never }));
    return JSON.parse(rig.server.requests.at(-1)?.body ?? '').session_duration;
  };
  assert.equal(await duration('2026-11-21T09:00:00.000Z'), 1);
  assert.equal(await duration('2026-11-25T09:00:00.000Z'), 1_440);
});

test('a paid order is verified with its price, not with what the fees made of it', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.provider.verify(asked), {
    state: 'completed',
    amount: { minor: 100_000, currency: 'TZS' },
    paymentReference: '0537565244201710840859363',
    transactionId: '4975363',
    channel: 'mobilemoneytz',
    payerPhone: '255712345678',
  });
  const [sent] = rig.server.requests;
  assert.equal(sent?.path, '/transactions/verify_by_reference');
  assert.equal(sent?.query.get('tx_ref'), ORDER);
});

test('every documented status has its meaning, and an order nobody has begun to pay is pending', async t => {
  const rig = await startRig(t, driver);
  for (const [status, state] of [
    ['successful', 'completed'],
    ['pending', 'pending'],
    ['failed', 'failed'],
  ] as const) {
    answer(rig, fetched({ status }));
    assert.equal((await rig.provider.verify(asked)).state, state);
  }
  for (const status of [400, 404]) {
    answer(rig, { status: 'error', message: 'No transaction was found for this id', data: null }, status);
    assert.equal((await rig.provider.verify(asked)).state, 'pending');
  }
});

test('a wrong amount and a wrong currency are reported as they are', async t => {
  const rig = await startRig(t, driver);
  answer(rig, fetched({ amount: 999.5 }));
  assert.deepEqual((await rig.provider.verify(asked)).amount, { minor: 99_950, currency: 'TZS' });
  answer(rig, fetched({ currency: 'NGN' }));
  assert.deepEqual((await rig.provider.verify(asked)).amount, { minor: 100_000, currency: 'NGN' });
});

test('another order’s transaction, an unknown status and an error are unexpected answers', async t => {
  const rig = await startRig(t, driver);
  for (const [body, status] of [
    [fetched({ tx_ref: 'ANOTHER' }), 200],
    [fetched({ status: 'maybe' }), 200],
    [{ status: 'error', message: 'An error occurred', data: null }, 400],
  ] as const) {
    answer(rig, body, status);
    await rejectsWith(rig.provider.verify(asked), 'PAYMENT_PROVIDER_UNAVAILABLE');
  }
});

test('a refused payment is the payer’s to know, refused keys are the operator’s', async t => {
  const rig = await startRig(t, driver);
  answer(rig, { status: 'error', message: 'currency is not supported', data: null }, 400);
  await rejectsWith(rig.provider.createCheckout(checkoutRequest()), 'PAYMENT_FAILED');
  assert.equal(rig.log.entries.at(-1)?.fields['words'], 'currency is not supported');
  answer(rig, { status: 'error', message: 'Invalid authorization key', data: null }, 401);
  await rejectsWith(rig.provider.createCheckout(checkoutRequest()), 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.equal(rig.log.entries.at(-1)?.event, 'payment.keys_refused');
});

/** developer.flutterwave.com/docs/integration-guides/webhooks. */
const COMPLETED = { event: 'charge.completed', data: transaction() };

function parseEvent(rig: Rig, rawBody: string, hash?: string | string[]) {
  return rig.provider.parseWebhook({
    rawBody: Buffer.from(rawBody),
    headers: { 'verif-hash': hash },
    now: rig.clock.now(),
  });
}

test('a notification with the secret hash is a shared secret’s word, any other is invalid', async t => {
  const rig = await startRig(t, driver);
  const body = JSON.stringify(COMPLETED);
  assert.deepEqual(parseEvent(rig, body, HASH), {
    authenticity: 'shared-secret',
    eventKey: 'charge.completed:4975363:successful',
    orderReference: ORDER,
    paymentReference: '0537565244201710840859363',
    claimedState: 'successful',
    amount: { minor: 100_000, currency: 'TZS' },
    phone: '255712345678',
    reply: null,
  });
  for (const hash of [undefined, '', 'wrong', HASH.toUpperCase(), `${HASH} `, [HASH, HASH]]) {
    assert.equal(parseEvent(rig, body, hash).authenticity, 'invalid');
  }
});

test('a duplicate notification has the same key, a later state of the same charge has not', async t => {
  const rig = await startRig(t, driver);
  const first = parseEvent(rig, JSON.stringify(COMPLETED), HASH);
  assert.equal(parseEvent(rig, JSON.stringify(COMPLETED, null, 2), HASH).eventKey, first.eventKey);
  const failed = { event: 'charge.completed', data: transaction({ status: 'failed' }) };
  assert.notEqual(parseEvent(rig, JSON.stringify(failed), HASH).eventKey, first.eventKey);
});

test('a notification about something else than an order is accepted and names none', async t => {
  const rig = await startRig(t, driver);
  const transfer = { event: 'transfer.completed', data: { id: 1, reference: 'payout', status: 'SUCCESSFUL' } };
  assert.equal(parseEvent(rig, JSON.stringify(transfer), HASH).orderReference, null);
});

const refund: RefundRequest = {
  orderReference: ORDER,
  transactionId: '4975363',
  amount: { minor: 50_000, currency: 'TZS' },
  reason: 'half a day of outage #42',
  idempotencyKey: 'r1',
};

test('a refund names the transaction and the amount, and every answer has its meaning', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.provider.refund(refund), { outcome: 'pending', reference: '8612', message: null });
  const [sent] = rig.server.requests;
  assert.equal(`${sent?.method} ${sent?.path}`, 'POST /transactions/4975363/refund');
  const body = v.parse(RefundBody, JSON.parse(sent?.body ?? ''));
  assert.deepEqual(body, { amount: 500, comments: 'half a day of outage 42' });

  const paidOut = ['momo', 'mpgs', 'bank-transfer', 'offline', 'preauth'].map(way => `completed-${way}`);
  for (const status of [...paidOut, 'complete']) {
    answer(rig, refunded(status));
    assert.equal((await rig.provider.refund(refund)).outcome, 'completed', status);
  }
  answer(rig, refunded('pending-momo'));
  assert.equal((await rig.provider.refund(refund)).outcome, 'pending');
  answer(rig, refunded('failed'));
  assert.equal((await rig.provider.refund(refund)).outcome, 'rejected');
  answer(rig, { status: 'error', message: 'Refund amount is more than what is left', data: null }, 400);
  assert.equal((await rig.provider.refund(refund)).message, 'Refund amount is more than what is left');
  answer(rig, { status: 'success' });
  await rejectsWith(rig.provider.refund(refund), 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.equal((await rig.provider.refund({ ...refund, transactionId: null })).outcome, 'manual');
});

/** flutterwaveinc.mintlify.app/api-reference/transactions: refunds. */
test('a pending refund is asked about by its id until it is done', async t => {
  const rig = await startRig(t, driver);
  const pending = { orderReference: ORDER, paymentReference: null, reference: '8612' };
  answer(rig, refunded('pending-momo'));
  assert.deepEqual(await rig.provider.refundStatus(pending), { outcome: 'pending', reference: '8612', message: null });
  assert.equal(rig.server.requests.at(-1)?.path, '/refunds/8612');
  answer(rig, refunded('completed-momo'));
  assert.equal((await rig.provider.refundStatus(pending)).outcome, 'completed');
  answer(rig, { status: 'error', message: 'not found', data: null }, 404);
  await rejectsWith(rig.provider.refundStatus(pending), 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.equal((await rig.provider.refundStatus({ ...pending, reference: null })).outcome, 'pending');
});
