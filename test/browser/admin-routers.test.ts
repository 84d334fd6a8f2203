/** The routers of a site in the admin site: one as simple as ever, several in a list, and each spoken to by itself. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { SiteRouter } from '../../src/contract/routers.ts';
import { startRouterSimulator } from '../simulator/router.ts';
import { startApp, type TestApp, until } from '../support/app.ts';
import { ADDRESSES, MAC, online, startSite } from '../support/site.ts';
import { hire, STAFF_PASSWORD } from '../support/staff.ts';
import { answer, closeBrowser, DESK, look, press, says, settled, takeDesk } from './support/desk.ts';

after(closeBrowser);

const VIEWS = [
  { size: DESK, scheme: 'light' },
  { size: { width: 360, height: 780 }, scheme: 'dark' },
  { size: { width: 320, height: 640 }, scheme: 'light' },
] as const;
const OTHER_MAC = 'B8:27:EB:65:43:21';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const row = (page: Page, words: string) => page.locator('tbody tr').filter({ hasText: words });
const inDialog = (page: Page, name: string, value: string) =>
  page.getByRole('dialog').locator(`[name="${name}"]`).fill(value);
const listed = async (app: TestApp): Promise<SiteRouter[]> =>
  (await app.get('/api/admin/routers/', app.admin)).body.routers;
const stepsOn = async (app: TestApp, id: number): Promise<unknown[]> =>
  (await app.get(`/api/admin/router/plan/?router_id=${id}`, app.admin)).body.steps;

suite('the routers of a site', { concurrency: 2 }, () => {
  test('one router has no list, no name and no chooser', async t => {
    const app = await startApp(t, { router: true });
    const { page, open } = await takeDesk(t, app);
    for (const hash of ['router', 'router/1']) {
      await open(`${hash}?tab=configuration`);
      await heading(page, 'Router');
      assert.equal(await page.getByLabel('API port').inputValue(), String(app.router.port));
      assert.equal(await page.locator('main [name="name"]').count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Remove this router' }).count(), 0);
    }
    const told = page.waitForResponse('**/api/admin/status/');
    await open('online');
    await told;
    await settled(page);
    assert.equal(await page.getByLabel('Router', { exact: true }).count(), 0);
  });

  test('a second one is added once it answers, and its own plan is applied to it alone', async t => {
    const account = { username: 'gate', password: 'a secret of the garden' };
    const garden = await startRouterSimulator({ ...account, identity: 'Garden gate' });
    t.after(() => garden.stop());
    const app = await startApp(t, {
      router: true,
      environment: { LANGO_BASE_URL: 'http://10.5.0.2:8080', LANGO_ROUTER_PROFILE: 'guests' },
    });
    const { page, open } = await takeDesk(t, app);
    await open('router');
    await press(page, 'Add router');
    await inDialog(page, 'name', 'Main router');
    await inDialog(page, 'router_ip', '127.0.0.1');
    await inDialog(page, 'api_port', String(garden.port));
    await inDialog(page, 'username', account.username);
    await inDialog(page, 'password', 'a wrong one');
    await answer(page, 'Try and add');
    await page.getByRole('dialog').getByRole('alert').waitFor();
    assert.equal((await listed(app)).length, 1);
    await inDialog(page, 'password', account.password);
    await answer(page, 'Try and add');
    await says(page, 'Another router has this name.');
    await inDialog(page, 'name', 'Garden');
    await answer(page, 'Try and add');

    await heading(page, 'Garden');
    const before = await stepsOn(app, 1);
    await press(page, 'Apply');
    await page.getByRole('dialog', { name: 'Change Garden?' }).waitFor();
    await answer(page, 'Change the router');
    await says(page, 'The router needs no change.');
    assert.deepEqual(await stepsOn(app, 2), []);
    assert.deepEqual(await stepsOn(app, 1), before);
    await page.getByRole('tab', { name: 'Status' }).click();
    await says(page, 'Garden gate');
  });

  for (const view of VIEWS) {
    const { size } = view;
    test(`each is listed with its state, and asked, changed and removed by itself, at ${size.width} px`, async t => {
      const site = await startSite(t, [{}, {}]);
      const { app, routers } = site;
      const [first, second] = routers;
      await online(site);
      const { page, open } = await takeDesk(t, app, view);
      await open('router');
      await heading(page, 'Routers');
      await row(page, 'Router 2').getByText('Connected').waitFor();
      assert.match((await row(page, 'Main router').textContent()) ?? '', /Connected1$/);

      await page.getByRole('link', { name: 'Router 2' }).click();
      await heading(page, 'Router 2');
      await look(page, 'routers-one', view);
      await page.getByRole('tab', { name: 'Profiles' }).click();
      await press(page, 'Add profile');
      await inDialog(page, 'name', 'gold');
      await answer(page, 'Add profile');
      await row(page, 'gold').waitFor();
      const profilesOf = async (id: number) =>
        (await app.get(`/api/admin/router/profiles/?router_id=${id}`, app.admin)).body.profiles;
      assert.equal((await profilesOf(1)).length + 1, (await profilesOf(2)).length);

      await page.getByRole('tab', { name: 'Configuration' }).click();
      await page.locator('main [name="name"]').fill('Garden');
      await press(page, 'Try and save');
      await heading(page, 'Garden');
      assert.deepEqual(
        (await listed(app)).map(({ name, router_ip }) => [name, router_ip]),
        [
          ['Main router', '127.0.0.2'],
          ['Garden', '127.0.0.3'],
        ],
      );
      await look(page, 'routers-configuration', view);

      await second!.stopListening();
      second!.dropConnections();
      await press(page, 'Test what is saved');
      await page.locator('main').getByRole('alert').waitFor();
      await page.getByRole('link', { name: 'Routers', exact: true }).click();
      await row(page, 'Garden').getByText('Does not answer').waitFor();
      const why = row(page, 'Garden').locator('small');
      await until(async () => (await why.textContent()) === (await listed(app))[1]?.problem);
      await row(page, 'Main router').getByText('Connected').waitFor();
      await look(page, 'routers', view);
      await open('dashboard');
      await page.locator('.lamp.bad').filter({ hasText: 'Garden' }).getByRole('link').click();
      await heading(page, 'Garden');

      await page.getByRole('tab', { name: 'Configuration' }).click();
      await press(page, 'Remove this router');
      await page.getByRole('dialog', { name: 'Remove Garden?' }).waitFor();
      await answer(page, 'Remove the router');
      await heading(page, 'Router');
      await says(page, 'See who');
      assert.deepEqual(
        (await listed(app)).map(({ name }) => name),
        ['Main router'],
      );
      assert.equal(first!.activeSessions().length, 1);
    });

    test(`sessions are those of the router that is chosen, and ended there alone, at ${size.width} px`, async t => {
      const site = await startSite(t, [{}, {}]);
      const { app, routers } = site;
      await online(site);
      const [code] = await app.issueVouchers({ hours: 24 });
      routers[1]!.join({ mac: OTHER_MAC, address: ADDRESSES[1] });
      const voucher = { voucher_code: code, phone_number: '+255754321987', mac_address: OTHER_MAC };
      const redeemed = await app.post('/api/vouchers/redeem/', voucher, { 'x-forwarded-for': ADDRESSES[1] });
      assert.equal(redeemed.status, 200);
      await until(() => routers[1]!.activeSessions().length === 1);
      const { username } = await hire(app, 'staff');
      const { page, open } = await takeDesk(t, app, { ...view, login: { username, password: STAFF_PASSWORD } });
      await open('online');
      await row(page, MAC).waitFor();
      assert.equal(await row(page, OTHER_MAC).count(), 0);
      await page.getByLabel('Router', { exact: true }).selectOption('Router 2');
      await row(page, OTHER_MAC).waitFor();
      assert.equal(await row(page, MAC).count(), 0);
      await look(page, 'online-of-several', view);

      const left = new Set(routers[0]!.activeSessions().map(({ id }) => id));
      await press(page, 'Disconnect everyone');
      await says(page, '1 session on Router 2 will end.');
      await answer(page, 'Disconnect everyone');
      await says(page, '1 session ended.');
      assert.deepEqual(new Set(routers[0]!.activeSessions().map(({ id }) => id)), left);

      await settled(page);
      await open('router/2');
      await page.getByRole('link', { name: 'See who' }).click();
      await heading(page, 'Online now');
      assert.equal(await page.getByLabel('Router', { exact: true }).inputValue(), '2');
    });
  }
});
