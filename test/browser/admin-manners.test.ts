/** What all pages of the admin site have in common: lists that rest, dialogs in the middle, numbers read alike. */
import assert from 'node:assert/strict';
import { after, suite, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.ts';
import { closeBrowser, takeDesk } from './support/desk.ts';

after(closeBrowser);

async function site(t: TestContext, hash: string): Promise<{ app: TestApp; page: Page }> {
  const app = await startApp(t);
  await app.createBundle({ name: 'Day pass', price: 1_500, hours: 24 });
  const { page, open } = await takeDesk(t, app);
  await open(hash);
  return { app, page };
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

suite('manners of the admin site', { concurrency: 2 }, () => {
  test('what is typed into a filter is asked for once, and then the list rests', async t => {
    const { app, page } = await site(t, 'users');
    const asked: string[] = [];
    page.on('request', request => request.url().includes('?search=') && asked.push(request.url()));
    await page.clock.install();
    // Each wait for a filter to rest is one of 250 ms: a list that redraws by itself begins another after each.
    await page.addInitScript(`
      const { setTimeout } = window;
      window.waits = 0;
      window.setTimeout = (act, delay) => setTimeout(() => { window.waits += delay === 250; act(); }, delay);
    `);
    await page.goto('about:blank');
    await page.goto(`${app.url}/api/admin/#/users`);
    await page.getByText('No users yet.').waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('searchbox').pressSequentially('0712');
    await page.clock.runFor(5_000);
    await page.getByText('Nobody matches.').waitFor();
    assert.equal(asked.length, 1, asked.join(' '));
    const waits = await page.evaluate('window.waits');
    await page.clock.runFor(60_000);
    assert.equal(await page.evaluate('window.waits'), waits);
    assert.ok(Number(waits) > 0, 'nothing was measured');
  });

  test('a dialog stands in the middle, wherever in a page it is', async t => {
    const { page } = await site(t, 'users');
    await press(page, 'Make good an outage');
    const [above, below] = (await page.evaluate(`
      const { top, bottom } = document.querySelector('dialog').getBoundingClientRect();
      [top, innerHeight - bottom].map(Math.round)
    `)) as number[];
    assert.equal(above, below);
  });

  test('a place in the list is read as amounts are, and what is no number is refused at its field', async t => {
    const { app, page } = await site(t, 'bundles');
    const place = page.locator('dialog [name="display_order"]');
    await press(page, 'Edit Day pass');
    await place.fill('first');
    await press(page, 'Save bundle');
    await page.locator('.field:has([name="display_order"]) .problem').waitFor();
    await place.fill('1,000');
    await press(page, 'Save bundle');
    await page.getByText('Day pass is saved.').waitFor();
    assert.equal((await app.get('/api/admin/bundles/', app.admin)).body.bundles[0].display_order, 1_000);
  });
});
