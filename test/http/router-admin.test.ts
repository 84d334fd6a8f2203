import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import type { RouterSimulator } from '../simulator/router.ts';
import { startRouterSimulator } from '../simulator/router.ts';
import { startApp, type TestApp, until } from '../support/app.ts';

const asha = { phone: '+255712345678', mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const asha2 = { mac: 'A4:83:E7:12:34:57', address: '10.5.50.12' };
const INFO = ['board_name', 'cpu_load', 'free_memory', 'platform', 'total_memory', 'uptime', 'version'];
const BASE = '/api/admin/router';

/** A person with paid time whose phone is online. */
async function online(app: TestApp, { phone, mac, address } = asha): Promise<void> {
  const [code] = await app.issueVouchers();
  app.router.join({ mac, address });
  assert.equal((await app.redeem(code!, phone, mac)).status, 200);
  await until(() => app.router.activeSessions().some(session => session.mac === mac));
}

const auditOf = async (app: TestApp, action: string) =>
  (await app.get(`/api/admin/audit-log/?action=${action}`, app.admin)).body.entries;

test('the configuration is shown without its password', async t => {
  const app = await startApp(t, { router: true });
  const { status, body } = await app.get(`${BASE}/config/`, app.admin);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    success: true,
    configuration: {
      router_id: 1,
      name: 'Main router',
      router_ip: '127.0.0.1',
      username: 'lango',
      password_configured: true,
      api_port: app.router.port,
      use_ssl: false,
      ssl_fingerprint: null,
      hotspot: null,
      default_profile: 'default',
    },
  });
});

test('a new configuration is tried, kept, used at once and after a restart, and the audit log has no password', async t => {
  const first = await startApp(t, { router: true });
  const other = await startRouterSimulator({ username: 'gate', password: 'other secret', identity: 'Other' });
  t.after(() => other.stop());
  const change = { router_ip: '127.0.0.1', username: 'gate', password: 'other secret', api_port: other.port };
  const { status, body } = await first.post(`${BASE}/config/`, change, first.admin);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.configuration.username, 'gate');
  assert.deepEqual(Object.keys(body.router_info).toSorted(), INFO);
  const now = await first.get('/api/router/status/', first.admin);
  assert.equal(now.body.connection_details.router_info.identity, 'Other');

  const [entry] = await auditOf(first, 'router.configure');
  assert.equal(entry.after.username, 'gate');
  assert.ok(!JSON.stringify(entry).includes('secret'));

  await first.close();
  const again = await startApp(t, { dataDir: first.dataDir });
  assert.equal((await again.get(`${BASE}/config/`, again.admin)).body.configuration.api_port, other.port);
  assert.equal((await again.get(`${BASE}/router-info/`, again.admin)).status, 200, 'with the password that was kept');
});

test('who has paid is online on the new router without a restart', async t => {
  const app = await startApp(t, { router: true });
  const other = await startRouterSimulator({
    username: 'lango',
    password: 'secret',
    clock: () => Date.parse(app.clock.now()),
  });
  t.after(() => other.stop());
  await online(app);
  other.join({ mac: asha.mac, address: asha.address });
  assert.equal((await app.post(`${BASE}/config/`, { api_port: other.port }, app.admin)).status, 200);
  await until(() => other.activeSessions().length === 1);
});

test('what was left out of a new configuration stays, the password too', async t => {
  const app = await startApp(t, { router: true });
  const { status, body } = await app.post(`${BASE}/config/`, { default_profile: 'gold' }, app.admin);
  assert.equal(status, 200);
  assert.deepEqual(
    [body.configuration.default_profile, body.configuration.password_configured, body.configuration.api_port],
    ['gold', true, app.router.port],
  );
});

test('a configuration that does not work is refused, and nothing changes', async t => {
  const app = await startApp(t, { router: true });
  const before = (await app.get(`${BASE}/config/`, app.admin)).body;
  for (const change of [{ password: 'wrong' }, { api_port: 1 }, { router_ip: '127.0.0.2', api_port: 1 }]) {
    const { status, body } = await app.post(`${BASE}/config/`, change, app.admin);
    assert.equal(status, 503, JSON.stringify(body));
    assert.equal(body.success, false);
    assert.equal(typeof body.message, 'string');
  }
  assert.deepEqual((await app.get(`${BASE}/config/`, app.admin)).body, before);
  assert.equal((await app.get(`${BASE}/resources/`, app.admin)).status, 200);
});

test('each wrong field of a configuration is named', async t => {
  const app = await startApp(t, { router: true });
  const wrong = { router_ip: 'not an address', api_port: 70_000, use_ssl: 'yes', ssl_fingerprint: 'abc' };
  const { status, body } = await app.post(`${BASE}/config/`, wrong, app.admin);
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.details).toSorted(), ['api_port', 'router_ip', 'ssl_fingerprint', 'use_ssl']);
});

test('a first configuration needs address and user name, and then works', async t => {
  const app = await startApp(t);
  const router = await startRouterSimulator({ username: 'lango', password: 'secret' });
  t.after(() => router.stop());
  const missing = await app.post(`${BASE}/config/`, {}, app.admin);
  assert.equal(missing.status, 400);
  assert.ok(missing.body.details.router_ip);
  const given = { router_ip: '127.0.0.1', username: 'lango', password: 'secret', api_port: router.port };
  assert.equal((await app.post(`${BASE}/config/`, given, app.admin)).status, 200);
  assert.equal((await app.get(`${BASE}/active-users/`, app.admin)).body.total_count, 0);
});

test('a test of the connection uses what is configured, and takes other values without keeping them', async t => {
  const app = await startApp(t, { router: true });
  const good = await app.post(`${BASE}/test-connection/`, {}, app.admin);
  assert.equal(good.status, 200);
  assert.equal(good.body.success, true);
  assert.deepEqual(Object.keys(good.body.router_info).toSorted(), INFO);
  for (const text of Object.values(good.body.router_info)) assert.equal(typeof text, 'string');

  const bad = await app.post(`${BASE}/test-connection/`, { username: 'nobody', password: 'x' }, app.admin);
  assert.equal(bad.status, 200);
  assert.equal(bad.body.success, false);
  assert.match(bad.body.message, /nobody/);
  assert.equal((await app.get(`${BASE}/config/`, app.admin)).body.configuration.username, 'lango');
});

test('without a router, tests and status answer 200 and the rest 503, all with a message', async t => {
  const app = await startApp(t);
  await assertWithoutRouter(app);
});

test('with an unreachable router the same, each within 10 seconds', async t => {
  const app = await startApp(t, { router: true });
  await app.router.stopListening();
  await assertWithoutRouter(app);
});

test('with a router that never answers the same, each within 10 seconds', async t => {
  const app = await startApp(t, { router: { silent: true } });
  const started = performance.now();
  const [info, test_, kick] = await Promise.all([
    app.get(`${BASE}/router-info/`, app.admin),
    app.post(`${BASE}/test-connection/`, {}, app.admin),
    app.post(`${BASE}/disconnect-user/`, { username: asha.phone }, app.admin),
  ]);
  assert.ok(performance.now() - started < 10_000);
  assert.deepEqual([info.status, kick.status], [503, 503]);
  assert.deepEqual([test_.status, test_.body.success], [200, false]);
});

async function assertWithoutRouter(app: TestApp): Promise<void> {
  const tested = await app.post(`${BASE}/test-connection/`, {}, app.admin);
  assert.deepEqual([tested.status, tested.body.success], [200, false]);
  const status = await app.get('/api/router/status/', app.admin);
  assert.deepEqual([status.status, status.body.success, status.body.connection_status], [200, false, 'disconnected']);
  const whole = await app.get('/api/admin/status/', app.admin);
  assert.deepEqual([whole.status, whole.body.status.router_status], [200, 'disconnected']);
  for (const [method, path, body] of [
    ['GET', 'router-info/', undefined],
    ['GET', 'active-users/', undefined],
    ['GET', 'profiles/', undefined],
    ['GET', 'resources/', undefined],
    ['POST', 'disconnect-user/', { username: asha.phone }],
    ['POST', 'disconnect-all/', {}],
    ['POST', 'reboot/', { confirm: 'REBOOT_ROUTER' }],
    ['POST', 'profiles/create/', { name: 'gold' }],
  ] as const) {
    const started = performance.now();
    const answer = await app.send(method, `${BASE}/${path}`, body, app.admin);
    assert.equal(answer.status, 503, path);
    assert.deepEqual(Object.keys(answer.body).toSorted(), ['message', 'success'], path);
    assert.equal(answer.body.success, false);
    assert.ok(performance.now() - started < 10_000, path);
  }
}

test('information and resources tell what the router is', async t => {
  const app = await startApp(t, { router: true });
  const info = (await app.get(`${BASE}/router-info/`, app.admin)).body.router_info;
  assert.deepEqual(Object.keys(info).toSorted(), [...INFO, 'connection_status'].toSorted());
  assert.equal(info.connection_status, 'connected');
  assert.match(info.version, /^7\.16/);
  assert.deepEqual((await app.get(`${BASE}/resources/`, app.admin)).body.system_resources.version, info.version);
});

test('active users are listed with texts only', async t => {
  const app = await startApp(t, { router: true });
  await online(app);
  const { body } = await app.get(`${BASE}/active-users/`, app.admin);
  assert.equal(body.total_count, 1);
  const [session] = body.active_users;
  assert.equal(session.user, '255712345678');
  assert.equal(session['mac-address'], asha.mac);
  for (const name of ['id', 'address', 'session-time', 'bytes-in', 'bytes-out', 'packets-in', 'packets-out']) {
    assert.equal(typeof session[name], 'string', name);
  }
});

for (const name of ['255712345678', '+255712345678', '0712 345 678']) {
  test(`disconnecting ${name} ends the sessions of all devices of the person`, async t => {
    const app = await startApp(t, { router: true, environment: { LANGO_DEFAULT_MAX_DEVICES: '2' } });
    await online(app);
    await online(app, { phone: asha.phone, ...asha2 });
    assert.deepEqual(namesOf(app.router), ['255712345678', '255712345678-2']);
    const { status, body } = await app.post(`${BASE}/disconnect-user/`, { username: name }, app.admin);
    assert.deepEqual([status, body.success, body.disconnected_count], [200, true, 2]);
    assert.deepEqual(namesOf(app.router), []);
    const again = await app.post(`${BASE}/disconnect-user/`, { username: name }, app.admin);
    assert.equal(again.status, 404);
    assert.deepEqual(Object.keys(again.body).toSorted(), ['message', 'success']);
  });
}

test('a device suffix disconnects that device alone', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_DEFAULT_MAX_DEVICES: '2' } });
  await online(app);
  await online(app, { phone: asha.phone, ...asha2 });
  const { status } = await app.post(`${BASE}/disconnect-user/`, { username: '255712345678-2' }, app.admin);
  assert.equal(status, 200);
  assert.deepEqual(namesOf(app.router), ['255712345678']);
});

test("an operator's own user is disconnected by its name, and somebody with a similar number is not", async t => {
  const app = await startApp(t, { router: true });
  await online(app);
  const unknown = await app.post(`${BASE}/disconnect-user/`, { username: 'guest' }, app.admin);
  assert.equal(unknown.status, 404);
  const similar = await app.post(`${BASE}/disconnect-user/`, { username: '+255712345679' }, app.admin);
  assert.equal(similar.status, 404);
  assert.equal(namesOf(app.router).length, 1);
  app.router.run('/ip/hotspot/user/add', { name: 'guest', password: 'guest' });
  app.router.join(asha2);
  app.router.login({ mac: asha2.mac, user: 'guest', password: 'guest' });
  assert.equal((await app.post(`${BASE}/disconnect-user/`, { username: 'guest' }, app.admin)).status, 200);
  assert.deepEqual(namesOf(app.router), ['255712345678']);
});

test('disconnecting everybody answers 200 also when nobody is online', async t => {
  const app = await startApp(t, { router: true });
  const none = await app.post(`${BASE}/disconnect-all/`, {}, app.admin);
  assert.deepEqual([none.status, none.body.success, none.body.disconnected_count], [200, true, 0]);
  await online(app);
  const one = await app.post(`${BASE}/disconnect-all/`, {}, app.admin);
  assert.deepEqual([one.status, one.body.disconnected_count], [200, 1]);
  assert.deepEqual(namesOf(app.router), []);
  const [entry] = await auditOf(app, 'router.disconnect_all');
  assert.deepEqual(entry.after, { sessions: 1 });
});

test('the router reboots only at the exact word', async t => {
  const app = await startApp(t, { router: true });
  let reboots = 0;
  app.router.on('reboot', () => {
    reboots += 1;
  });
  for (const confirm of [undefined, '', 'reboot_router', ' REBOOT_ROUTER', 'REBOOT_ROUTER ', true, 1, null, {}]) {
    const { status, body } = await app.post(`${BASE}/reboot/`, { confirm }, app.admin);
    assert.equal(status, 400, JSON.stringify(confirm));
    assert.deepEqual(Object.keys(body).toSorted(), ['message', 'success']);
    assert.equal(body.success, false);
  }
  assert.equal((await app.send('POST', `${BASE}/reboot/`, undefined, app.admin)).status, 400);
  assert.equal(reboots, 0);
  const { status, body } = await app.post(`${BASE}/reboot/`, { confirm: 'REBOOT_ROUTER' }, app.admin);
  assert.deepEqual([status, body.success, typeof body.message], [200, true, 'string']);
  assert.equal(reboots, 1);
});

test('profiles are listed, created, and refused with the words of the router when there is one of that name', async t => {
  const app = await startApp(t, { router: true });
  const profile = { name: 'gold', rate_limit: '2M/8M', session_timeout: '1h', idle_timeout: '5m' };
  const made = await app.post(`${BASE}/profiles/create/`, profile, app.admin);
  assert.equal(made.status, 200);
  assert.deepEqual(made.body.profile, { name: 'gold', rate_limit: '2M/8M' });
  const twice = await app.post(`${BASE}/profiles/create/`, profile, app.admin);
  assert.equal(twice.status, 500);
  assert.deepEqual(Object.keys(twice.body).toSorted(), ['message', 'success']);
  assert.match(twice.body.message, /gold/);
  const { profiles } = (await app.get(`${BASE}/profiles/`, app.admin)).body;
  const gold = profiles.find((row: { name: string }) => row.name === 'gold');
  assert.deepEqual([gold.rate_limit, gold.session_timeout, gold.idle_timeout], ['2M/8M', '1h', '5m']);
  assert.deepEqual(Object.keys(gold).toSorted(), [
    'idle_timeout',
    'name',
    'rate_limit',
    'session_timeout',
    'shared_users',
  ]);
});

test('who buys a bundle with a profile of its own gets that profile on the router', async t => {
  const app = await startApp(t, { router: true });
  await app.post(`${BASE}/profiles/create/`, { name: 'gold', rate_limit: '2M/8M' }, app.admin);
  const fast = { name: 'Fast', price: 1_000, duration_hours: 1, router_profile: 'gold' };
  const { body } = await app.post('/api/admin/bundles/', fast, app.admin);
  app.router.join(asha);
  const made = await app.post(
    '/api/vouchers/generate/',
    { bundle_id: body.bundle.id, quantity: 1, expiry_days: 1 },
    app.admin,
  );
  await app.redeem(made.body.vouchers[0].code, asha.phone, asha.mac);
  await until(() => app.router.activeSessions().length === 1);
  assert.equal(app.router.users()[0]?.profile, 'gold');
});

test('with an account that may only read, what writes answers 500 with the words of the router', async t => {
  const app = await startApp(t, { router: { readOnly: true } });
  assert.equal((await app.get(`${BASE}/active-users/`, app.admin)).status, 200);
  for (const [path, body] of [
    ['profiles/create/', { name: 'gold' }],
    ['reboot/', { confirm: 'REBOOT_ROUTER' }],
  ] as const) {
    const answer = await app.post(`${BASE}/${path}`, body, app.admin);
    assert.equal(answer.status, 500, path);
    assert.deepEqual(Object.keys(answer.body).toSorted(), ['message', 'success']);
    assert.match(answer.body.message, /permission/);
  }
});

function namesOf(router: RouterSimulator): string[] {
  return router
    .activeSessions()
    .map(session => session.user)
    .toSorted();
}
