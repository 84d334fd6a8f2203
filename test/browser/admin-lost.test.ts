/** Lango, or the link to it, is gone: every page says since when, and nothing on it looks as if it were of now. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { closeBrowser, overflowing, takeDesk, violations } from './support/desk.ts';
import { startShop } from './support/shop.ts';

after(closeBrowser);

const SCREENS = join(import.meta.dirname, '../../build/out/screens/admin');
const SINCE = /^No answer from Lango since today, \d\d:\d\d\./;
/** Of the theme: green. */
const GREEN = 'rgb(28, 106, 69)';

/** What is painted green of what tells how things are. */
const GREENS = `[...document.querySelectorAll('.lamp, .badge, .stat-value, .headline strong')].filter(element =>
  [getComputedStyle(element).color, getComputedStyle(element, '::before').backgroundColor].includes('${GREEN}'),
).map(element => element.textContent)`;
const COLOUR = `getComputedStyle(document.querySelector('.stat-value')).color`;

suite('Lango is gone', () => {
  test('a banner over every page says since when, figures turn grey, and all is read again once Lango is back', async t => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lango-test-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const app = await startShop(t, { dataDir });
    const { page, open } = await takeDesk(t, app);
    await open('dashboard');
    const banner = page.getByRole('alert').filter({ hasText: 'No answer from Lango' });
    await page.locator('.pulse').getByText('Live').first().waitFor();
    assert.equal(await banner.count(), 0);
    const green = (await page.evaluate(GREENS)) as string[];
    assert.ok(green.length > 3, 'lamps and states are green while all is well');
    const fresh = await page.evaluate(COLOUR);

    await app.close();
    await banner.waitFor();
    assert.match((await banner.textContent()) ?? '', SINCE);
    assert.deepEqual(await page.evaluate(GREENS), []);
    assert.notEqual(await page.evaluate(COLOUR), fresh, 'figures are grey');
    assert.deepEqual(await violations(page), []);
    for (const width of [320, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.mouse.wheel(0, 2_000);
      assert.deepEqual(await overflowing(page), []);
      assert.ok(((await banner.boundingBox())?.y ?? -1) >= 0, 'it stays in sight');
      await page.screenshot({ path: join(SCREENS, `gone-${width}.png`) });
    }
    await page.evaluate(`location.hash = '#/account'`);
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Dashboard' }).waitFor();
    assert.match((await banner.textContent()) ?? '', SINCE);

    const [port] = /\d+$/.exec(app.url) ?? [];
    await startApp(t, { dataDir, clock: app.clock, environment: { LANGO_PORT: port } });
    await banner.waitFor({ state: 'detached' });
    await page.evaluate(`location.hash = '#/users'`);
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
  });

  test('what could not be read meanwhile is read by itself when Lango is back', async t => {
    const app = await startShop(t);
    const { page, open } = await takeDesk(t, app);
    const cut = (url: URL) => /^\/api\/(admin|dashboard-stats)\//.test(url.pathname) && url.pathname !== '/api/admin/';
    await page.route(cut, route => route.abort('connectionrefused'));
    // The browser's own notes of what is cut are no complaints.
    page.removeAllListeners('console');
    await open('users');
    await page.getByText('No answer from Lango since').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unroute(cut);
    await page.locator('tbody tr').first().waitFor();
    await page.getByText('No answer from Lango since').waitFor({ state: 'detached' });
  });
});
