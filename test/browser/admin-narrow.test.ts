/** What stands where it is reached first, whatever the screen's width: work before danger, and no holes. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startApp } from '../support/app.ts';
import { hire, STAFF_PASSWORD } from '../support/staff.ts';
import { closeBrowser, settled, takeDesk } from './support/desk.ts';
import { startShop } from './support/shop.ts';

after(closeBrowser);

const PHONE = { width: 360, height: 640 };

const namesOf = async (page: Page, selector: string) =>
  (await page.locator(selector).allTextContents()).map(text => text.trim());

/** The share of each grid that its cells do not cover. */
const holesIn = (page: Page, selector: string) =>
  page.evaluate(`
    [...document.querySelectorAll(${JSON.stringify(selector)})].map(grid => {
      const area = ({ width, height }) => width * height;
      const covered = [...grid.children].reduce((sum, cell) => sum + area(cell.getBoundingClientRect()), 0);
      return 1 - covered / area(grid.getBoundingClientRect());
    })
  `) as Promise<number[]>;

suite('narrow screens, and work before danger', { concurrency: 2 }, () => {
  test('on a phone all filters but the first are folded, and those that are set are counted', async t => {
    const app = await startShop(t);
    const { page, open } = await takeDesk(t, app, { size: PHONE });
    await open('payments?status=failed&method=online');
    await page.getByRole('searchbox').waitFor();
    assert.equal(await page.getByLabel('State').isVisible(), false);
    await page.getByRole('button', { name: 'More filters, 2 set', expanded: false }).click();
    await page.getByLabel('State').selectOption('');
    await page.getByRole('button', { name: 'Fewer filters', expanded: true }).click();
    await page.getByRole('button', { name: 'More filters, 1 set' }).waitFor();
    await page.setViewportSize({ width: 1_024, height: 640 });
    assert.ok(await page.getByLabel('State').isVisible(), 'on a desk nothing is folded');
  });

  test('whoever sells begins with selling: after the login, in the navigation, and before a person', async t => {
    const app = await startShop(t);
    const { username } = await hire(app, 'cashier');
    const { page, open } = await takeDesk(t, app, { size: PHONE, login: { username, password: STAFF_PASSWORD } });
    await open('');
    await page.getByRole('heading', { level: 1, name: 'Cash sale' }).waitFor();
    const [first] = await namesOf(page, '.bottom li');
    assert.equal(first, 'Cash sale');
    for (const hash of ['dashboard', 'payments', 'users/1']) {
      await open(hash);
      assert.match((await namesOf(page, '.page-head .actions > *'))[0] ?? '', /^(Cash sale|Sell)$/, hash);
    }
  });

  test('no page begins with what is dangerous: it stands last', async t => {
    const app = await startShop(t);
    const { page, open } = await takeDesk(t, app, { size: PHONE });
    for (const hash of ['users/1', 'payments/1', 'batches/1', 'online', 'router', 'bundles', 'admins']) {
      await open(hash);
      for (const actions of await page.locator('.actions:has(.danger)').all()) {
        const kinds = await actions.locator('.button').evaluateAll(found => found.map(({ className }) => className));
        const firstDanger = kinds.findIndex(kind => kind.includes('danger'));
        assert.ok(
          kinds.slice(firstDanger).every(kind => kind.includes('danger')),
          `${hash}: ${kinds.join(', ')}`,
        );
      }
      assert.equal(await page.locator('.page-head .actions > .danger:first-child').count(), 0, hash);
    }
  });

  test('the figures of the dashboard leave no cell empty at any width', async t => {
    const app = await startShop(t);
    const { page, open } = await takeDesk(t, app);
    await open('dashboard');
    for (const width of [320, 360, 480, 640, 800, 960, 1_100, 1_280, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      const holes = await holesIn(page, '.stats, .lamps');
      assert.equal(holes.length, 2);
      assert.ok(
        holes.every(hole => hole < 0.03),
        `${width} px: ${holes.join(', ')}`,
      );
    }
  });

  test('a long business name hides neither the navigation nor "Log out"', async t => {
    const app = await startApp(t);
    const name = 'Internetcafé'.repeat(5);
    const saved = await app.post(
      '/api/admin/settings/branding/',
      { business_name: name, primary_color: '#0b6e4f' },
      app.admin,
    );
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    const { page, open } = await takeDesk(t, app, { size: { width: 1_024, height: 600 } });
    await open('dashboard');
    const logout = page.getByRole('button', { name: 'Log out' });
    const isInView = () =>
      logout.evaluate(button => {
        const { top, bottom } = button.getBoundingClientRect();
        return top >= 0 && bottom <= 600;
      });
    assert.ok(await isInView());
    await page.setViewportSize({ width: 320, height: 600 });
    await page.getByRole('button', { name: 'More' }).click();
    assert.ok(await isInView());
    await page.getByRole('dialog').getByRole('link', { name: 'Cash sale' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cash sale' }).waitFor();
  });
});
