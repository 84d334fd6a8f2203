/** The work of every day: people, money, vouchers, bundles, the router. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, suite, type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { startApp, type TestApp, until } from '../support/app.ts';
import { rows } from '../support/rows.ts';
import { closeBrowser, DESK, type DeskOptions, PHONE, settled, takeDesk, violations } from './support/desk.ts';
import { PEOPLE, startShop } from './support/shop.ts';

after(closeBrowser);

const [asha] = PEOPLE;
/** The smallest PNG there is. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function shop(t: TestContext, hash: string, options?: DeskOptions): Promise<{ app: TestApp; page: Page }> {
  const app = await startShop(t);
  const { page, open } = await takeDesk(t, app, options);
  await open(hash);
  return { app, page };
}

const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
const answer = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
const row = (page: Page, words: string) => page.locator('tbody tr').filter({ hasText: words });
const hasFocus = (element: Locator) => element.and(element.page().locator(':focus')).waitFor();

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  const open = page.locator('dialog[open] form, main form').last();
  for (const [name, value] of Object.entries(fields)) await open.locator(`[name="${name}"]`).fill(value);
}

// Each has an appliance and a browser window of its own, and most of them wait for something.
suite('staff at work', { concurrency: 3 }, () => {
  for (const size of [DESK, PHONE]) {
    test(`a bundle is made, mended where the server objects, hidden, shown again and deleted, at ${size.width} px`, async t => {
      const app = await startApp(t);
      const { page, open } = await takeDesk(t, app, { size });
      await open('bundles');
      await says(page, 'Nothing is for sale yet.');
      await press(page, 'Add bundle');
      await fill(page, { name: 'Half an hour', price: 'cheap', duration_hours: '30' });
      await page.getByLabel('Unit').selectOption('minutes');
      await answer(page, 'Add bundle');
      await page.locator('.field:has([name="price"]) .problem').waitFor();
      await hasFocus(page.locator('[name="price"]'));
      await fill(page, { price: '250' });
      await answer(page, 'Add bundle');
      await says(page, 'Half an hour is added.');
      assert.match((await row(page, 'Half an hour').textContent()) ?? '', /30 minutes.*TZS 250/);
      const [bundle] = (await app.get('/api/bundles/')).body;
      assert.deepEqual([bundle.name, bundle.price, bundle.duration_hours], ['Half an hour', 250, 0.5]);

      await press(page, 'Hide');
      await says(page, 'is no longer sold');
      assert.deepEqual((await app.get('/api/bundles/')).body, []);
      await press(page, 'Undo');
      await says(page, 'Undone.');
      assert.equal((await app.get('/api/bundles/')).body.length, 1);

      await press(page, 'Delete Half an hour');
      await answer(page, 'Delete bundle');
      await says(page, 'Nothing is for sale yet.');
    });
  }

  test('a user is found while typing, given time, blocked, and freed again by Undo', async t => {
    const { app, page } = await shop(t, 'users');
    await page.getByRole('searchbox').pressSequentially('0712 345');
    await row(page, asha.phone).waitFor();
    await row(page, PEOPLE[1].phone).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: asha.phone }).click();
    await settled(page);
    const before = (await app.get(`/api/user-status/${asha.phone}/`)).body.user.subscription_end;

    await press(page, 'Give time');
    await answer(page, 'Give time');
    await page.locator('.problem').nth(1).waitFor();
    await fill(page, { hours: '2.5', reason: 'the mast was down' });
    await answer(page, 'Give time');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const later = (await app.get(`/api/user-status/${asha.phone}/`)).body.user.subscription_end;
    assert.equal(Date.parse(later) - Date.parse(before), 2.5 * 3_600_000);
    await page.getByRole('tab', { name: 'Time given' }).click();
    await row(page, 'the mast was down').waitFor();

    await press(page, 'Block');
    await says(page, 'Blocked: no internet');
    assert.equal((await app.get(`/api/user-status/${asha.phone}/`)).body.has_access, false);
    await press(page, 'Undo');
    await says(page, 'Undone.');
    assert.equal((await app.get(`/api/user-status/${asha.phone}/`)).body.has_access, true);
  });

  test('disconnecting waits and can be cancelled; left alone, it happens', async t => {
    const { app, page } = await shop(t, 'users/1');
    const isOnline = () => app.router.activeSessions().some(({ mac }) => mac === asha.mac);
    assert.ok(isOnline());
    await press(page, 'Disconnect');
    await press(page, 'Cancel');
    await says(page, 'Cancelled. Nothing was changed.');
    await press(page, 'Disconnect');
    const logout = new Promise(resolve => app.router.once('logout', resolve));
    assert.ok(isOnline(), 'it did not wait');
    await logout;
  });

  test('a device is renamed, and removed after its moment of grace', async t => {
    const { app, page } = await shop(t, 'users/1');
    const devices = async () => (await app.get(`/api/devices/${asha.phone}/`)).body;
    await press(page, 'Rename');
    await fill(page, { device_name: 'Asha’s Tecno' });
    await answer(page, 'Save name');
    await row(page, 'Asha’s Tecno').waitFor();
    await press(page, 'Remove');
    await says(page, 'No device is registered.');
    assert.deepEqual(await devices(), []);
  });

  test('an outage is made good for those it hit: shown first, given then', async t => {
    const { page } = await shop(t, 'users');
    await press(page, 'Make good an outage');
    await fill(page, { from: '2026-11-21T08:30', to: '2026-11-21T10:30', hours: '2', reason: 'no power' });
    await answer(page, 'Show who gets it');
    await page.getByRole('dialog').getByText(asha.phone).waitFor();
    await answer(page, 'Give the hours');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('a notification that lists tell shortened is shown whole where it is opened', async t => {
    const { app, page } = await shop(t, 'payments');
    const [payment] = rows(app, 'SELECT order_reference FROM payments LIMIT 1');
    const event = {
      authenticity: 'signed' as const,
      eventKey: 'long',
      orderReference: String(payment?.['order_reference']),
      paymentReference: null,
      claimedState: 'COMPLETED',
      amount: null,
      phone: null,
      reply: null,
    };
    const rawBody = JSON.stringify({ note: 'x'.repeat(20_000), last: 'the end of it' });
    await app.context.commit('recordWebhook', { event, rawBody, ip: null });
    await page.goto(`${app.url}/api/admin/#/webhooks`);
    await page.locator('.notification summary').first().click();
    await page.locator('.notification pre').getByText('the end of it').waitFor();
  });

  test('a refund that waits for a person says what to do', async t => {
    const app = await startShop(t);
    const actor = { adminId: null, name: 'before the crash', ip: null };
    await app.context.commit('openRefund', { paymentId: 1, amount: null, reason: 'x' }, actor);
    app.clock.advance(25 * 3_600_000);
    await app.schedule.run('settle refunds');
    const { page, open } = await takeDesk(t, app);
    await open('payments/1');
    const [refund] = (await app.get('/api/admin/payments/1/', app.admin)).body.payment.refunds;
    assert.match(refund.message, /dashboard/);
    await page.locator('.notice.warn').getByText(refund.message).waitFor();
  });

  test('payments are filtered and totalled; one is looked into, asked about and refunded', async t => {
    const { app, page } = await shop(t, 'payments');
    await page.getByText('TZS 14,000', { exact: true }).waitFor();
    await page.getByLabel('State').selectOption('failed');
    await row(page, 'Paid').first().waitFor({ state: 'detached' });
    await until(async () => (await page.locator('tbody tr').count()) === 1);
    await page.getByLabel('State').selectOption('completed');
    await row(page, 'Week').first().waitFor();
    await page.locator('tbody tr').filter({ hasText: 'Week' }).getByRole('link').click();
    await settled(page);
    await page.locator('.notification summary').first().click();
    await page.locator('.notification pre').getByText('order_reference').first().waitFor();
    await press(page, 'Ask the provider');
    await page.locator('.toast').first().waitFor();

    await press(page, 'Refund');
    await fill(page, { amount: '9000', reason: 'paid twice' });
    await answer(page, 'Refund');
    await page.getByRole('dialog').locator('.problem').waitFor();
    await fill(page, { amount: '7000' });
    await answer(page, 'Refund');
    await row(page, 'paid twice').waitFor();
    const [id] = page.url().match(/\d+$/) ?? [];
    const { payment } = (await app.get(`/api/admin/payments/${id}/`, app.admin)).body;
    assert.deepEqual([payment.refunds.length, payment.refunded_amount], [1, '7000.00']);
  });

  test('cash is sold in a shift, a receipt number counts once, and the drawer is counted before anybody is told what it should hold', async t => {
    const { app, page } = await shop(t, 'sell', { size: PHONE });
    await page.locator('[name="opening_float"]').fill('5000');
    await press(page, 'Open a shift');
    await says(page, 'Open since');
    const sell = async (phone: string, receipt: string) => {
      await page.locator('[name="phone_number"]').fill(phone);
      await page.locator('[name="receipt_number"]').fill(receipt);
      await press(page, 'Sell');
    };
    await sell('0799 111 222', 'R-1');
    await says(page, '+255799111222 has internet until');
    assert.equal((await app.get('/api/user-status/0799111222/')).body.has_access, true);
    await sell('0799 111 333', 'R-1');
    await page.locator('.field:has([name="receipt_number"]) .problem').waitFor();

    await press(page, 'Take cash out');
    await fill(page, { amount: '300', reason: 'soap' });
    await answer(page, 'Take out');
    await page.locator('.facts div').filter({ hasText: 'Taken out' }).getByText('TZS 300').waitFor();
    assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /5,200/, 'it told what should be there');
    await press(page, 'Count and close');
    assert.doesNotMatch((await page.getByRole('dialog').textContent()) ?? '', /5,200/);
    await fill(page, { counted: '5100' });
    await answer(page, 'Close shift');
    await says(page, 'TZS 100 is missing.');
    await fill(page, { note: 'gave change' });
    await press(page, 'Keep the note');
    const slip = page.getByRole('region', { name: 'Shift 1' });
    await slip.getByText('gave change').waitFor();
    const lines = (await slip.locator('dl > div').allTextContents()).join('\n');
    assert.match(lines, /Sold for cash \(1\)TZS 500\nOut: soapTZS 300\nShould be thereTZS 5,200\nCountedTZS 5,100/);
    await page.getByRole('button', { name: 'Print the slip' }).waitFor();
    await page.getByRole('link', { name: 'Cash sale' }).click();
    await row(page, 'gave change').waitFor();
  });

  test('a sale numbers its receipt, is one sale though its reply is lost, and the receipt says what to do next', async t => {
    const { app, page } = await shop(t, 'sell', { size: PHONE });
    await app.post(
      '/api/admin/settings/branding/',
      { business_name: 'Bahari', primary_color: '#000000', network_name: 'Bahari-WiFi', support_phone: '0755 000 000' },
      app.admin,
    );
    await page.reload();
    await settled(page);
    const before = (await app.get('/api/admin/payments/', app.admin)).body.pagination.total;
    await page.route(
      '**/api/admin/sales/',
      async route => {
        await route.fetch();
        await route.fulfill({ status: 503, body: '' });
      },
      { times: 1 },
    );
    await page.locator('[name="phone_number"]').fill('0799 111 222');
    await press(page, 'Sell');
    await says(page, 'Lango answered 503.');
    await press(page, 'Sell');
    await says(page, 'receipt R00001');
    assert.equal((await app.get('/api/admin/payments/', app.admin)).body.pagination.total, before + 1);
    await page.getByRole('link', { name: 'Print the receipt' }).click();
    const slip = page.getByRole('region', { name: 'Receipt R00001' });
    await slip.getByText('join the Wi-Fi “Bahari-WiFi”').waitFor();
    const text = (await slip.textContent()) ?? '';
    for (const words of ['Bahari', 'TZS 500', '+255799111222', 'Internet until', '0755 000 000']) {
      assert.ok(text.includes(words), words);
    }
    assert.deepEqual(await violations(page), []);
  });

  test('vouchers are made with both clocks named, found by a part of the code, revoked one by one and together', async t => {
    const { app, page } = await shop(t, 'vouchers');
    await press(page, 'Make vouchers');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Gives internet for').selectOption({ label: '7 days · Week · TZS 7,000' });
    await dialog.getByLabel('Use the code before').fill('0');
    await fill(page, { quantity: '3' });
    await answer(page, 'Make vouchers');
    await dialog.locator('.problem').waitFor();
    await dialog.getByLabel('Use the code before').fill('30');
    await answer(page, 'Make vouchers');
    await page.getByRole('heading', { name: /Week, no. 2/ }).waitFor();
    await settled(page);
    const codes = page.locator('tbody').getByText(/^([2-9A-Z]{4}-){2}[2-9A-Z]{4}$/);
    const [first = '', second = ''] = await codes.allTextContents();

    await row(page, first).getByRole('button', { name: 'Revoke' }).click();
    await row(page, first).getByText('Revoked').waitFor();
    assert.equal((await app.redeem(first, asha.phone)).body.code, 'VOUCHER_REVOKED');

    await press(page, 'Revoke');
    await answer(page, 'Revoke 2 codes');
    await row(page, second).getByText('Revoked').waitFor();
    assert.equal((await app.redeem(second, asha.phone)).body.code, 'VOUCHER_REVOKED');

    await page.goto(`${app.url}/api/admin/#/vouchers?tab=codes`);
    await page.getByRole('searchbox', { name: 'Code' }).fill(second.slice(0, 7).toLowerCase());
    await row(page, first).waitFor({ state: 'detached' });
    await row(page, second).waitFor();
  });

  test('lists are saved as CSV', async t => {
    const { page } = await shop(t, 'users?status=active');
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'CSV')]);
    assert.equal(file.suggestedFilename(), 'users.csv');
    const csv = readFileSync(await file.path(), 'utf8');
    assert.match(csv, /255712345678/);
    assert.doesNotMatch(csv, /255754000111/);
  });

  test('the numbers change by themselves when somebody pays', async t => {
    const { app, page } = await shop(t, 'dashboard');
    await says(page, 'TZS 7,500');
    await page.locator('.pulse').getByText('Live').first().waitFor();
    const [bundle] = (await app.get('/api/bundles/')).body;
    await app.pay({ phone: '+255799000999', bundle });
    await says(page, 'TZS 8,000');
  });

  test('without the stream the numbers are asked for, and without an answer the page says so', async t => {
    const app = await startShop(t);
    const { page, open } = await takeDesk(t, app);
    await page.route('**/api/admin/events/', route =>
      route.fulfill({ status: 503, json: { error: 'no', message: 'no' } }),
    );
    await open('dashboard');
    await says(page, 'TZS 7,500');
    await page.locator('.pulse').getByText('Every 10 seconds').first().waitFor();
    await page.route('**/api/admin/status/', route => route.fulfill({ status: 503, json: {} }));
    await page.reload();
    await page.locator('.pulse').getByText('No connection').first().waitFor();
  });

  test('the router: live resources, a profile, a restart only once it is confirmed, a configuration only when it works', async t => {
    const { app, page } = await shop(t, 'router');
    await says(page, /hAP/);
    await press(page, 'Restart the router');
    await answer(page, 'Cancel');
    const reboots = async () =>
      (await app.get('/api/admin/audit-log/?action=router.reboot', app.admin)).body.entries.length;
    assert.equal(await reboots(), 0);

    await page.getByRole('tab', { name: 'Profiles' }).click();
    await press(page, 'Add profile');
    await fill(page, { name: 'fast', rate_limit: '5M/10M' });
    await answer(page, 'Add profile');
    await row(page, 'fast').waitFor();

    await page.getByRole('tab', { name: 'Configuration' }).click();
    await fill(page, { password: 'not the password' });
    await press(page, 'Try and save');
    await page.getByRole('alert').waitFor();
    await fill(page, { password: 'secret' });
    await press(page, 'Try and save');
    await says(page, 'The configuration is kept.');

    await page.getByRole('tab', { name: 'Status' }).click();
    await press(page, 'Restart the router');
    await answer(page, 'Restart the router');
    await says(page, 'The router is rebooting.');
    await until(async () => (await reboots()) === 1);
  });

  test('who is online is shown, searched and let go', async t => {
    const { app, page } = await shop(t, 'online');
    await row(page, '255712345678').waitFor();
    await page.getByRole('searchbox').fill('3C:5A');
    await row(page, '255712345678').waitFor({ state: 'detached' });
    await press(page, 'Disconnect everyone');
    await answer(page, 'Disconnect everyone');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await says(page, /[12] sessions? ended/);
    assert.ok(app.logged.length > 0);
  });

  test('branding changes what the portal shows, and a wrong clock is confirmed by a person', async t => {
    const { app, page } = await shop(t, 'settings');
    await fill(page, { business_name: 'Bahari Wi-Fi', support_phone: '0712 000 111' });
    const picture = (bytes: number) => ({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: Buffer.alloc(bytes, PIXEL),
    });
    await page.getByLabel('Logo').setInputFiles(picture(30_000));
    await says(page, 'This picture has 30 KB.');
    await page.getByLabel('Logo').setInputFiles(picture(PIXEL.length));
    await page.getByAltText('The logo as it is').waitFor();
    await press(page, 'Save');
    await says(page, 'The portal shows it from now on.');
    const portal = (await app.get('/api/portal/')).body;
    assert.equal(portal.business_name, 'Bahari Wi-Fi');
    assert.equal(portal.logo_url, `data:image/png;base64,${PIXEL.toString('base64')}`);
    await page.locator('.brand').getByText('Bahari Wi-Fi').waitFor();

    app.clock.jump(3_600_000);
    await page.reload();
    await press(page, 'Check the clock');
    await answer(page, 'The clock is right');
    await page.getByText('Trusted', { exact: true }).waitFor();
  });

  test('an admin is hired, may work, and is stopped with an Undo; the log tells who did it', async t => {
    const { app, page } = await shop(t, 'admins');
    await press(page, 'Add admin');
    await fill(page, { username: 'neema', password: 'short' });
    await answer(page, 'Add admin');
    await page.locator('.field:has([name="password"]) .problem').waitFor();
    await fill(page, { password: 'long enough for her' });
    await page.getByLabel('Role').selectOption('staff');
    await answer(page, 'Add admin');
    await row(page, 'neema').getByText('Staff').waitFor();
    await row(page, 'neema').getByRole('button', { name: 'Stop' }).click();
    await answer(page, 'Stop the account');
    await row(page, 'neema').getByText('Stopped').waitFor();
    const login = { username: 'neema', password: 'long enough for her' };
    assert.equal((await app.post('/api/auth/login/', login)).status, 401);
    await press(page, 'Undo');
    await row(page, 'neema').getByText('May log in').waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.locator('.notification').filter({ hasText: 'owner' }).first().waitFor();
  });

  test('a question leaves with the page that asked it', async t => {
    const { page } = await shop(t, 'bundles');
    await press(page, 'Add bundle');
    await page.getByRole('dialog', { name: 'Add bundle' }).waitFor();
    await page.evaluate(`location.hash = '#/users'`);
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('a drawer that nobody counted closes no shift', async t => {
    const { page } = await shop(t, 'sell');
    await press(page, 'Open a shift');
    await press(page, 'Count and close');
    await answer(page, 'Close shift');
    await page.getByRole('dialog').locator('.problem').waitFor();
    await fill(page, { counted: '0' });
    await answer(page, 'Close shift');
    await says(page, 'It adds up.');
  });

  test('the keyboard alone leads from page to page, through tabs and out of dialogs', async t => {
    const { page } = await shop(t, 'vouchers');
    await page.getByRole('tab', { name: 'Batches' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('searchbox', { name: 'Code' }).waitFor();
    await hasFocus(page.getByRole('tab', { name: 'Find a code' }));
    await page.getByRole('button', { name: 'Make vouchers' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await hasFocus(page.getByRole('button', { name: 'Make vouchers' }));
    await page.getByRole('link', { name: 'Bundles' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Bundles' }).waitFor();
    await hasFocus(page.getByRole('heading', { level: 1, name: 'Bundles' }));
  });
});
