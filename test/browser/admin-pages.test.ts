/** Every page of the admin site, on a desk and on small phones, light and dark: no fault, nothing cut off, a picture. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startApp } from '../support/app.ts';
import { hire } from '../support/staff.ts';
import { closeBrowser, DESK, overflowing, PHONE, SCREENS, settled, takeDesk, violations } from './support/desk.ts';
import { startShop } from './support/shop.ts';

after(closeBrowser);

const DESKS = [DESK.width] as const;
const PHONES = [320, 360] as const;
/** Longer than there is room for. */
const NAME = 'Mama Ntilie’s Internet Café, Phone Repairs & Copies, Mwenge';

interface View {
  name: string;
  hash: string;
  act?: (page: Page) => Promise<unknown>;
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();

/** On a desk nothing is folded. */
const unfold = async (page: Page) => {
  const more = page.getByRole('button', { name: 'More filters' });
  if (await more.isVisible()) await more.click();
};

const VIEWS: readonly View[] = [
  { name: 'dashboard', hash: 'dashboard' },
  { name: 'desk', hash: 'desk' },
  { name: 'desk-found', hash: 'desk?search=25571' },
  { name: 'online', hash: 'online' },
  { name: 'users', hash: 'users' },
  { name: 'users-none', hash: 'users?search=99999' },
  { name: 'users-outage', hash: 'users', act: press('Make good an outage') },
  { name: 'user', hash: 'users/1' },
  { name: 'user-payments', hash: 'users/1?tab=payments' },
  { name: 'user-time', hash: 'users/1?tab=time' },
  { name: 'user-vouchers', hash: 'users/3?tab=vouchers' },
  { name: 'user-give-time', hash: 'users/1', act: press('Give time') },
  { name: 'user-delete', hash: 'users/1', act: press('Delete user') },
  { name: 'payments', hash: 'payments' },
  { name: 'payments-filters', hash: 'payments', act: unfold },
  { name: 'payment', hash: 'payments/1', act: page => page.locator('.notification summary').first().click() },
  { name: 'payment-refund', hash: 'payments/1', act: press('Refund') },
  { name: 'sell', hash: 'sell' },
  { name: 'sell-shift', hash: 'sell', act: press('Open a shift') },
  { name: 'shift-cash', hash: 'sell', act: press('Take cash out') },
  { name: 'shift-count', hash: 'sell', act: press('Count and close') },
  { name: 'shift', hash: 'shifts/1' },
  { name: 'receipt', hash: 'receipts/1' },
  { name: 'bundles', hash: 'bundles' },
  { name: 'bundle-edit', hash: 'bundles', act: press('Edit Day pass') },
  {
    name: 'bundle-problems',
    hash: 'bundles',
    async act(page) {
      await page.getByRole('button', { name: 'Add bundle' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Add bundle' }).click();
      await page.locator('.problem').first().waitFor();
    },
  },
  { name: 'vouchers', hash: 'vouchers' },
  { name: 'vouchers-find', hash: 'vouchers?tab=codes' },
  { name: 'vouchers-sales', hash: 'vouchers?tab=sales' },
  { name: 'vouchers-make', hash: 'vouchers', act: press('Make vouchers') },
  { name: 'batch', hash: 'batches/1' },
  { name: 'batch-revoking', hash: 'batches/1', act: page => page.getByText('Revoke', { exact: true }).last().click() },
  { name: 'print-a4', hash: 'print/1' },
  { name: 'print-receipt', hash: 'print/1?paper=receipt' },
  { name: 'router', hash: 'router' },
  { name: 'router-reboot', hash: 'router', act: press('Restart the router') },
  { name: 'router-profiles', hash: 'router?tab=profiles' },
  { name: 'router-configuration', hash: 'router?tab=configuration' },
  { name: 'router-plan', hash: 'router?tab=plan' },
  { name: 'router-add', hash: 'router/1', act: press('Add router') },
  { name: 'reports', hash: 'reports' },
  { name: 'reports-by-bundle', hash: 'reports?group=bundle' },
  { name: 'sms', hash: 'sms' },
  { name: 'webhooks', hash: 'webhooks' },
  { name: 'audit-filters', hash: 'audit', act: unfold },
  { name: 'audit', hash: 'audit', act: page => page.locator('.notification summary').first().click() },
  { name: 'admins', hash: 'admins' },
  { name: 'account', hash: 'account' },
  { name: 'account-second-factor', hash: 'account', act: press('Turn on') },
  { name: 'settings', hash: 'settings' },
  { name: 'settings-messages', hash: 'settings?tab=messages' },
  { name: 'settings-limits', hash: 'settings?tab=limits' },
  { name: 'settings-rules', hash: 'settings?tab=rules' },
  { name: 'nowhere', hash: 'nowhere' },
];

async function look(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(SCREENS, `${name}.png`), fullPage: true });
  const found = await violations(page);
  assert.deepEqual(found, [], `${name}: ${found.join('\n')}`);
  assert.deepEqual(await overflowing(page), [], `${name} is wider than the screen`);
}

async function lookAt(
  t: TestContext,
  views: readonly View[],
  widths: readonly number[],
  scheme: 'light' | 'dark',
): Promise<void> {
  const app = await startShop(t);
  const branding = { business_name: NAME, primary_color: '#0b6e4f' };
  assert.equal((await app.post('/api/admin/settings/branding/', branding, app.admin)).status, 200);
  const { headers } = await hire(app, 'cashier');
  await app.post('/api/admin/shifts/open/', { opening_float: 5_000 }, headers);
  const soap = { direction: 'out', amount: 1_200, reason: 'Soap and sponges, for the cups and for the windows' };
  await app.post('/api/admin/shifts/cash/', soap, headers);
  await app.post('/api/admin/shifts/close/', { counted: 4_500 }, headers);
  const { page, open } = await takeDesk(t, app, { scheme, size: { width: widths[0] ?? 0, height: 800 } });
  const lookAtWidths = async (name: string) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      await look(page, `${name}-${width}-${scheme}`);
    }
  };
  for (const { name, hash, act } of views) {
    await page.goto('about:blank');
    await open(hash);
    await act?.(page);
    await lookAtWidths(name);
  }
  await open('dashboard');
  const more = page.getByRole('button', { name: 'More' });
  if (await more.isVisible()) await more.click();
  await lookAtWidths('menu');
}

test('every page of the site is among those that are looked at', () => {
  const source = readFileSync(join(import.meta.dirname, '../../static/admin/app.tsx'), 'utf8');
  const pages = [...source.matchAll(/^ {2}'?([a-z]+(?:\/:id)?)'?: async/gm)].map(([, page]) => page);
  const seen = VIEWS.map(({ hash }) => hash.replace(/\?.*/, '').replace(/\d+$/, ':id'));
  assert.ok(pages.length > 20);
  assert.deepEqual(
    pages.filter(page => !seen.includes(page ?? '')),
    [],
  );
});

// Each has an appliance and a browser window of its own, and most of them wait for something.
suite('the pages of the admin site', { concurrency: 3 }, () => {
  test('every page has no accessibility fault on a desk, light', t => lookAt(t, VIEWS, DESKS, 'light'));
  test('every page has no accessibility fault on a desk, dark', t => lookAt(t, VIEWS, DESKS, 'dark'));
  test('every page has no accessibility fault and fits at 320 and 360 px, light', t =>
    lookAt(t, VIEWS, PHONES, 'light'));

  // The phone's layout and the dark colours have both been seen whole by now.
  const IN_THE_DARK = [
    'dashboard',
    'users',
    'user',
    'payment',
    'sell',
    'bundle-problems',
    'batch',
    'router',
    'settings',
  ];
  test('the pages of every day have no accessibility fault on a phone, dark', t =>
    lookAt(
      t,
      VIEWS.filter(({ name }) => IN_THE_DARK.includes(name)),
      PHONES,
      'dark',
    ));

  for (const scheme of ['light', 'dark'] as const) {
    test(`logging in has no accessibility fault, ${scheme}`, async t => {
      const app = await startApp(t);
      const { page, open } = await takeDesk(t, app, { scheme, size: PHONE, login: null });
      await open('dashboard');
      await look(page, `login-${scheme}`);
    });
    test(`setting up has no accessibility fault, ${scheme}`, async t => {
      const app = await startApp(t, { environment: { LANGO_ADMIN_USERNAME: '', LANGO_ADMIN_PASSWORD: '' } });
      const { page, open } = await takeDesk(t, app, { scheme, size: PHONE, login: null });
      await open('dashboard');
      await page.getByRole('heading', { name: 'Set up Lango' }).waitFor();
      await look(page, `set-up-${scheme}`);
    });
  }
});
