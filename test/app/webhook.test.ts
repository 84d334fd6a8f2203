/** `POST /payment-webhook/`: what arrives is recorded, and never believed. See docs/rules.md: Payments. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hmacHex } from '../../src/outbound/signature.ts';
import { type Answer, startApp, type TestApp, until } from '../support/app.ts';
import { count, rows } from '../support/rows.ts';
import { assertInvalid, assertShape, errors, string } from '../support/shape.ts';

const ASHA = '+255712345678';
const PATH = '/api/payment-webhook/';

interface Order {
  order_reference: string;
  payment_reference: string;
}

async function startWithOrder(...[t, options]: Parameters<typeof startApp>): Promise<[app: TestApp, order: Order]> {
  const app = await startApp(t, options);
  const bundle = await app.createBundle({ price: 1_000, hours: 24 });
  const { body } = await app.post('/api/initiate-payment/', { phone_number: ASHA, bundle_id: bundle.id });
  return [app, body];
}

const eventBody = (order: Order, change: Record<string, unknown> = {}) =>
  JSON.stringify({
    event_id: 'event-1',
    order_reference: order.order_reference,
    payment_reference: order.payment_reference,
    payment_status: 'COMPLETED',
    amount: 1_000,
    currency: 'TZS',
    phone_number: ASHA,
    transaction_id: 'T1',
    payment_channel: 'SANDBOX',
    ...change,
  });

function send(app: TestApp, raw: string | Buffer, signature?: string): Promise<Answer> {
  const signed = signature ?? hmacHex('sha256', app.sandbox?.webhookSecret ?? '', raw.toString());
  return app.send('POST', PATH, raw.toString(), { 'x-payment-signature': signed });
}

const paid = (app: TestApp, order: Order) => app.sandbox?.decide(order.payment_reference, 'completed', 'never');
const statusOf = (app: TestApp) => rows(app, 'SELECT status FROM payments')[0]?.['status'];
const logs = (app: TestApp) => rows(app, 'SELECT * FROM webhook_logs ORDER BY id');
const grants = (app: TestApp) => count(app, 'grants');
const isCompleted = (app: TestApp) => () => statusOf(app) === 'completed';

test('a notification that is accepted answers 200 when it is on disk, and the payment is granted', async t => {
  const [app, order] = await startWithOrder(t);
  paid(app, order);
  const { status, body } = await send(app, eventBody(order));
  assert.equal(status, 200);
  assert.equal(body.success, true);
  assert.equal(logs(app).length, 1);
  await until(isCompleted(app));
  assert.equal(grants(app), 1);
});

for (const webhook of ['once', 'twice', 'late'] as const) {
  test(`a payment whose notification comes ${webhook} is granted once, with the clock standing still`, async t => {
    const [app, order] = await startWithOrder(t);
    app.sandbox?.decide(order.payment_reference, 'completed', webhook);
    await until(isCompleted(app));
    await until(() => logs(app).length === (webhook === 'twice' ? 2 : 1));
    assert.equal(grants(app), 1);
  });
}

test('the same notification 50 times at once is one grant, and every one of them is recorded', async t => {
  const [app, order] = await startWithOrder(t);
  paid(app, order);
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(app, eventBody(order))));
  assert.deepEqual([...new Set(answers.map(answer => answer.status))], [200]);
  await until(isCompleted(app));
  assert.equal(grants(app), 1);
  const outcomes = logs(app).map(log => log['outcome']);
  assert.equal(outcomes.length, 50);
  assert.equal(outcomes.filter(outcome => outcome === 'accepted').length, 1);
  assert.equal(outcomes.filter(outcome => outcome === 'duplicate').length, 49);
  await send(app, eventBody(order));
  await app.passTime(60_000);
  assert.equal(grants(app), 1, 'a repeat has no second effect, later either');
});

test('a notification is never trusted by itself: signed and lying, it is recorded and nothing is granted', async t => {
  const [app, order] = await startWithOrder(t);
  assert.equal((await send(app, eventBody(order))).status, 200);
  await app.passTime(20_000);
  assert.equal(statusOf(app), 'pending');
  assert.equal(grants(app), 0);
});

test('a notification that says too little, or nothing, of the amount changes nothing: the provider is asked', async t => {
  const [app, order] = await startWithOrder(t);
  paid(app, order);
  await send(app, eventBody(order, { amount: 1, currency: 'KES', payment_status: 'FAILED' }));
  await until(isCompleted(app));
  assert.equal(grants(app), 1);
});

test('a forged signature is 400, recorded as refused, and nothing is asked or granted', async t => {
  const [app, order] = await startWithOrder(t);
  paid(app, order);
  for (const signature of ['', 'wrong', '0'.repeat(64), hmacHex('sha256', 'another secret', eventBody(order))]) {
    assertInvalid(await send(app, eventBody(order), signature), 'body');
  }
  assertInvalid(await app.send('POST', PATH, eventBody(order)), 'body');
  assert.equal(statusOf(app), 'pending');
  assert.deepEqual([...new Set(logs(app).map(log => log['outcome']))], ['refused']);
  assert.equal(logs(app).length, 5);
  await send(app, eventBody(order));
  await until(isCompleted(app));
  assert.equal(logs(app).at(-1)?.['outcome'], 'accepted', 'a forgery does not use up the event of the true one');
});

test('the signature is over the bytes as they came', async t => {
  const [app, order] = await startWithOrder(t);
  paid(app, order);
  const raw = eventBody(order).replaceAll(',', ' ,\n\t').replace('Z', '\\u005a');
  assert.equal((await send(app, raw)).status, 200);
  assertInvalid(
    await send(app, JSON.stringify(JSON.parse(raw)), hmacHex('sha256', app.sandbox?.webhookSecret ?? '', raw)),
    'body',
  );
});

for (const [what, faults, review] of [
  ['too little', { paidAmount: '1.00' }, 'underpaid'],
  ['another currency', { paidCurrency: 'USD' }, 'wrong_currency'],
] as const) {
  test(`a notification of ${what} is recorded, flagged and grants nothing`, async t => {
    const [app, order] = await startWithOrder(t);
    Object.assign(app.sandbox?.faults ?? {}, faults);
    app.sandbox?.decide(order.payment_reference, 'completed', 'once');
    await until(() => rows(app, 'SELECT review FROM payments')[0]?.['review'] === review);
    assert.equal(grants(app), 0);
    assert.equal(logs(app).length, 1);
  });
}

test('a notification of an unknown order is 200, recorded, and grants nothing', async t => {
  const [app, order] = await startWithOrder(t);
  const unknown = { order_reference: 'UNKNOWN0000000000000', payment_reference: 'unknown' };
  assert.equal((await send(app, eventBody(unknown))).status, 200);
  assert.equal(logs(app)[0]?.['outcome'], 'unknown_order');
  assert.equal(grants(app), 0);
  assert.equal(stored(app, order), 'pending');
});
const stored = (app: TestApp, order: Order) =>
  rows(app, 'SELECT status FROM payments WHERE order_reference = ?', order.order_reference)[0]?.['status'];

test('what is not JSON, or no notification, is 400 and recorded as it came', async t => {
  const [app, order] = await startWithOrder(t);
  const bodies = [
    '',
    'hello',
    '{"a":',
    '[]',
    '[{"order_reference":"x"}]',
    'null',
    '"text"',
    '5',
    '{}',
    '{"order_reference":5,"payment_status":null}',
    `${eventBody(order)}x`,
  ];
  for (const [index, raw] of bodies.entries()) {
    const answer = await send(app, raw);
    assert.equal(answer.status, 400, raw);
    assert.ok(string(answer.body.error));
    assert.equal(logs(app).length, index + 1, `${raw} is recorded`);
  }
  for (const log of logs(app)) assert.equal(log['outcome'], 'refused');
  const kept = logs(app).map(log => JSON.parse(String(log['webhook_data'])));
  assert.deepEqual(kept[1], { raw: 'hello' });
  assert.deepEqual(kept[8], {}, 'an object is kept as the object it is');
  assert.equal(grants(app), 0);
});

test('bytes that are no UTF-8, and names that mean something to JavaScript, are only data', async t => {
  const [app, order] = await startWithOrder(t);
  const bytes = await fetch(app.url + PATH, { method: 'POST', body: Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]) });
  assert.equal(bytes.status, 400);
  const raw = eventBody(order).replace('{', '{"__proto__":{"order_reference":"evil"},"constructor":1,');
  assert.equal((await send(app, raw)).status, 200);
  const [, kept] = (await app.get('/api/webhook-logs/', app.admin)).body.toReversed();
  assert.ok(Object.hasOwn(kept.webhook_data, '__proto__'), 'the payload is listed as it was received');
  assert.equal(({} as Record<string, unknown>)['order_reference'], undefined);
});

test('a payload nested as deep as fits is recorded and refused like any other', async t => {
  const [app] = await startWithOrder(t);
  for (const raw of [`${'['.repeat(30_000)}${']'.repeat(30_000)}`, `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`]) {
    const { status } = await send(app, raw);
    assert.equal(status, 400);
  }
  assert.equal(logs(app).length, 2);
  assert.equal((await app.get('/api/webhook-logs/', app.admin)).status, 200);
});

test('64 KiB are taken, one byte more is 413, and the server answers the next request', async t => {
  const [app, order] = await startWithOrder(t);
  const padded = (length: number) => {
    const bare = eventBody(order, { padding: '' });
    return eventBody(order, { padding: 'x'.repeat(length - bare.length) });
  };
  const whole = padded(65_536);
  assert.equal(Buffer.byteLength(whole), 65_536);
  assert.equal((await send(app, whole)).status, 200);
  const tooLarge = await send(app, padded(65_537));
  assert.equal(tooLarge.status, 413);
  assertShape(tooLarge.body, errors.api);
  assert.equal((await app.get('/api/health/')).status, 200);
  assert.equal(grants(app), 0);
});

test('the content type does not matter: providers send what they like', async t => {
  const [app, order] = await startWithOrder(t);
  paid(app, order);
  const raw = eventBody(order);
  const signature = hmacHex('sha256', app.sandbox?.webhookSecret ?? '', raw);
  const headers = { 'x-payment-signature': signature, 'content-type': 'text/plain' };
  assert.equal((await app.send('POST', '/api/payment-webhook', raw, headers)).status, 200);
  await until(isCompleted(app));
});

test('with the provider down a notification is still taken, and the payment settled when it is back', async t => {
  const [app, order] = await startWithOrder(t);
  assert.ok(app.sandbox);
  paid(app, order);
  app.sandbox.faults.down = true;
  assert.equal((await send(app, eventBody(order))).status, 200);
  await app.passTime(20_000);
  assert.equal(statusOf(app), 'pending');
  app.sandbox.faults.down = false;
  await app.passTime(20_000);
  assert.equal(statusOf(app), 'completed');
  assert.equal(grants(app), 1);
});

test('a failure told after the success changes nothing', async t => {
  const [app, order] = await startWithOrder(t);
  paid(app, order);
  await send(app, eventBody(order));
  await until(isCompleted(app));
  const { status } = await send(app, eventBody(order, { event_id: 'event-2', payment_status: 'FAILED' }));
  assert.equal(status, 200);
  await app.passTime(60_000);
  assert.equal(statusOf(app), 'completed');
  assert.equal(grants(app), 1);
});

const DAY = 24 * 3_600_000;

test('notifications older than 90 days are forgotten', async t => {
  const [app, order] = await startWithOrder(t);
  for (let n = 0; n < 5; n += 1) await send(app, eventBody(order, { event_id: `e${n}` }));
  const prune = (limit: number) => app.context.commit('prune', { what: 'webhookLogs', limit });
  app.clock.advance(89 * DAY);
  assert.deepEqual(await prune(10), { pruned: 0 });
  app.clock.advance(2 * DAY);
  assert.deepEqual(await prune(2), { pruned: 2 });
  assert.deepEqual(await prune(10), { pruned: 3 });
});
