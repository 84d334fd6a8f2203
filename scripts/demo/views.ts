/** Every page of the admin site, and every state of the portal, with what the demo's books have to show there. */
import type { BrowserContext, Page } from 'playwright-core';
import { type Colleague, GATE, NEEMA } from './cafe.ts';
import type { Demo } from './demo.ts';
import { portalOf } from './page.ts';
import type { Switch } from './switches.ts';

export interface AdminView {
  name: string;
  hash: string;
  who: Colleague;
  act?: (page: Page) => Promise<unknown>;
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();

/** A member of staff sees what is theirs; what is not said here is seen by the owner. */
export function adminViews({ app }: Demo): AdminView[] {
  const { reads, clock } = app.context;
  const ten = { limit: 10, offset: 0 };
  const idOf = (found: { id: number } | undefined | null) => found?.id ?? 0;
  const paid = reads.payments.page({ status: 'completed', method: 'online' }, ten)[0];
  const cash = reads.payments.page({ method: 'cash' }, ten)[0];
  const flagged = reads.payments.page({ inReview: true }, ten)[0];
  const named = reads.users.page({ search: { text: 'safari', phone: null } }, clock.now(), ten)[0];
  const batches = reads.vouchers.batches(clock.now(), ten);
  const halfSold = batches.find(({ sold, inStock }) => sold > 0 && inStock > 0);
  const short = reads.shifts.list(null, { limit: 20, offset: 0 }).find(({ note }) => note !== '');
  const user = `users/${idOf(named)}`;
  const views: [name: string, hash: string, act?: AdminView['act']][] = [
    ['dashboard', 'dashboard'],
    ['desk', 'desk'],
    ['desk-found', `desk?search=${idOf(flagged) === 0 ? '' : flagged?.orderReference}`],
    ['online', 'online'],
    ['users', 'users'],
    ['users-outage', 'users', press('Make good an outage')],
    ['user', user],
    ['user-payments', `${user}?tab=payments`],
    ['user-time', `${user}?tab=time`],
    ['user-vouchers', `${user}?tab=vouchers`],
    ['user-give-time', user, press('Give time')],
    ['payments', 'payments'],
    ['payment', `payments/${idOf(paid)}`],
    ['payment-flagged', `payments/${idOf(flagged)}`],
    ['payment-refund', `payments/${idOf(paid)}`, press('Refund')],
    ['sell', 'sell'],
    ['receipt', `receipts/${idOf(cash)}`],
    ['shift-short', `shifts/${idOf(short)}`],
    ['bundles', 'bundles'],
    ['bundle-edit', 'bundles', press('Edit Day pass')],
    ['vouchers', 'vouchers'],
    ['vouchers-codes', 'vouchers?tab=codes'],
    ['vouchers-make', 'vouchers', press('Make vouchers')],
    ['batch', `batches/${idOf(halfSold)}`],
    ['print', `print/${idOf(batches[0])}`],
    ['print-receipt', `print/${idOf(batches[0])}?paper=receipt`],
    ['router', 'router'],
    ['router-profiles', 'router?tab=profiles'],
    ['router-configuration', 'router?tab=configuration'],
    ['router-plan', 'router?tab=plan'],
    ['reports', 'reports'],
    ['reports-by-bundle', 'reports?group=bundle'],
    ['sms', 'sms'],
    ['webhooks', 'webhooks'],
    ['audit', 'audit'],
    ['admins', 'admins'],
    ['account', 'account'],
    ['settings', 'settings'],
    ['settings-messages', 'settings?tab=messages'],
    ['settings-limits', 'settings?tab=limits'],
    ['settings-rules', 'settings?tab=rules'],
    ['nowhere', 'nowhere'],
  ];
  const ofOwner = views.map(([name, hash, act]): AdminView => ({ name, hash, who: 'mariam', ...(act && { act }) }));
  const atCounter = ['sell', 'desk', 'dashboard', 'users', 'payments', 'vouchers', 'bundles'];
  return [...ofOwner, ...atCounter.map(hash => ({ name: `cashier-${hash}`, hash, who: 'zawadi' as const }))];
}

/** In every page that the context opens from now on. */
export async function logIn(context: BrowserContext, { app, password }: Demo, who: Colleague): Promise<void> {
  const response = await fetch(`${app.url}/api/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: who, password }),
  });
  const { token, user } = (await response.json()) as { token: string; user: object };
  const session = JSON.stringify(JSON.stringify({ token, user }));
  await context.addInitScript(`sessionStorage.setItem('lango-admin', ${session})`);
}

export interface PortalView {
  name: string;
  address: string;
  /** What goes wrong meanwhile. */
  fault?: Switch['name'];
  /** The browser's. */
  language?: string;
  act?: (page: Page) => Promise<unknown>;
}

async function fillIn(page: Page, phone: string): Promise<void> {
  await page.getByRole('radio', { name: /Day pass/ }).check({ force: true });
  await page.locator('#pay-phone').fill(phone);
}

async function pay(page: Page, phone = '0712 345 678'): Promise<void> {
  await fillIn(page, phone);
  await page.locator('#pay').click();
}

async function redeem(page: Page, code: string): Promise<void> {
  await page.locator('#voucher-code').fill(code);
  await page.locator('#voucher-phone').fill('0712 345 678');
  await page.locator('#voucher-form button').click();
}

async function find(page: Page, phone: string): Promise<void> {
  await page.locator('#find summary').click();
  await page.locator('#find-text').fill(phone);
  await page.locator('#find-form button').click();
}

const isShown = (page: Page, selector: string) => page.locator(selector).first().waitFor();

/** In this order: what a later one finds, an earlier one may have done. */
export function portalViews(demo: Demo): PortalView[] {
  const [asha, juma] = GATE;
  const guest = demo.phones.all.at(-1)?.phone ?? '';
  const { reads, clock } = demo.app.context;
  const one = { limit: 1, offset: 0 };
  const [blocked] = reads.users.page({ access: 'blocked' }, clock.now(), one);
  const [open] = reads.payments.page({ status: 'pending' }, one);
  const gate = portalOf(demo, asha);
  return [
    { name: 'prices', address: gate },
    { name: 'prices-swahili', address: gate, language: 'sw' },
    { name: 'prices-arabic', address: gate, language: 'ar' },
    { name: 'prices-chosen', address: gate, act: page => fillIn(page, '0712 345 678') },
    { name: 'prices-incomplete', address: gate, act: page => page.locator('#pay').click() },
    { name: 'languages', address: gate, act: page => page.locator('#language summary').click() },
    {
      name: 'voucher-unknown',
      address: gate,
      act: page => redeem(page, 'ABCD-EFGH-JKMN').then(() => isShown(page, '#voucher-notice b')),
    },
    {
      name: 'find-nothing',
      address: gate,
      act: page => find(page, '0688 000 999').then(() => isShown(page, '#find-notice b')),
    },
    {
      name: 'blocked',
      address: gate,
      act: page => pay(page, blocked?.phone).then(() => isShown(page, '#pay-notice b, #message:not([hidden])')),
    },
    {
      name: 'device-limit',
      address: gate,
      act: page => find(page, guest).then(() => isShown(page, '#devices:not([hidden])')),
    },
    {
      name: 'provider-down',
      address: gate,
      fault: 'provider',
      act: page => pay(page).then(() => isShown(page, '#pay-notice b')),
    },
    {
      name: 'waiting',
      address: `${portalOf(demo, juma)}&order=${open?.orderReference}`,
      act: page => isShown(page, '#waiting:not([hidden])'),
    },
    {
      name: 'online',
      address: `${portalOf(demo, NEEMA)}&phone=0765222333`,
      act: page => isShown(page, '#online:not([hidden])'),
    },
    {
      name: 'router-off',
      address: `${portalOf(demo, NEEMA)}&phone=0765222333`,
      fault: 'router',
      act: page => isShown(page, '#message:not([hidden])'),
    },
    { name: 'router-off-prices', address: gate, fault: 'router' },
    { name: 'checkout', address: gate, act: page => pay(page).then(() => page.waitForURL(/\/sandbox\//)) },
    {
      name: 'voucher-accepted',
      address: gate,
      act: page => redeem(page, demo.codes[0] ?? '').then(() => isShown(page, '#online:not([hidden])')),
    },
  ];
}
