/** Every state in which a person can find the portal: how to get there, for pictures and for the accessibility check. */
import type { Page } from 'playwright-core';
import { type Appliance, BUNDLES, hoursFromNow, PHONE, PORTAL, person, type Situation } from './appliance.ts';

const ROUTER = 'mac=A4:11:22:33:44:55&ip=10.5.50.7&link-orig=http%3A%2F%2Fnews.example%2Ftoday';
const ASHA = '+255712345678';
const BY_PHONE = `${ROUTER}&phone=0712345678`;
const ORDER = 'K7Q2M9X4B6T8R3W5Z2AB';

export interface PortalState {
  name: string;
  query: string;
  situation?: () => Partial<Situation>;
  act?: (page: Page, appliance: Appliance) => Promise<void>;
}

function paid(until = 7.5, changes: Partial<Situation> = {}): () => Partial<Situation> {
  return () => ({ people: new Map([[ASHA, person({ until: hoursFromNow(until) })]]), ...changes });
}

function ordered(status: 'PENDING' | 'FAILED' | 'CANCELLED', mac: string | null = null): () => Partial<Situation> {
  const [, bundle] = BUNDLES;
  if (bundle === undefined) throw new Error('There are no bundles.');
  return () => ({ orders: new Map([[ORDER, { status, phone: ASHA, mac, bundle, returnQuery: '' }]]) });
}

/** Two other phones have the places of Asha's number. */
function full(): Partial<Situation> {
  const devices = [
    { mac: 'B0:4A:39:00:12:7F', name: 'Old Tecno', lastSeen: hoursFromNow(-2) },
    { mac: 'D8:63:75:9C:01:22', name: '', lastSeen: hoursFromNow(-50) },
  ];
  return { maxDevices: 2, people: new Map([[ASHA, person({ until: hoursFromNow(20), devices })]]) };
}

async function pay(page: Page): Promise<void> {
  await page.locator('.bundle').nth(1).click();
  await page.locator('#pay-phone').fill('0712 345 678');
  await page.locator('#pay').click();
  await page.locator('#pay-notice b').waitFor();
}

async function redeem(page: Page): Promise<void> {
  await page.locator('#voucher-code').fill('ABCD-EFGH-JKMN');
  await page.locator('#voucher-phone').fill('0712 345 678');
  await page.locator('#voucher-form button').click();
  await page.locator('#voucher-notice b').waitFor();
}

async function find(page: Page, what: string): Promise<void> {
  await page.locator('#find summary').click();
  await page.locator('#find-text').fill(what);
  await page.locator('#find-form button').click();
  await page.locator('#find-notice b').waitFor();
}

const voucher = (state: 'used' | 'expired' | 'revoked') => () => ({
  vouchers: new Map([['ABCDEFGHJKMN', state]] as const),
});

export const portalStates: readonly PortalState[] = [
  { name: 'prices', query: ROUTER },
  {
    name: 'prices-chosen',
    query: ROUTER,
    act: async page => {
      await page.locator('.bundle').nth(1).click();
      await page.locator('#pay-phone').fill('0712 345 678');
    },
  },
  { name: 'prices-incomplete', query: ROUTER, act: async page => page.locator('#pay').click() },
  { name: 'prices-none', query: ROUTER, situation: () => ({ bundles: [] }) },
  { name: 'languages', query: ROUTER, act: async page => page.locator('#language summary').click() },
  { name: 'voucher-from-qr', query: `${ROUTER}&code=ABCD-EFGH-JKMN` },
  { name: 'voucher-unknown', query: ROUTER, act: redeem },
  { name: 'voucher-used', query: ROUTER, situation: voucher('used'), act: redeem },
  { name: 'voucher-expired', query: ROUTER, situation: voucher('expired'), act: redeem },
  { name: 'voucher-revoked', query: ROUTER, situation: voucher('revoked'), act: redeem },
  { name: 'find-nothing', query: ROUTER, act: page => find(page, '0712 345 678') },
  { name: 'find-unknown-order', query: ROUTER, act: page => find(page, 'ZZZZZZZZZZZZZZZZZZZZ') },
  { name: 'provider-down', query: ROUTER, situation: () => ({ provider: 'down' }), act: pay },
  { name: 'payment-refused', query: ROUTER, situation: () => ({ provider: 'refuses' }), act: pay },
  {
    name: 'too-many-tries',
    query: ROUTER,
    situation: () => ({ faults: new Map([['initiate-payment/', { status: 429, seconds: 90 }]]) }),
    act: pay,
  },
  {
    name: 'no-network',
    query: ROUTER,
    situation: () => ({ faults: new Map([['initiate-payment/', 'silence']]) }),
    act: pay,
  },
  {
    name: 'waiting',
    query: `${ROUTER}&order=${ORDER}`,
    situation: ordered('PENDING'),
    act: async page => page.locator('#countdown:not(:empty)').waitFor(),
  },
  {
    name: 'greeted-waiting',
    query: ROUTER,
    situation: ordered('PENDING', PHONE),
    act: async page => page.locator('#countdown:not(:empty)').waitFor(),
  },
  { name: 'payment-failed', query: `${ROUTER}&order=${ORDER}`, situation: ordered('FAILED') },
  { name: 'payment-cancelled', query: `${ROUTER}&order=${ORDER}`, situation: ordered('CANCELLED') },
  { name: 'online', query: BY_PHONE, situation: paid() },
  { name: 'online-for-days', query: BY_PHONE, situation: paid(100) },
  { name: 'add-time', query: BY_PHONE, situation: paid(), act: async page => page.locator('#add-time').click() },
  { name: 'one-step', query: BY_PHONE, situation: paid(7.5, { letsIn: false }) },
  { name: 'router-down', query: BY_PHONE, situation: paid(7.5, { router: 'down' }) },
  {
    name: 'device-limit',
    query: BY_PHONE,
    situation: full,
    act: async page => page.locator('#device-list li').nth(2).waitFor(),
  },
  {
    name: 'not-now',
    query: BY_PHONE,
    situation: full,
    act: async page => {
      await page.locator('#not-now').click();
      await page.locator('#notice b').waitFor();
    },
  },
  {
    name: 'proof',
    query: BY_PHONE,
    situation: () => ({
      people: new Map([[ASHA, person({ until: hoursFromNow(20) })]]),
      proof: { asked: 'to join', offered: ['order_reference', 'voucher_code', 'sms_code'], fits: [] },
    }),
    act: async page => page.locator('#proof').waitFor(),
  },
  {
    name: 'proof-wrong',
    query: BY_PHONE,
    situation: () => ({
      people: new Map([[ASHA, person({ until: hoursFromNow(20) })]]),
      proof: { asked: 'to join', offered: ['order_reference', 'voucher_code', 'sms_code'], fits: [] },
    }),
    act: async page => {
      await page.locator('#sms_code').click();
      await page.locator('#proof-notice b').waitFor();
      await page.locator('#proof').fill('482913');
      await page.locator('#proof-form .primary').click();
      await page.locator('#proof-error:not(:empty)').waitFor();
    },
  },
  {
    name: 'free',
    query: ROUTER,
    situation: () => ({
      bundles: [{ ...(BUNDLES[0] as (typeof BUNDLES)[0]), id: 9, name: 'Try it', price: 0 }, ...BUNDLES],
    }),
    act: async page => page.locator('.bundle').first().click(),
  },
  { name: 'closed', query: ROUTER, situation: () => ({ portal: { ...PORTAL, router_down: true } }) },
  { name: 'sandbox', query: ROUTER, situation: () => ({ portal: { ...PORTAL, sandbox: true } }) },
  { name: 'expired', query: BY_PHONE, situation: paid(-30) },
  {
    name: 'blocked',
    query: BY_PHONE,
    situation: () => ({ people: new Map([[ASHA, person({ until: hoursFromNow(20), blocked: true })]]) }),
  },
  { name: 'router-refused', query: `${ROUTER}&error=invalid%20username%20or%20password` },
  {
    name: 'own-colours',
    query: ROUTER,
    situation: () => ({
      portal: {
        ...PORTAL,
        business_name: 'Bahari Beach Hotel & Conference Centre',
        logo_url: '/logo.svg',
        primary_color: '#0b6e8f',
        support_phone: '0712 000 111',
        terms_url: '/terms',
        currency: 'KES',
        time_zone: 'Africa/Nairobi',
      },
    }),
    act: async page => page.locator('.bundle').nth(1).click(),
  },
];

/** Opens the state and waits until nothing on the page moves any more. */
export async function openState(page: Page, appliance: Appliance, state: PortalState, query = ''): Promise<void> {
  await page.goto(`${appliance.origin}/?${state.query}${query}`);
  await page.locator('html:not(.resume) #bundles :is(input, b)').first().waitFor({ state: 'attached' });
  const byNumber = /phone=|order=/.test(state.query) && state.name !== 'expired';
  if (byNumber) await page.locator('#buy').waitFor({ state: 'hidden' });
  await state.act?.(page, appliance);
}
