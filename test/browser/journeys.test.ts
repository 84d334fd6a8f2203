/**
 * Every journey of a customer, a cashier and an owner, from end to end at 360 px, with the appliance itself and a
 * simulated router: none costs more than it did, none leads where nothing leads on, and no page says that a phone is
 * online of which the router shows no session.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { startApp, type TestApp, until } from '../support/app.ts';
import { type Colleague, hire, STAFF_PASSWORD } from '../support/staff.ts';
import { PHONE } from './support/appliance.ts';
import { closeBrowser, settled, takeDesk } from './support/desk.ts';
import { ASHA, AT, arrive, BY_MAC, hasSession, OTHER, redeemOn, type Visit } from './support/visit.ts';
import { type Costs, takeWalk, type Walk } from './support/walk.ts';

after(closeBrowser);

const NUMBER = '0712 345 678';
const ONLINE = /^You are online until/;

interface Journey<Way> {
  name: string;
  costs: Costs;
  walk(way: Way): Promise<void>;
}

interface Customer extends Journey<Visit & Walk> {
  script?: boolean;
  /** What the portal is opened with; `BY_MAC` unless given. */
  query?(): string;
  before?(app: TestApp): Promise<unknown>;
  /** What the last page says; `ONLINE` unless given. */
  ends?: string;
}

/** From the prices to the provider's page. */
async function order({ page, press, type }: Walk): Promise<void> {
  await press(page.getByRole('radio', { name: '24 hours' }), 'How long do you need?');
  await type(page.locator('#pay-phone'), NUMBER);
  await press(page.locator('#pay'), 'Pay now');
}

async function pay(way: Walk): Promise<void> {
  await order(way);
  await way.press('Pay now', ONLINE);
}

async function useVoucher({ page, press, type }: Walk): Promise<void> {
  await type(page.locator('#voucher-phone'), NUMBER);
  await press('Use voucher', ONLINE);
}

async function typeVoucher(way: Walk): Promise<void> {
  await way.type('Voucher code', card);
  await useVoucher(way);
}

/** Another phone of hers has her place, and this one finds her time. */
async function findTaken({ page, press, type }: Walk): Promise<void> {
  await press(page.getByText('Already paid?'), 'Phone number or order number');
  await type(page.locator('#find-text'), NUMBER);
  await press('Find my payment', 'Use this phone instead?');
}

async function loseRouter(app: TestApp): Promise<void> {
  await app.router.stopListening();
  await until(() => !app.context.site.isConnected);
  for (let look = 0; look < 2; look += 1) {
    app.clock.advance(15_000);
    await app.schedule.run('follow outage');
  }
}

async function leaveCheckouts(app: TestApp): Promise<void> {
  const left = { phone_number: ASHA, mac_address: PHONE, bundle_id: 1 };
  for (let n = 0; n < 3; n += 1) {
    assert.equal((await app.post('/api/initiate-payment/', left, { 'x-forwarded-for': AT })).status, 200);
  }
}

/** The code of a voucher. */
let card = '';
const printCard = async (app: TestApp) => void ([card = ''] = await app.issueVouchers({ hours: 2 }));
const useOnOther = async (app: TestApp) => void (card = await redeemOn(app, OTHER.mac, OTHER.address));

const customers: readonly Customer[] = [
  { name: 'bought by phone money', costs: [3, 1], walk: pay },
  { name: 'bought on a page that was opened by typing its address', costs: [3, 1], query: () => '', walk: pay },
  { name: 'a voucher that is typed', costs: [1, 2], before: printCard, walk: typeVoucher },
  { name: 'a voucher by its QR code', costs: [1, 1], before: printCard, query: () => `code=${card}`, walk: useVoucher },
  {
    name: 'the window closed while a PIN was typed, and opened again',
    costs: [2, 1],
    async walk({ open, sees, ...way }) {
      await order({ sees, ...way });
      const checkout = way.page.url();
      await open(BY_MAC);
      await sees('Waiting for your payment');
      const body = new URLSearchParams({ outcome: 'completed' });
      await fetch(checkout, { method: 'POST', body, redirect: 'manual' });
      await sees(ONLINE);
    },
  },
  {
    name: 'the window opened again with paid time',
    costs: [0, 0],
    async before(app) {
      await redeemOn(app, PHONE, AT);
      app.router.logout(PHONE);
    },
    walk: ({ sees }) => sees(ONLINE),
  },
  {
    name: 'a fourth checkout after three that were left',
    costs: [3, 0],
    before: leaveCheckouts,
    async walk({ page, press, sees }) {
      await sees('Open the payment page');
      await press('I did not pay. Choose again', 'Get online');
      await press(page.locator('#pay'), 'Pay now');
      await press('Pay now', ONLINE);
    },
  },
  {
    name: 'this phone in the place of another, with proof',
    costs: [4, 2],
    before: useOnOther,
    async walk(way) {
      await findTaken(way);
      await way.press(way.page.getByRole('button', { name: /^Use this phone instead/ }), 'Is this your number?');
      await way.type('Number or code', card);
      await way.press('Get online', ONLINE);
    },
  },
  {
    name: 'this phone in the place of another: not now',
    costs: [3, 1],
    before: useOnOther,
    async walk(way) {
      await findTaken(way);
      await way.press('Not now', 'Get online');
    },
    ends: 'Nothing was changed.',
  },
  {
    name: 'bought while the router is away, until it is back',
    costs: [3, 1],
    before: loseRouter,
    async walk(way) {
      await way.sees('Nobody can get online right now.');
      await order(way);
      await way.press('Pay now', 'You have paid, but the Wi-Fi router does not answer.');
      await way.app.router.startListening();
      await way.sees(ONLINE);
    },
  },
  {
    name: 'a free bundle',
    costs: [1, 1],
    before: app => app.createBundle({ name: 'Try it', price: 0, hours: 1 }),
    async walk({ page, press, type }) {
      await type(page.locator('#pay-phone'), NUMBER);
      await press(page.getByText('Try it'), ONLINE);
    },
  },
  {
    name: 'bought without scripts',
    costs: [5, 1],
    script: false,
    async walk({ app, page, press, type }) {
      await press(page.getByRole('radio', { name: '24 hours' }), 'How long do you need?');
      await type(page.locator('#pay-phone'), NUMBER);
      await press(page.locator('#pay'), 'Waiting for your payment');
      await press(page.getByRole('link', { name: 'Open the payment page' }), 'Pay now');
      await press('Pay now', 'Check now');
      await until(() => hasSession(app));
      await press('Check now', ONLINE);
    },
  },
  { name: 'a voucher without scripts', costs: [1, 2], script: false, before: printCard, walk: typeVoucher },
];

for (const { name, costs, script = true, query = () => BY_MAC, before, walk, ends = ONLINE } of customers) {
  test(name, async t => {
    const visit = await arrive(t, { script, slowdown: 6 });
    const { app, page } = visit;
    await app.createBundle({ name: 'Week', price: 5_000, hours: 168 });
    await before?.(app);
    const saysOnline = async () => {
      const isOpen = (await page.locator('body[data-gate="open"]').count()) > 0;
      return isOpen || /you are online/i.test(await page.locator('body').innerText());
    };
    const way = takeWalk(t, page, async () => {
      if (await saysOnline()) assert.ok(hasSession(app), 'the page says online, and the router shows no session');
    });
    await visit.open(query());
    await way.sees(/./);
    await walk({ ...visit, ...way });
    way.assertCosts(costs);
    await way.sees(ends);
    assert.deepEqual([await saysOnline(), hasSession(app)], [ends === ONLINE, ends === ONLINE]);
  });
}

interface Staff extends Journey<Walk & { app: TestApp }> {
  role: 'cashier' | 'owner';
  before?(app: TestApp, colleague: Colleague): Promise<unknown>;
}

/** By the row of pages that is always in reach. */
const goTo = ({ page, press }: Walk, name: string, then: string) =>
  press(page.locator('nav.bottom').getByRole('link', { name }), then);

async function goFar({ page, press }: Walk, name: string, then: string): Promise<void> {
  await press(page.locator('nav.bottom').getByRole('button'), name);
  await press(page.locator('.in-drawer').getByRole('link', { name }), then);
}

const openShift = (app: TestApp, { headers }: Colleague) =>
  app.post('/api/admin/shifts/open/', { opening_float: 5_000 }, headers);

const sellDay = (app: TestApp) => app.post('/api/admin/sales/', { phone_number: ASHA, bundle_id: 1 }, app.admin);

const staff: readonly Staff[] = [
  {
    name: 'a cashier sells for cash, and prints the receipt',
    role: 'cashier',
    costs: [3, 1],
    before: openShift,
    async walk({ app, page, press, type }) {
      await type('Phone number', NUMBER);
      await press('Sell', `${ASHA} has internet until`);
      await press(page.getByRole('link', { name: 'Print the receipt' }), 'What to do now:');
      await press('Print the receipt', 'Receipt R00001');
      assert.equal((await app.get(`/api/user-status/${ASHA}/`)).body.has_access, true);
    },
  },
  {
    name: 'a cashier sells one voucher',
    role: 'cashier',
    costs: [2, 0],
    async before(app, colleague) {
      await openShift(app, colleague);
      await app.post('/api/vouchers/generate/', { bundle_id: 1, quantity: 4 }, app.admin);
    },
    async walk({ press }) {
      await press('Day · TZS 1,000 · 4 left', 'The code shows next.');
      await press('Sold', /^Sold for TZS 1,000, serial \d+: [0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    },
  },
  {
    name: 'a cashier opens a shift, counts and closes it',
    role: 'cashier',
    costs: [3, 2],
    async walk({ press, type }) {
      await type('Cash in the drawer now', '5000');
      await press('Open a shift', 'Open since');
      await press('Count and close', 'Counted');
      await type('Counted', '5000');
      await press('Close shift', 'It adds up.');
    },
  },
  {
    name: '“I paid”: a lost notification is made good at the desk',
    role: 'cashier',
    costs: [2, 1],
    async before(app) {
      const bundle = await app.createBundle({ name: 'Week', price: 5_000, hours: 168 });
      await app.pay({ phone: ASHA, bundle, mac: PHONE, webhook: 'never' });
    },
    async walk(way) {
      await goTo(way, '“I paid”', 'Phones at the gate');
      await way.type(way.page.getByRole('searchbox'), '345 678');
      await way.press('Ask the provider again', `the phone ${PHONE} is online`);
      assert.ok(hasSession(way.app));
    },
  },
  {
    name: 'a phone at the gate is connected',
    role: 'cashier',
    costs: [3, 1],
    before: async app => app.redeem((await app.issueVouchers())[0] as string, ASHA),
    async walk(way) {
      await goTo(way, '“I paid”', PHONE);
      await way.press('Connect', 'For somebody with paid time.');
      await way.type('Phone number', NUMBER);
      await way.press('Connect', 'It is online.');
      assert.ok(hasSession(way.app));
    },
  },
  {
    name: 'an owner saves a report as CSV',
    role: 'owner',
    costs: [3, 0],
    before: sellDay,
    async walk(way) {
      await goFar(way, 'Reports', 'Net');
      const saved = way.page.waitForEvent('download');
      await way.press('CSV', 'Net');
      assert.match(readFileSync(await (await saved).path(), 'utf8'), /1000\.00/);
    },
  },
  {
    name: 'an owner gives a payment back',
    role: 'owner',
    costs: [4, 1],
    before: sellDay,
    async walk(way) {
      await goTo(way, 'Payments', 'TZS 1,000');
      await way.press(way.page.locator('tbody').getByRole('link'), 'Refund');
      await way.press('Refund', `Refund ${ASHA}?`);
      await way.type('Reason', 'Paid twice');
      await way.press('Refund', 'Paid twice');
    },
  },
  {
    name: 'an owner adds a bundle with one of the router’s profiles',
    role: 'owner',
    costs: [4, 3],
    before: app => app.post('/api/admin/router/profiles/create/', { name: 'fast', rate_limit: '5M/10M' }, app.admin),
    async walk(way) {
      await goFar(way, 'Bundles', 'Add bundle');
      await way.press('Add bundle', 'For its own speed.');
      await way.type('Name', 'Fast day');
      await way.type('Price', '2000');
      await way.choose('Router profile', 'fast · 5M/10M');
      await way.press('Add bundle', 'Fast day is added.');
      const { bundles } = (await way.app.get('/api/admin/bundles/', way.app.admin)).body;
      assert.equal(bundles.find((bundle: { name: string }) => bundle.name === 'Fast day').router_profile, 'fast');
    },
  },
];

for (const { name, costs, role, before, walk } of staff) {
  test(name, async t => {
    const app = await startApp(t, { router: true });
    await app.createBundle();
    app.router.join({ mac: PHONE, address: AT });
    await app.schedule.run('reconcile router');
    const colleague = await hire(app, role, 'zawadi');
    await before?.(app, colleague);
    const login = { username: colleague.username, password: STAFF_PASSWORD };
    const { page, open } = await takeDesk(t, app, { size: { width: 360, height: 780 }, login });
    await open('');
    await settled(page);
    const way = takeWalk(t, page);
    await walk({ app, ...way });
    way.assertCosts(costs);
  });
}
