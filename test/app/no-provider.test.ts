/** Nothing is sold online unless a provider is set; and what sells for nothing says so everywhere. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { startApp } from '../support/app.ts';
import { manualClock } from '../support/clock.ts';

const asha = '+255712345678';
const NONE = { LANGO_PAYMENT_PROVIDER: '' };

test('an appliance that was told of no provider takes none, not the sandbox', async () => {
  assert.equal(readConfig({}).payment.provider, 'none');
});

test('without a provider nothing is ordered or written, bundles stay listed, and vouchers and cash go on', async t => {
  const app = await startApp(t, { environment: NONE });
  const bundle = await app.createBundle();
  const order = { phone_number: asha, bundle_id: bundle.id };
  const refused = await app.post('/api/initiate-payment/', order);
  assert.equal(refused.status, 502);
  assert.equal(refused.body.code, 'PAYMENT_PROVIDER_UNAVAILABLE');
  assert.match(refused.body.message, /voucher/);
  assert.equal((await app.get(`/api/user-status/${asha}/`)).status, 404, 'a stranger made no record of a number');
  assert.equal((await app.get('/api/payments/', app.admin)).body.pagination.total, 0);
  assert.deepEqual((await app.post('/api/initiate-payment/', {})).status, 400);
  const gone = await app.post('/api/initiate-payment/', { ...order, bundle_id: 99 });
  assert.deepEqual(
    [gone.status, gone.body.code],
    [404, 'BUNDLE_UNAVAILABLE'],
    'what is wrong with the order comes first',
  );
  assert.equal((await app.get('/api/bundles/')).body.length, 1);
  assert.equal((await fetch(`${app.url}/sandbox/`)).status, 404);

  const [code] = (await app.issueVouchers()) as [string];
  assert.equal((await app.redeem(code, asha)).status, 200);
  const sale = await app.post('/api/admin/sales/', { ...order, receipt_number: '1' }, app.admin);
  assert.equal(sale.status, 201);
  const event = { event: 'charge.success', order_reference: 'X'.repeat(20), payment_status: 'COMPLETED' };
  assert.equal((await app.post('/api/payment-webhook/', event)).status, 400);
});

test('without a provider the portal leads with vouchers, and nobody is warned', async t => {
  const app = await startApp(t, { environment: NONE });
  const { body: portal } = await app.get('/api/portal/');
  assert.deepEqual([portal.payments, portal.sandbox], [false, false]);
  const page = (await app.get('/')).body;
  assert.match(page, /<form id="pay-form"[^>]* hidden>/);
  assert.doesNotMatch(page, /id="sandbox"/);
  assert.deepEqual((await app.get('/api/health/')).body.warnings, []);
  const { status } = (await app.get('/api/admin/status/', app.admin)).body;
  assert.deepEqual(status.payment_provider, { name: 'none', sandbox: false });
  const { settings } = (await app.get('/api/admin/settings/', app.admin)).body;
  assert.equal(settings.payment_provider.name, 'none');
  const check = await app.post('/api/admin/settings/check-provider/', {}, app.admin);
  assert.equal(check.body.success, false);
  assert.match(check.body.message, /LANGO_PAYMENT_PROVIDER/);
});

for (const [what, environment] of [
  ['the sandbox', {}],
  [
    "a provider's test mode",
    {
      LANGO_PAYMENT_PROVIDER: 'paystack',
      LANGO_PAYMENT_API_KEY: 'sk_test_0123456789',
      LANGO_PAYMENT_EMAIL_DOMAIN: 'wifi.example',
      LANGO_CURRENCY: 'KES',
    },
  ],
] as const) {
  test(`${what} says everywhere that no money moves, and stays healthy`, async t => {
    const app = await startApp(t, { environment });
    const { body: portal } = await app.get('/api/portal/');
    assert.deepEqual([portal.payments, portal.sandbox], [true, true]);
    assert.match((await app.get('/')).body, /<p id="sandbox">[^<]/);
    const { body: health } = await app.get('/api/health/');
    assert.match(health.warnings.join(' '), /no money moves/);
    assert.deepEqual([health.status, health.problems], ['healthy', []]);
    const { status } = (await app.get('/api/admin/status/', app.admin)).body;
    assert.equal(status.payment_provider.sandbox, true);
    assert.deepEqual(status.warnings, health.warnings);
    const { settings } = (await app.get('/api/admin/settings/', app.admin)).body;
    assert.equal(settings.payment_provider.sandbox, true);
    assert.ok(app.logged.some(line => line.includes('configuration.warning')));
  });
}

test('real money warns nobody', async t => {
  const environment = {
    LANGO_PAYMENT_PROVIDER: 'paystack',
    LANGO_PAYMENT_ENVIRONMENT: 'live',
    LANGO_PAYMENT_API_KEY: 'sk_live_0123456789',
    LANGO_PAYMENT_EMAIL_DOMAIN: 'wifi.example',
    LANGO_CURRENCY: 'KES',
  };
  const app = await startApp(t, { environment });
  const { body: portal } = await app.get('/api/portal/');
  assert.deepEqual([portal.payments, portal.sandbox], [true, false]);
  assert.deepEqual((await app.get('/api/health/')).body.warnings, []);
});

test('payments made before the provider was taken away stay in the books, and are given back by hand', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-no-provider-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const clock = manualClock('2026-11-21T10:00:00.000Z');
  const before = await startApp(t, { dataDir, clock });
  const bundle = await before.createBundle();
  const { body: paid } = await before.pay({ phone: asha, bundle, webhook: 'never' });
  const { body: open } = await before.post('/api/initiate-payment/', { phone_number: asha, bundle_id: bundle.id });
  await before.get(`/api/payment-status/${paid.order_reference}/`);
  await before.close();

  const app = await startApp(t, { dataDir, clock, environment: NONE });
  const { payments } = (await app.get('/api/payments/?status=completed', app.admin)).body;
  assert.equal(payments[0].order_reference, paid.order_reference);
  const path = `/api/admin/payments/${payments[0].id}/refund/`;
  const { body } = await app.post(path, { reason: 'no coverage' }, app.admin);
  assert.equal(body.refund.status, 'manual');
  await app.passTime(31 * 60_000);
  const left = await app.get(`/api/payment-status/${open.order_reference}/`);
  assert.equal(left.body.payment_status, 'CANCELLED');
});
