/** Notifications that anybody can send: what they may take of the disk, and that they keep nobody's payment out. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { LOG_BOUNDS } from '../../src/domain/webhook-logs.ts';
import { hmacHex } from '../../src/outbound/signature.ts';
import { recount } from '../../src/store/recount.ts';
import { DATABASE_FILE } from '../../src/store/store.ts';
import { startProvider } from '../payment/support.ts';
import { type Answer, startApp, type TestApp, until } from '../support/app.ts';
import { count, rows } from '../support/rows.ts';

const ASHA = '+255712345678';
const PATH = '/api/payment-webhook/';
const MINUTE_MS = 60_000;

async function startWithOrder(...[t, options]: Parameters<typeof startApp>): Promise<[app: TestApp, order: string]> {
  const app = await startApp(t, options);
  const bundle = await app.createBundle({ price: 1_000, hours: 24 });
  const { body } = await app.post('/api/initiate-payment/', { phone_number: ASHA, bundle_id: bundle.id });
  return [app, body.order_reference];
}

const eventBody = (order: string, more: object = {}) =>
  JSON.stringify({ order_reference: order, payment_status: 'COMPLETED', ...more });

function send(app: TestApp, raw: string, headers: Record<string, string> = {}): Promise<Answer> {
  return app.send('POST', PATH, raw, headers);
}

const signed = (app: TestApp, raw: string) =>
  send(app, raw, { 'x-payment-signature': hmacHex('sha256', app.sandbox?.webhookSecret ?? '', raw) });

const bodies = (app: TestApp) =>
  rows(app, 'SELECT webhook_data FROM webhook_logs ORDER BY id').map(row => JSON.parse(String(row['webhook_data'])));

function size(app: TestApp): { rows: number; bytes: number; unproven: number } {
  const [all] = rows(
    app,
    'SELECT sum(rows) AS rows, sum(bytes) AS bytes, sum(iif(is_proven, 0, bytes)) AS unproven FROM webhook_log_size',
  );
  return { rows: Number(all?.['rows']), bytes: Number(all?.['bytes']), unproven: Number(all?.['unproven']) };
}

/** Rows of an earlier life, put into the books behind the appliance's back. */
function fill(app: TestApp, times: number, bytes: number, isProven: 0 | 1): void {
  const db = new Database(join(app.dataDir, DATABASE_FILE));
  db.prepare(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < @times)
     INSERT INTO webhook_logs (provider, event_key, authenticity, outcome, payment_status, webhook_data, processed_at, is_proven)
     SELECT 'sandbox', 'old' || n, 'signed', 'accepted', 'COMPLETED', json_object('x', printf('%.*c', @bytes, 'x')), '2026-11-20T10:00:00.000Z', @isProven FROM n`,
  ).run({ times, bytes, isProven });
  db.close();
}

function assertCounted(app: TestApp): void {
  const db = new Database(join(app.dataDir, DATABASE_FILE), { readonly: true });
  assert.deepEqual(recount(db), []);
  db.close();
}

test('sixty a minute from one address are recorded, the next is 429 and leaves nothing, and signed ones never suffer', async t => {
  const [app, order] = await startWithOrder(t);
  for (let n = 0; n < 60; n += 1) assert.equal((await send(app, eventBody(`NOBODYS${n}`))).status, 400);
  const refused = await send(app, eventBody('NOBODYS'));
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal(count(app, 'webhook_logs'), 60);
  assert.equal((await signed(app, eventBody(order))).status, 200);
  assert.equal((await signed(app, eventBody('NOBODYS'))).status, 429, 'signed, and of no order of ours');
  assert.equal(count(app, 'webhook_logs'), 61);
  app.clock.advance(MINUTE_MS);
  assert.equal((await send(app, eventBody('NOBODYS'))).status, 400);
});

test('of one order, thirty a minute are recorded, whatever addresses they come from', async t => {
  const [app, order] = await startWithOrder(t, { environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  const from = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}` });
  for (let n = 0; n < 30; n += 1) assert.equal((await send(app, eventBody(order), from(n))).status, 400);
  assert.equal((await send(app, eventBody(order), from(99))).status, 429);
  assert.equal((await send(app, eventBody('ANOTHER'), from(99))).status, 400);
  assert.equal((await signed(app, eventBody(order))).status, 200);
  assert.equal(count(app, 'webhook_logs'), 32);
});

test('a hint that is refused for the strangers before it still has its order asked about', async t => {
  const says: Record<string, object> = {
    '/api/Auth/RequestToken': { token: 'token', status: '200' },
    '/api/URLSetup/GetIpnList': [],
    '/api/URLSetup/RegisterIPN': { ipn_id: 'ipn', status: '200' },
    '/api/Transactions/SubmitOrderRequest': {
      order_tracking_id: 'tracking',
      redirect_url: 'https://pay.example/',
      status: '200',
    },
  };
  const api = await startProvider(t, ({ path }) => ({ body: says[path] }));
  const environment = {
    LANGO_PAYMENT_PROVIDER: 'pesapal',
    LANGO_PAYMENT_API_URL: api.url,
    LANGO_PAYMENT_CLIENT_ID: 'key',
    LANGO_PAYMENT_API_KEY: 'secret',
  };
  const [app, order] = await startWithOrder(t, { environment });
  const hint = JSON.stringify({
    OrderNotificationType: 'IPNCHANGE',
    OrderTrackingId: 'tracking',
    OrderMerchantReference: order,
  });
  const transaction = { merchant_reference: order, amount: 1_000, currency: 'TZS', status: '200' };
  says['/api/Transactions/GetTransactionStatus'] = { ...transaction, status_code: 0 };
  for (let n = 0; n < 30; n += 1) assert.equal((await send(app, hint)).status, 200);
  await until(() => api.requests.some(({ path }) => path.includes('GetTransactionStatus')));
  app.clock.advance(10_000);
  says['/api/Transactions/GetTransactionStatus'] = { ...transaction, status_code: 1, confirmation_code: 'C1' };
  assert.equal((await send(app, hint)).status, 429);
  await until(() => rows(app, 'SELECT status FROM payments')[0]?.['status'] === 'completed');
  assert.equal(count(app, 'webhook_logs'), 30);
});

test('of what proves nothing 4 KiB of body and short names are kept; of what is signed and ours, all', async t => {
  const [app, order] = await startWithOrder(t);
  const long = eventBody(order, { note: 'x'.repeat(20_000) });
  await send(app, long);
  await signed(app, eventBody('NOBODYS', { note: 'x'.repeat(20_000) }));
  await signed(app, long);
  const [refused, unknown, accepted] = bodies(app);
  assert.deepEqual(refused, { truncated: true, bytes: long.length, raw: long.slice(0, 4_096) });
  assert.equal(unknown.raw.length, 4_096);
  assert.equal(accepted.note.length, 20_000);

  const endless = 'é'.repeat(3_000);
  const names = { event_id: endless, payment_reference: endless, payment_status: endless, phone_number: endless };
  await send(app, eventBody(endless, names));
  const [row] = rows(app, 'SELECT * FROM webhook_logs ORDER BY id DESC LIMIT 1');
  const bytes = Object.values(row ?? {}).reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 0);
  assert.ok(bytes < 4_096 + 2_048, `${bytes} bytes`);
  assert.equal(JSON.parse(String(row?.['webhook_data'])).raw.length, 2_058, 'cut by bytes, not by characters');
});

test('200 notifications a second of 60 KB from everywhere take no more of the disk than is set aside for them', async t => {
  const [app, order] = await startWithOrder(t);
  await signed(app, eventBody(order));
  const rawBody = 'x'.repeat(60_000);
  for (let n = 0; n < 30; n += 1) {
    await Promise.all(
      Array.from({ length: 200 }, () =>
        app.context.commit('recordWebhook', { event: null, rawBody, ip: '203.0.113.7' }),
      ),
    );
    assert.ok(size(app).unproven <= LOG_BOUNDS.unprovenBytes);
  }
  assert.ok(size(app).unproven > LOG_BOUNDS.unprovenBytes * 0.99);
  const [page] = rows(app, 'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size');
  assert.ok(Number(page?.['bytes']) < 20 * 1_024 * 1_024, `${page?.['bytes']} bytes of books`);
  assert.equal(count(app, 'webhook_logs', 'is_proven = 1'), 1, 'what is signed and ours is still there');
  assert.deepEqual(rows(app, 'SELECT max(id) AS id FROM webhook_logs'), [{ id: 6_001 }], 'the oldest went');
  assertCounted(app);
});

test('the log is held under 64 MiB as it is written to, and signed ones go last', async t => {
  const [app, order] = await startWithOrder(t);
  fill(app, 1_200, 60_000, 1);
  fill(app, 10, 60_000, 0);
  fill(app, 1, 60_000, 1);
  const newest = 1_211;
  await signed(app, eventBody(order));
  assert.ok(size(app).bytes <= LOG_BOUNDS.bytes, `${size(app).bytes} bytes`);
  assert.equal(count(app, 'webhook_logs', 'is_proven = 0'), 0);
  assert.equal(count(app, 'webhook_logs', `id IN (${newest}, ${newest + 1})`), 2);
  assertCounted(app);
});

test('the log is held under 100,000 notifications as it is written to', async t => {
  const [app, order] = await startWithOrder(t);
  fill(app, 100_003, 1, 1);
  await signed(app, eventBody(order));
  assert.equal(count(app, 'webhook_logs'), 100_000);
  assert.equal(size(app).rows, 100_000);
  assert.deepEqual(rows(app, 'SELECT min(id) AS id FROM webhook_logs'), [{ id: 5 }]);
});

test('the newest thousand of the longest notifications are a list of a few megabytes, and each is whole by itself', async t => {
  const [app] = await startWithOrder(t);
  fill(app, 1_000, 60_000, 1);
  const list = await app.get('/api/webhook-logs/', app.admin);
  assert.equal(list.body.length, 1_000);
  assert.ok(JSON.stringify(list.body).length < 4 * 1_024 * 1_024);
  const [{ id, webhook_data: short }] = list.body;
  assert.deepEqual(short, { truncated: true, bytes: 60_008, raw: `{"x":"${'x'.repeat(1_018)}` });
  const { status, body } = await app.get(`/api/webhook-logs/${id}/`, app.admin);
  assert.equal(status, 200);
  assert.deepEqual(body, { ...list.body[0], webhook_data: { x: 'x'.repeat(60_000) } });
  assert.equal((await app.get('/api/webhook-logs/9999999/', app.admin)).status, 404);
  assert.equal((await app.get(`/api/webhook-logs/${id}/`)).status, 403);
});
