/**
 * "Online" is said where the router shows a session, and nowhere else: the appliance itself, a simulated router, and
 * every way in which a phone arrives at it.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { languages } from '../../static/portal/languages/index.ts';
import { isOnline, PHONE, startAppliance } from './support/appliance.ts';
import { closeBrowser, type Phone, takePhone } from './support/phone.ts';
import { openState, portalStates } from './support/portal-states.ts';
import {
  type Arrangement,
  ASHA,
  AT,
  arrive,
  BY_MAC,
  hasSession,
  OTHER,
  redeemOn,
  type Visit,
} from './support/visit.ts';

after(closeBrowser);

const JUMA = '+255754321987';

async function useVoucher({ page, app, open }: Visit, query = ''): Promise<void> {
  const [code = ''] = await app.issueVouchers({ hours: 2 });
  await open(`${query}&code=${code}`);
  await page.locator('#voucher-phone').fill('0712 345 678');
  await page.getByRole('button', { name: 'Use voucher' }).tap();
}

const heading = ({ page }: Phone, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

/** What the page says of being online, in words and by the drawing of the gate. */
async function saysOnline(page: Page): Promise<boolean> {
  const isOpen = (await page.locator('body[data-gate="open"]').count()) > 0;
  const said = `${await page.locator('#title').innerText()} ${await page.locator('#lead').innerText()}`;
  assert.equal(isOpen || /add more time/i.test(said), /you are online/i.test(said), said);
  return isOpen || /you are online/i.test(said);
}

const ACCEPTED = 'Accepted. One step is left.';
const ONLINE = /^You are online until/;

interface Way {
  name: string;
  arrangement?: Arrangement;
  act(visit: Visit): Promise<void>;
  /** The heading that it ends with. */
  ends: string | RegExp;
}

const ways: readonly Way[] = [
  { name: 'a voucher by its printed QR code', act: useVoucher, ends: ONLINE },
  { name: 'a voucher on a page that the router opened', act: visit => useVoucher(visit, BY_MAC), ends: ONLINE },
  {
    name: 'a voucher by its printed QR code, from an address that the router does not know',
    arrangement: { from: '10.5.50.99' },
    act: useVoucher,
    ends: ACCEPTED,
  },
  {
    name: 'a voucher on a page that names a phone which is not on the Wi-Fi',
    arrangement: { from: '10.5.50.99', joined: false },
    act: visit => useVoucher(visit, BY_MAC),
    ends: ACCEPTED,
  },
  {
    name: 'a voucher on a page that was opened with the MAC of another phone',
    act: visit => useVoucher(visit, `mac=${encodeURIComponent(OTHER.mac)}`),
    ends: ONLINE,
  },
  {
    name: 'a voucher while the router refuses to let anybody in',
    act: async visit => {
      visit.app.router.knobs.readOnly = true;
      await useVoucher(visit);
    },
    ends: ACCEPTED,
  },
  {
    name: 'a voucher while the router is away',
    act: async visit => {
      await visit.app.router.stopListening();
      await useVoucher(visit, BY_MAC);
    },
    ends: 'You have paid, but the Wi-Fi router does not answer.',
  },
  {
    name: 'a voucher whose second answer is lost',
    act: async visit => {
      await visit.page.route('**/api/verify/', route => route.fulfill({ status: 500, body: '' }));
      visit.app.router.knobs.readOnly = true;
      await useVoucher(visit);
    },
    ends: ACCEPTED,
  },
  {
    name: 'a purchase on a page that was opened by typing its address',
    act: async ({ page, open }) => {
      await open('');
      await page.locator('#pay-phone').fill('0712 345 678');
      await page.locator('#pay').tap();
      await page.getByRole('button', { name: 'Pay now' }).tap();
    },
    ends: ONLINE,
  },
  {
    name: 'a purchase from an address that the router does not know',
    arrangement: { from: '10.5.50.99' },
    act: async ({ page, open }) => {
      await open('');
      await page.locator('#pay-phone').fill('0712 345 678');
      await page.locator('#pay').tap();
      await page.getByRole('button', { name: 'Pay now' }).tap();
    },
    ends: ACCEPTED,
  },
  {
    name: 'a paid phone that comes back with its MAC alone',
    act: async visit => {
      await redeemOn(visit.app, PHONE, AT);
      visit.app.router.logout(PHONE);
      await visit.open(BY_MAC);
    },
    ends: ONLINE,
  },
  {
    name: 'a paid phone that comes back with nothing',
    act: async visit => {
      await redeemOn(visit.app, PHONE, AT);
      await visit.open('');
    },
    ends: ONLINE,
  },
  {
    name: 'a paid phone that comes back while the router refuses to let anybody in',
    act: async visit => {
      visit.app.router.knobs.readOnly = true;
      await redeemOn(visit.app, PHONE, AT);
      await visit.open('');
    },
    ends: ACCEPTED,
  },
  {
    name: 'a paid phone by its MAC, from an address that the router does not know',
    arrangement: { from: '10.5.50.99' },
    act: async visit => {
      await redeemOn(visit.app, PHONE, AT);
      await visit.open(BY_MAC);
    },
    ends: 'Get online',
  },
  {
    name: 'the number of somebody who is online with another phone',
    act: async visit => {
      await redeemOn(visit.app, OTHER.mac, OTHER.address);
      await visit.open(`phone=${encodeURIComponent(ASHA)}`);
    },
    ends: 'Use this phone instead?',
  },
  {
    name: 'another phone that shows the page of a phone that is online',
    act: async visit => {
      await redeemOn(visit.app, OTHER.mac, OTHER.address);
      await visit.open(`mac=${encodeURIComponent(OTHER.mac)}&phone=${encodeURIComponent(ASHA)}`);
    },
    ends: 'Use this phone instead?',
  },
  {
    name: 'the number of somebody whose session the router has ended by itself',
    arrangement: { from: '10.5.50.99' },
    act: async visit => {
      await redeemOn(visit.app, PHONE, AT);
      visit.app.router.leave(PHONE);
      visit.app.clock.advance(5_000);
      await visit.open(`${BY_MAC}&phone=${encodeURIComponent(ASHA)}`);
    },
    ends: ACCEPTED,
  },
];

for (const { name, arrangement, act, ends } of ways) {
  test(`${name}: online is said only where the router shows a session`, async t => {
    const visit = await arrive(t, arrangement);
    await act(visit);
    await heading(visit, ends);
    const says = await saysOnline(visit.page);
    assert.equal(says, ends === ONLINE);
    if (says) assert.ok(hasSession(visit.app), 'the router shows no session');
  });
}

test('who had one step left goes online by itself once the router knows the phone', async t => {
  const visit = await arrive(t, { joined: false });
  await useVoucher(visit);
  await heading(visit, ACCEPTED);
  await visit.page.getByText(/^Turn Wi-Fi off and on\. .* Your time runs until \d\d:\d\d\.$/).waitFor();
  visit.app.router.join({ mac: PHONE, address: AT });
  // The copy of the host table is a second old.
  visit.app.clock.advance(1_000);
  await visit.page.getByRole('button', { name: 'Try again' }).tap();
  await heading(visit, ONLINE);
  assert.ok(hasSession(visit.app));
});

test('the step that is left leads online: the page that opens finds the time by the number', async t => {
  const visit = await arrive(t, { from: '10.5.50.99' });
  await useVoucher(visit);
  await heading(visit, ACCEPTED);
  await visit.open(BY_MAC);
  await visit.page.getByText('Already paid?').tap();
  await visit.page.locator('#find-text').fill('0712 345 678');
  await visit.page.getByRole('button', { name: 'Find my payment' }).tap();
  await heading(visit, ONLINE);
  assert.ok(hasSession(visit.app));
});

test('a phone whose window closed while its PIN was typed comes back to its order, and another does not', async t => {
  const visit = await arrive(t);
  await visit.open(BY_MAC);
  await visit.page.locator('#pay-phone').fill('0712 345 678');
  await visit.page.locator('#pay').tap();
  await visit.page.getByRole('button', { name: 'Pay now' }).waitFor();
  for (const query of [BY_MAC, '']) {
    await visit.open(query);
    await heading(visit, 'Waiting for your payment');
  }
  await visit.page.getByRole('button', { name: 'I did not pay. Choose again' }).tap();
  await heading(visit, 'Get online');

  const stranger = await takePhone(t, [visit.app.url], { slowdown: 1 });
  await stranger.page.setExtraHTTPHeaders({ 'x-forwarded-for': OTHER.address });
  const greeted = stranger.page.waitForResponse(/captive-portal/);
  await stranger.page.goto(`${visit.app.url}/?${BY_MAC}`);
  assert.equal('order-reference' in (await (await greeted).json()), false, 'a MAC that is named tells nothing');
  await heading(stranger, 'Get online');
});

test('a paid phone that is greeted adds time without being asked who it is, and keeps what it typed', async t => {
  const visit = await arrive(t);
  await redeemOn(visit.app, PHONE, AT, JUMA);
  await visit.open(BY_MAC);
  await heading(visit, ONLINE);
  await visit.page.getByRole('button', { name: 'Add more time' }).tap();
  await heading(visit, 'Add more time');
  assert.equal(await visit.page.locator('#pay-phone').inputValue(), '', 'whose phone it is is told to nobody');
});

/** Each state in one of the languages, by turns. */
const codes = Object.keys(languages) as (keyof typeof languages)[];
for (const [i, state] of portalStates.entries()) {
  const code = codes[i % codes.length] ?? 'en';
  test(`${state.name} in ${code}: online is said only where the router shows a session`, async t => {
    const appliance = await startAppliance(t, state.situation?.());
    const { page } = await takePhone(t, [appliance.origin], { slowdown: 1 });
    await openState(page, appliance, state, `&lang=${code}`);
    const { onlineUntil, addTimeLead } = languages[code].live;
    const said = `${await page.locator('#title').innerText()} ${await page.locator('#lead').innerText()}`;
    const says = [onlineUntil, addTimeLead].some(text => text.split('{time}').every(part => said.includes(part)));
    assert.equal(says, ['online', 'online-for-days', 'add-time'].includes(state.name), said);
    assert.ok(!says || isOnline(appliance.situation, PHONE), said);
  });
}
