/** What the router asks, and the frontend in its place. See docs/interface.md: Hotspot router. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADMIN_TOKEN, type Answer, startApp, type TestApp, until } from '../support/app.ts';
import { ACTOR } from '../support/books.ts';
import { count } from '../support/rows.ts';
import { assertInvalid, assertShape, errors, instant, integer, string } from '../support/shape.ts';

const ASHA = '+255712345678';
const JUMA = '+255754321987';
const PHONE = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const TABLET = { mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' };
const HOUR = 3_600_000;

async function give(app: TestApp, phone: string, device?: string, hours = 24): Promise<void> {
  const [code] = await app.issueVouchers({ hours });
  assert.equal((await app.redeem(code!, phone, device)).status, 200);
}

const block = (app: TestApp, userId: number) =>
  app.context.commit('updateUser', { userId, change: { isActive: false } }, ACTOR);

function assertPlain(answer: Answer, status: number): void {
  assert.equal(answer.status, status);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
  assert.equal(typeof answer.body, 'string');
}

const ALLOWED = {
  'auth-state': 1,
  success: true,
  authenticated: true,
  message: string,
  user: ASHA,
  device_count: integer,
  max_devices: 1,
  access_type: 'voucher',
  device_info: { current_device: { mac: PHONE.mac, ip: PHONE.address, registered: true } },
  router_response: string,
};

test('auth takes both request shapes, as form and as JSON, and a mix of them', async t => {
  const app = await startApp(t);
  await give(app, ASHA, PHONE.mac);
  const short = { username: '255712345678', password: '', mac: PHONE.mac, ip: PHONE.address };
  const long = { phone_number: ASHA, mac_address: PHONE.mac, ip_address: PHONE.address };
  const mixed = { username: '0712345678', mac_address: 'a4-83-e7-12-34-56', ip: PHONE.address };
  for (const fields of [short, long, mixed]) {
    const form = await app.form('/api/router/auth/', fields);
    assertPlain(form, 200);
    assert.equal(form.body, 'OK');
    const json = await app.post('/api/router/auth/', fields);
    assert.equal(json.status, 200);
    assertShape(json.body, ALLOWED);
  }
  const both = { phone_number: ASHA, username: 'nobody', mac: PHONE.mac };
  assert.equal((await app.post('/api/router/auth', both)).status, 200, 'the long name counts where both are given');
});

test('JSON is answered when the body is JSON or Accept names it, else plain text; never by user agent', async t => {
  const app = await startApp(t);
  await give(app, ASHA, PHONE.mac);
  const fields = { username: '255712345678', mac: PHONE.mac };
  const isJson = (answer: Answer) => (answer.headers.get('content-type') ?? '').startsWith('application/json');
  for (const [path, good] of [
    ['/api/router/auth/', fields],
    ['/api/router/logout/', { username: '255712345678' }],
  ] as const) {
    assert.ok(isJson(await app.post(path, good)), 'a JSON body');
    assert.ok(isJson(await app.form(path, good, { accept: 'application/json, text/plain, */*' })), 'Accept');
    assert.ok(!isJson(await app.form(path, good, { accept: 'text/html, */*' })));
    assert.ok(!isJson(await app.form(path, good, { 'user-agent': 'Mozilla/5.0 axios/1.0' })));
    assert.ok(isJson(await app.post(path, good, { 'user-agent': 'Mikrotik/7.16 Fetch' })));
    assertPlain(await app.form(path, good), 200);
    assert.equal((await app.form(path, good)).body, 'OK');
  }
  const unknown = { username: '255754321987' };
  assertPlain(await app.form('/api/router/auth/', unknown), 403);
  const refused = await app.form('/api/router/auth/', unknown, { accept: 'application/json' });
  assert.equal(refused.status, 403);
  assertShape(refused.body, errors.routerAuth);
});

test('a form without a content type is read as one, as router scripts may send it', async t => {
  const app = await startApp(t);
  await give(app, ASHA, PHONE.mac);
  const { hostname, port } = new URL(app.url);
  const { request } = await import('node:http');
  const status = await new Promise(resolve => {
    const asked = request({ hostname, port, path: '/api/router/auth/', method: 'POST' }, response => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.end(`username=255712345678&mac=${encodeURIComponent(PHONE.mac)}`);
  });
  assert.equal(status, 200);
});

test("unknown, expired, blocked and without room are 403 with four messages that reveal nobody else's data", async t => {
  const app = await startApp(t);
  await give(app, ASHA, PHONE.mac);
  await give(app, JUMA, undefined, 1);
  await give(app, '+255699111222', undefined, 24);
  await block(app, 3);
  app.clock.advance(2 * HOUR);
  const messages = new Set<string>();
  for (const fields of [
    { username: '255700111222', mac: TABLET.mac },
    { username: '255754321987', mac: TABLET.mac },
    { username: '255699111222', mac: TABLET.mac },
    { username: '255712345678', mac: TABLET.mac },
  ]) {
    const plain = await app.form('/api/router/auth/', fields);
    assertPlain(plain, 403);
    const json = await app.post('/api/router/auth/', fields);
    assert.equal(json.status, 403);
    assertShape(json.body, errors.routerAuth);
    assert.equal(json.body.message, plain.body);
    messages.add(plain.body);
    assert.doesNotMatch(plain.body, /\+?255|2026|A4:83/);
  }
  assert.equal(messages.size, 4);
  const [unknown = '', expired = '', , noRoom = ''] = messages;
  assert.match(unknown, /not found/i);
  assert.match(unknown, /pay/i);
  assert.match(unknown, /voucher/i);
  assert.match(expired, /ended/);
  assert.match(noRoom, /limit of 1/, 'it names the limit');
});

test('auth registers a new device where there is room, and never replaces one', async t => {
  const app = await startApp(t);
  await give(app, ASHA);
  const first = await app.post('/api/router/auth/', { username: ASHA, mac: PHONE.mac, ip: PHONE.address });
  assertShape(first.body, { ...ALLOWED, device_count: 1 });
  assert.equal((await app.post('/api/router/auth/', { username: ASHA, mac: TABLET.mac })).status, 403);
  const devices = (await app.get(`/api/devices/${ASHA}/`)).body;
  assert.deepEqual(
    devices.map((device: { mac_address: string }) => device.mac_address),
    [PHONE.mac],
  );
});

test('auth knows at once of what has changed: a block, a removal, a device that moved, time that was bought', async t => {
  const app = await startApp(t);
  await give(app, ASHA, PHONE.mac, 1);
  await give(app, JUMA);
  const auth = async (username: string, device: string) =>
    (await app.form('/api/router/auth/', { username, mac: device })).status;
  assert.equal(await auth(ASHA, PHONE.mac), 200);
  assert.equal(await auth(ASHA, TABLET.mac), 403);
  await app.post('/api/devices/remove/', { phone_number: ASHA, mac_address: PHONE.mac });
  assert.equal(await auth(ASHA, TABLET.mac), 200, 'the place is free');
  assert.equal(await auth(JUMA, TABLET.mac), 200, 'the device moves to who has room');
  assert.deepEqual((await app.get(`/api/devices/${ASHA}/`)).body, []);
  assert.equal(await auth(ASHA, PHONE.mac), 200);
  app.clock.advance(HOUR);
  assert.equal(await auth(ASHA, PHONE.mac), 403, 'expired');
  await give(app, ASHA, PHONE.mac);
  assert.equal(await auth(ASHA, PHONE.mac), 200, 'bought again');
  await block(app, 1);
  assert.equal(await auth(ASHA, PHONE.mac), 403, 'blocked');
});

test('auth without a MAC allows a person with access and registers nothing', async t => {
  const app = await startApp(t);
  await give(app, ASHA);
  const { status, body } = await app.post('/api/router/auth/', { username: ASHA });
  assert.equal(status, 200);
  assertShape(body, {
    ...ALLOWED,
    device_count: 0,
    device_info: { current_device: { mac: '', ip: '', registered: false } },
  });
  assert.equal(count(app, 'devices'), 0);
});

test('access_type says where the time came from', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const { body } = await app.pay({ phone: ASHA, bundle, webhook: 'never' });
  await app.get(`/api/payment-status/${body.order_reference}/`);
  assert.equal((await app.post('/api/router/auth/', { username: ASHA })).body.access_type, 'payment');
});

test('auth refuses what is wrong with 400, in the shape and type of its other refusals', async t => {
  const app = await startApp(t);
  const wrong = { username: 'x', mac: 'FF:FF:FF:FF:FF:FF', ip: 'here' };
  const json = await app.post('/api/router/auth/', wrong);
  assertInvalid(json, 'mac', 'ip');
  assertInvalid(await app.post('/api/router/auth/', { phone_number: ASHA, mac_address: 'x' }), 'mac_address');
  assertInvalid(await app.post('/api/router/auth/', { mac: PHONE.mac }), 'username');
  assert.deepEqual([json.body['auth-state'], json.body.success], [0, false]);
  assertPlain(await app.form('/api/router/auth/', wrong), 400);
  assertInvalid(await app.post('/api/router/auth/', {}), 'phone_number');
  assertPlain(await app.form('/api/router/auth/', {}), 400);
  const typed = await app.send('POST', '/api/router/auth/', 'username=1', { 'content-type': 'text/xml' });
  assertPlain(typed, 415);
});

test('logout answers OK or {success, message, user}, for anybody', async t => {
  const app = await startApp(t);
  await give(app, ASHA, PHONE.mac);
  for (const fields of [
    { username: '255712345678-2', ip: PHONE.address },
    { phone_number: ASHA, ip_address: PHONE.address },
    { username: '0712345678' },
  ]) {
    const plain = await app.form('/api/router/logout/', fields);
    assertPlain(plain, 200);
    assert.equal(plain.body, 'OK');
    const json = await app.post('/api/router/logout', fields);
    assert.equal(json.status, 200);
    assert.equal(json.body.user, ASHA);
  }
  assert.equal(
    (await app.form('/api/router/logout/', { username: JUMA })).body,
    'OK',
    'who is not known is out already',
  );
  const invalid = await app.post('/api/router/logout/', { username: 'x', ip: 'y' });
  assertInvalid(invalid, 'ip');
  assert.equal(invalid.body.success, false);
});

test("logout from a device ends its own session and takes no paid time; the next one's it cannot end", async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  app.router.join(PHONE);
  app.router.join(TABLET);
  await give(app, ASHA, PHONE.mac);
  await until(() => app.router.activeSessions().length === 1);
  const logout = (address: string) =>
    app.post('/api/router/logout/', { username: ASHA }, { 'x-forwarded-for': address });
  assert.equal((await logout(TABLET.address)).status, 200);
  assert.equal((await logout('10.5.50.99')).status, 200);
  assert.equal(app.router.activeSessions().length, 1, 'nor can an address that the router does not know');
  app.clock.advance(1_000);
  assert.equal((await logout(PHONE.address)).status, 200);
  assert.equal(app.router.activeSessions().length, 0);
  assert.equal((await app.get(`/api/user-status/${ASHA}/`)).body.has_access, true);
});

test('user-status has every field of the interface, by query, form and JSON', async t => {
  const app = await startApp(t, { router: true });
  const bundle = await app.createBundle({ name: 'Day', price: 1_000, hours: 24 });
  app.router.join(PHONE);
  await app.pay({ phone: ASHA, bundle, mac: PHONE.mac });
  await until(() => app.router.activeSessions().length === 1);
  const shape = {
    success: true,
    user_type: 'payment_user',
    username: ASHA,
    is_active: true,
    has_active_access: true,
    status: 'active',
    user_info: {
      user_id: integer,
      phone_number: ASHA,
      is_active: true,
      paid_until: '2026-11-22T10:00:00.000Z',
      created_at: instant,
      device_count: 1,
    },
    devices: [{ mac_address: PHONE.mac, first_seen: instant, last_seen: instant, is_active: true }],
    payment_info: {
      bundle_name: 'Day',
      amount: '1000.00',
      paid_at: '2026-11-21T10:00:00.000Z',
      expires_at: '2026-11-22T10:00:00.000Z',
    },
    router_session: {
      id: string,
      user: '255712345678',
      address: PHONE.address,
      'mac-address': PHONE.mac,
      'session-time': string,
      'bytes-in': string,
      'bytes-out': string,
      'packets-in': string,
      'packets-out': string,
      router_id: integer,
    },
    timestamp: instant,
  } as const;
  for (const answer of [
    await app.get('/api/router/user-status/?username=255712345678'),
    await app.get(`/api/router/user-status?username=${encodeURIComponent('0712 345 678')}`),
    await app.get('/api/router/user-status/?phone_number=255712345678'),
    await app.form('/api/router/user-status/', { username: '255712345678-1' }),
    await app.post('/api/router/user-status/', { username: ASHA }),
  ]) {
    assert.equal(answer.status, 200);
    assertShape(answer.body, shape);
    assert.equal(answer.body.devices.length, 1);
  }
  const head = await app.send('HEAD', '/api/router/user-status/?username=255712345678');
  assert.equal(head.status, 200);
});

test("user-status tells a person's devices, payment and session to the router, staff and these devices alone", async t => {
  const environment = { LANGO_TRUSTED_PROXIES: '127.0.0.1', LANGO_ADMIN_NETWORKS: '127.0.0.1,10.5.50.0/24' };
  const app = await startApp(t, { router: true, environment });
  const bundle = await app.createBundle({ name: 'Day', price: 1_000, hours: 24 });
  app.router.join(PHONE);
  app.router.join(TABLET);
  await app.pay({ phone: ASHA, bundle, mac: PHONE.mac });
  await until(async () => (await app.get(`/api/user-status/${ASHA}/`)).body.has_access);
  await until(() => app.router.activeSessions().length === 1);
  const ask = (address: string, headers = {}) =>
    app.get(`/api/router/user-status/?username=${ASHA}`, { 'x-forwarded-for': address, ...headers });

  const whole = await ask('127.0.0.1');
  assert.equal(whole.body.payment_info.bundle_name, 'Day');
  for (const answer of [await ask(PHONE.address), await ask('10.5.50.99', app.admin)]) {
    assert.deepEqual(answer.body, whole.body);
  }
  const hidden = { ...whole.body, devices: [], payment_info: null, router_session: null };
  for (const answer of [
    await ask(TABLET.address),
    await ask('10.5.50.99'),
    await ask('10.5.50.99', { authorization: 'Bearer of-somebody-else' }),
    await ask('10.9.9.9', app.admin),
  ]) {
    assert.deepEqual([answer.status, answer.body], [200, hidden]);
  }
});

test('user-status of a person says active, expired, blocked; without payment and session it says null', async t => {
  const app = await startApp(t);
  await give(app, ASHA, undefined, 1);
  const state = async () => (await app.get(`/api/router/user-status/?username=${ASHA.slice(1)}`)).body;
  const active = await state();
  assert.deepEqual(
    [active.status, active.user_type, active.payment_info, active.router_session, active.devices],
    ['active', 'voucher_user', null, null, []],
  );
  app.clock.advance(HOUR);
  const expired = await state();
  assert.deepEqual([expired.status, expired.has_active_access, expired.is_active], ['expired', false, true]);
  await block(app, 1);
  const blocked = await state();
  assert.deepEqual([blocked.status, blocked.has_active_access, blocked.is_active], ['blocked', false, false]);
});

test('user-status of an unknown user is 404 {success, message, username, user_type}, with the name as it was given', async t => {
  const app = await startApp(t);
  for (const username of ['255712345678', 'nobody', '0', '__proto__']) {
    for (const answer of [
      await app.get(`/api/router/user-status/?username=${username}`),
      await app.form('/api/router/user-status/', { username }),
      await app.post('/api/router/user-status/', { username }),
    ]) {
      assert.equal(answer.status, 404, username);
      assertShape(answer.body, { success: false, message: string, username, user_type: 'unknown' });
    }
  }
  assertInvalid(await app.get('/api/router/user-status/'), 'username');
  assertInvalid(await app.post('/api/router/user-status/', { username: 5 }), 'username');
  assertInvalid(await app.form('/api/router/user-status/', { username: 'x'.repeat(65) }), 'username');
});

test('router status has every field of both listings', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_ROUTER_HOTSPOT: 'hotspot1' } });
  app.router.join(PHONE);
  await give(app, ASHA, PHONE.mac);
  await until(() => app.router.activeSessions().length === 1);
  const { status, body } = await app.get('/api/router/status/', { 'x-admin-access': ADMIN_TOKEN });
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(body, {
    success: true,
    router_ip: '127.0.0.1',
    router_port: app.router.port,
    connection_status: 'connected',
    connection_details: {
      success: true,
    },
    hotspot_name: 'hotspot1',
    active_users: 1,
  });
  assert.ok(!JSON.stringify(body).includes('secret'), 'the password is never returned');
});

test('router status is 200 with success false when the router is away or not configured', async t => {
  const away = await startApp(t, { router: true });
  const { port: awayPort } = away.router;
  await away.router.stop();
  const none = await startApp(t);
  for (const [app, ip, port] of [
    [away, '127.0.0.1', awayPort],
    [none, '', 8_728],
  ] as const) {
    const begin = performance.now();
    const { status, body } = await app.get('/api/router/status/', app.admin);
    assert.ok(performance.now() - begin < 10_000, 'never longer than 10 s');
    assert.equal(status, 200);
    assert.partialDeepStrictEqual(body, {
      success: false,
      router_ip: ip,
      router_port: port,
      connection_status: 'disconnected',
      connection_details: { success: false, router_info: null },
      hotspot_name: '',
      active_users: 0,
    });
  }
});

test("a router that does not answer delays no reply to the router's own questions for long", async t => {
  const app = await startApp(t, { router: true });
  app.router.join(PHONE);
  await give(app, ASHA, PHONE.mac);
  await until(() => app.router.activeSessions().length === 1);
  app.router.knobs.silent = true;
  let isGivenUp = false;
  const patient = app.get('/api/router/status/', app.admin).then(() => {
    isGivenUp = true;
  });
  assert.equal((await app.form('/api/router/auth/', { username: ASHA, mac: PHONE.mac })).body, 'OK');
  assert.equal(isGivenUp, false, 'the books answer');
  const { status, body } = await app.get('/api/router/user-status/?username=255712345678');
  assert.equal(status, 200);
  assert.equal(body.router_session, null);
  assert.equal(isGivenUp, false, 'that question is given less time than others');
  await patient;
});

test('a device that the router names is seen: its last_seen and address move', async t => {
  const app = await startApp(t);
  await give(app, ASHA, PHONE.mac);
  app.clock.advance(HOUR);
  await app.form('/api/router/auth/', { username: ASHA, mac: PHONE.mac, ip: '10.5.50.77' });
  for (const { name } of app.schedule.report()) await app.schedule.run(name);
  const [device] = (await app.get(`/api/devices/${ASHA}/`)).body;
  assert.partialDeepStrictEqual(device, {
    ip_address: '10.5.50.77',
    first_connected: '2026-11-21T10:00:00.000Z',
    last_seen: '2026-11-21T11:00:00.000Z',
    is_active: true,
  });
});
