import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { until } from '../support/until.ts';
import {
  type Appliance,
  BUNDLES,
  hoursFromNow,
  PHONE as MAC,
  PORTAL,
  person,
  type Situation,
  settle,
  startAppliance,
} from './support/appliance.ts';
import { closeBrowser, type Phone, type PhoneOptions, takePhone } from './support/phone.ts';

after(closeBrowser);

const ASHA = '+255712345678';
const FROM_ROUTER = `mac=${encodeURIComponent(MAC)}&ip=10.5.50.7&link-login-only=${encodeURIComponent('http://10.5.50.1/login')}&link-orig=${encodeURIComponent('http://news.example/today?a=1&b=2')}`;

interface Visit extends Phone {
  appliance: Appliance;
}

/** Somebody opens the portal on a phone. */
async function visit(
  t: TestContext,
  query: string,
  situation: Partial<Situation> = {},
  options: PhoneOptions = {},
): Promise<Visit> {
  const appliance = await startAppliance(t, situation);
  const phone = await takePhone(t, [appliance.origin, appliance.checkoutOrigin], options);
  await phone.page.goto(`${appliance.origin}/?${query}`);
  return { ...phone, appliance };
}

/** Asha has paid on this phone. */
function known(hours: number): Partial<Situation> {
  const devices = [{ mac: MAC, name: '', lastSeen: hoursFromNow(-1) }];
  return { people: new Map([[ASHA, person({ until: hoursFromNow(hours), devices })]]) };
}

async function buy({ page }: Phone, bundle: string, number = '0712 345 678'): Promise<void> {
  await page.getByRole('radio', { name: bundle }).tap();
  await page.locator('#pay-phone').fill(number);
  await page.locator('#pay').tap();
}

const title = ({ page }: Phone, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const holds = (field: Locator, value: string) => until(async () => (await field.inputValue()) === value);
const says = ({ page }: Phone, words: string | RegExp) => page.getByText(words).first().waitFor();

test('three taps lead from the prices to the checkout, and back to an open gate and the page that was wanted', async t => {
  const phone = await visit(t, FROM_ROUTER);
  const { page, appliance } = phone;
  await buy(phone, '24 hours');
  await page.getByRole('link', { name: 'later' }).waitFor();
  const order = appliance.calls.find(({ path }) => path === 'initiate-payment/')?.body;
  assert.equal(order?.mac_address, MAC);
  assert.equal(order?.bundle_id, 2);
  assert.equal(order?.language, 'en');

  await page.getByRole('link', { name: 'later' }).tap();
  await title(phone, 'Waiting for your payment');
  await says(phone, /Next check in \d seconds?/);
  const back = new URL(page.url()).searchParams;
  assert.equal(back.get('mac'), MAC);
  assert.equal(back.get('ip'), '10.5.50.7');
  assert.equal(back.get('link-orig'), 'http://news.example/today?a=1&b=2');

  settle(appliance.situation, back.get('order') ?? '', 'COMPLETED');
  await title(phone, /^You are online until .*\d\d:\d\d$/);
  assert.match((await page.locator('#time-left').textContent()) ?? '', /^23 hours 59 minutes$|^24 hours$/);
  const wanted = page.getByRole('link', { name: 'Continue to news.example' });
  assert.equal(await wanted.getAttribute('href'), 'http://news.example/today?a=1&b=2');
  assert.deepEqual(
    appliance.situation.people.get(ASHA)?.devices.map(({ mac }) => mac),
    [MAC],
  );
});

test('who goes back from the checkout finds the payment page, and then the number and the bundle', async t => {
  const phone = await visit(t, FROM_ROUTER);
  const { page } = phone;
  await buy(phone, '24 hours');
  await page.getByRole('link', { name: 'later' }).waitFor();
  const checkout = page.url();
  await page.goBack();
  await title(phone, 'Waiting for your payment');
  await page.getByRole('link', { name: 'Open the payment page' }).tap();
  await page.getByRole('link', { name: 'later' }).waitFor();
  assert.equal(page.url(), checkout);

  // The sign-in window has been closed meanwhile: the address is all that is left.
  await page.goto(`${phone.appliance.origin}/?${FROM_ROUTER}&order=${checkout.split('/').at(-1)}`);
  await page.getByRole('link', { name: 'Open the payment page' }).waitFor();
  await page.getByRole('button', { name: 'I did not pay. Choose again' }).tap();
  await title(phone, 'Get online');
  assert.ok(await page.getByRole('radio', { name: '24 hours' }).isChecked());
  await page.locator('#pay', { hasText: /^Pay TZS\s1,000$/ }).waitFor();
  await holds(page.locator('#pay-phone'), ASHA);
});

const WITH_FREE = [{ ...BUNDLES[0]!, id: 9, name: 'Try it', price: 0 }, ...BUNDLES];

test('a free bundle is taken with one tap by who has typed a number, and no order is made', async t => {
  const phone = await visit(t, FROM_ROUTER, { bundles: WITH_FREE });
  const { page, appliance } = phone;
  await page.locator('#pay-phone').fill('0712 345 678');
  await page.getByRole('radio', { name: /Free$/ }).tap();
  await title(phone, /You are online until/);
  const call = appliance.calls.find(({ path }) => path === 'free-access/');
  assert.deepEqual([call?.body.bundle_id, call?.body.mac_address], [9, MAC]);
  assert.equal(appliance.situation.orders.size, 0);
});

test('a free bundle asks for the number where it is missing, and says when it was taken already', async t => {
  const phone = await visit(t, FROM_ROUTER, { bundles: WITH_FREE, freeTaken: true });
  const { page } = phone;
  await page.getByRole('radio', { name: /Free$/ }).tap();
  await page.locator('#pay', { hasText: 'Get online free' }).waitFor();
  await page.locator('#pay').tap();
  await says(phone, 'Type a mobile number, like the one you call with.');
  await page.locator('#pay-phone').fill('0712 345 678');
  await page.locator('#pay').tap();
  await says(phone, 'The free time is used up for now.');
});

test('the pay button names the price, and asks for what is missing instead of paying', async t => {
  const phone = await visit(t, FROM_ROUTER);
  const { page, appliance } = phone;
  await page.getByRole('radio').first().waitFor();
  await page.locator('#pay').tap();
  await says(phone, 'Choose a bundle first.');
  await says(phone, 'Type a mobile number, like the one you call with.');
  await page.getByRole('radio', { name: '7 days' }).tap();
  await page.locator('#pay', { hasText: /^Pay TZS\s5,000$/ }).waitFor();
  await page.locator('#pay-phone').fill('0712 34');
  await page.locator('#pay').tap();
  await page.locator('#pay-phone[aria-invalid="true"]:focus').waitFor();
  assert.ok(!appliance.calls.some(({ path }) => path === 'initiate-payment/'));
});

for (const number of ['0712345678', '+255 712-345-678', '(0712) 345.678', '00255712345678', '٠٧١٢٣٤٥٦٧٨']) {
  test(`a number may be typed as ${number}`, async t => {
    const phone = await visit(t, FROM_ROUTER);
    await buy(phone, '1 hour', number);
    await phone.page.getByRole('link', { name: 'later' }).waitFor();
    assert.equal([...phone.appliance.situation.orders.values()][0]?.phone, ASHA);
  });
}

test('a number that the server refuses is marked beside its field', async t => {
  const phone = await visit(t, FROM_ROUTER);
  await buy(phone, '1 hour', '0222 222 222');
  await says(phone, 'Type a mobile number, like the one you call with.');
});

test('a printed code fills the voucher field, stands first, and opens the gate', async t => {
  const phone = await visit(t, `${FROM_ROUTER}&code=ABCD-EFGH-JKMN`, {
    vouchers: new Map([['ABCDEFGHJKMN', 'fresh']]),
  });
  const { page } = phone;
  await holds(page.locator('#voucher-code'), 'ABCD-EFGH-JKMN');
  await page.getByRole('radio').first().waitFor();
  const [voucher, prices] = [
    await page.locator('#voucher-form').boundingBox(),
    await page.locator('#pay-form').boundingBox(),
  ];
  assert.ok((voucher?.y ?? Infinity) < (prices?.y ?? 0));
  await page.locator('#voucher-phone').fill('0712345678');
  await page.getByRole('button', { name: 'Use voucher' }).tap();
  await title(phone, /You are online until/);
  assert.equal(new URL(page.url()).searchParams.get('code'), null);
  assert.equal(new URL(page.url()).searchParams.get('phone'), ASHA);
});

for (const [state, words] of [
  ['used', 'This voucher was already used.'],
  ['expired', 'This voucher is too old.'],
  ['revoked', 'This voucher was cancelled.'],
  ['unknown', 'This code is not right.'],
] as const) {
  test(`a voucher that is ${state} has its own words`, async t => {
    const vouchers: Situation['vouchers'] = new Map(state === 'unknown' ? [] : [['ABCDEFGHJKMN', state]]);
    const phone = await visit(t, FROM_ROUTER, { vouchers });
    await phone.page.locator('#voucher-code').fill('abcd efgh jkmn');
    await phone.page.locator('#voucher-phone').fill('0712345678');
    await phone.page.getByRole('button', { name: 'Use voucher' }).tap();
    await says(phone, words);
  });
}

for (const [outcome, words] of [
  ['failed', 'The payment did not go through.'],
  ['cancelled', 'The payment was cancelled.'],
] as const) {
  test(`a payment that ${outcome} says so and leads back to the prices`, async t => {
    const phone = await visit(t, FROM_ROUTER);
    await buy(phone, '1 hour');
    await phone.page.getByRole('link', { name: outcome }).tap();
    await title(phone, words);
    await phone.page.getByRole('button', { name: 'Back to the bundles' }).tap();
    await title(phone, 'Get online');
    assert.equal(new URL(phone.page.url()).searchParams.get('order'), null);
  });
}

test('somebody who closed the browser after paying gets online with the order number', async t => {
  const paid: Situation['orders'] = new Map([
    ['K7Q2M9X4B6T8R3W5Z2AB', { status: 'COMPLETED', phone: ASHA, mac: null, bundle: BUNDLES[1]!, returnQuery: '' }],
  ]);
  const phone = await visit(t, FROM_ROUTER, {
    orders: paid,
    people: new Map([[ASHA, person({ until: hoursFromNow(24) })]]),
  });
  await phone.page.getByText('Already paid?').tap();
  await phone.page.locator('#find-text').fill('k7q2-m9x4-b6t8-r3w5-z2ab');
  await phone.page.getByRole('button', { name: 'Find my payment' }).tap();
  await title(phone, /You are online until/);
  assert.deepEqual(
    phone.appliance.situation.people.get(ASHA)?.devices.map(({ mac }) => mac),
    [MAC],
  );
});

test('a phone number finds the time that is left', async t => {
  const phone = await visit(t, FROM_ROUTER, { people: new Map([[ASHA, person({ until: hoursFromNow(3) })]]) });
  await phone.page.getByText('Already paid?').tap();
  await phone.page.locator('#find-text').fill('0712 345 678');
  await phone.page.getByRole('button', { name: 'Find my payment' }).tap();
  await title(phone, /You are online until/);
});

test('a phone number finds an order that is still open, and follows it', async t => {
  const open: Situation['orders'] = new Map([
    ['K7Q2M9X4B6T8R3W5Z2AB', { status: 'PENDING', phone: ASHA, mac: null, bundle: BUNDLES[1]!, returnQuery: '' }],
  ]);
  const phone = await visit(t, FROM_ROUTER, { orders: open });
  await phone.page.getByText('Already paid?').tap();
  await phone.page.locator('#find-text').fill('0712 345 678');
  await phone.page.getByRole('button', { name: 'Find my payment' }).tap();
  await title(phone, 'Waiting for your payment');
  await phone.page.getByRole('button', { name: 'I did not pay. Choose again' }).tap();
  await title(phone, 'Get online');
});

test('a search that finds nothing says what to try next', async t => {
  const phone = await visit(t, FROM_ROUTER);
  await phone.page.getByText('Already paid?').tap();
  await phone.page.locator('#find-text').fill('0712 345 678');
  await phone.page.getByRole('button', { name: 'Find my payment' }).tap();
  await says(phone, 'We found no paid time for this number.');
  await phone.page.locator('#find-text').fill('ZZZZZZZZZZZZZZZZZZZZ');
  await phone.page.getByRole('button', { name: 'Find my payment' }).tap();
  await says(phone, 'We do not know this order number.');
});

test('at the device limit one tap puts this phone in the place of another', async t => {
  const devices = [{ mac: 'B0:00:00:00:00:01', name: 'Old Tecno', lastSeen: hoursFromNow(-2) }];
  const people = new Map([[ASHA, person({ until: hoursFromNow(24), devices })]]);
  const phone = await visit(t, `${FROM_ROUTER}&phone=${encodeURIComponent(ASHA)}`, { people });
  await title(phone, 'Use this phone instead?');
  await says(phone, 'Your number may use 1 device at a time. Choose the one to take off.');
  await phone.page.getByRole('button', { name: 'Use this phone instead: Old Tecno' }).tap();
  await title(phone, /You are online until/);
  assert.deepEqual(
    people.get(ASHA)?.devices.map(({ mac }) => mac),
    [MAC],
  );
});

test('paid but no router: it says so, asks for no second payment, and opens by itself', async t => {
  const people = new Map([[ASHA, person({ until: hoursFromNow(24) })]]);
  const phone = await visit(t, `${FROM_ROUTER}&phone=${encodeURIComponent(ASHA)}`, { people, router: 'down' });
  await title(phone, 'You have paid, but the Wi-Fi router does not answer.');
  await says(phone, /Do not pay again/);
  const asked = () => phone.appliance.calls.filter(({ path }) => path === 'verify/').length;
  phone.appliance.situation.faults.set('verify/', { status: 500 });
  await phone.page.getByRole('button', { name: 'Try again' }).tap();
  await until(() => asked() >= 2);
  phone.appliance.situation.faults.clear();
  phone.appliance.situation.router = 'up';
  await title(phone, /You are online until/);
});

test('the provider is down: no money taken, nothing lost, and the second try works', async t => {
  const phone = await visit(t, FROM_ROUTER, { provider: 'down' });
  await buy(phone, '24 hours');
  await says(phone, 'The payment service does not answer.');
  await phone.page.locator('#pay', { hasText: /^Pay TZS/ }).waitFor();
  phone.appliance.situation.provider = 'up';
  await phone.page.locator('#pay').tap();
  await phone.page.getByRole('link', { name: 'later' }).waitFor();
});

test('a refused payment has its own words', async t => {
  const phone = await visit(t, FROM_ROUTER, { provider: 'refuses' });
  await buy(phone, '24 hours');
  await says(phone, 'The payment was refused.');
});

test('a bundle that was taken off the list meanwhile disappears from it', async t => {
  const phone = await visit(t, FROM_ROUTER);
  await phone.page.getByRole('radio', { name: '1 hour' }).waitFor();
  phone.appliance.situation.bundles = BUNDLES.slice(1);
  await buy(phone, '1 hour');
  await says(phone, 'This bundle is no longer sold.');
  await phone.page.getByRole('radio', { name: '1 hour' }).waitFor({ state: 'detached' });
  await phone.page.locator('#pay').tap();
  await says(phone, 'Choose a bundle first.');
});

test('too many tries: how long to wait is said in words', async t => {
  const phone = await visit(t, FROM_ROUTER, { faults: new Map([['initiate-payment/', { status: 429, seconds: 90 }]]) });
  await buy(phone, '24 hours');
  await says(phone, 'Too many tries.');
  await says(phone, 'Wait 2 minutes, then try again.');
});

test('a blocked number is told to talk to the staff, when it pays and when it asks', async t => {
  const people = new Map([[ASHA, person({ until: hoursFromNow(5), blocked: true })]]);
  const phone = await visit(t, FROM_ROUTER, { people });
  await buy(phone, '24 hours');
  await says(phone, 'This number is blocked.');
  await phone.page.goto(`${phone.appliance.origin}/?phone=${encodeURIComponent(ASHA)}`);
  await title(phone, 'This number is blocked.');
});

test('expired time is named, with the prices right below', async t => {
  const people = new Map([[ASHA, person({ until: hoursFromNow(-30) })]]);
  const phone = await visit(t, `${FROM_ROUTER}&phone=${encodeURIComponent(ASHA)}`, { people });
  await says(phone, /^Your time ended: \w+/);
  await phone.page.getByRole('radio', { name: '24 hours' }).waitFor();
  await holds(phone.page.locator('#pay-phone'), ASHA);
});

test('time that runs out before the reader’s eyes ends in the prices', async t => {
  const asha = person({ until: hoursFromNow(1) });
  const appliance = await startAppliance(t, { people: new Map([[ASHA, asha]]) });
  const phone = await takePhone(t, [appliance.origin]);
  await phone.page.clock.install();
  await phone.page.goto(`${appliance.origin}/?${FROM_ROUTER}&phone=${encodeURIComponent(ASHA)}`);
  await title(phone, /You are online until/);
  await phone.page.clock.fastForward('59:10');
  await says(phone, 'less than a minute');
  asha.until = Date.now();
  await phone.page.clock.fastForward('01:00');
  await says(phone, 'Your time has ended.');
});

test('somebody who is online already sees the time left without typing anything, and can add more', async t => {
  const phone = await visit(t, '', known(2.08));
  await title(phone, /You are online until/);
  await says(phone, /^2 hours [45] minutes$/);
  await phone.page.getByRole('button', { name: 'Add more time' }).tap();
  await says(phone, /New time is added to the end\.$/);
});

test('without a network the page says so, keeps what was typed, and works once it is back', async t => {
  const phone = await visit(t, FROM_ROUTER, { faults: new Map([['initiate-payment/', 'silence']]) });
  await buy(phone, '24 hours');
  await says(phone, 'The Wi-Fi does not answer.');
  assert.equal(await phone.page.locator('#pay-phone').inputValue(), '0712 345 678');
  phone.appliance.situation.faults.clear();
  await phone.page.locator('#pay').tap();
  await phone.page.getByRole('link', { name: 'later' }).waitFor();
});

test('while waiting, a lost network is named and forgiven', async t => {
  const phone = await visit(t, FROM_ROUTER);
  await buy(phone, '24 hours');
  await phone.page.getByRole('link', { name: 'later' }).tap();
  await title(phone, 'Waiting for your payment');
  phone.appliance.situation.faults.set('payment-status/', 'silence');
  await says(phone, 'The Wi-Fi does not answer. We keep trying.');
  phone.appliance.situation.faults.clear();
  settle(phone.appliance.situation, [...phone.appliance.situation.orders.keys()][0] ?? '', 'COMPLETED');
  await title(phone, /You are online until/);
});

for (const [error, words] of [
  ['user A4 has reached uptime limit', 'Your time has ended.'],
  ['RADIUS server is not responding', 'The Wi-Fi router does not answer.'],
  ['invalid username or password', 'The Wi-Fi did not let this phone in.'],
] as const) {
  test(`the router's "${error}" becomes plain words`, async t => {
    const phone = await visit(t, `${FROM_ROUTER}&error=${encodeURIComponent(error)}`);
    await says(phone, words);
  });
}

test('only a web page is ever offered as the page that was wanted', async t => {
  const people = new Map([[ASHA, person({ until: hoursFromNow(3) })]]);
  const phone = await visit(t, `phone=${encodeURIComponent(ASHA)}`, { people });
  const offered = async (link: string) => {
    await phone.page.goto(`${phone.appliance.origin}/?phone=${encodeURIComponent(ASHA)}&${link}`);
    await title(phone, /You are online until/);
    const shown = phone.page.locator('#continue');
    return (await shown.isVisible()) ? shown.getAttribute('href') : null;
  };
  assert.equal(await offered('link-orig=javascript:alert(1)'), null);
  assert.equal(await offered('link-orig=data:text/html,x'), null);
  assert.equal(await offered('link-orig=//evil.example'), null);
  assert.equal(await offered('link-orig=http://connectivitycheck.gstatic.com/generate_204'), null);
  assert.equal(await offered('link-orig=http://captive.apple.com/hotspot-detect.html'), null);
  assert.equal(await offered('link-orig=http%253A%252F%252Fnews.example%252F'), 'http://news.example/');
  assert.equal(await offered('link-orig-esc=https%253A%252F%252Fnews.example%252Fa'), 'https://news.example/a');
  assert.equal(await offered('link-orig=%E0%A4%A'), null);
});

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36';
for (const [where, userAgent, href, lead] of [
  [
    'an iPhone’s sign-in sheet',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${APPLE} Mobile/15E148`,
    'http://captive.apple.com/hotspot-detect.html',
    'Tap “Finish”, then “Done” at the top.',
  ],
  [
    'Android’s sign-in window',
    `Mozilla/5.0 (Linux; Android 14; SM-A145F Build/UP1A; wv) ${CHROME}`,
    'http://connectivitycheck.gstatic.com/generate_204',
    'Tap “Finish”. If this page stays, close it.',
  ],
  [
    'a browser that Windows opened',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'http://www.msftconnecttest.com/redirect',
    'Tap “Finish”. If this page stays, close it.',
  ],
  [
    'Safari itself',
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${APPLE} Version/17.5 Mobile/15E148 Safari/604.1`,
    null,
    'You can close this page.',
  ],
  ['Chrome itself on Android', `Mozilla/5.0 (Linux; Android 14; K) ${CHROME}`, null, 'You can close this page.'],
] as const) {
  test(`once online, the way out of ${where} is said and, where there is one, linked`, async t => {
    const people = new Map([[ASHA, person({ until: hoursFromNow(3) })]]);
    const probe = encodeURIComponent(href ?? 'http://captive.apple.com/hotspot-detect.html');
    const query = `phone=${encodeURIComponent(ASHA)}&link-orig=${probe}`;
    const phone = await visit(t, query, { people }, { userAgent });
    await title(phone, /You are online until/);
    assert.equal(await phone.page.locator('#lead').textContent(), lead);
    const link = phone.page.locator('#continue');
    assert.equal(await link.isVisible(), href !== null);
    if (href !== null) assert.deepEqual([await link.getAttribute('href'), await link.textContent()], [href, 'Finish']);
  });
}

test('an escaped or oddly written MAC is understood, and anything else is left out', async t => {
  const people = new Map([[ASHA, person({ until: hoursFromNow(3) })]]);
  const phone = await visit(t, '', { people });
  const sent = async (mac: string) => {
    phone.appliance.calls.length = 0;
    await phone.page.goto(`${phone.appliance.origin}/?phone=0712345678&${mac}`);
    await phone.page.locator('html:not(.resume)').waitFor();
    return phone.appliance.calls.find(({ path }) => path === 'verify/')?.body.mac_address;
  };
  phone.appliance.situation.maxDevices = 9;
  assert.equal(await sent('mac-esc=A4%253A11%253A22%253A33%253A44%253A55'), MAC);
  assert.equal(await sent('mac=a4-11-22-33-44-55'), MAC);
  assert.equal(await sent('mac=a411.2233.4455'), MAC);
  assert.equal(await sent('mac=$(mac)'), undefined);
});

test('another language keeps the address and what was typed', async t => {
  const phone = await visit(t, FROM_ROUTER);
  const { page } = phone;
  await page.locator('#pay-phone').fill('0712345678');
  await page.locator('#language summary').tap();
  await page.getByRole('link', { name: 'Kiswahili' }).tap();
  await title(phone, 'Ingia mtandaoni');
  const query = new URL(page.url()).searchParams;
  assert.equal(query.get('mac'), MAC);
  await holds(page.locator('#pay-phone'), '0712345678');
  assert.equal(await page.locator('html').getAttribute('lang'), 'sw');
  await page.getByRole('radio').first().tap();
  await page.locator('#pay').tap();
  await page.waitForURL(/checkout/);
  const order = phone.appliance.calls.find(({ path }) => path === 'initiate-payment/')?.body;
  assert.equal(order?.language, 'sw', 'messages will be in it, too');
});

test('the phone’s own language is the page’s', async t => {
  const phone = await visit(t, FROM_ROUTER, {}, { language: 'ar' });
  await title(phone, 'اتصل بالإنترنت');
  assert.equal(await phone.page.locator('html').getAttribute('dir'), 'rtl');
});

test('a slow finger or two: one order however often Pay is pressed', async t => {
  const phone = await visit(t, FROM_ROUTER);
  await phone.page.getByRole('radio', { name: '1 hour' }).tap();
  await phone.page.locator('#pay-phone').fill('0712345678');
  await phone.page.evaluate("for (let i = 0; i < 5; i++) document.getElementById('pay').click()");
  await phone.page.getByRole('link', { name: 'later' }).waitFor();
  assert.equal(phone.appliance.situation.orders.size, 1);
});

test('the phone’s clock may be wrong by years', async t => {
  const people = new Map([[ASHA, person({ until: hoursFromNow(3) })]]);
  const appliance = await startAppliance(t, { people });
  const phone = await takePhone(t, [appliance.origin]);
  await phone.page.addInitScript('const real = Date.now; Date.now = () => real() - 9e11;');
  await phone.page.goto(`${appliance.origin}/?phone=0712345678`);
  await title(phone, /^You are online until (\D+ )?\d\d:\d\d$/);
  await says(phone, /^2 hours 59 minutes$|^3 hours$/);
});

test('markup in anything that staff or people type is shown as text', async t => {
  const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script>"\'&lt;b&gt;{{x}}';
  const bundles = [{ id: 1, name: evil, price: 700, duration_hours: 2, description: evil, is_active: true }];
  const portal = {
    ...PORTAL,
    business_name: evil,
    logo_url: 'javascript:alert(1)',
    primary_color: 'red;}</style><script>',
    support_phone: evil,
    terms_url: 'javascript:alert(1)',
    time_zone: evil,
  };
  const devices = [{ mac: 'B0:00:00:00:00:01', name: evil, lastSeen: hoursFromNow(-2) }];
  const people = new Map([[ASHA, person({ until: hoursFromNow(24), devices })]]);
  const phone = await visit(t, `mac=${encodeURIComponent(evil)}&error=${encodeURIComponent(evil)}`, {
    bundles,
    portal,
    people,
  });
  const { page } = phone;
  await page.getByRole('radio').waitFor();
  assert.equal(await page.locator('#business').textContent(), evil);
  assert.equal(await page.locator('.bundle small').textContent(), `${evil} · ${evil}`);
  assert.ok(await page.locator('#terms-page').isHidden());
  await page.goto(`${phone.appliance.origin}/?mac=${MAC}&phone=0712345678`);
  await page.locator('#device-list li').last().waitFor();
  assert.equal(await page.locator('#device-list b').last().textContent(), evil);
  assert.equal(await page.locator('main img, main script').count(), 0);
  assert.equal(await page.title(), 'Use this phone instead?');
});

test('a business’s logo and colour are applied, and text on any colour stays readable', async t => {
  for (const [color, onBrand] of [
    ['#ffe600', 'rgb(0, 0, 0)'],
    ['#0b3d91', 'rgb(255, 255, 255)'],
  ] as const) {
    const portal = {
      ...PORTAL,
      business_name: 'Kahawa House',
      logo_url: '/logo.svg',
      primary_color: color,
      currency: 'KES',
      time_zone: 'Africa/Nairobi',
    };
    const phone = await visit(t, FROM_ROUTER, { portal });
    await phone.page.getByRole('radio').first().waitFor();
    await phone.page.locator('.mark img').waitFor();
    assert.equal(await phone.page.evaluate("getComputedStyle(document.querySelector('header')).color"), onBrand);
    await says(phone, /^KES\s1,000$/);
  }
});
