/** The portal where no script runs, as in some sign-in windows; against the appliance itself. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { startApp, type TestApp, until } from '../support/app.ts';
import { formKey } from '../support/form-key.ts';
import { rows } from '../support/rows.ts';
import { closeBrowser, type Phone, takePhone } from './support/phone.ts';

after(closeBrowser);

const PHONE = { mac: 'A4:11:22:33:44:55', address: '10.5.50.7' } as const;
const FROM_ROUTER = `mac=${encodeURIComponent(PHONE.mac)}&ip=${PHONE.address}`;

/** The phone has joined the router's network, and asks from its address there. */
async function visit(t: TestContext, options: { query?: string; language?: string } = {}) {
  const app = await startApp(t, { router: true, environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  await app.post(
    '/api/admin/settings/branding/',
    { business_name: 'Duka la <b>Asha</b>', primary_color: '#0b3d91', support_phone: '0712 000 111' },
    app.admin,
  );
  await app.createBundle({ name: 'Siku <i>1</i>', price: 1_500, hours: 24 });
  app.router.join(PHONE);
  await app.schedule.run('reconcile router');
  const phone = await takePhone(t, [app.url], { script: false, language: options.language ?? 'en-GB' });
  await phone.page.setExtraHTTPHeaders({ 'x-forwarded-for': PHONE.address });
  await phone.page.goto(`${app.url}/?${options.query ?? FROM_ROUTER}`);
  return { ...phone, app };
}

const says = ({ page }: Phone, words: string | RegExp) => page.getByText(words).first().waitFor();

const isOnline = (app: TestApp) => app.router.activeSessions().some(({ mac }) => mac === PHONE.mac);

test('the first page has the prices, the business and its colour', async t => {
  const phone = await visit(t);
  await says(phone, '24 hours');
  await says(phone, /^TZS\s1,500$/);
  await says(phone, 'Siku <i>1</i>');
  await says(phone, 'Duka la <b>Asha</b>');
  await says(phone, 'Call 0712 000 111');
  const { page } = phone;
  const colour = await page.evaluate("getComputedStyle(document.querySelector('header')).backgroundColor");
  assert.equal(colour, 'rgb(11, 61, 145)');
});

test('somebody buys, comes back from the checkout, and is online', async t => {
  const phone = await visit(t);
  const { page, app } = phone;
  await page.getByRole('radio', { name: '24 hours' }).check();
  await page.locator('#pay-phone').fill('0712 345 678');
  await page.getByRole('button', { name: 'Pay' }).click();
  await says(phone, 'Waiting for your payment');
  await page.getByRole('button', { name: 'Check now' }).click();
  await says(phone, 'Waiting for your payment');
  await page.getByRole('link', { name: 'Open the payment page' }).click();
  await page.getByRole('button', { name: 'Pay now' }).click();
  await page.waitForURL(/order=/);
  app.clock.advance(15_000);
  await page.getByRole('button', { name: 'Check now' }).click();
  await says(phone, /^You are online until/);
  assert.ok(isOnline(app));
});

test('a voucher opens the gate, and a wrong one keeps what was typed', async t => {
  const phone = await visit(t);
  const { page, app } = phone;
  const [code = ''] = await app.issueVouchers({ hours: 2 });
  await page.locator('#voucher-phone').fill('0712 345 678');
  await page.locator('#voucher-code').fill('2222-2222-2222');
  await page.getByRole('button', { name: 'Use voucher' }).click();
  await says(phone, 'This code is not right.');
  assert.equal(await page.locator('#voucher-phone').inputValue(), '0712 345 678');
  assert.equal(await page.locator('#voucher-code').inputValue(), '2222-2222-2222');
  await page.locator('#voucher-code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Use voucher' }).click();
  await says(phone, /^You are online until/);
  assert.ok(isOnline(app));

  await page.getByText('Already paid?').click();
  await page.locator('#find-text').fill('0712 345 678');
  await page.getByRole('button', { name: 'Find my payment' }).click();
  await says(phone, /^You are online until/);
});

test('nobody is told to be online whom the router has not let in', async t => {
  const phone = await visit(t);
  const { page, app } = phone;
  const [code = ''] = await app.issueVouchers({ hours: 2 });
  await app.router.stop();
  await until(() => app.context.site.defaultRouter.port.state !== 'connected');
  await page.locator('#voucher-phone').fill('0712 345 678');
  await page.locator('#voucher-code').fill(code);
  await page.getByRole('button', { name: 'Use voucher' }).click();
  await says(phone, 'You have paid, but the Wi-Fi router does not answer.');
});

test('a free bundle opens the gate, connects who has time already, and asks for a proof of a number that has paid', async t => {
  const phone = await visit(t);
  const { page, app } = phone;
  await app.post('/api/admin/bundles/', { name: 'Try it', price: '0', duration_hours: 1 }, app.admin);
  const [code = ''] = await app.issueVouchers({ hours: 2 });
  await app.redeem(code, '+255754000111');
  await page.reload();
  const takeWith = async (number: string) => {
    await page.getByRole('radio', { name: '1 hour' }).check();
    await page.locator('#pay-phone').fill(number);
    await page.locator('#pay').click();
  };
  await takeWith('0712 345 678');
  await says(phone, /^You are online until/);
  assert.ok(isOnline(app));
  await takeWith('0712 345 678');
  await says(phone, /^You are online until/);
  app.clock.advance(3 * 3_600_000);
  await page.goto(`${app.url}/?${FROM_ROUTER}`);
  await takeWith('0712 345 678');
  await says(phone, 'The free time is used up for now.');
  await takeWith('0754 000 111');
  await says(phone, 'Is this your number?');
});

test('a person is written to in the language of the page that they used, whatever the address asks for', async t => {
  const phone = await visit(t, { query: `${FROM_ROUTER}&lang=nobody's`, language: 'sw-TZ' });
  const { page, app } = phone;
  assert.equal(await page.locator('html').getAttribute('lang'), 'sw');
  const [code = ''] = await app.issueVouchers({ hours: 2 });
  await page.locator('#voucher-phone').fill('0712 345 678');
  await page.locator('#voucher-code').fill(code);
  await page.locator('#voucher-form button').click();
  await says(phone, /^Uko mtandaoni/);
  assert.deepEqual(rows(app, 'SELECT language FROM users'), [{ language: 'sw' }]);
});

test('what is missing or wrong is said in words, and what is typed is never markup', async t => {
  const phone = await visit(t, { query: `${FROM_ROUTER}&lang=sw` });
  const { page, app } = phone;
  const evil = '"><img src=x>0712';
  await page.locator('#pay').click();
  await page.locator('#notice b').waitFor();
  await page.locator('#pay-phone').fill(evil);
  await page.getByRole('radio').check();
  await page.locator('#pay').click();
  await page.locator('#notice b').waitFor();
  assert.equal(await page.locator('#pay-phone').inputValue(), evil);
  assert.ok(await page.getByRole('radio').isChecked());
  assert.equal(await page.locator('main img').count(), 0);
  assert.equal((await page.locator('html').getAttribute('lang')) ?? '', 'sw');

  const key = await formKey(app);
  const reply = await app.form(`/?${FROM_ROUTER}`, { form: 'order', order: '<script>', key });
  assert.match(reply.body, /20 letters and digits/);
  assert.match((await app.form('/', { form: 'unknown', key })).body, /went wrong/);
  assert.match((await app.post('/', 'not a form')).body, /went wrong/);
  const long = await app.form('/', { form: 'pay', phone_number: '"'.repeat(3_000) });
  assert.match(long.body, /went wrong/);
  assert.doesNotMatch(long.body, /&#34;/);
});

test('a form counts against the limit of what it asks for', async t => {
  const { app } = await visit(t);
  const key = await formKey(app);
  const send = () => app.form('/', { form: 'pay', phone_number: '1', bundle_id: '1', key });
  for (let n = 0; n < 10; n += 1) assert.match((await send()).body, /Type a mobile number/);
  assert.match((await send()).body, /Too many tries/);
});

test('a form of a page that was open for hours is sent once more, with what was typed', async t => {
  const phone = await visit(t);
  const { page, app } = phone;
  const [code = ''] = await app.issueVouchers({ hours: 2 });
  await page.locator('#voucher-phone').fill('0712 345 678');
  await page.locator('#voucher-code').fill(code);
  app.clock.advance(2 * 3_600_000);
  await page.getByRole('button', { name: 'Use voucher' }).click();
  await says(phone, 'Please send it once more.');
  assert.ok(!isOnline(app));
  await page.getByRole('button', { name: 'Use voucher' }).click();
  await says(phone, /^You are online until/);
  assert.ok(isOnline(app));

  await page.getByText('Already paid?').click();
  await page.locator('#find-text').fill('0712 345 678');
  app.clock.advance(2 * 3_600_000);
  await page.getByRole('button', { name: 'Find my payment' }).click();
  await says(phone, 'Please send it once more.');
  await page.getByRole('button', { name: 'Find my payment' }).click();
  await says(phone, /^Your time ended/);
});
