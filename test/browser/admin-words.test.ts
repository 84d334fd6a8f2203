/** What the admin site says: one of a thing and several, what was done, how long is left, and how to get in again. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { hire, STAFF_PASSWORD } from '../support/staff.ts';
import { closeBrowser, takeDesk, violations } from './support/desk.ts';
import { PEOPLE, startShop } from './support/shop.ts';

after(closeBrowser);

const [asha] = PEOPLE;

suite('words of the admin site', { concurrency: 2 }, () => {
  test('the audit log tells each act in a sentence, and its values only when they are asked for', async t => {
    const app = await startApp(t);
    const { headers } = await hire(app, 'owner', 'demo');
    const { id } = await app.createBundle({ name: 'Day pass', price: 1_500 });
    await app.send('PUT', `/api/admin/bundles/${id}/`, { price: 2_000 }, headers);
    const { page, open } = await takeDesk(t, app);
    await open('audit');
    const entry = page.locator('.notification').first();
    await entry.getByText('demo raised the price of Day pass from 1,500 to 2,000', { exact: true }).waitFor();
    assert.equal(await entry.locator('pre').first().isVisible(), false);
    await entry.locator('summary').click();
    await entry.getByText('"minor": 150000').waitFor();
    await entry.getByText('bundle.update, from 127.0.0.1').waitFor();
  });

  test('of a blocked person it is said that paid time runs on, and how much is left', async t => {
    const app = await startShop(t);
    const { page, open } = await takeDesk(t, app);
    await open('users/1');
    const stat = page.locator('.stat').first();
    await stat.getByText('6 days 20 hours left', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await stat.getByText('Paid until').waitFor();
    await stat.getByText('6 days 20 hours left, running on while blocked', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Give time' }).click();
    await page.getByRole('dialog').getByText('It is added to the end').waitFor();
    await page.getByRole('dialog').getByText('Whoever is blocked stays offline until unblocked.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

    await open('users?status=blocked');
    const row = page.locator('tbody tr').filter({ hasText: asha.phone });
    await row.getByText('running on while blocked').waitFor();
    await app.send('PUT', '/api/admin/users/2/update/', { is_active: false }, app.admin);
    await open('users/2');
    await stat.getByText(/^ended [12] hours? ago$/).waitFor();
  });

  test('one of a thing is not spoken of as several', async t => {
    const app = await startApp(t, { router: true });
    const day = await app.createBundle({ name: 'Day pass', price: 1_500 });
    app.router.join({ mac: asha.mac, address: asha.address });
    await app.pay({ phone: asha.phone, bundle: day, mac: asha.mac });
    await app.passTime(1_000);
    const { page, open } = await takeDesk(t, app);
    await open('dashboard');
    await page.getByText('1 person with paid time').waitFor();
    await open('online');
    await page.locator('tbody tr').waitFor();
    await page.getByRole('button', { name: 'Disconnect everyone' }).click();
    await page.getByRole('dialog').getByText('1 session will end.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect everyone' }).click();
    await page.getByText('1 session ended.').waitFor();
    await open('payments/1');
    const asked = page.locator('dd').filter({ hasText: /^\d+ times?/ });
    const { count } = (await app.get('/api/admin/payments/1/', app.admin)).body.payment.checks;
    assert.match((await asked.textContent()) ?? '', count === 1 ? /^1 time\b/ : /^\d+ times\b/);
  });

  test('a disk that fills up is said in words', async t => {
    const app = await startApp(t);
    const { page, open } = await takeDesk(t, app);
    const { body } = await app.get('/api/admin/status/', app.admin);
    body.status.disk_usage = '9.1 GB of 10.0 GB (91%)';
    await page.route('**/api/admin/status/', route => route.fulfill({ json: body }));
    await open('dashboard');
    await page.getByText('9.1 GB of 10.0 GB (91%). Make room soon.', { exact: true }).waitFor();
  });

  test('whoever lost the password is told who or what gives a new one', async t => {
    const app = await startApp(t);
    const { page, open } = await takeDesk(t, app, { login: null, size: { width: 320, height: 640 } });
    await open('');
    const way = page.getByText('lango admin password');
    assert.equal(await way.isVisible(), false);
    await page.getByText('Lost password?').click();
    await way.waitFor();
    assert.deepEqual(await violations(page), []);
    // What is said is so: an owner gives a new one.
    const { id, username } = await hire(app, 'staff');
    const login = { username, password: 'another good password' };
    assert.equal((await app.post('/api/auth/login/', { username, password: STAFF_PASSWORD })).status, 200);
    await app.post(`/api/admin/admins/${id}/password/`, { password: login.password }, app.admin);
    assert.equal((await app.post('/api/auth/login/', login)).status, 200);
  });
});
