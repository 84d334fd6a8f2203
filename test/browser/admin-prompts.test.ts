/** Calls that are refused until something is mended: the page asks for it, and makes the call again. */
import assert from 'node:assert/strict';
import { after, suite, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { totpCode, totpStep } from '../../src/domain/totp.ts';
import { OWNER, startApp, type TestApp } from '../support/app.ts';
import { hire, STAFF_PASSWORD } from '../support/staff.ts';
import { answer, closeBrowser, DESK, type DeskOptions, look, press, says, settled, takeDesk } from './support/desk.ts';

after(closeBrowser);

const VIEWS = [
  { size: DESK, scheme: 'light' },
  { size: { width: 360, height: 640 }, scheme: 'dark' },
] as const;
const MINUTE = 60_000;

const typed = (page: Page, name: string, value: string) => page.locator(`dialog [name="${name}"]`).fill(value);

/** The owner logged in longer ago than a password counts for. */
async function lateDesk(t: TestContext, options: DeskOptions = {}): Promise<{ app: TestApp; page: Page }> {
  const app = await startApp(t);
  const { page, open } = await takeDesk(t, app, options);
  app.clock.advance(11 * MINUTE);
  await open('account');
  return { app, page };
}

/** A cashier before a page, with one bundle to sell. */
async function counter(t: TestContext, hash: string, options: DeskOptions = {}): Promise<{ app: TestApp; page: Page }> {
  const app = await startApp(t);
  await app.createBundle({ name: 'Day pass', price: 1_500, hours: 24 });
  const { username } = await hire(app, 'cashier');
  const { page, open } = await takeDesk(t, app, { ...options, login: { username, password: STAFF_PASSWORD } });
  await open(hash);
  return { app, page };
}

suite('what the page asks for and then goes on', { concurrency: 2 }, () => {
  for (const view of VIEWS) {
    test(`the password again: a wrong one is refused, the right one goes on by itself, at ${view.size.width} px`, async t => {
      const { page } = await lateDesk(t, view);
      await press(page, 'Turn on');
      await page.getByRole('dialog', { name: 'Is it you?' }).waitFor();
      assert.equal(await page.locator('dialog [name="code"]').count(), 0, 'there is no second factor yet');
      await look(page, 'confirm', view);
      await typed(page, 'password', 'not the password');
      await answer(page, 'Go on');
      await page.getByRole('dialog').getByRole('alert').waitFor();
      await look(page, 'confirm-wrong', view);
      await typed(page, 'password', OWNER.password);
      await answer(page, 'Go on');
      await says(page, 'Scan this with your authenticator app');
      assert.equal(await page.getByRole('dialog').count(), 0);
    });
  }

  test('where there is a second factor, its code is asked for too', async t => {
    const { app, page } = await lateDesk(t);
    await press(page, 'Turn on');
    await typed(page, 'password', OWNER.password);
    await answer(page, 'Go on');
    const secret = ((await page.locator('main p.code').textContent()) ?? '').replaceAll(' ', '');
    const shown = () => totpCode(secret, totpStep(app.context.clock.now()));
    await page.locator('main [name="code"]').fill(shown());
    await press(page, 'Turn on');
    await press(page, 'I have them');
    app.clock.advance(11 * MINUTE);
    await page.goto(`${app.url}/api/admin/#/admins`);
    await settled(page);
    await press(page, 'Add admin');
    await typed(page, 'username', 'zawadi');
    await typed(page, 'password', STAFF_PASSWORD);
    await answer(page, 'Add admin');
    const question = page.getByRole('dialog', { name: 'Is it you?' });
    await question.locator('[name="password"]').fill(OWNER.password);
    await question.locator('[name="code"]').fill(shown());
    await question.getByRole('button', { name: 'Go on' }).click();
    await page.locator('tbody tr').filter({ hasText: 'zawadi' }).waitFor();
  });

  test('whoever would rather not is told why nothing happened, and is asked again the next time', async t => {
    const { page } = await lateDesk(t);
    await press(page, 'Turn on');
    await answer(page, 'Cancel');
    await says(page, 'Give your password again to do this.');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press(page, 'Turn on');
    await page.getByRole('dialog', { name: 'Is it you?' }).waitFor();
  });

  for (const view of VIEWS) {
    test(`a cashier without a shift opens one while selling, and the sale goes on, at ${view.size.width} px`, async t => {
      const { app, page } = await counter(t, 'sell', view);
      await page.locator('main [name="phone_number"]').fill('0712 345 678');
      await page.locator('main [name="receipt_number"]').fill('17');
      await press(page, 'Sell');
      await page.getByRole('dialog', { name: 'Open a shift first' }).waitFor();
      await look(page, 'shift-first', view);
      await answer(page, 'Cancel');
      await says(page, 'Open your shift first: what you sell is counted in it.');
      assert.equal((await app.get('/api/admin/payments/', app.admin)).body.payments.length, 0);
      await press(page, 'Sell');
      await typed(page, 'opening_float', '20000');
      await answer(page, 'Open a shift');
      await says(page, /\+255712345678 has internet until/);
      await says(page, 'TZS 20,000');
      await look(page, 'shift-sold', view);
    });
  }

  test('a cashier who makes more vouchers than a day allows is told how many are left', async t => {
    const { app, page } = await counter(t, 'vouchers');
    await app.post('/api/admin/settings/cashiers/', { vouchers_per_day: 2 }, app.admin);
    await press(page, 'Make vouchers');
    await typed(page, 'quantity', '3');
    await answer(page, 'Make vouchers');
    await says(page, 'A cashier makes 2 vouchers a day at most; 2 are left for you today.');
    await typed(page, 'quantity', '2');
    await answer(page, 'Make vouchers');
    await says(page, '2 vouchers made.');
  });

  test('a cashier sees the end of codes that somebody else made, and does not print them', async t => {
    const { app, page } = await counter(t, 'vouchers?tab=codes');
    const [code = ''] = await app.issueVouchers();
    await page.reload();
    await settled(page);
    const masked = page.locator('tbody .code').first();
    assert.match((await masked.textContent()) ?? '', new RegExp(`^[^0-9A-Z]+${code.slice(-4)}$`));
    await says(page, 'Somebody else made it');
    await page.goto(`${app.url}/api/admin/#/batches/1`);
    await settled(page);
    assert.equal(await page.getByRole('link', { name: 'Print' }).count(), 0);
    await page.goto(`${app.url}/api/admin/#/print/1`);
    await says(page, 'Somebody else made these codes.');
    assert.equal(await page.getByText(code).count(), 0);
  });

  test('a sandbox is named over every page; where real money or none at all is taken, nothing is', async t => {
    for (const [provider, expected] of [
      ['sandbox', 1],
      ['none', 0],
    ] as const) {
      const app = await startApp(t, { environment: { LANGO_PAYMENT_PROVIDER: provider } });
      const { page, open } = await takeDesk(t, app);
      for (const hash of ['dashboard', 'users', 'settings']) {
        await open(hash);
        assert.equal(await page.getByText('SANDBOX: no real money moves.').count(), expected, `${provider}: ${hash}`);
      }
    }
  });
});
