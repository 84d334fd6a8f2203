import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import * as v from 'valibot';
import type { RefundRequest } from '../../src/domain/ports.ts';
import { paystack } from '../../src/payment/paystack.ts';
import { type DriverUnderTest, type Rig, startRig, testFaults } from './faults.ts';
import { checkoutRequest, rejectsWith, type SeenRequest } from './support.ts';

const KEY = 'sk_test_0123456789abcdef0123456789abcdef';
const ORDER = 'AB12CD34EF56GH78IJ90';
const KES_1000 = { minor: 100_000, currency: 'KES' };

/** github.com/PaystackOSS/openapi, schemas/transaction/Initialize.yaml; currencies of paystack.com/docs/api. */
const InitializeBody = v.strictObject({
  email: v.pipe(v.string(), v.email()),
  amount: v.pipe(v.number(), v.integer(), v.minValue(1)),
  currency: v.picklist(['NGN', 'GHS', 'ZAR', 'USD', 'KES', 'XOF']),
  reference: v.pipe(v.string(), v.regex(/^[A-Za-z0-9.=-]+$/)),
  callback_url: v.pipe(v.string(), v.url()),
  metadata: v.pipe(
    v.string(),
    v.transform(text => JSON.parse(text)),
    v.object({ cancel_action: v.string() }),
  ),
});

/** paystack.com/docs/payments/refunds, paystack.com/docs/api/refund. */
const RefundBody = v.strictObject({
  transaction: v.string(),
  amount: v.pipe(v.number(), v.integer()),
  merchant_note: v.optional(v.string()),
});

/** paystack.com/docs/api/transaction, verify. */
function verified(change: object = {}): object {
  return {
    status: true,
    message: 'Verification successful',
    data: {
      id: 4099260516,
      domain: 'test',
      status: 'success',
      reference: ORDER,
      amount: 100_000,
      gateway_response: 'Successful',
      channel: 'mobile_money',
      currency: 'KES',
      requested_amount: 100_000,
      fees: 1_500,
      customer: { id: 181873746, email: '255712345678@wifi.example', phone: null },
      ...change,
    },
  };
}

const refunded = (status: string) => ({
  status: true,
  message: 'Refund has been queued for processing',
  data: { transaction: { id: 4099260516, reference: ORDER }, amount: 50_000, currency: 'KES', status, id: 3018284 },
});

const failure = (message: string, code: string) => ({
  status: false,
  message,
  type: 'validation_error',
  code,
  meta: {},
});

const driver: DriverUnderTest = {
  name: 'paystack',
  create: (apiUrl, tools) => paystack.create({ apiUrl, apiKey: KEY, emailDomain: 'wifi.example' }, tools),
  play(request: SeenRequest) {
    if (request.headers.authorization !== `Bearer ${KEY}`) {
      return { status: 401, body: failure('Invalid key', 'invalid_Key') };
    }
    if (request.path === '/transaction/initialize') {
      const data = {
        authorization_url: 'https://checkout.paystack.com/3ni8kdavz62431k',
        access_code: '3ni8kdavz62431k',
        reference: ORDER,
      };
      return { body: { status: true, message: 'Authorization URL created', data } };
    }
    return { body: request.path === '/refund' ? refunded('pending') : verified() };
  },
  secrets: [KEY],
  paymentReference: null,
  currency: 'KES',
};

testFaults(driver);

const asked = { orderReference: ORDER, paymentReference: null };

function answer(rig: Rig, body: unknown, status = 200): void {
  rig.server.play = () => ({ status, body });
}

test('a transaction is initialised in hundredths, as the documents say', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.provider.createCheckout(checkoutRequest({ amount: KES_1000 })), {
    redirectUrl: 'https://checkout.paystack.com/3ni8kdavz62431k',
    paymentReference: null,
  });
  const [sent] = rig.server.requests;
  assert.equal(`${sent?.method} ${sent?.path}`, 'POST /transaction/initialize');
  const body = v.parse(InitializeBody, JSON.parse(sent?.body ?? ''));
  assert.equal(body.amount, 100_000);
  assert.equal(body.reference, ORDER);
  assert.equal(body.email, '255712345678@wifi.example');
});

test('a currency without cents is sent times a hundred as well', async t => {
  const rig = await startRig(t, driver);
  await rig.provider.createCheckout(checkoutRequest({ amount: { minor: 500, currency: 'XOF' } }));
  assert.equal(JSON.parse(rig.server.requests[0]?.body ?? '').amount, 50_000);
  answer(rig, verified({ amount: 50_000, currency: 'XOF' }));
  assert.deepEqual((await rig.provider.verify(asked)).amount, { minor: 500, currency: 'XOF' });
});

test('a paid order is verified', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.provider.verify(asked), {
    state: 'completed',
    amount: KES_1000,
    paymentReference: null,
    transactionId: '4099260516',
    channel: 'mobile_money',
    payerPhone: null,
  });
  assert.equal(rig.server.requests[0]?.path, `/transaction/verify/${ORDER}`);
});

test('every documented status has its meaning, and a reference that was never created is unknown', async t => {
  const rig = await startRig(t, driver);
  for (const [status, state] of [
    ['success', 'completed'],
    ['failed', 'failed'],
    ['reversed', 'reversed'],
    ['abandoned', 'pending'],
    ['ongoing', 'pending'],
    ['pending', 'pending'],
    ['processing', 'pending'],
    ['queued', 'pending'],
  ] as const) {
    answer(rig, verified({ status }));
    assert.equal((await rig.provider.verify(asked)).state, state, status);
  }
  for (const status of [400, 404]) {
    answer(rig, failure('Transaction reference not found.', 'transaction_not_found'), status);
    assert.equal((await rig.provider.verify(asked)).state, 'unknown');
  }
});

test('a wrong amount and a wrong currency are reported as they are', async t => {
  const rig = await startRig(t, driver);
  answer(rig, verified({ amount: 99_999 }));
  assert.deepEqual((await rig.provider.verify(asked)).amount, { minor: 99_999, currency: 'KES' });
  answer(rig, verified({ currency: 'NGN' }));
  assert.deepEqual((await rig.provider.verify(asked)).amount, { minor: 100_000, currency: 'NGN' });
});

test('an id beyond a safe integer keeps every digit', async t => {
  const rig = await startRig(t, driver);
  rig.server.play = () => ({ body: JSON.stringify(verified()).replace('4099260516', '90071992547409931') });
  assert.equal((await rig.provider.verify(asked)).transactionId, '90071992547409931');
});

test('another order’s transaction, an unknown status and an error are unexpected answers', async t => {
  const rig = await startRig(t, driver);
  for (const [body, status] of [
    [verified({ reference: 'ANOTHER' }), 200],
    [verified({ status: 'maybe' }), 200],
    [failure('Something else', 'unknown'), 400],
  ] as const) {
    answer(rig, body, status);
    await rejectsWith(rig.provider.verify(asked), 'PAYMENT_PROVIDER_UNAVAILABLE');
  }
});

test('a refused transaction is the payer’s to know, refused keys are the operator’s', async t => {
  const rig = await startRig(t, driver);
  const create = () => rig.provider.createCheckout(checkoutRequest({ amount: KES_1000 }));
  answer(rig, failure('Duplicate Transaction Reference', 'duplicate_reference'), 400);
  await rejectsWith(create(), 'PAYMENT_FAILED');
  assert.equal(rig.log.entries.at(-1)?.fields['words'], 'Duplicate Transaction Reference');
  answer(rig, failure('Currency not supported by merchant', 'unsupported_currency'), 400);
  await rejectsWith(create(), 'PAYMENT_FAILED');
  for (const status of [401, 403]) {
    answer(rig, failure('Invalid key', 'invalid_Key'), status);
    await rejectsWith(create(), 'PAYMENT_PROVIDER_UNAVAILABLE');
    assert.equal(rig.log.entries.at(-1)?.event, 'payment.keys_refused');
  }
});

function parseEvent(rig: Rig, rawBody: string | Buffer, signature: string | undefined) {
  return rig.provider.parseWebhook({
    rawBody: Buffer.from(rawBody),
    headers: { 'x-paystack-signature': signature },
    now: rig.clock.now(),
  });
}

/** paystack.com/docs/payments/webhooks: hex HMAC-SHA512 of the body with the secret key. */
const sign = (body: string): string => createHmac('sha512', KEY).update(body).digest('hex');

/** The spacing is deliberate: a signature is over bytes, not over what they mean. */
const SUCCESS = `{"event":"charge.success",
  "data" : {"id":302961,"domain":"live","status":"success","reference":"${ORDER}","amount":100000.0,
  "currency":"KES","channel":"card","customer":{"first_name":"Zuhura Ñ 中","phone":"+255712345678"}}}`;

test('a notification is signed when the signature is over its very bytes', async t => {
  const rig = await startRig(t, driver);
  const body = SUCCESS.replace('100000.0', '100000');
  assert.deepEqual(parseEvent(rig, body, sign(body)), {
    authenticity: 'signed',
    eventKey: 'charge.success:302961',
    orderReference: ORDER,
    paymentReference: null,
    claimedState: 'success',
    amount: KES_1000,
    phone: '+255712345678',
    reply: null,
  });
  assert.equal(parseEvent(rig, SUCCESS, sign(SUCCESS)).authenticity, 'signed');
  const reserialised = JSON.stringify(JSON.parse(SUCCESS));
  for (const [bytes, signature] of [
    [SUCCESS, sign(reserialised)],
    [reserialised, sign(SUCCESS)],
    [SUCCESS.replace('302961', '302962'), sign(SUCCESS)],
    [`${SUCCESS}\n`, sign(SUCCESS)],
    [SUCCESS, createHmac('sha256', KEY).update(SUCCESS).digest('hex')],
    [SUCCESS, createHmac('sha512', 'another key').update(SUCCESS).digest('hex')],
    [SUCCESS, ''],
    [SUCCESS, undefined],
  ] as const) {
    assert.equal(parseEvent(rig, bytes, signature).authenticity, 'invalid');
  }
});

test('a duplicate notification has the same key; a refund’s names the payment it belongs to', async t => {
  const rig = await startRig(t, driver);
  assert.equal(parseEvent(rig, SUCCESS, sign(SUCCESS)).eventKey, parseEvent(rig, SUCCESS, sign(SUCCESS)).eventKey);
  const body = JSON.stringify({
    event: 'refund.processed',
    data: {
      status: 'processed',
      transaction_reference: ORDER,
      refund_reference: 'TRF_1',
      amount: '50000',
      currency: 'KES',
    },
  });
  const refund = parseEvent(rig, body, sign(body));
  assert.equal(refund.orderReference, ORDER);
  assert.equal(refund.eventKey, 'refund.processed:TRF_1');
  assert.equal(refund.claimedState, 'processed');
});

const refund: RefundRequest = {
  orderReference: ORDER,
  transactionId: '4099260516',
  amount: { minor: 50_000, currency: 'KES' },
  reason: 'half a day of outage',
  idempotencyKey: 'r1',
};

test('a refund is asked for in hundredths, and every answer has its meaning', async t => {
  const rig = await startRig(t, driver);
  assert.equal((await rig.provider.refund(refund)).outcome, 'pending');
  const [sent] = rig.server.requests;
  assert.equal(`${sent?.method} ${sent?.path}`, 'POST /refund');
  assert.deepEqual(v.parse(RefundBody, JSON.parse(sent?.body ?? '')), {
    transaction: ORDER,
    amount: 50_000,
    merchant_note: 'half a day of outage',
  });
  for (const [status, outcome] of [
    ['processed', 'completed'],
    ['processing', 'pending'],
    ['needs-attention', 'pending'],
    ['failed', 'rejected'],
  ] as const) {
    answer(rig, refunded(status));
    const refundAnswer = await rig.provider.refund(refund);
    assert.equal(refundAnswer.outcome, outcome);
    assert.equal(refundAnswer.reference, outcome === 'rejected' ? null : '3018284');
  }
  answer(rig, failure('Transaction has been fully reversed', 'transaction_reversed'), 400);
  assert.deepEqual(await rig.provider.refund(refund), {
    outcome: 'rejected',
    reference: null,
    message: 'Transaction has been fully reversed',
  });
  answer(rig, { status: true });
  await rejectsWith(rig.provider.refund(refund), 'PAYMENT_PROVIDER_UNAVAILABLE');
});

/** paystack.com/docs/api/refund, fetch. */
test('a pending refund is asked about by its id until it is done', async t => {
  const rig = await startRig(t, driver);
  const pending = { orderReference: ORDER, paymentReference: null, reference: '3018284' };
  answer(rig, refunded('needs-attention'));
  const stuck = await rig.provider.refundStatus(pending);
  assert.equal(stuck.outcome, 'pending');
  assert.match(stuck.message ?? '', /retry it with the customer’s bank details/);
  answer(rig, refunded('processing'));
  assert.deepEqual(await rig.provider.refundStatus(pending), {
    outcome: 'pending',
    reference: '3018284',
    message: null,
  });
  assert.equal(rig.server.requests.at(-1)?.path, '/refund/3018284');
  answer(rig, refunded('processed'));
  assert.deepEqual(await rig.provider.refundStatus(pending), {
    outcome: 'completed',
    reference: '3018284',
    message: null,
  });
  answer(rig, refunded('failed'));
  assert.equal((await rig.provider.refundStatus(pending)).outcome, 'rejected');
  answer(rig, failure('Refund not found', 'refund_not_found'), 404);
  await rejectsWith(rig.provider.refundStatus(pending), 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.equal((await rig.provider.refundStatus({ ...pending, reference: null })).outcome, 'pending');
});
