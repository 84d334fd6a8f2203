/** What must not happen: stored text that runs, inline code that is let through, a first load that is heavy. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { OWNER, startApp, until } from '../support/app.ts';
import { closeBrowser, settled, takeDesk } from './support/desk.ts';

const FIRST_LOAD_BYTES = 120 * 1_024;
const EVIL = `<img src=x onerror="window.hacked=1">`;
const SCRIPT = '<script>window.hacked=1</script>';
const MAC = 'A4:83:E7:12:34:56';
const ASHA = '+255712345678';

after(closeBrowser);

async function showsAsText(page: Page, where: string): Promise<void> {
  await settled(page);
  await page.getByText('<img src=x', { exact: false }).first().waitFor();
  assert.equal(await page.evaluate('window.hacked'), undefined, where);
  const injected = 'main img, main script, nav img, nav script, dialog img, dialog script, .sheet img';
  assert.equal(await page.locator(injected).count(), 0, where);
}

/** Everything that anybody may store, in every place that it can be stored in. */
async function poisonedApp(t: TestContext) {
  const app = await startApp(t, {
    environment: { LANGO_SMS_PROVIDER: 'http', LANGO_SMS_API_URL: 'http://127.0.0.1:9/?to={to}&text={text}' },
  });
  const bundle = await app.createBundle({ name: EVIL, price: 1_000, hours: 24 });
  const { body } = await app.pay({ phone: ASHA, bundle, mac: MAC });
  const paid = async () => {
    const status = await app.get(`/api/payment-status/${body.order_reference}/`);
    return status.body.payment_status === 'COMPLETED';
  };
  await until(paid);
  const send = async (path: string, content: object, expected = 200) => {
    const reply = await app.post(path, content, app.admin);
    assert.equal(reply.status, expected, `${path}: ${JSON.stringify(reply.body)}`);
  };
  await send(
    `/api/admin/bundles/`,
    { name: `${EVIL} 2`, description: EVIL + SCRIPT, price: 5, duration_hours: 1 },
    201,
  );
  await send('/api/admin/settings/branding/', {
    business_name: EVIL,
    primary_color: '#0b6e4f',
    support_phone: '<b onclick=1>',
  });
  await send('/api/admin/users/1/devices/rename/', { mac_address: MAC, device_name: EVIL });
  await send('/api/admin/users/1/describe/', { name: EVIL.slice(0, 60), note: EVIL + SCRIPT });
  await send('/api/admin/users/1/grant/', { hours: 1, reason: EVIL + SCRIPT });
  await send('/api/vouchers/generate/', { bundle_id: bundle.id, quantity: 2 });
  await send('/api/admin/voucher-batches/1/revoke/', { reason: EVIL });
  await send('/api/vouchers/generate/', { bundle_id: bundle.id, quantity: 2 });
  await send('/api/admin/sales/', { phone_number: ASHA, bundle_id: bundle.id, receipt_number: '<img src=x>' }, 201);
  await send('/api/admin/payments/1/refund/', { reason: EVIL, amount: 1 });
  await app.post('/api/payment-webhook/', { order_reference: EVIL, status: EVIL, note: EVIL });
  await app.context.commit(
    'generateVouchers',
    { bundleId: bundle.id, quantity: 1, expiryDays: 30, phone: ASHA as never },
    { adminId: null, name: EVIL, ip: null },
  );
  return app;
}

test('markup in any stored text is shown as text', async t => {
  const app = await poisonedApp(t);
  const { page, open } = await takeDesk(t, app);
  const places = [
    'dashboard',
    'desk?search=712345',
    'users/1',
    'users/1?tab=payments',
    'users/1?tab=time',
    'payments',
    'payments/1',
    'payments/2',
    'sell',
    'bundles',
    'vouchers',
    'vouchers?tab=codes',
    'batches/1',
    'print/2',
    'webhooks',
    'audit',
    'sms',
    'reports?group=bundle',
  ];
  for (const place of places) {
    await open(place);
    for (const summary of await page.locator('.notification summary').all()) await summary.click();
    await showsAsText(page, place);
  }
  const hash = encodeURIComponent(EVIL);
  await open(`users?search=${hash}`);
  assert.equal(await page.getByRole('searchbox').inputValue(), EVIL);
  await open(`payments?search=${hash}`);
  assert.equal(await page.getByRole('searchbox').inputValue(), EVIL);
  await open(`users/${hash}`);
  await open(hash);
  assert.equal(await page.evaluate('window.hacked'), undefined);
  await open('settings');
  assert.match(await page.locator('[name="business_name"]').inputValue(), /^<img/);
  await open('bundles');
  await page.getByRole('button', { name: 'Delete' }).first().click();
  await showsAsText(page, 'a question');
  assert.match(await page.title(), /<img src=x/);
});

test('the policy allows no inline code, and the page holds none', async t => {
  const app = await startApp(t);
  const { headers, body } = await app.get('/api/admin/');
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /script-src 'self'/);
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval/);
  assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|<style|\son[a-z]+=|style=/);
});

test('the first load is light: login and dashboard with its chart', async t => {
  const app = await startApp(t);
  const { page, open } = await takeDesk(t, app, { login: null });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  let bytes = 0;
  const isPage = new Set<string>();
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    const { pathname } = new URL(response.url);
    if (pathname.startsWith('/api/static/') || pathname === '/api/admin/') isPage.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (isPage.has(requestId)) bytes += encodedDataLength;
  });
  await open('dashboard');
  const login = bytes;
  await page.locator('[name="username"]').fill(OWNER.username);
  await page.locator('[name="password"]').fill(OWNER.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  await settled(page);
  t.diagnostic(`login ${login} bytes, with the dashboard ${bytes} bytes`);
  assert.ok(login > 5_000 && bytes > login, 'nothing was measured');
  assert.ok(bytes <= FIRST_LOAD_BYTES, `${bytes} bytes`);
});
