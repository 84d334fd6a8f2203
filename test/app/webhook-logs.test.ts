/** `GET /webhook-logs/`. See docs/interface.md: Notification. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp, until } from '../support/app.ts';
import { count } from '../support/rows.ts';
import { assertInvalid } from '../support/shape.ts';

const ASHA = '+255712345678';

async function junk(app: TestApp, times: number): Promise<void> {
  for (let sent = 0; sent < times; sent += 1) await app.send('POST', '/api/payment-webhook/', `{"number":${sent}}`);
}

const numbers = (list: { webhook_data: { number: number } }[]) => list.map(log => log.webhook_data.number);

test('the list is a bare array with every field of the interface, and the payload as it was received', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 1_000 });
  const { body: order } = await app.pay({ phone: ASHA, bundle });
  await until(() => count(app, 'webhook_logs') === 1);
  const { status, headers, body } = await app.get('/api/webhook-logs/', app.admin);
  assert.equal(status, 200);
  assert.equal(headers.get('x-total-count'), '1');
  assert.partialDeepStrictEqual(body, [
    {
      payment_reference: order.payment_reference,
      payment_status: 'COMPLETED',
      amount: 1_000,
      phone_number: ASHA,
      // Additions to the interface.
      order_reference: order.order_reference,
      outcome: 'accepted',
    },
  ]);
  assert.equal(body[0].webhook_data.order_reference, order.order_reference);
  assert.equal(body[0].webhook_data.payment_channel, 'SANDBOX');
});

test('what was no notification at all is listed with the same fields and types', async t => {
  const app = await startApp(t);
  await app.send('POST', '/api/payment-webhook/', 'hello');
  const { body } = await app.get('/api/webhook-logs/', app.admin);
  assert.partialDeepStrictEqual(body, [
    {
      payment_reference: '',
      payment_status: 'INVALID',
      amount: 0,
      phone_number: '',
      webhook_data: { raw: 'hello' },
      order_reference: null,
      outcome: 'refused',
    },
  ]);
});

test('the newest come first, and pages keep the array, with X-Total-Count and Link', async t => {
  const app = await startApp(t);
  await junk(app, 5);
  const all = await app.get('/api/webhook-logs/', app.admin);
  assert.deepEqual(numbers(all.body), [4, 3, 2, 1, 0]);
  assert.equal(all.headers.get('link'), null);
  const page = await app.get('/api/webhook-logs/?page=2&page_size=2', app.admin);
  assert.deepEqual(numbers(page.body), [2, 1]);
  assert.equal(page.headers.get('x-total-count'), '5');
  const link = page.headers.get('link') ?? '';
  for (const [rel, number] of [
    ['first', 1],
    ['prev', 1],
    ['next', 3],
    ['last', 3],
  ]) {
    assert.match(link, new RegExp(`page=${number}[^>]*>; rel="${rel}"`));
  }
  const past = await app.get('/api/webhook-logs/?page=9', app.admin);
  assert.deepEqual(past.body, []);
  assert.equal(past.headers.get('x-total-count'), '5');
  const huge = await app.get('/api/webhook-logs/?page=9007199254740991&page_size=999', app.admin);
  assert.equal(huge.status, 200, 'a page size above 100 is cut');
  assertInvalid(await app.get('/api/webhook-logs/?page=0&page_size=x', app.admin), 'page', 'page_size');
});

test('without a page it is the newest 1,000', async t => {
  const app = await startApp(t);
  const invalid = { event: null, ip: null };
  await Promise.all(
    Array.from({ length: 1_005 }, (_, number) =>
      app.context.commit('recordWebhook', { ...invalid, rawBody: JSON.stringify({ number }) }),
    ),
  );
  const { headers, body } = await app.get('/api/webhook-logs/', app.admin);
  assert.equal(body.length, 1_000);
  assert.equal(body[0].webhook_data.number, 1_004);
  assert.equal(headers.get('x-total-count'), '1005');
});

test('webhook logs are for staff: without credentials 403', async t => {
  const app = await startApp(t);
  assert.equal((await app.get('/api/webhook-logs/')).status, 403);
});
