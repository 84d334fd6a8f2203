/** Where a phone number alone does not do: what the portal asks for, explains, refuses and takes. */
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import {
  type Appliance,
  BUNDLES,
  hoursFromNow,
  PORTAL,
  person,
  type Situation,
  startAppliance,
} from './support/appliance.ts';
import { closeBrowser, type Phone, takePhone } from './support/phone.ts';

after(closeBrowser);

const MAC = 'A4:11:22:33:44:55';
const TECNO = { mac: 'B0:00:00:00:00:01', name: 'Old Tecno', lastSeen: hoursFromNow(-2) };
const ASHA = '+255712345678';
const FROM_ROUTER = `mac=${encodeURIComponent(MAC)}`;
const BY_PHONE = `${FROM_ROUTER}&phone=${encodeURIComponent(ASHA)}`;
const ORDER = 'K7Q2M9X4B6T8R3W5Z2AB';
const VOUCHER = 'ABCD-EFGH-JKMN';
const OFFERED = ['order_reference', 'voucher_code', 'sms_code'];

interface Visit extends Phone {
  appliance: Appliance;
}

async function visit(t: TestContext, query: string, situation: Partial<Situation>): Promise<Visit> {
  const appliance = await startAppliance(t, situation);
  const phone = await takePhone(t, [appliance.origin]);
  await phone.page.goto(`${appliance.origin}/?${query}`);
  return { ...phone, appliance };
}

/** Asha has paid, and another phone has her place. */
function taken(fits: readonly string[], offered: readonly string[] = OFFERED): Partial<Situation> {
  const people = new Map([[ASHA, person({ until: hoursFromNow(24), devices: [TECNO] })]]);
  return { people, proof: { asked: 'to swap', offered, fits } };
}

/** Asha has paid, there is room, and the owner lets no new phone in on the number alone. */
function guarded(fits: readonly string[]): Partial<Situation> {
  const people = new Map([[ASHA, person({ until: hoursFromNow(24) })]]);
  return { people, proof: { asked: 'to join', offered: OFFERED, fits } };
}

const title = ({ page }: Phone, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const says = ({ page }: Phone, words: string | RegExp) => page.getByText(words).first().waitFor();
const devices = ({ appliance }: Visit) => appliance.situation.people.get(ASHA)?.devices.map(({ mac }) => mac);
const sent = ({ appliance }: Visit, to: string) => appliance.calls.filter(({ path }) => path === to);

async function takePlace({ page }: Phone): Promise<void> {
  await page.getByRole('button', { name: /^Use this phone instead/ }).tap();
  await page.getByRole('heading', { level: 1, name: 'Is this your number?' }).waitFor();
}

async function prove({ page }: Phone, proof: string): Promise<void> {
  await page.getByLabel('Number or code').fill(proof);
  await page.locator('#proof-form').getByRole('button', { name: 'Get online' }).tap();
}

for (const [kind, proof] of [
  ['the number of an order', ORDER],
  ['a transaction number', 'QGH7 8XK2 1P'],
  ['a voucher code', VOUCHER],
  ['a code by SMS', '482913'],
] as const) {
  test(`${kind} puts this phone in the place of another`, async t => {
    const phone = await visit(t, BY_PHONE, taken([proof]));
    await takePlace(phone);
    await prove(phone, proof);
    await title(phone, /You are online until/);
    assert.deepEqual(devices(phone), [MAC]);
  });
}

test('each proof is explained, and only what the appliance takes is offered', async t => {
  const phone = await visit(t, BY_PHONE, taken([], ['voucher_code']));
  await takePlace(phone);
  const hints = (words: string) => phone.page.locator('#proof-hint').getByText(words).waitFor();
  await hints('The 12 letters and digits on the card');
  assert.ok(await phone.page.locator('#order_reference').isHidden());
  assert.ok(await phone.page.locator('#sms_code').isHidden());
  phone.appliance.situation.proof = { asked: 'to swap', offered: OFFERED, fits: [] };
  await phone.page.reload();
  await takePlace(phone);
  await hints('The 20 letters and digits that you saw when you paid');
  await hints('In the message from your payment service');
  await phone.page.getByRole('button', { name: 'Send me a code by SMS' }).waitFor();
});

test('a wrong proof is named beside its field and stays in it; nothing typed is not sent', async t => {
  const phone = await visit(t, BY_PHONE, taken([ORDER]));
  await takePlace(phone);
  const asked = () => sent(phone, 'devices/remove/').length;
  const before = asked();
  await prove(phone, '');
  await phone.page.locator('#proof-error:not(:empty)').waitFor();
  assert.equal(asked(), before);
  await prove(phone, 'ZZZZZZZZZZZZZZZZZZZZ');
  await says(phone, 'This does not fit your number. Check each letter and digit.');
  const field = phone.page.getByLabel('Number or code');
  assert.equal(await field.getAttribute('aria-invalid'), 'true');
  assert.equal(await field.inputValue(), 'ZZZZZZZZZZZZZZZZZZZZ');
  assert.deepEqual(devices(phone), [TECNO.mac]);
});

test('too many wrong proofs: how long to wait is said, and what was typed stays', async t => {
  const phone = await visit(t, BY_PHONE, taken([ORDER]));
  await takePlace(phone);
  phone.appliance.situation.faults.set('devices/remove/', { status: 429, seconds: 1_500 });
  await prove(phone, ORDER);
  await says(phone, 'Wait 25 minutes, then try again.');
  assert.equal(await phone.page.getByLabel('Number or code').inputValue(), ORDER);
  phone.appliance.situation.faults.clear();
  await prove(phone, ORDER);
  await title(phone, /You are online until/);
});

test('a code by SMS is sent to the number, or it is said why not', async t => {
  const phone = await visit(t, BY_PHONE, { ...taken(['482913']), sms: 'down' });
  await takePlace(phone);
  const send = phone.page.getByRole('button', { name: 'Send me a code by SMS' });
  await send.tap();
  await says(phone, 'No SMS can be sent now.');
  phone.appliance.situation.faults.set('devices/proof/', { status: 429, seconds: 600 });
  await send.tap();
  await says(phone, 'Wait 10 minutes, then try again.');
  phone.appliance.situation.faults.clear();
  phone.appliance.situation.sms = 'up';
  await send.tap();
  await says(phone, 'A code is on its way.');
  assert.deepEqual(sent(phone, 'devices/proof/').at(-1)?.body, { phone_number: ASHA });
  await phone.page.locator('#proof:focus').waitFor();
  await prove(phone, '482913');
  await title(phone, /You are online until/);
});

test('where the owner wants proof for new phones, the number alone does not let one in', async t => {
  const phone = await visit(t, FROM_ROUTER, guarded([VOUCHER]));
  await phone.page.getByText('Already paid?').tap();
  await phone.page.locator('#find-text').fill('0712 345 678');
  await phone.page.getByRole('button', { name: 'Find my payment' }).tap();
  await title(phone, 'Is this your number?');
  await prove(phone, '2222-2222-2222');
  await says(phone, 'This does not fit your number. Check each letter and digit.');
  assert.deepEqual(devices(phone), []);
  await phone.page.reload();
  await prove(phone, VOUCHER);
  await title(phone, /You are online until/);
  assert.deepEqual(devices(phone), [MAC]);
});

test('who comes with the number of the order is not asked again', async t => {
  const orders: Situation['orders'] = new Map([
    [ORDER, { status: 'COMPLETED', phone: ASHA, mac: null, bundle: BUNDLES[1]!, returnQuery: '' }],
  ]);
  const phone = await visit(t, `${FROM_ROUTER}&order=${ORDER}`, { ...guarded([ORDER]), orders });
  await title(phone, /You are online until/);
  assert.deepEqual(devices(phone), [MAC]);

  const full = await visit(t, `${FROM_ROUTER}&order=${ORDER}`, { ...taken([ORDER]), orders });
  await full.page.getByRole('button', { name: 'Use this phone instead: Old Tecno' }).tap();
  await title(full, /You are online until/);
  assert.deepEqual(devices(full), [MAC]);
});

test('the list of devices leads on: to another try, and, not now, to where the time is found later', async t => {
  const phone = await visit(t, BY_PHONE, taken([]));
  await title(phone, 'Use this phone instead?');
  await phone.page.getByRole('button', { name: 'Not now' }).tap();
  await title(phone, 'Get online');
  await says(phone, 'To use your time on this phone later, tap “Already paid?” below.');
  assert.deepEqual(devices(phone), [TECNO.mac], 'nobody was taken off');
  await phone.page.reload();
  await takePlace(phone);
  await phone.page.getByRole('button', { name: 'Try again' }).tap();
  await title(phone, 'Use this phone instead?');
  assert.ok(await phone.page.getByLabel('Number or code').isHidden());
  // The staff have taken the other phone off meanwhile.
  phone.appliance.situation.people.get(ASHA)?.devices.splice(0);
  await phone.page.getByRole('button', { name: 'Try again' }).tap();
  await title(phone, /You are online until/);
});

test('devices go by names that people know, and by the end of a MAC, in the language of the page', async t => {
  const unnamed = { mac: 'D8:63:75:9C:01:22', name: 'Device 2', lastSeen: hoursFromNow(-50) };
  const people = new Map([[ASHA, person({ until: hoursFromNow(24), devices: [TECNO, unnamed] })]]);
  const phone = await visit(t, BY_PHONE, { people, maxDevices: 2 });
  const rows = phone.page.locator('#device-list li');
  await rows.nth(2).waitFor();
  const shown = await rows.allInnerTexts();
  assert.match(shown[0] ?? '', /^This phone\n+•••:44:55$/);
  assert.match(shown[1] ?? '', /^Old Tecno\n+Last used [^\n]+\n+•••:00:01\n+Use this phone instead$/);
  assert.match(shown[2] ?? '', /^Another phone\n+Last used [^\n]+\n+•••:01:22\n/);
  for (const [language, names] of [
    ['sw', 'Simu hii, Simu nyingine'],
    ['fr', 'Ce téléphone, Autre téléphone'],
    ['pt', 'Este telefone, Outro telefone'],
    ['es', 'Este teléfono, Otro teléfono'],
    ['ar', 'هذا الهاتف, هاتف آخر'],
    ['hi', 'यह फ़ोन, दूसरा फ़ोन'],
  ] as const) {
    await phone.page.goto(`${phone.appliance.origin}/?${BY_PHONE}&lang=${language}`);
    await rows.nth(2).waitFor();
    const [own, , other] = await rows.locator('b').allTextContents();
    assert.equal(`${own}, ${other}`, names);
  }
});

test('a sandbox says on every view that no real money moves, in the language of the page', async t => {
  const phone = await visit(t, BY_PHONE, { ...taken([]), portal: { ...PORTAL, sandbox: true } });
  await title(phone, 'Use this phone instead?');
  await says(phone, 'SANDBOX: no real money moves');
  await phone.page.goto(`${phone.appliance.origin}/?${FROM_ROUTER}&lang=sw`);
  await says(phone, 'SANDBOX: hakuna pesa halisi inayolipwa');
  phone.appliance.situation.portal = PORTAL;
  await phone.page.goto(`${phone.appliance.origin}/?${FROM_ROUTER}`);
  await title(phone, 'Get online');
  assert.ok(await phone.page.locator('#sandbox').isHidden());
});
