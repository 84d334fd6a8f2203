/** Getting in, staying in, and what each role finds there. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { totpCode, totpStep } from '../../src/domain/totp.ts';
import { OWNER, startApp, type TestApp } from '../support/app.ts';
import { closeBrowser, PHONE, takeDesk } from './support/desk.ts';

after(closeBrowser);

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(value);
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const problemOf = (page: Page, field: string) => page.locator(`.field:has([name="${field}"]) .problem`).textContent();

/** Makes an admin and says how to log in as one. */
async function hire(app: TestApp, role: string) {
  const login = { username: role, password: 'a password of its own' };
  const { status } = await app.post('/api/admin/admins/', { ...login, role }, app.admin);
  assert.equal(status, 201);
  return login;
}

// Each has an appliance and a browser window of its own, and most of them wait for something.
suite('getting in', { concurrency: 3 }, () => {
  test('a wrong password is told, the right one opens the page that was wanted, and a reload keeps it', async t => {
    const app = await startApp(t);
    const { page, open } = await takeDesk(t, app, { login: null });
    await open('bundles');
    await fill(page, { username: OWNER.username, password: 'not this one at all' });
    await press(page, 'Log in');
    await page.getByRole('alert').getByText('The user name or the password is wrong.').waitFor();
    await fill(page, { password: OWNER.password });
    await press(page, 'Log in');
    await heading(page, 'Bundles');
    await page.reload();
    await heading(page, 'Bundles');
    const kept = (await page.evaluate('[document.cookie, localStorage.length, location.href]')) as string[];
    assert.deepEqual(kept, ['', 0, `${app.url}/api/admin/#/bundles`]);
  });

  test('a session that ends leads to the login by itself, and back to the same page', async t => {
    const app = await startApp(t);
    const { page, open } = await takeDesk(t, app);
    await open('vouchers?tab=codes');
    app.clock.advance(13 * 3_600_000);
    await page.getByText('Your login has ended.').waitFor();
    await fill(page, OWNER);
    await press(page, 'Log in');
    await heading(page, 'Vouchers');
    assert.equal(await page.getByRole('tab', { name: 'Find a code' }).getAttribute('aria-selected'), 'true');
  });

  test('logging out forgets the token on both sides', async t => {
    const app = await startApp(t);
    const { page, open } = await takeDesk(t, app);
    await open('dashboard');
    const { token } = JSON.parse((await page.evaluate("sessionStorage.getItem('lango-admin')")) as string);
    await press(page, 'Log out');
    await heading(page, 'Log in');
    assert.equal(await page.evaluate("sessionStorage.getItem('lango-admin')"), null);
    const { status } = await app.get('/api/auth/profile/', { authorization: `Bearer ${token}` });
    assert.equal(status, 403);
  });

  test('the first owner is made with the set-up code, on a phone', async t => {
    const app = await startApp(t, { environment: { LANGO_ADMIN_USERNAME: '', LANGO_ADMIN_PASSWORD: '' } });
    const { page, open } = await takeDesk(t, app, { login: null, size: PHONE });
    await open('dashboard');
    await heading(page, 'Set up Lango');
    await fill(page, { setup_code: 'WRONG', username: 'mama', password: 'short' });
    await press(page, 'Make the account');
    assert.match((await problemOf(page, 'password')) ?? '', /10/);
    assert.equal(await page.locator('[name="password"]').getAttribute('aria-invalid'), 'true');
    const [, code = ''] = /"setupCode":"([^"]+)"/.exec(app.logged.join('\n')) ?? [];
    await fill(page, { setup_code: code, password: 'maji ya kunde mia' });
    await press(page, 'Make the account');
    await heading(page, 'Dashboard');
  });

  test('a second factor is turned on with its QR code, asked for at login, and replaced by a recovery code', async t => {
    const app = await startApp(t);
    const { page, open } = await takeDesk(t, app);
    await open('account');
    await press(page, 'Turn on');
    await page.locator('.qr-box svg').waitFor();
    const secret = ((await page.locator('.qr-box + .code').textContent()) ?? '').replaceAll(' ', '');
    const code = () => totpCode(secret, totpStep(app.clock.now()));
    await fill(page, { code: '000000' });
    await press(page, 'Turn on');
    await page.locator('.problem, [role="alert"]').first().waitFor();
    await fill(page, { code: code() });
    await press(page, 'Turn on');
    await page.locator('.codes li').nth(9).waitFor();
    const recovery = await page.locator('.codes li').allTextContents();
    assert.equal(recovery.length, 10);
    await press(page, 'I have them');
    await page.getByText('On', { exact: true }).waitFor();

    await press(page, 'Log out');
    app.clock.advance(60_000);
    await fill(page, OWNER);
    await press(page, 'Log in');
    await heading(page, 'Second step');
    await fill(page, { totp_code: code() });
    await press(page, 'Log in');
    await heading(page, 'Your account');

    await press(page, 'Log out');
    app.clock.advance(60_000);
    await fill(page, OWNER);
    await press(page, 'Log in');
    await heading(page, 'Second step');
    await fill(page, { totp_code: recovery[0] ?? '' });
    await press(page, 'Log in');
    await heading(page, 'Your account');
  });

  test('a changed password logs out, and the new one logs in', async t => {
    const app = await startApp(t);
    const { page, open } = await takeDesk(t, app);
    await open('account');
    await fill(page, { current_password: 'wrong by far', password: 'a much better one' });
    await press(page, 'Change password');
    await page.getByText('This is not your password.').waitFor();
    await fill(page, { current_password: OWNER.password });
    await press(page, 'Change password');
    await page.getByText('Your password is changed.').waitFor();
    await fill(page, { username: OWNER.username, password: 'a much better one' });
    await press(page, 'Log in');
    await heading(page, 'Your account');
  });

  test('each role finds what it may do, and no more', async t => {
    const app = await startApp(t);
    await app.createBundle();
    const pages = async (login: { username: string; password: string }) => {
      const { page, open } = await takeDesk(t, app, { login });
      await open('bundles');
      const links = await page.locator('nav.side ul').first().locator('..').getByRole('link').allTextContents();
      const buttons = await page.locator('main button').allTextContents();
      return { links: links.map(text => text.trim()), buttons };
    };
    const cashier = await pages(await hire(app, 'cashier'));
    assert.deepEqual(
      cashier.links.filter(name => /Router|Reports|SMS|Webhook|Audit|Admins|Settings/.test(name)),
      [],
    );
    assert.deepEqual(cashier.buttons, []);
    const staff = await pages(await hire(app, 'staff'));
    assert.deepEqual(
      staff.links.filter(name => /Router|Reports|SMS|Webhook|Audit|Admins|Settings/.test(name)),
      ['Reports', 'Router', 'SMS', 'Webhook log'],
    );
    assert.deepEqual(staff.buttons, ['Add bundle', 'Edit', 'Hide', 'Delete']);
    const owner = await pages(OWNER);
    for (const name of ['Audit log', 'Admins', 'Settings']) assert.ok(owner.links.includes(name), name);
  });

  test('a cashier’s dashboard and users show without a refusal', async t => {
    const app = await startApp(t);
    const { page, open } = await takeDesk(t, app, { login: await hire(app, 'cashier') });
    const refused: string[] = [];
    page.on('response', response => {
      if (response.status() === 403) refused.push(response.url());
    });
    for (const name of ['dashboard', 'online', 'users', 'payments', 'sell', 'vouchers', 'bundles', 'account']) {
      await open(name);
    }
    assert.deepEqual(refused, []);
  });
});
