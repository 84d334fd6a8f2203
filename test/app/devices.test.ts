/** `/devices/`: what a person may be online with. See docs/rules.md: Devices, MAC and IP addresses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp, until } from '../support/app.ts';
import { assertInvalid, assertShape, errors, string } from '../support/shape.ts';

const ASHA = '+255712345678';
const JUMA = '+255754321987';
const PHONE = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const TABLET = { mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' };
const LAPTOP = { mac: 'C8:5B:76:00:00:03', address: '10.5.50.13' };
const MINUTE = 60_000;
/** Replies to requests of a person's own device, as a proxy on the box would forward them. */
const BEHIND_PROXY = { LANGO_TRUSTED_PROXIES: '127.0.0.1' };

const from = (address: string) => ({ 'x-forwarded-for': address });
const macs = (devices: { mac_address: string }[]) => devices.map(device => device.mac_address);
const devicesOf = async (app: TestApp, phone: string) => (await app.get(`/api/devices/${phone}/`)).body;
const onlineMacs = (app: TestApp) => app.router.activeSessions().map(session => session.mac);
const remove = (app: TestApp, phone: string, mac: string, headers?: Record<string, string>) =>
  app.post('/api/devices/remove/', { phone_number: phone, mac_address: mac }, headers);

async function give(app: TestApp, phone: string, mac?: string, headers?: Record<string, string>) {
  const [code] = await app.issueVouchers({ hours: 24 });
  const body = { voucher_code: code, phone_number: phone, mac_address: mac ?? null };
  const answer = await app.post('/api/vouchers/redeem/', body, headers);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer;
}

test('the list is a bare array with every field of the interface', async t => {
  const app = await startApp(t);
  const [code] = await app.issueVouchers();
  const { address: ip_address, mac: mac_address } = PHONE;
  await app.post('/api/vouchers/redeem/', { voucher_code: code, phone_number: ASHA, mac_address, ip_address });
  const { status, body } = await app.get('/api/devices/0712345678/');
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(body, [
    {
      mac_address,
      ip_address,
      is_active: true,
    },
  ]);
  assert.equal(body[0].first_connected, app.clock.now());
});

test('a device that never told its address has text for it all the same', async t => {
  const app = await startApp(t);
  await give(app, ASHA, PHONE.mac);
  assert.equal((await devicesOf(app, ASHA))[0].ip_address, '');
});

test('an IP address is kept in its canonical form, an IPv4 inside an IPv6 as IPv4', async t => {
  const app = await startApp(t);
  for (const [given, kept] of [
    ['10.5.50.9', '10.5.50.9'],
    ['::FFFF:10.5.50.9', '10.5.50.9'],
    ['FE80:0:0:0:0:0:0:1', 'fe80::1'],
  ]) {
    const [code] = await app.issueVouchers();
    const device = { mac_address: PHONE.mac, ip_address: given };
    await app.post('/api/vouchers/redeem/', { voucher_code: code, phone_number: ASHA, ...device });
    assert.equal((await devicesOf(app, ASHA))[0].ip_address, kept);
  }
});

test('an unknown number has an empty list, what is no number is 400', async t => {
  const app = await startApp(t);
  const { status, body } = await app.get(`/api/devices/${ASHA}/`);
  assert.equal(status, 200);
  assert.deepEqual(body, []);
  assertInvalid(await app.get('/api/devices/nobody/'), 'phone_number');
});

test('removing a device frees its place, and says how many are left', async t => {
  const app = await startApp(t, { environment: { LANGO_DEFAULT_MAX_DEVICES: '2' } });
  await give(app, ASHA, PHONE.mac);
  await give(app, ASHA, TABLET.mac);
  assert.deepEqual(macs(await devicesOf(app, ASHA)), [PHONE.mac, TABLET.mac]);
  const { status, body } = await remove(app, '0712 345 678', 'a483.e712.3456');
  assert.equal(status, 200);
  assert.equal(body.devices_remaining, 1);
  assert.deepEqual(macs(await devicesOf(app, ASHA)), [TABLET.mac]);
  const verified = await app.post('/api/verify/', { phone_number: ASHA, mac_address: LAPTOP.mac });
  assert.equal(verified.body.device_allowed, true, 'a person swaps phones without staff');
});

test("an unregistered device is 404 {success: false, error, message}, and so is somebody else's", async t => {
  const app = await startApp(t);
  await give(app, ASHA, PHONE.mac);
  for (const [phone, mac] of [
    [ASHA, TABLET.mac],
    [JUMA, PHONE.mac],
    ['+255699000000', PHONE.mac],
  ] as const) {
    const { status, body } = await remove(app, phone, mac);
    assert.equal(status, 404, phone);
    assertShape(body, errors.action);
  }
  assert.deepEqual(macs(await devicesOf(app, ASHA)), [PHONE.mac]);
  await remove(app, ASHA, PHONE.mac);
  assert.equal((await remove(app, ASHA, PHONE.mac)).status, 404, 'gone is gone');
});

test('remove names every field that is missing or wrong', async t => {
  const app = await startApp(t);
  assertInvalid(await app.post('/api/devices/remove/', {}), 'phone_number', 'mac_address');
  const wrong = { phone_number: 'x', mac_address: '00:00:00:00:00:00' };
  const { body } = await app.post('/api/devices/remove/', wrong);
  assert.equal(body.success, false);
  assertInvalid(await app.post('/api/devices/remove/', wrong), 'phone_number', 'mac_address');
});

test('removing a device ends its live session on the router, and leaves nothing of it there', async t => {
  const app = await startApp(t, { router: true, environment: BEHIND_PROXY });
  app.router.join(PHONE);
  await give(app, ASHA, PHONE.mac);
  await until(() => onlineMacs(app).length === 1);
  assert.equal((await remove(app, ASHA, PHONE.mac, from(PHONE.address))).status, 200);
  assert.deepEqual(onlineMacs(app), []);
  assert.deepEqual(app.router.users(), []);
  assert.deepEqual(app.router.cookies(), []);
});

test('the default limit is 1 device; redeeming with a new one replaces the least recently seen that is offline', async t => {
  const app = await startApp(t);
  await give(app, ASHA, PHONE.mac);
  const { body } = await give(app, ASHA, TABLET.mac);
  assert.equal(body.device_allowed, true);
  assert.deepEqual(macs(await devicesOf(app, ASHA)), [TABLET.mac]);
});

test('of several devices the one that was not seen for longest makes room', async t => {
  const app = await startApp(t, { environment: { LANGO_DEFAULT_MAX_DEVICES: '2' } });
  await give(app, ASHA, PHONE.mac);
  app.clock.advance(MINUTE);
  await give(app, ASHA, TABLET.mac);
  app.clock.advance(MINUTE);
  await give(app, ASHA, PHONE.mac);
  app.clock.advance(MINUTE);
  await give(app, ASHA, LAPTOP.mac);
  assert.deepEqual(macs(await devicesOf(app, ASHA)), [PHONE.mac, LAPTOP.mac], 'the tablet went');
});

test('a device that is online is never dropped: an offline one goes, and with all online none', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_DEFAULT_MAX_DEVICES: '2' } });
  app.router.join(PHONE);
  await give(app, ASHA, PHONE.mac);
  app.clock.advance(MINUTE);
  await give(app, ASHA, TABLET.mac);
  await until(() => onlineMacs(app).length === 1);
  await give(app, ASHA, LAPTOP.mac);
  assert.deepEqual(macs(await devicesOf(app, ASHA)), [PHONE.mac, LAPTOP.mac], 'the older one is online and stays');

  app.router.join(LAPTOP);
  await app.schedule.run('reconcile router');
  assert.equal(onlineMacs(app).length, 2);
  const { body } = await give(app, ASHA, TABLET.mac);
  assert.equal(body.access_granted, true, 'money is never refused for want of room');
  assert.equal(body.device_allowed, false);
  assert.match(body.message, /remove/i, 'it says how to swap');
  assert.deepEqual(macs(await devicesOf(app, ASHA)), [PHONE.mac, LAPTOP.mac]);
});

test('the router knows a second device by a suffix, and the suffix is understood wherever a user name is given', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_DEFAULT_MAX_DEVICES: '2' } });
  app.router.join(PHONE);
  app.router.join(TABLET);
  await give(app, ASHA, PHONE.mac);
  await give(app, ASHA, TABLET.mac);
  await until(() => onlineMacs(app).length === 2);
  const names = app.router.users().map(user => user.name);
  assert.deepEqual(names.toSorted(), ['255712345678', '255712345678-2']);
  const user = (await app.get('/api/router/user-status/?username=255712345678-2')).body;
  assert.equal(user.username, ASHA);
  const allowed = await app.form('/api/router/auth/', {
    username: '255712345678-2',
    mac: TABLET.mac,
    ip: '10.5.50.12',
  });
  assert.equal(allowed.body, 'OK');
});

test('a MAC that moves to another person takes its session with it', async t => {
  const app = await startApp(t, { router: true, environment: BEHIND_PROXY });
  app.router.join(PHONE);
  await give(app, ASHA, PHONE.mac);
  await until(() => onlineMacs(app).length === 1);
  await give(app, JUMA, PHONE.mac, from(PHONE.address));
  await app.schedule.run('reconcile router');
  assert.deepEqual(macs(await devicesOf(app, ASHA)), []);
  assert.deepEqual(macs(await devicesOf(app, JUMA)), [PHONE.mac]);
  assert.deepEqual(
    app.router.activeSessions().map(session => session.user),
    [JUMA.slice(1)],
  );
});

test('who asks from an address that the router knows under another MAC registers nothing of that MAC', async t => {
  const app = await startApp(t, { router: true, environment: BEHIND_PROXY });
  app.router.join(PHONE);
  app.router.join(TABLET);
  await app.schedule.run('reconcile router');
  const stolen = await give(app, JUMA, PHONE.mac, from(TABLET.address));
  assert.equal(stolen.body.device_allowed, false);
  assert.equal(stolen.body.access_granted, true, 'the voucher counts all the same');
  assert.deepEqual(await devicesOf(app, JUMA), []);
  const verified = await app.post('/api/verify/', { phone_number: JUMA, mac_address: PHONE.mac }, from(TABLET.address));
  assert.deepEqual([verified.body.has_access, verified.body.device_allowed], [true, false]);
  const auth = { username: JUMA, mac: PHONE.mac };
  assert.equal((await app.post('/api/router/auth/', auth, from(TABLET.address))).status, 403);
  assert.deepEqual(await devicesOf(app, JUMA), []);

  const own = await app.post('/api/verify/', { phone_number: JUMA, mac_address: TABLET.mac }, from(TABLET.address));
  assert.equal(own.body.device_allowed, true, 'its own it may');
});

test('a payment from an address that the router knows under another MAC does not register that MAC', async t => {
  const app = await startApp(t, { router: true, environment: BEHIND_PROXY });
  const bundle = await app.createBundle();
  app.router.join(PHONE);
  app.router.join(TABLET);
  await app.schedule.run('reconcile router');
  const order = { phone_number: JUMA, bundle_id: bundle.id, mac_address: PHONE.mac };
  const { body } = await app.post('/api/initiate-payment/', order, from(TABLET.address));
  app.sandbox?.decide(body.payment_reference, 'completed', 'never');
  const status = await app.get(`/api/payment-status/${body.order_reference}/`);
  assert.equal(status.body.payment_status, 'COMPLETED');
  assert.deepEqual(await devicesOf(app, JUMA), []);
});

test("an address that the router does not know, or a router that is away, stands in nobody's way", async t => {
  const app = await startApp(t, { router: true, environment: BEHIND_PROXY });
  app.router.join(PHONE);
  await app.schedule.run('reconcile router');
  const unknown = await give(app, ASHA, PHONE.mac, from('10.5.50.99'));
  assert.equal(unknown.body.device_allowed, true);
  app.router.join(TABLET);
  await app.router.stop();
  const away = await give(app, JUMA, LAPTOP.mac, from(TABLET.address));
  assert.equal(away.body.device_allowed, true);
});

test('X-Forwarded-For counts only from configured proxies', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_TRUSTED_PROXIES: '192.0.2.1' } });
  app.router.join(PHONE);
  app.router.join(TABLET);
  await app.schedule.run('reconcile router');
  const { body } = await give(app, ASHA, PHONE.mac, from(TABLET.address));
  assert.equal(body.device_allowed, true, 'the header of a stranger says nothing');
});

test('devices are limited to 60 requests a minute: listing, removing and asking for codes together', async t => {
  const app = await startApp(t);
  const list = () => app.get(`/api/devices/${ASHA}/`);
  const askForCode = () => app.post('/api/devices/proof/', { phone_number: ASHA });
  for (let asked = 0; asked < 20; asked += 1) {
    assert.equal((await list()).status, 200);
    assert.equal((await remove(app, ASHA, PHONE.mac)).status, 404);
    assert.equal((await askForCode()).status, 503, 'no SMS here, which the log is told');
  }
  for (const answer of [await list(), await remove(app, ASHA, PHONE.mac), await askForCode()]) {
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    assert.ok(string(answer.body.error) && string(answer.body.message));
  }
});

test("the router's own address is limited as anybody's, but for what is the router's to ask", async t => {
  const app = await startApp(t, { router: true, environment: BEHIND_PROXY });
  const statuses = async (path: string, headers?: Record<string, string>) => {
    const seen = new Set<number>();
    for (let asked = 0; asked < 61; asked += 1) seen.add((await app.get(path, headers)).status);
    return [...seen];
  };
  const anybody = from('10.5.50.50');
  const question = `/api/router/user-status/?username=${ASHA}`;
  assert.deepEqual(await statuses(`/api/devices/${ASHA}/`), [200, 429]);
  assert.deepEqual(await statuses('/api/captive-portal/'), [200, 429]);
  assert.deepEqual(await statuses(question), [404]);
  assert.deepEqual(await statuses(question, anybody), [404, 429]);
  assert.equal((await app.form('/api/router/auth/', { username: ASHA, mac: '', ip: '' })).status, 403);
  assert.equal(
    (await app.form('/api/router/auth/', { username: ASHA }, anybody)).status,
    429,
    'one limit for all of it',
  );
});
