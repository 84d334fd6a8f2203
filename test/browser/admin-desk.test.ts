/** The "I paid" desk as a cashier uses it: one box, one sentence, one button. See docs/rules.md: The desk. */
import assert from 'node:assert/strict';
import { after, suite, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startApp, type TestApp, until } from '../support/app.ts';
import { hire, STAFF_PASSWORD } from '../support/staff.ts';
import { closeBrowser, DESK, settled, takeDesk, violations } from './support/desk.ts';

after(closeBrowser);

const ASHA = '+255712345678';
const PHONE = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const OTHER = { mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' };
const NARROW = { width: 360, height: 780 };

async function counter(t: TestContext, size = DESK): Promise<{ app: TestApp; page: Page }> {
  const app = await startApp(t, { router: true });
  await app.schedule.run('reconcile router');
  const { username } = await hire(app, 'cashier', 'zawadi');
  const { page, open } = await takeDesk(t, app, { size, login: { username, password: STAFF_PASSWORD } });
  app.router.join(OTHER);
  await open('desk');
  return { app, page };
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const answer = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const search = (page: Page, text: string) => page.getByRole('searchbox').fill(text);
const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
const gateRow = (page: Page, mac: string) => page.locator('tbody tr').filter({ hasText: mac });
const onlineMacs = (app: TestApp) => app.router.activeSessions().map(session => session.mac);

/** Nothing wrong with the page, and nothing beside it. */
async function assertFine(page: Page): Promise<void> {
  await settled(page);
  assert.deepEqual(await violations(page), []);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
}

suite('the desk', { concurrency: 2 }, () => {
  for (const size of [DESK, NARROW]) {
    test(`an order whose notification never came: asked about, paid, and online on the phone at hand, at ${size.width} px`, async t => {
      const { app, page } = await counter(t, size);
      const bundle = await app.createBundle();
      await app.pay({ phone: ASHA, bundle, mac: PHONE.mac, webhook: 'never' });
      await search(page, '0712 345');
      await says(page, /^The order of Day for TZS 1,000, made just now, is not paid yet, says the provider\.$/);
      await assertFine(page);
      await press(page, 'Ask the provider again');
      await says(page, /the phone A4:83:E7:12:34:56 is not on the Wi-Fi, and another phone is at the gate\.$/);
      await press(page, 'Connect this phone');
      await says(page, /The phone has its place\. It is online\. Device 1 \(A4:83:E7:12:34:56\) made way\./);
      assert.deepEqual(onlineMacs(app), [OTHER.mac]);
      await says(page, /the phone B8:27:EB:65:43:21 is online, with 1 day left\.$/);
      await says(page, 'Nobody waits at the gate.');
      await assertFine(page);
    });
  }

  test('of several phones at the gate, the one is chosen that the customer’s settings name', async t => {
    const { app, page } = await counter(t);
    app.router.join(PHONE);
    // The copy of the host table that the page has shown is old by then.
    app.clock.advance(5_000);
    const [code = ''] = await app.issueVouchers();
    await app.redeem(code, ASHA);
    await search(page, code.toLowerCase());
    await says(page, 'no phone is registered for it, and 2 other phones are at the gate.');
    await press(page, 'Connect this phone');
    await page.getByLabel('Phone at the gate').selectOption(PHONE.mac);
    await answer(page, 'Connect');
    await says(page, `the phone ${PHONE.mac} is online`);
    assert.deepEqual(onlineMacs(app), [PHONE.mac]);
  });

  test('a phone at the gate is connected for a number, or sold to; who has no time is told to buy first', async t => {
    const { app, page } = await counter(t);
    await gateRow(page, OTHER.mac).getByRole('button', { name: 'Connect' }).click();
    await page.getByLabel('Phone number').fill('0712 345 678');
    await answer(page, 'Connect');
    await says(page, 'Nobody here has this number. Sell a bundle to it first.');
    await answer(page, 'Cancel');

    await app.createBundle();
    await app.post('/api/admin/settings/cashiers/', { sell_within_shift: false }, app.admin);
    await gateRow(page, OTHER.mac).getByRole('link', { name: 'Sell' }).click();
    await page.getByLabel('Phone number').fill('0712 345 678');
    const receipt = page.locator('[name="receipt_number"]');
    if ((await receipt.count()) > 0) await receipt.fill('R-1');
    await page.getByRole('button', { name: 'Sell', exact: true }).click();
    await until(() => onlineMacs(app).join() === OTHER.mac);
    await says(page, 'has internet until');
  });

  test('a voucher that nobody has used is used for a number, and a blocked person is left to staff', async t => {
    const { app, page } = await counter(t);
    const [code = ''] = await app.issueVouchers();
    await search(page, code);
    await says(page, /^The voucher is good for Day/);
    assert.ok(!(await page.locator('main').textContent())?.includes(code), 'it is masked');
    await press(page, 'Use it for a number');
    await page.getByLabel('Phone number').fill('0712 345 678');
    await answer(page, 'Use the voucher');
    await says(page, /^The voucher was used just now; no phone is registered/);

    const { id } = app.context.reads.users.byPhone(ASHA as never)!;
    await app.send('PUT', `/api/admin/users/${id}/update/`, { is_active: false }, app.admin);
    await search(page, '712345678');
    await says(page, 'Staff can unblock them.');
    assert.equal(await page.getByRole('button', { name: 'Unblock' }).count(), 0);
  });

  test('a router that does not answer is the diagnosis, and says so when it is asked again', async t => {
    const { app, page } = await counter(t);
    const [code = ''] = await app.issueVouchers();
    await app.redeem(code, ASHA);
    await app.router.stop();
    await until(() => app.context.site.defaultRouter.port.state === 'disconnected');
    await search(page, '0712345678');
    await says(page, 'but the router does not answer');
    await press(page, 'Ask the router again');
    await page.locator('.toast').waitFor();
    await assertFine(page);
  });

  test('somebody is given a name at the counter, and found by it', async t => {
    const { app, page } = await counter(t);
    const [code = ''] = await app.issueVouchers();
    await app.redeem(code, ASHA, OTHER.mac);
    await search(page, '712 345');
    await page.locator('.facts').getByRole('link', { name: ASHA }).click();
    await press(page, 'Name and note');
    await page.locator('dialog [name="name"]').fill('Mama Asha');
    await page.locator('dialog [name="note"]').fill('Sells chapati by the gate');
    await answer(page, 'Save');
    await page.getByRole('heading', { name: `Mama Asha · ${ASHA}` }).waitFor();
    await says(page, 'Sells chapati by the gate');
    await page.goto(`${app.url}/api/admin/#/desk?search=chapati`);
    await page.getByRole('heading', { name: 'Mama Asha' }).waitFor();
    await assertFine(page);
  });
});
