import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import polka, { type Request } from 'polka';
import type { PaymentProvider } from '../../src/domain/ports.ts';
import { systemClock } from '../../src/domain/time.ts';
import { sandbox as sandboxDriver } from '../../src/payment/sandbox.ts';
import {
  assertSandboxAllowed,
  createSandboxService,
  type SandboxService,
  type SandboxServiceOptions,
} from '../../src/sandbox/service.ts';
import { bodyOf, checkoutRequest, listen, recordingLog, rejectsWith, throwsCode } from './support.ts';

interface Delivery {
  body: string;
  signature: string;
}

interface Sandbox {
  url: string;
  log: ReturnType<typeof recordingLog>;
  service: SandboxService;
  provider: PaymentProvider;
  /** Notifications that the shop received, and the status it answers with. */
  shop: { url: string; deliveries: Delivery[]; status: number };
  order: ReturnType<typeof checkoutRequest>;
}

async function startSandbox(
  t: TestContext,
  options: Partial<SandboxServiceOptions> = {},
  deadlineMs = 10_000,
): Promise<Sandbox> {
  const log = recordingLog();
  const service = createSandboxService(
    { environment: 'sandbox', lateMs: 150, retryDelaysMs: [20, 40], ...options },
    log,
  );
  t.after(() => service.close());
  const url = await listen(t, service.handler);
  const shop: Sandbox['shop'] = { url: '', deliveries: [], status: 200 };
  shop.url = await listen(t, async (req, res) => {
    const body = await bodyOf(req);
    shop.deliveries.push({ body, signature: String(req.headers['x-payment-signature']) });
    res.writeHead(shop.status).end('{}');
  });
  const { apiKey, webhookSecret } = service;
  const provider = sandboxDriver.create(
    { apiUrl: url, apiKey, webhookSecret },
    { log, clock: systemClock, deadlineMs },
  );
  const order = checkoutRequest({ returnUrl: `${shop.url}/back`, webhookUrl: `${shop.url}/api/payment-webhook/` });
  return { url, log, service, provider, shop, order };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    assert.ok(tries < 200, 'it did not happen in time');
    await wait(10);
  }
}

function press(redirectUrl: string, fields: Record<string, string>): Promise<Response> {
  return fetch(redirectUrl, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

const reference = (sandbox: Sandbox) => ({
  orderReference: sandbox.order.orderReference,
  paymentReference: null,
  currency: 'TZS',
});

function parseEvent(provider: PaymentProvider, body: string | Buffer, signature: string | undefined) {
  return provider.parseWebhook({
    rawBody: Buffer.from(body),
    headers: { 'x-payment-signature': signature },
    now: systemClock.now(),
  });
}

test('a payment goes from checkout over the page to a signed notification and a verified state', async t => {
  const sandbox = await startSandbox(t);
  const checkout = await sandbox.provider.createCheckout(sandbox.order);
  assert.equal((await sandbox.provider.verify(reference(sandbox))).state, 'pending');

  const reply = await press(checkout.redirectUrl, { outcome: 'completed' });
  assert.equal(reply.status, 303);
  assert.equal(reply.headers.get('location'), sandbox.order.returnUrl);

  await until(() => sandbox.shop.deliveries.length === 1);
  const [delivery] = sandbox.shop.deliveries;
  assert.ok(delivery);
  assert.equal(
    delivery.signature,
    createHmac('sha256', sandbox.service.webhookSecret).update(delivery.body).digest('hex'),
  );
  const event = parseEvent(sandbox.provider, delivery.body, delivery.signature);
  const { event_id, transaction_id } = JSON.parse(delivery.body);
  assert.deepEqual(event, {
    authenticity: 'signed',
    eventKey: event_id,
    orderReference: sandbox.order.orderReference,
    paymentReference: checkout.paymentReference,
    claimedState: 'COMPLETED',
    amount: { minor: 100_000, currency: 'TZS' },
    phone: '+255712345678',
    reply: null,
  });
  assert.deepEqual(await sandbox.provider.verify(reference(sandbox)), {
    state: 'completed',
    amount: { minor: 100_000, currency: 'TZS' },
    paymentReference: checkout.paymentReference,
    transactionId: transaction_id,
    channel: 'SANDBOX',
    payerPhone: '+255712345678',
  });
});

test('a notification whose bytes or signature were altered is invalid, and its claim is still readable', async t => {
  const sandbox = await startSandbox(t);
  const body = '{"event_id":"e1","order_reference":"AB12CD34EF56GH78IJ90","payment_status":"COMPLETED"}';
  const signature = createHmac('sha256', sandbox.service.webhookSecret).update(body).digest('hex');
  assert.equal(parseEvent(sandbox.provider, body, signature).authenticity, 'signed');
  for (const [bytes, given] of [
    [body.replace('e1', 'e2'), signature],
    [`${body} `, signature],
    [body, signature.replace(/^./, first => (first === '0' ? '1' : '0'))],
    [body, ''],
    [body, undefined],
  ] as const) {
    const event = parseEvent(sandbox.provider, bytes, given);
    assert.equal(event.authenticity, 'invalid');
    assert.equal(event.orderReference, 'AB12CD34EF56GH78IJ90');
  }
});

test('bytes that are no notification are a validation error', async t => {
  const sandbox = await startSandbox(t);
  for (const body of ['', 'hello', '[]', 'null', '{}', '{"order_reference":["x"],"payment_status":"COMPLETED"}', '"x"'])
    throwsCode(() => parseEvent(sandbox.provider, body, 'x'), 'VALIDATION');
  throwsCode(() => parseEvent(sandbox.provider, Buffer.from([0x7b, 0xff, 0x7d]), 'x'), 'VALIDATION');
  throwsCode(() => parseEvent(sandbox.provider, '['.repeat(60_000), 'x'), 'VALIDATION');
});

test('the webhook field withholds, repeats or delays the notification', async t => {
  const sandbox = await startSandbox(t);
  const checkout = (orderReference: string) => sandbox.provider.createCheckout({ ...sandbox.order, orderReference });

  await press((await checkout('TWICE')).redirectUrl, { outcome: 'completed', webhook: 'twice' });
  await until(() => sandbox.shop.deliveries.length === 2);
  assert.equal(sandbox.shop.deliveries[0]?.body, sandbox.shop.deliveries[1]?.body);

  await press((await checkout('NEVER')).redirectUrl, { outcome: 'completed', webhook: 'never' });
  await press((await checkout('LATE')).redirectUrl, { outcome: 'completed', webhook: 'late' });
  await wait(50);
  assert.equal(sandbox.shop.deliveries.length, 2);
  await until(() => sandbox.shop.deliveries.length === 3);
  assert.match(sandbox.shop.deliveries[2]?.body ?? '', /"LATE"/);
  assert.equal((await sandbox.provider.verify({ ...reference(sandbox), orderReference: 'NEVER' })).state, 'completed');
});

test('a notification is tried again until it is answered with 200, and only so often', async t => {
  const sandbox = await startSandbox(t);
  const { redirectUrl } = await sandbox.provider.createCheckout(sandbox.order);
  sandbox.shop.status = 500;
  await press(redirectUrl, { outcome: 'failed' });
  await until(() => sandbox.log.entries.some(entry => entry.event === 'sandbox.notification_given_up'));
  assert.equal(sandbox.shop.deliveries.length, 3);
  sandbox.shop.status = 200;
  await press(redirectUrl, { outcome: 'completed' });
  await until(() => sandbox.shop.deliveries.length === 4);
  await wait(80);
  assert.equal(sandbox.shop.deliveries.length, 4);
});

test('a failed or cancelled payment can still succeed, and a completed one stays completed', async t => {
  const sandbox = await startSandbox(t);
  const { redirectUrl, paymentReference } = await sandbox.provider.createCheckout(sandbox.order);
  const state = async () => (await sandbox.provider.verify(reference(sandbox))).state;
  await press(redirectUrl, { outcome: 'failed', webhook: 'never' });
  assert.equal(await state(), 'failed');
  await press(redirectUrl, { outcome: 'cancelled', webhook: 'never' });
  assert.equal(await state(), 'cancelled');
  await press(redirectUrl, { outcome: 'completed', webhook: 'never' });
  assert.equal((await press(redirectUrl, { outcome: 'failed' })).status, 303);
  assert.equal(await state(), 'completed');
  assert.match(await (await fetch(redirectUrl)).text(), /This order is paid/);
  assert.equal(sandbox.shop.deliveries.length, 0);
  sandbox.service.decide(paymentReference ?? '', 'failed');
  await until(() => sandbox.shop.deliveries.length === 1);
  assert.match(sandbox.shop.deliveries[0]?.body ?? '', /"COMPLETED"/);
  assert.equal(await state(), 'completed');
});

test('the same order again is the same checkout; for another amount it is refused', async t => {
  const sandbox = await startSandbox(t);
  const first = await sandbox.provider.createCheckout(sandbox.order);
  assert.deepEqual(await sandbox.provider.createCheckout(sandbox.order), first);
  const dearer = { ...sandbox.order, amount: { minor: 200_000, currency: 'TZS' } };
  await rejectsWith(sandbox.provider.createCheckout(dearer), 'PAYMENT_FAILED');
  assert.equal(sandbox.service.size, 1);
});

test('refunds are partial, repeatable with their key, and never more than was paid', async t => {
  const sandbox = await startSandbox(t);
  const { redirectUrl } = await sandbox.provider.createCheckout(sandbox.order);
  const refund = (minor: number, idempotencyKey: string) =>
    sandbox.provider.refund({
      orderReference: sandbox.order.orderReference,
      transactionId: null,
      amount: { minor, currency: 'TZS' },
      reason: 'asked for it',
      idempotencyKey,
    });
  assert.equal((await refund(100, 'early')).outcome, 'rejected');
  await press(redirectUrl, { outcome: 'completed' });
  const first = await refund(60_000, 'a');
  assert.equal(first.outcome, 'completed');
  assert.deepEqual(await refund(60_000, 'a'), first);
  const tooMuch = await refund(40_001, 'b');
  assert.deepEqual(tooMuch, {
    outcome: 'rejected',
    reference: null,
    message: 'The amount is more than is left to refund.',
  });
  sandbox.service.faults.slowRefunds = true;
  assert.equal((await refund(20_000, 'c')).outcome, 'pending');
  assert.equal((await refund(20_000, 'c')).outcome, 'completed');
  const pending = await refund(20_000, 'd');
  const order = { orderReference: sandbox.order.orderReference, paymentReference: null };
  assert.equal(pending.outcome, 'pending');
  assert.deepEqual(await sandbox.provider.refundStatus({ ...order, reference: pending.reference }), {
    ...pending,
    outcome: 'completed',
  });
  await rejectsWith(sandbox.provider.refundStatus({ ...order, reference: 'X' }), 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.equal((await refund(1, 'e')).outcome, 'rejected');
});

test('the faults bend amount and currency, and an unknown order is unknown', async t => {
  const sandbox = await startSandbox(t);
  const { redirectUrl } = await sandbox.provider.createCheckout(sandbox.order);
  sandbox.service.faults.paidAmount = '999.99';
  sandbox.service.faults.paidCurrency = 'KES';
  await press(redirectUrl, { outcome: 'completed' });
  assert.deepEqual((await sandbox.provider.verify(reference(sandbox))).amount, { minor: 99_999, currency: 'KES' });
  await until(() => sandbox.shop.deliveries.length === 1);
  assert.equal(JSON.parse(sandbox.shop.deliveries[0]?.body ?? '').amount, 999.99);
  const unknown = await sandbox.provider.verify({ ...reference(sandbox), orderReference: 'NOBODY' });
  assert.equal(unknown.state, 'unknown');
});

test('a provider that is down, slow, rate limiting or not speaking JSON is unavailable, and the log says why', async t => {
  const sandbox = await startSandbox(t, {}, 3_000);
  const { faults } = sandbox.service;
  const unavailable = () => rejectsWith(sandbox.provider.verify(reference(sandbox)), 'PAYMENT_PROVIDER_UNAVAILABLE');

  faults.down = true;
  await unavailable();
  faults.down = false;
  faults.nonJson = true;
  await unavailable();
  faults.nonJson = false;
  faults.delayMs = 60_000;
  await unavailable();
  faults.delayMs = 0;
  faults.rateLimited = true;
  assert.equal((await unavailable()).retryAfterSeconds, 1);
  faults.rateLimited = false;

  const reasons = sandbox.log.entries.map(entry => entry.fields['reason']);
  assert.deepEqual(reasons, ['the provider failed', 'the reply is not JSON', 'no reply in time', 'rate limited']);
});

test('a create whose answer was lost can be asked for again', async t => {
  const sandbox = await startSandbox(t, {}, 3_000);
  sandbox.service.faults.delayMs = 60_000;
  await rejectsWith(sandbox.provider.createCheckout(sandbox.order), 'PAYMENT_PROVIDER_UNAVAILABLE');
  sandbox.service.faults.delayMs = 0;
  const checkout = await sandbox.provider.createCheckout(sandbox.order);
  assert.equal((await sandbox.provider.verify(reference(sandbox))).paymentReference, checkout.paymentReference);
  assert.equal(sandbox.service.size, 1);
});

test('a wrong key is refused, and no key, secret or whole phone number reaches the log', async t => {
  const sandbox = await startSandbox(t);
  const stranger = sandboxDriver.create(
    { apiUrl: sandbox.url, apiKey: 'wrong-key-wrong-key', webhookSecret: 'x' },
    { log: sandbox.log, clock: systemClock },
  );
  await rejectsWith(stranger.createCheckout(sandbox.order), 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.equal(sandbox.log.entries.at(-1)?.event, 'payment.keys_refused');
  for (const secret of ['wrong-key', sandbox.service.apiKey, sandbox.service.webhookSecret, '255712345678'])
    assert.ok(!sandbox.log.text().includes(secret));
});

test('the checkout page says SANDBOX, escapes what it shows, and needs neither script nor another origin', async t => {
  const sandbox = await startSandbox(t);
  const { redirectUrl } = await sandbox.provider.createCheckout({
    ...sandbox.order,
    description: `<script>alert("1")</script> & 'x'`,
  });
  const reply = await fetch(redirectUrl);
  const html = await reply.text();
  assert.equal(reply.status, 200);
  assert.match(reply.headers.get('content-security-policy') ?? '', /default-src 'none'; style-src 'self'/);
  assert.match(html, /SANDBOX/);
  assert.match(html, /TZS 1000\.00/);
  assert.ok(html.includes('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; &#39;x&#39;'));
  assert.doesNotMatch(html, /<script|<style|style=|\son\w+=|https?:/i);
  assert.match(html, /width=device-width/);
  const style = await fetch(`${sandbox.url}/style.css`);
  assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8');
});

test('an unknown payment, an empty form, a wrong method and a huge form are answered as such', async t => {
  const sandbox = await startSandbox(t);
  const { redirectUrl } = await sandbox.provider.createCheckout(sandbox.order);
  assert.equal((await fetch(`${sandbox.url}/checkout/NOBODY`)).status, 404);
  assert.equal((await press(redirectUrl, {})).status, 400);
  assert.equal((await press(redirectUrl, { outcome: 'completed', webhook: 'maybe' })).status, 400);
  assert.equal((await fetch(redirectUrl, { method: 'PUT' })).status, 405);
  assert.equal((await press(redirectUrl, { outcome: 'x'.repeat(20_000) })).status, 413);
  assert.equal((await fetch(`${sandbox.url}/nothing`)).status, 404);
  assert.equal((await sandbox.provider.verify(reference(sandbox))).state, 'pending');
});

test('mounted under a path of polka it links to that path, or to the public address it is given', async t => {
  const log = recordingLog();
  const service = createSandboxService({ environment: 'sandbox', apiKey: 'k', webhookSecret: 's' }, log);
  t.after(() => service.close());
  const mount = (handler: SandboxService['handler']) => {
    const app = polka();
    app.use('/sandbox', handler);
    return listen(t, (req, res) => app.handler(req as Request, res, undefined as never));
  };
  const origin = await mount(service.handler);
  const tools = { log, clock: systemClock };
  const options = { apiUrl: `${origin}/sandbox`, apiKey: 'k', webhookSecret: 's' };
  const checkout = await sandboxDriver.create(options, tools).createCheckout(checkoutRequest());
  assert.equal(checkout.redirectUrl, `${origin}/sandbox/checkout/${checkout.paymentReference}`);
  assert.match(await (await fetch(checkout.redirectUrl)).text(), /href="\/sandbox\/style\.css"/);
  assert.equal((await fetch(`${origin}/sandbox/style.css`)).status, 200);
  assert.equal((await fetch(`${origin}/sandbox/nothing`)).status, 404);

  const publicUrl = 'https://wifi.example/sandbox/';
  const published = createSandboxService({ environment: 'sandbox', apiKey: 'k', publicUrl }, log);
  t.after(() => published.close());
  const elsewhere = { ...options, apiUrl: `${await mount(published.handler)}/sandbox` };
  const other = await sandboxDriver.create(elsewhere, tools).createCheckout(checkoutRequest());
  assert.equal(other.redirectUrl, `https://wifi.example/sandbox/checkout/${other.paymentReference}`);
});

test('with a file it remembers payments over a restart, even past a line that was cut off', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'lango-sandbox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sandbox.jsonl');
  const before = await startSandbox(t, { file });
  const checkout = await before.provider.createCheckout(before.order);
  await press(checkout.redirectUrl, { outcome: 'completed', webhook: 'never' });
  await before.service.close();
  appendFileSync(file, '{"orderReference":"HALF');

  const after = await startSandbox(t, { file });
  const verification = await after.provider.verify(reference(after));
  assert.equal(verification.state, 'completed');
  assert.equal(verification.paymentReference, checkout.paymentReference);
  assert.equal(readFileSync(file, 'utf8').split('\n').length, 2);
});

test('a disk without room does not keep it from starting', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'lango-sandbox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sandbox.jsonl');
  const before = await startSandbox(t, { file });
  const checkout = await before.provider.createCheckout(before.order);
  await before.service.close();
  const written = readFileSync(file, 'utf8');
  symlinkSync('/dev/full', `${file}.new`);

  const after = await startSandbox(t, { file });
  assert.equal((await after.provider.verify(reference(after))).paymentReference, checkout.paymentReference);
  assert.equal(readFileSync(file, 'utf8'), written);
  assert.deepEqual(readdirSync(folder), ['sandbox.jsonl']);
});

test('its memory and its file are bounded: the oldest checkouts are forgotten', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'lango-sandbox-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'sandbox.jsonl');
  const sandbox = await startSandbox(t, { file, limit: 3 });
  for (let order = 0; order < 40; order += 1)
    await sandbox.provider.createCheckout({ ...sandbox.order, orderReference: `ORDER${order}` });
  assert.equal(sandbox.service.size, 3);
  assert.ok(readFileSync(file, 'utf8').split('\n').length <= 3 * 8 + 1);
  assert.equal((await sandbox.provider.verify({ ...reference(sandbox), orderReference: 'ORDER36' })).state, 'unknown');
  assert.equal((await sandbox.provider.verify({ ...reference(sandbox), orderReference: 'ORDER39' })).state, 'pending');
});

test('it refuses to run where money is real', () => {
  throwsCode(() => assertSandboxAllowed('live'), 'VALIDATION');
  throwsCode(() => createSandboxService({ environment: 'live' }, recordingLog()), 'VALIDATION');
  assertSandboxAllowed('sandbox');
});
