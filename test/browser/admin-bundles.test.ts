/** The router profile of a bundle: from the router's own list, and by hand where there is none to be had. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { closeBrowser, takeDesk, violations } from './support/desk.ts';

after(closeBrowser);

test('a profile is chosen from what the router has; one that it lost is named, and without an answer it is typed', async t => {
  const app = await startApp(t, { router: true });
  await app.createBundle({ name: 'Day pass' });
  const fast = { name: 'fast', rate_limit: '5M/10M' };
  assert.equal((await app.post('/api/admin/router/profiles/create/', fast, app.admin)).status, 200);
  const { page, open } = await takeDesk(t, app);
  const dialog = page.getByRole('dialog');
  const edit = async () => {
    await page.goto('about:blank');
    await open('bundles');
    await page.getByRole('button', { name: 'Edit Day pass' }).click();
  };
  const save = async () => {
    await dialog.getByRole('button', { name: 'Save bundle' }).click();
    await dialog.waitFor({ state: 'detached' });
    return (await app.get('/api/admin/bundles/', app.admin)).body.bundles[0].router_profile;
  };
  const list = dialog.locator('select[name="router_profile"]');
  const typed = dialog.locator('input[name="router_profile"]');

  await edit();
  await list.selectOption({ label: 'fast · 5M/10M' });
  assert.deepEqual(await list.locator('option').allTextContents(), [
    'The router’s default profile',
    'default',
    'fast · 5M/10M',
  ]);
  assert.deepEqual(await violations(page), []);
  assert.equal(await save(), 'fast');

  await app.send('PUT', '/api/admin/bundles/1/', { router_profile: 'gone' }, app.admin);
  await edit();
  await list.getByText('gone · not on the router').waitFor({ state: 'attached' });
  assert.equal(await save(), 'gone', 'what is not touched stays');
  await edit();
  await list.selectOption('');
  assert.equal(await save(), null);

  await app.router.stopListening();
  await edit();
  await dialog.getByText('The router does not tell which ones it has: type the name.').waitFor();
  await typed.fill('slow');
  assert.deepEqual(await violations(page), []);
  assert.equal(await save(), 'slow');
});

test('what is typed while the router thinks is kept when its list comes', async t => {
  const app = await startApp(t, { router: true });
  await app.createBundle({ name: 'Day pass' });
  const { page, open } = await takeDesk(t, app);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/api/admin/router/profiles/', route => answered.then(() => route.continue()));
  await open('bundles');
  await page.getByRole('button', { name: 'Edit Day pass' }).click();
  await page.getByRole('dialog').locator('input[name="router_profile"]').fill('default');
  answer();
  const list = page.getByRole('dialog').locator('select[name="router_profile"]');
  await list.waitFor();
  assert.equal(await list.inputValue(), 'default');
});
