import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import type { RefundRequest } from '../../src/domain/ports.ts';
import { pesapal } from '../../src/payment/pesapal.ts';
import { type DriverUnderTest, type Rig, startRig, testFaults } from './faults.ts';
import { checkoutRequest, rejectsWith, type Scripted, type SeenRequest } from './support.ts';

const KEY = 'consumer-key-of-the-shop';
const SECRET = 'consumer-secret-of-the-shop';
const ORDER = 'AB12CD34EF56GH78IJ90';
const TRACKING = 'b945e4af-80a5-4ec1-8706-e03f8332fb04';
const IPN = 'e32182ca-0983-4fa0-91bc-c3bb813ba750';

// developer.pesapal.com/how-to-integrate/e-commerce/api-30-json: authentication, registeripnurl,
// submitorderrequest, refund-request. Amounts are JSON numbers ("Float") there, a text in the refund sample.
const TokenBody = v.strictObject({ consumer_key: v.literal(KEY), consumer_secret: v.literal(SECRET) });
const RegisterBody = v.strictObject({
  url: v.pipe(v.string(), v.url()),
  ipn_notification_type: v.picklist(['GET', 'POST']),
});
const OrderBody = v.strictObject({
  id: v.pipe(v.string(), v.maxLength(50), v.regex(/^[\w.:-]+$/)),
  currency: v.pipe(v.string(), v.length(3)),
  amount: v.pipe(v.number(), v.minValue(0)),
  description: v.pipe(v.string(), v.maxLength(100)),
  callback_url: v.pipe(v.string(), v.url()),
  cancellation_url: v.optional(v.pipe(v.string(), v.url())),
  notification_id: v.pipe(v.string(), v.uuid()),
  billing_address: v.looseObject({ phone_number: v.string() }),
});
const RefundBody = v.strictObject({
  confirmation_code: v.string(),
  amount: v.string(),
  username: v.string(),
  remarks: v.string(),
});

const NO_ERROR = { error_type: null, code: null, message: null, call_back_url: null };

function problem(code: string, message: string, status = '500'): object {
  return { error: { error_type: 'api_error', code, message, call_back_url: '' }, status };
}

function transaction(change: object = {}): object {
  return {
    payment_method: 'MPESA',
    amount: 1000.0,
    created_date: '2026-11-21T10:01:30.717',
    confirmation_code: 'AA11BB22',
    payment_status_description: 'Completed',
    description: null,
    message: 'Request processed successfully',
    payment_account: '476173**0010',
    call_back_url: 'https://wifi.example/',
    status_code: 1,
    merchant_reference: ORDER,
    currency: 'TZS',
    error: NO_ERROR,
    status: '200',
    ...change,
  };
}

let issued = 0;
function preliminaries(path: string): Scripted | null {
  if (path === '/api/Auth/RequestToken') {
    issued += 1;
    const body = { token: `eyJ.token-${issued}`, expiryDate: '2026-11-21T10:05:00Z', error: null, status: '200' };
    return { body: { ...body, message: 'Request processed successfully' } };
  }
  if (path === '/api/URLSetup/GetIpnList') return { body: [] };
  if (path === '/api/URLSetup/RegisterIPN') {
    return {
      body: { url: 'https://wifi.example/', created_date: '2026-11-21', ipn_id: IPN, error: null, status: '200' },
    };
  }
  return null;
}

function play(request: SeenRequest): Scripted {
  const first = preliminaries(request.path);
  if (first !== null) return first;
  if (request.path === '/api/Transactions/SubmitOrderRequest') {
    const body = {
      order_tracking_id: TRACKING,
      merchant_reference: ORDER,
      redirect_url: `https://pay.pesapal.com/iframe/PesapalIframe3/Index?OrderTrackingId=${TRACKING}`,
      error: null,
      status: '200',
    };
    return { body };
  }
  if (request.path === '/api/Transactions/RefundRequest') {
    return { body: { status: '200', message: 'Refund request successfully' } };
  }
  return { body: transaction() };
}

const driver: DriverUnderTest = {
  name: 'pesapal',
  create: (apiUrl, tools) => pesapal.create({ apiUrl, apiKey: SECRET, clientId: KEY }, tools),
  play,
  preliminaries,
  secrets: [KEY, SECRET, 'eyJ.'],
  paymentReference: TRACKING,
  currency: 'TZS',
};

testFaults(driver);

const asked = { orderReference: ORDER, paymentReference: TRACKING };
const paths = (rig: Rig) => rig.server.requests.map(request => `${request.method} ${request.path}`);
const bodyAt = (rig: Rig, index: number): unknown => JSON.parse(rig.server.requests[index]?.body ?? '');

function answer(rig: Rig, body: unknown, status = 200): void {
  rig.server.play = request => preliminaries(request.path) ?? { status, body };
}

test('an order is submitted after a token and a registered address, as the documents say', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.provider.createCheckout(checkoutRequest()), {
    redirectUrl: `https://pay.pesapal.com/iframe/PesapalIframe3/Index?OrderTrackingId=${TRACKING}`,
    paymentReference: TRACKING,
  });
  assert.deepEqual(paths(rig), [
    'POST /api/Auth/RequestToken',
    'GET /api/URLSetup/GetIpnList',
    'POST /api/URLSetup/RegisterIPN',
    'POST /api/Transactions/SubmitOrderRequest',
  ]);
  v.parse(TokenBody, bodyAt(rig, 0));
  const registered = v.parse(RegisterBody, bodyAt(rig, 2));
  assert.deepEqual(registered, { url: checkoutRequest().webhookUrl, ipn_notification_type: 'POST' });
  const order = v.parse(OrderBody, bodyAt(rig, 3));
  assert.equal(order.notification_id, IPN);
  assert.equal(order.id, ORDER);
  assert.match(rig.server.requests[3]?.body ?? '', /"amount":1000\.00,/);
  assert.match(rig.server.requests[3]?.headers.authorization ?? '', /^Bearer eyJ\.token-\d+$/);
});

test('the address is registered once, and the token serves until it is nearly five minutes old', async t => {
  const rig = await startRig(t, driver);
  await rig.provider.createCheckout(checkoutRequest());
  await rig.provider.createCheckout(checkoutRequest());
  assert.deepEqual(paths(rig).slice(4), ['POST /api/Transactions/SubmitOrderRequest']);
  rig.clock.advance(270);
  await rig.provider.verify(asked);
  assert.deepEqual(paths(rig).slice(5), ['POST /api/Auth/RequestToken', 'GET /api/Transactions/GetTransactionStatus']);
});

/** developer.pesapal.com, "Get registered IPN list": a list of what RegisterIPN answers. */
const listed = (ipn_id: string, change: object = {}) => ({
  url: checkoutRequest().webhookUrl,
  created_date: '2026-11-20T10:00:00Z',
  ipn_id,
  ipn_notification_type_description: 'POST',
  ipn_status: 1,
  error: null,
  status: '200',
  ...change,
});

test('an address that an earlier start registered is used again, and one that Pesapal does not accept is not', async t => {
  const rig = await startRig(t, driver);
  const others = [
    listed('00000000-0000-4000-8000-000000000001', { url: 'https://another.example/' }),
    listed('00000000-0000-4000-8000-000000000002', { ipn_notification_type_description: 'GET' }),
    listed('00000000-0000-4000-8000-000000000003', { ipn_status: 0 }),
  ];
  const usable = listed('00000000-0000-4000-8000-000000000004');
  rig.server.play = request => (request.path.endsWith('/GetIpnList') ? { body: [...others, usable] } : play(request));
  await rig.provider.createCheckout(checkoutRequest());
  const order = v.parse(OrderBody, bodyAt(rig, 2));
  assert.equal(order.notification_id, usable.ipn_id);

  const accepts = rig.server.play;
  rig.server.play = request =>
    request.path.endsWith('/SubmitOrderRequest') ? { body: problem('invalid_ipn_id', 'unknown') } : accepts(request);
  await rejectsWith(rig.provider.createCheckout(checkoutRequest()), 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.match(rig.log.text(), /https:\/\/wifi\.example\/api\/payment-webhook\/ is not accepted: it must be public/);
  rig.server.play = accepts;
  await rig.provider.createCheckout(checkoutRequest());
  assert.deepEqual(paths(rig).slice(-3), [
    'GET /api/URLSetup/GetIpnList',
    'POST /api/URLSetup/RegisterIPN',
    'POST /api/Transactions/SubmitOrderRequest',
  ]);
});

test('a token that expires mid-way is renewed once, said by status or said in the body', async t => {
  for (const [status, body] of [
    [401, problem('invalid_token', 'Access token expired', '401')],
    [200, problem('invalid_token', 'Access token expired', '401')],
  ] as const) {
    const rig = await startRig(t, driver);
    await rig.provider.verify(asked);
    const stale = rig.server.requests.at(-1)?.headers.authorization;
    rig.server.play = request => (request.headers.authorization === stale ? { status, body } : play(request));
    assert.equal((await rig.provider.verify(asked)).state, 'completed');
    assert.equal(paths(rig).filter(path => path.endsWith('RequestToken')).length, 2);
  }
});

test('keys that are not accepted are an error in the log', async t => {
  const rig = await startRig(t, driver);
  rig.server.play = () => ({ body: problem('invalid_consumer_key_or_secret_provided', '') });
  await rejectsWith(rig.provider.createCheckout(checkoutRequest()), 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.equal(rig.log.entries.at(-1)?.event, 'payment.keys_refused');
  answer(rig, problem('invalid_token', 'no', '401'), 401);
  await rejectsWith(rig.provider.verify(asked), 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.equal(rig.log.entries.at(-1)?.event, 'payment.keys_refused');
});

test('a paid order is verified, and a masked card number is not taken for a phone', async t => {
  const rig = await startRig(t, driver);
  assert.deepEqual(await rig.provider.verify(asked), {
    state: 'completed',
    amount: { minor: 100_000, currency: 'TZS' },
    paymentReference: TRACKING,
    transactionId: 'AA11BB22',
    channel: 'MPESA',
    payerPhone: null,
  });
  assert.equal(rig.server.requests.at(-1)?.query.get('orderTrackingId'), TRACKING);
  answer(rig, transaction({ payment_account: '255712345678' }));
  assert.equal((await rig.provider.verify(asked)).payerPhone, '255712345678');
});

test('every documented status has its meaning', async t => {
  const rig = await startRig(t, driver);
  for (const [status_code, state] of [
    [0, 'pending'],
    [1, 'completed'],
    [2, 'failed'],
    [3, 'reversed'],
  ] as const) {
    answer(rig, transaction({ status_code }));
    assert.equal((await rig.provider.verify(asked)).state, state);
  }
});

test('an order that nobody has paid yet is pending, with status 200 or 500', async t => {
  const rig = await startRig(t, driver);
  for (const status of [200, 404, 500]) {
    answer(rig, problem('payment_details_not_found', 'Pending Payment'), status);
    assert.equal((await rig.provider.verify(asked)).state, 'pending');
  }
});

test('an order whose submission was never answered is unknown, without asking', async t => {
  const rig = await startRig(t, driver);
  assert.equal((await rig.provider.verify({ ...asked, paymentReference: null })).state, 'unknown');
  assert.equal(rig.server.requests.length, 0);
});

test('a wrong amount and a wrong currency are reported as they are', async t => {
  const rig = await startRig(t, driver);
  rig.server.play = request =>
    preliminaries(request.path) ?? { body: JSON.stringify(transaction()).replace('"amount":1000', '"amount":999.90') };
  assert.deepEqual((await rig.provider.verify(asked)).amount, { minor: 99_990, currency: 'TZS' });
  answer(rig, transaction({ currency: 'KES' }));
  assert.deepEqual((await rig.provider.verify(asked)).amount, { minor: 100_000, currency: 'KES' });
});

test('another order’s transaction, an unknown status and an error object are unexpected answers', async t => {
  const rig = await startRig(t, driver);
  for (const body of [
    transaction({ merchant_reference: 'ANOTHER' }),
    transaction({ status_code: 9 }),
    problem('internal_error', 'Something broke'),
  ]) {
    answer(rig, body);
    await rejectsWith(rig.provider.verify(asked), 'PAYMENT_PROVIDER_UNAVAILABLE');
  }
});

test('a refused order is the payer’s to know; a forgotten address is registered again next time', async t => {
  const rig = await startRig(t, driver);
  answer(rig, problem('amount_exceeds_default_limit', 'Transaction amount exceeds limit'));
  await rejectsWith(rig.provider.createCheckout(checkoutRequest()), 'PAYMENT_FAILED');
  answer(rig, problem('duplicate_order_reference', 'Order was submitted before'));
  await rejectsWith(rig.provider.createCheckout(checkoutRequest()), 'PAYMENT_FAILED');
  answer(rig, problem('invalid_ipn_id', 'IPN id is not valid'));
  await rejectsWith(rig.provider.createCheckout(checkoutRequest()), 'PAYMENT_PROVIDER_UNAVAILABLE');
  const before = rig.server.requests.length;
  rig.server.play = play;
  await rig.provider.createCheckout(checkoutRequest());
  assert.deepEqual(paths(rig).slice(before, before + 2), [
    'GET /api/URLSetup/GetIpnList',
    'POST /api/URLSetup/RegisterIPN',
  ]);
});

function parseEvent(rig: Rig, fields: object) {
  return rig.provider.parseWebhook({
    rawBody: Buffer.from(JSON.stringify(fields)),
    headers: {},
    now: rig.clock.now(),
  });
}

test('a notification is unsigned, names only the order, and is answered with its own ids', async t => {
  const rig = await startRig(t, driver);
  const fields = { OrderTrackingId: TRACKING, OrderNotificationType: 'IPNCHANGE', OrderMerchantReference: ORDER };
  const first = parseEvent(rig, fields);
  assert.deepEqual(first, {
    authenticity: 'unsigned',
    eventKey: `IPNCHANGE:${TRACKING}:2026-11-21T10:00`,
    orderReference: ORDER,
    paymentReference: TRACKING,
    claimedState: 'IPNCHANGE',
    amount: null,
    phone: null,
    reply: {
      orderNotificationType: 'IPNCHANGE',
      orderTrackingId: TRACKING,
      orderMerchantReference: ORDER,
      status: 200,
    },
  });
  assert.equal(parseEvent(rig, fields).eventKey, first.eventKey);
  rig.clock.advance(120);
  assert.notEqual(parseEvent(rig, fields).eventKey, first.eventKey, 'a later change of the order is news');
});

const refund: RefundRequest = {
  orderReference: ORDER,
  transactionId: 'AA11BB22',
  amount: { minor: 100_000, currency: 'TZS' },
  reason: 'Service not offered',
  idempotencyKey: 'r1',
};

test('a refund is requested by confirmation code and stays pending; a second one is rejected', async t => {
  const rig = await startRig(t, driver);
  const answered = await rig.provider.refund(refund);
  assert.deepEqual(answered, { outcome: 'pending', reference: 'AA11BB22', message: null });
  assert.deepEqual(v.parse(RefundBody, bodyAt(rig, 1)), {
    confirmation_code: 'AA11BB22',
    amount: '1000.00',
    username: 'lango',
    remarks: 'Service not offered',
  });
  for (const status of [200, 500]) {
    answer(rig, { status: '500', message: 'Refund rejected' }, status);
    assert.deepEqual(await rig.provider.refund(refund), {
      outcome: 'rejected',
      reference: null,
      message: 'Refund rejected',
    });
  }
  answer(rig, { hello: 'world' }, 403);
  await rejectsWith(rig.provider.refund(refund), 'PAYMENT_PROVIDER_UNAVAILABLE');
});

test('a refund is done when Pesapal says that the payment was reversed', async t => {
  const rig = await startRig(t, driver);
  const pending = { orderReference: ORDER, paymentReference: TRACKING, reference: 'AA11BB22' };
  assert.equal((await rig.provider.refundStatus(pending)).outcome, 'pending');
  answer(rig, transaction({ status_code: 3 }));
  assert.deepEqual(await rig.provider.refundStatus(pending), {
    outcome: 'completed',
    reference: 'AA11BB22',
    message: null,
  });
});

test('a payment without a confirmation code is refunded by hand', async t => {
  const rig = await startRig(t, driver);
  assert.equal((await rig.provider.refund({ ...refund, transactionId: null })).outcome, 'manual');
  assert.equal(rig.server.requests.length, 0);
});
