/** The portal against the appliance itself, with a simulated router behind it and the sandbox as the provider. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { languages } from '../../static/portal/languages/index.ts';
import { startProvider } from '../payment/support.ts';
import { startApp, type TestApp, until } from '../support/app.ts';
import { closeBrowser, type Phone, takePhone } from './support/phone.ts';

after(closeBrowser);

const MAC = 'A4:11:22:33:44:55';
const OTHER_MAC = 'B0:11:22:33:44:66';
const ASHA = '+255712345678';
const FROM_ROUTER = `mac=${encodeURIComponent(MAC)}&link-orig=${encodeURIComponent('http://news.example/today')}`;

interface Visit extends Phone {
  app: TestApp;
}

/** The appliance's clock begins now: the page counts down by the clock of its replies. */
async function startSelling(t: TestContext, environment: Record<string, string> = {}): Promise<TestApp> {
  const app = await startApp(t, { now: new Date().toISOString(), router: true, environment });
  await app.createBundle({ name: 'Day', price: 1_000, hours: 24 });
  app.router.join({ mac: MAC, address: '10.5.50.11' });
  return app;
}

async function visit(t: TestContext, app: TestApp, query: string): Promise<Visit> {
  const phone = await takePhone(t, [app.url]);
  const reply = await phone.page.goto(`${app.url}/?${query}`);
  assert.doesNotMatch(reply?.headers()['content-security-policy'] ?? 'unsafe', /unsafe/);
  return { ...phone, app };
}

/** Another device has the place of this phone, which is asked for proof. */
async function wantsPlace(t: TestContext, app: TestApp): Promise<Visit> {
  const phone = await visit(t, app, `${FROM_ROUTER}&phone=${encodeURIComponent(ASHA)}`);
  await phone.page.getByRole('heading', { level: 1, name: 'Use this phone instead?' }).waitFor();
  await phone.page.getByRole('button', { name: /^Use this phone instead/ }).tap();
  await phone.page.getByRole('heading', { level: 1, name: 'Is this your number?' }).waitFor();
  return phone;
}

async function prove({ page }: Phone, proof: string): Promise<void> {
  await page.getByLabel('Number or code').fill(proof);
  await page.locator('#proof-form').getByRole('button', { name: 'Get online' }).tap();
}

const online = ({ page }: Phone) => page.getByRole('heading', { level: 1, name: /^You are online until/ }).waitFor();

test('a person buys a day at the sandbox and is online', async t => {
  const app = await startSelling(t);
  const phone = await visit(t, app, FROM_ROUTER);
  const { page } = phone;
  await page.getByRole('radio', { name: '24 hours' }).waitFor();
  await page.locator('#pay-phone').fill('0712 345 678');
  await page.locator('#pay').tap();
  await page.getByRole('button', { name: 'Pay now' }).tap();
  await online(phone);
  assert.equal(
    await page.getByRole('link', { name: 'Continue to news.example' }).getAttribute('href'),
    'http://news.example/today',
  );
  const { body } = await app.get(`/api/devices/${ASHA}/`);
  assert.deepEqual(
    body.map((device: { mac_address: string }) => device.mac_address),
    [MAC],
  );
});

test('a free bundle has the phone online, also where nothing can be paid and where no script runs', async t => {
  const environment = { LANGO_PAYMENT_PROVIDER: 'none', LANGO_TRUSTED_PROXIES: '127.0.0.1' };
  for (const script of [true, false]) {
    const app = await startApp(t, { now: new Date().toISOString(), router: true, environment });
    await app.createBundle({ name: 'Try it', price: 0, hours: 1 });
    await app.createBundle({ name: 'Day', price: 1_000, hours: 24 });
    app.router.join({ mac: MAC, address: '10.5.50.7' });
    await app.schedule.run('reconcile router');
    const phone = await takePhone(t, [app.url], { script });
    await phone.page.setExtraHTTPHeaders({ 'x-forwarded-for': '10.5.50.7' });
    await phone.page.goto(`${app.url}/?${FROM_ROUTER}`);
    assert.equal(await phone.page.getByRole('radio').count(), 1, 'what has a price cannot be paid here');
    await phone.page.locator('#pay-phone').fill('0712 345 678');
    // The only bundle is chosen by the script.
    if (!script) await phone.page.getByRole('radio', { name: /Free$/ }).check();
    await phone.page.locator('#pay').tap();
    await phone.page
      .getByText(/^You are online until/)
      .first()
      .waitFor();
    assert.ok(app.router.activeSessions().some(({ mac }) => mac === MAC));
  }
});

test('a payment that is cancelled at the sandbox is told apart from one that failed', async t => {
  const app = await startSelling(t);
  const phone = await visit(t, app, FROM_ROUTER);
  for (const [button, words] of [
    ['Cancel', 'The payment was cancelled.'],
    ['Let the payment fail', 'The payment did not go through.'],
  ] as const) {
    await phone.page.goto(`${app.url}/?${FROM_ROUTER}`);
    await phone.page.locator('#pay-phone').fill('0712 345 678');
    await phone.page.locator('#pay').tap();
    await phone.page.getByRole('button', { name: button }).tap();
    await phone.page.getByRole('heading', { level: 1, name: words }).waitFor();
    app.clock.advance(15_000);
  }
});

test('a printed voucher opens the gate, once', async t => {
  const app = await startSelling(t);
  const [code = ''] = await app.issueVouchers({ hours: 2 });
  const phone = await visit(t, app, `${FROM_ROUTER}&code=${code}`);
  await phone.page.locator('#voucher-phone').fill('+255 712 345 678');
  await phone.page.getByRole('button', { name: 'Use voucher' }).tap();
  await online(phone);

  await phone.page.goto(`${app.url}/?${FROM_ROUTER}&code=${code}`);
  await phone.page.locator('#voucher-phone').fill('0754 000 111');
  await phone.page.getByRole('button', { name: 'Use voucher' }).tap();
  await phone.page.getByText('This voucher was already used.').waitFor();
});

test('a second phone takes the place of the first with a voucher code, and with no other', async t => {
  const app = await startSelling(t);
  const [code = '', ofNobody = ''] = await app.issueVouchers({ hours: 2, quantity: 2 });
  assert.equal((await app.redeem(code, ASHA, OTHER_MAC)).status, 200);
  const phone = await wantsPlace(t, app);
  assert.ok(await phone.page.locator('#sms_code').isHidden(), 'no SMS is set up');
  await prove(phone, ofNobody);
  await phone.page.getByText('This does not fit your number.').waitFor();
  assert.equal((await app.get(`/api/devices/${ASHA}/`)).body[0]?.mac_address, OTHER_MAC);
  await prove(phone, code.toLowerCase());
  await online(phone);
  await until(async () => (await app.get(`/api/devices/${ASHA}/`)).body[0]?.mac_address === MAC);
});

test('a second phone takes the place of the first with the number of the order', async t => {
  const app = await startSelling(t);
  const [bundle] = (await app.get('/api/bundles/')).body;
  const { body } = await app.pay({ phone: ASHA, bundle, mac: OTHER_MAC });
  const status = () => app.get(`/api/payment-status/${body.order_reference}/`);
  await until(async () => (await status()).body.payment_status === 'COMPLETED');
  const phone = await wantsPlace(t, app);
  await prove(phone, body.order_reference);
  await online(phone);
});

for (const script of [true, false]) {
  test(`a payment that was given back says so, ${script ? 'with' : 'without'} scripts, in every language`, async t => {
    const app = await startSelling(t);
    const [bundle] = (await app.get('/api/bundles/')).body;
    const order = (await app.pay({ phone: ASHA, bundle, mac: MAC })).body.order_reference;
    await until(async () => (await app.get(`/api/payment-status/${order}/`)).body.payment_status === 'COMPLETED');
    const given = await app.post('/api/admin/payments/1/refund/', { reason: 'The Wi-Fi was down' }, app.admin);
    assert.equal(given.status, 200);
    const { page } = await takePhone(t, [app.url], { script });
    for (const [code, { live, page: words }] of Object.entries(languages)) {
      await page.goto(`${app.url}/?${FROM_ROUTER}&lang=${code}&order=${order}`);
      if (!script) await page.getByRole('button', { name: words.checkNow }).click();
      await page.getByText(live.paymentReturned[0]).waitFor();
      assert.ok(await page.getByText(live.paymentReturned[1]).isVisible());
      assert.equal(await page.getByText(live.paymentReceived).count(), 0);
    }
  });
}

test('a code by SMS lets a new phone in where the owner wants proof, and a wrong one does not', async t => {
  const gateway = await startProvider(t, () => ({ body: 'OK' }));
  const app = await startSelling(t, {
    LANGO_SMS_PROVIDER: 'http',
    LANGO_SMS_API_URL: `${gateway.url}/send`,
    LANGO_SMS_API_BODY: '{"to":"{to}","text":"{text}"}',
    LANGO_SMS_API_KEY: 'the-key-of-the-gateway',
  });
  await app.post('/api/admin/settings/devices/', { new_devices: 'with_proof' }, app.admin);
  const [voucher = ''] = await app.issueVouchers({ hours: 24 });
  assert.equal((await app.redeem(voucher, ASHA)).status, 200);
  await app.schedule.run('send sms');

  const phone = await visit(t, app, `${FROM_ROUTER}&phone=${encodeURIComponent(ASHA)}`);
  await phone.page.getByRole('heading', { level: 1, name: 'Is this your number?' }).waitFor();
  await phone.page.getByRole('button', { name: 'Send me a code by SMS' }).tap();
  await phone.page.getByText('A code is on its way.').waitFor();
  await until(() => app.context.reads.sms.due(app.context.clock.now(), 10).length > 0);
  await app.schedule.run('send sms');
  const { to, text } = JSON.parse(gateway.requests.at(-1)?.body ?? '{}');
  assert.equal(to, ASHA);
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? assert.fail(text);
  await prove(phone, code === '000000' ? '000001' : '000000');
  await phone.page.getByText('This does not fit your number.').waitFor();
  assert.deepEqual((await app.get(`/api/devices/${ASHA}/`)).body, []);
  await prove(phone, code);
  await online(phone);
});

test('the phone that was paid for takes its place back by itself', async t => {
  const app = await startSelling(t, { LANGO_TRUSTED_PROXIES: '127.0.0.1', LANGO_DEFAULT_MAX_DEVICES: '2' });
  const [ashas, tablet, strangers] = [
    { mac: MAC, address: '10.5.50.11' },
    { mac: OTHER_MAC, address: '10.5.50.12' },
    { mac: 'C8:5B:76:00:00:03', address: '10.5.50.13' },
  ] as const;
  for (const device of [tablet, strangers]) app.router.join(device);
  await app.schedule.run('reconcile router');
  const send = async (from: { mac: string; address: string }, path: string, mac: string, more: object = {}) => {
    const body = { phone_number: ASHA, mac_address: mac, ...more };
    const reply = await app.post(`/api/${path}/`, body, { 'x-forwarded-for': from.address });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
  };
  const [code = ''] = await app.issueVouchers({ hours: 24 });
  await send(ashas, 'vouchers/redeem', MAC, { voucher_code: code });
  await send(tablet, 'verify', OTHER_MAC);
  app.clock.advance(3_600_000);
  await send(tablet, 'devices/remove', MAC);
  await send(strangers, 'verify', strangers.mac);

  const phone = await takePhone(t, [app.url]);
  await phone.page.setExtraHTTPHeaders({ 'x-forwarded-for': ashas.address });
  await phone.page.goto(`${app.url}/?${FROM_ROUTER}&phone=${encodeURIComponent(ASHA)}`);
  await online(phone);
  const { body } = await app.get(`/api/devices/${ASHA}/`, { 'x-forwarded-for': ashas.address });
  const macs = body.map((device: { mac_address: string }) => device.mac_address);
  assert.deepEqual(macs.toSorted(), [MAC, OTHER_MAC], 'who joined last makes way');
});

test('the sandbox is named on the portal', async t => {
  const app = await startSelling(t);
  const phone = await visit(t, app, FROM_ROUTER);
  await phone.page.getByText('SANDBOX: no real money moves').waitFor();
});

test('where nothing can be paid, vouchers are all that is offered', async t => {
  const app = await startSelling(t, { LANGO_PAYMENT_PROVIDER: 'none' });
  const [code = ''] = await app.issueVouchers({ hours: 2 });
  const phone = await visit(t, app, FROM_ROUTER);
  await phone.page.getByText('Type the code of your voucher. The staff sell them.').waitFor();
  assert.ok(await phone.page.locator('#pay-form').isHidden());
  await phone.page.locator('#voucher-code').fill(code);
  await phone.page.locator('#voucher-phone').fill('0712 345 678');
  await phone.page.getByRole('button', { name: 'Use voucher' }).tap();
  await online(phone);
  await phone.page.getByRole('button', { name: 'Add more time' }).tap();
  await phone.page.getByText(/New time is added to the end\.$/).waitFor();
  assert.ok(await phone.page.locator('#pay-form').isHidden());
});

test('a number without time and a wrong code have their words', async t => {
  const app = await startSelling(t);
  const phone = await visit(t, app, FROM_ROUTER);
  await phone.page.getByText('Already paid?').tap();
  await phone.page.locator('#find-text').fill('0712 345 678');
  await phone.page.getByRole('button', { name: 'Find my payment' }).tap();
  await phone.page.getByText('We found no paid time for this number.').waitFor();
  await phone.page.locator('#voucher-code').fill('2222-2222-2222');
  await phone.page.locator('#voucher-phone').fill('0712 345 678');
  await phone.page.getByRole('button', { name: 'Use voucher' }).tap();
  await phone.page.getByText('This code is not right.').waitFor();
});

test('new prices are in the very next document', async t => {
  const app = await startSelling(t);
  const phone = await visit(t, app, FROM_ROUTER);
  await phone.page.getByRole('radio').waitFor();
  await app.createBundle({ name: 'Week', price: 5_000, hours: 168 });
  await phone.page.reload();
  await phone.page.getByRole('radio', { name: '7 days' }).waitFor();
  assert.ok(!phone.requests.some(url => url.includes('/api/bundles/')), 'the prices came with the document');
});

test('the appliance sends the whole first view of each language in at most 14 KB', async t => {
  const app = await startSelling(t);
  for (const hours of [1, 72, 168]) await app.createBundle({ name: `Bundle of ${hours} hours`, hours });
  for (const code of Object.keys(languages)) {
    const reply = await fetch(`${app.url}/?${FROM_ROUTER}&lang=${code}`, { headers: { 'accept-encoding': 'br' } });
    assert.match(await reply.text(), new RegExp(`<html lang="${code}"`));
    const head = [...reply.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const bytes = Number(reply.headers.get('content-length')) + head.length;
    t.diagnostic(`${code}: ${bytes} bytes`);
    assert.ok(bytes > 5_000 && bytes <= 14 * 1_024, `${code}: ${bytes} bytes`);
  }
});
