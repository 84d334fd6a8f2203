/** `POST /verify/`: may this phone be online. See docs/rules.md: Access, Devices. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { ACTOR } from '../support/books.ts';
import { count, dump } from '../support/rows.ts';
import { assertInvalid, assertShape, integer, string } from '../support/shape.ts';

const ASHA = '+255712345678';
const JUMA = '+255754321987';
const MAC = 'A4:83:E7:12:34:56';
const OTHER_MAC = 'B8:27:EB:65:43:21';
const HOUR = 3_600_000;

async function give(app: TestApp, phone: string, hours = 24, mac?: string): Promise<void> {
  const [code] = await app.issueVouchers({ hours });
  assert.equal((await app.redeem(code!, phone, mac)).status, 200);
}

const verify = (app: TestApp, body: unknown) => app.post('/api/verify/', body);

test('verify has every field of the interface, for a person with access', async t => {
  const app = await startApp(t);
  await give(app, ASHA, 24);
  const { status, body } = await verify(app, { phone_number: ASHA });
  assert.equal(status, 200);
  assertShape(body, {
    has_access: true,
    user: {
      phone_number: ASHA,
      subscription_end: '2026-11-22T10:00:00.000Z',
      devices_count: 0,
      max_devices: 1,
    },
    message: string,
  });
});

test('verify for an unknown number is 200 without access, and creates nothing', async t => {
  const app = await startApp(t, { environment: { LANGO_DEFAULT_MAX_DEVICES: '3' } });
  const before = dump(app);
  const { status, body } = await verify(app, {
    phone_number: '0712 345 678',
    mac_address: MAC,
    ip_address: '10.5.50.9',
  });
  assert.equal(status, 200);
  assertShape(body, {
    has_access: false,
    user: { phone_number: ASHA, subscription_end: null, devices_count: 0, max_devices: 3 },
    message: string,
  });
  assert.deepEqual(dump(app), before);
});

test('a phone number is taken in every accepted form and returned in one: E.164 with plus', async t => {
  const app = await startApp(t);
  for (const form of [
    '+255712345678',
    '255712345678',
    '0712345678',
    '712345678',
    '00255712345678',
    '0712 345 678',
    '+255-712-345-678',
    '(0712) 345.678',
    ' +255 712 345 678 ',
    '+255 (712) 345\u2013678',
    '٠٧١٢٣٤٥٦٧٨',
    '۰۷۱۲۳۴۵۶۷۸',
    '०७१२३४५६७८',
    '＋２５５７１２３４５６７８',
  ]) {
    const { status, body } = await verify(app, { phone_number: form });
    assert.equal(status, 200, form);
    assert.equal(body.user.phone_number, ASHA, form);
  }
  const abroad = await verify(app, { phone_number: '447400123456' });
  assert.equal(abroad.body.user.phone_number, '+447400123456', 'not valid at home, so read as international');
});

test('a number without a country code is of the configured country', async t => {
  const app = await startApp(t, { environment: { LANGO_DEFAULT_COUNTRY: 'KE' } });
  for (const [given, phone] of [
    ['0712345678', '+254712345678'],
    ['712345678', '+254712345678'],
    ['255712345678', ASHA],
    ['+255712345678', ASHA],
  ]) {
    assert.equal((await verify(app, { phone_number: given })).body.user?.phone_number, phone, given);
  }
});

test('what is not the number of something mobile is refused, and the field is named', async t => {
  const app = await startApp(t);
  for (const wrong of [
    '',
    ' ',
    '123',
    '0712',
    'asha',
    '+255',
    '+2557123456789999',
    '0222123456',
    '+1',
    '0712345678x',
    712345678,
    null,
    true,
    [ASHA],
    { a: 1 },
  ]) {
    assertInvalid(await verify(app, { phone_number: wrong }), 'phone_number');
  }
  assertInvalid(await verify(app, {}), 'phone_number');
});

test('a MAC is taken with colons, dashes, dots or bare, in any case, and an IP in either version', async t => {
  const app = await startApp(t);
  await give(app, ASHA);
  for (const form of [
    'A4:83:E7:12:34:56',
    'a4-83-e7-12-34-56',
    'a483.e712.3456',
    'A483e7123456',
    ' a4:83:e7:12:34:56 ',
  ]) {
    const { status, body } = await verify(app, { phone_number: ASHA, mac_address: form, ip_address: '10.5.50.11' });
    assert.equal(status, 200, form);
    assert.equal(body.device_allowed, true, form);
  }
  const devices = (await app.get(`/api/devices/${ASHA}/`)).body;
  assert.deepEqual(
    devices.map((device: { mac_address: string }) => device.mac_address),
    [MAC],
    'all of them are one',
  );
});

test('a multicast, all-zero, broadcast or malformed MAC is refused, and so is what is no IP', async t => {
  const app = await startApp(t);
  for (const wrong of [
    'FF:FF:FF:FF:FF:FF',
    '00:00:00:00:00:00',
    '01:00:5E:00:00:FB',
    '33:33:00:00:00:01',
    'A4:83:E7:12:34',
    'A4:83:E7:12:34:56:78',
    'A4:83-E7:12:34:56',
    'G4:83:E7:12:34:56',
    'device',
    12,
    true,
    [MAC],
  ]) {
    assertInvalid(await verify(app, { phone_number: ASHA, mac_address: wrong }), 'mac_address');
  }
  for (const wrong of ['10.5.50', '10.5.50.256', '::g', 'localhost', '10.5.50.1/24', '0x7f.1', 5]) {
    assertInvalid(await verify(app, { phone_number: ASHA, ip_address: wrong }), 'ip_address');
  }
  for (const right of ['10.5.50.9', 'fe80::1', '::ffff:10.5.50.9']) {
    assert.equal((await verify(app, { phone_number: ASHA, ip_address: right })).status, 200, right);
  }
});

test('all fields are complained about at once, and unknown fields are ignored', async t => {
  const app = await startApp(t);
  const wrong = { phone_number: 'x', mac_address: 'y', ip_address: 'z', something: 'else' };
  assertInvalid(await verify(app, wrong), 'phone_number', 'mac_address', 'ip_address');
  assert.equal((await verify(app, { phone_number: ASHA, something: 'else', username: 1 })).status, 200);
});

test('an optional field may be null or empty', async t => {
  const app = await startApp(t);
  const { status, body } = await verify(app, { phone_number: ASHA, mac_address: null, ip_address: '' });
  assert.equal(status, 200);
  assert.ok(!('device_allowed' in body));
});

test('access is is_active and paid_until ahead: expiry ends it and never blocks, blocking keeps the clock running', async t => {
  const app = await startApp(t);
  await give(app, ASHA, 2);
  const userId = app.context.reads.users.byPhone(ASHA as never)?.id ?? 0;
  const block = (isActive: boolean) => app.context.commit('updateUser', { userId, change: { isActive } }, ACTOR);
  const state = async () => (await verify(app, { phone_number: ASHA })).body;

  await block(false);
  const blocked = await state();
  assert.equal(blocked.has_access, false);
  assert.equal(blocked.user.subscription_end, '2026-11-21T12:00:00.000Z', 'what was paid stays');
  app.clock.advance(HOUR);
  await block(true);
  const back = await state();
  assert.equal(back.has_access, true, 'an unblocked person gets back what is left');
  assert.equal(back.user.subscription_end, '2026-11-21T12:00:00.000Z');

  app.clock.advance(HOUR - 1);
  assert.equal((await state()).has_access, true, 'up to the last moment');
  app.clock.advance(1);
  assert.equal((await state()).has_access, false, 'and not one longer');
  await app.passTime(60_000);
  const { body } = await app.get(`/api/user-status/${ASHA}/`);
  assert.equal(body.user.is_active, true, 'expiry does not block');
});

test('buying or redeeming while access runs extends it, and never shortens', async t => {
  const app = await startApp(t);
  const end = async () => (await verify(app, { phone_number: ASHA })).body.user.subscription_end;
  await give(app, ASHA, 24);
  app.clock.advance(HOUR);
  await give(app, ASHA, 1);
  assert.equal(await end(), '2026-11-22T11:00:00.000Z', 'an hour after the end of the running day');
  const bundle = await app.createBundle({ hours: 2 });
  const order = (await app.pay({ phone: ASHA, bundle, webhook: 'never' })).body.order_reference;
  assert.equal((await app.get(`/api/payment-status/${order}/`)).body.payment_status, 'COMPLETED');
  assert.equal(await end(), '2026-11-22T13:00:00.000Z');
  app.clock.advance(48 * HOUR);
  await give(app, ASHA, 1);
  assert.equal(await end(), '2026-11-23T12:00:00.000Z', 'after the end it starts from now');
});

test('verify with access and a MAC registers the device if there is room, and says whether it did', async t => {
  const app = await startApp(t);
  await give(app, ASHA);
  const first = await verify(app, { phone_number: ASHA, mac_address: MAC, ip_address: '10.5.50.11' });
  assert.equal(first.body.device_allowed, true);
  assert.equal(first.body.user.devices_count, 1);
  const second = await verify(app, { phone_number: ASHA, mac_address: OTHER_MAC });
  assertShape(second.body, {
    has_access: true,
    user: { phone_number: ASHA, subscription_end: string, devices_count: 1, max_devices: integer },
    message: string,
    device_allowed: false,
  });
  assert.equal(count(app, 'devices', 'removed_at IS NULL'), 1, 'nothing was replaced');
});

test('verify without access registers no device', async t => {
  const app = await startApp(t);
  await give(app, ASHA, 1);
  app.clock.advance(HOUR + 1);
  const { body } = await verify(app, { phone_number: ASHA, mac_address: MAC });
  assert.equal(body.has_access, false);
  assert.equal(count(app, 'devices'), 0);
});

test('a MAC belongs to one person at a time: registering it for another one with access moves it', async t => {
  const app = await startApp(t);
  await give(app, ASHA);
  await give(app, JUMA);
  await verify(app, { phone_number: ASHA, mac_address: MAC });
  const moved = await verify(app, { phone_number: JUMA, mac_address: MAC });
  assert.equal(moved.body.device_allowed, true);
  assert.deepEqual((await app.get(`/api/devices/${ASHA}/`)).body, []);
  assert.equal((await app.get(`/api/devices/${JUMA}/`)).body[0].mac_address, MAC);
});

test("a person without access takes nobody else's device", async t => {
  const app = await startApp(t);
  await give(app, ASHA, 24, MAC);
  await verify(app, { phone_number: JUMA, mac_address: MAC });
  assert.equal((await app.get(`/api/devices/${ASHA}/`)).body.length, 1);
});

test('verify puts a device of a person with access online', async t => {
  const app = await startApp(t, { router: true });
  app.router.join({ mac: MAC, address: '10.5.50.11' });
  await give(app, ASHA);
  assert.equal(app.router.activeSessions().length, 0, 'no device was named');
  await verify(app, { phone_number: ASHA, mac_address: MAC, ip_address: '10.5.50.11' });
  assert.deepEqual(
    app.router.activeSessions().map(session => session.mac),
    [MAC],
  );
});

test('verify is limited to 60 a minute per address, and a stranger elsewhere does not lock a number out', async t => {
  const app = await startApp(t, { environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  const from = (address: string, phone = ASHA) =>
    app.post('/api/verify/', { phone_number: phone }, { 'x-forwarded-for': address });
  for (let asked = 0; asked < 60; asked += 1) assert.equal((await from('10.0.0.1')).status, 200);
  assert.equal((await from('10.0.0.1', JUMA)).status, 429, 'the address');
  assert.equal((await from('10.0.0.2')).status, 200, 'the phone');
  app.clock.advance(60_000);
  assert.equal((await from('10.0.0.1')).status, 200);
});
