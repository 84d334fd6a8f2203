import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASHA, addUser, asha, HOUR, JUMA, MAC_COOKIES, NOON, start, startRouter } from './support.ts';

test('a device that joins is a host without access until it is logged in', async t => {
  const { client, router } = await start(t);
  addUser(router);
  const { address } = router.join({ mac: 'a4-00-00-00-00-01', name: "Asha's phone" });
  const authorized = async () =>
    (await client.talk('/ip/hotspot/host/print', `?mac-address=${ASHA}`)).rows[0]?.['authorized'];
  assert.equal(await authorized(), 'false');
  const reply = await client.talk(
    '/ip/hotspot/active/login',
    '=user=asha',
    '=password=p',
    `=ip=${address}`,
    `=mac-address=${ASHA}`,
  );
  assert.deepEqual(reply.sentences, [['!done']]);
  assert.equal(await authorized(), 'true');
  const [row] = (await client.talk('/ip/hotspot/active/print')).rows;
  assert.partialDeepStrictEqual(row, {
    server: 'hotspot1',
    user: 'asha',
    address,
    'mac-address': ASHA,
    'login-by': 'admin',
    uptime: '0s',
    'idle-time': '0s',
    'keepalive-timeout': '2m',
  });
  assert.equal(row?.['session-time-left'], undefined);
});

for (const [what, user, loginWords, message] of [
  ['from an address nobody has', {}, ['=ip=10.5.9.9', '=user=asha', '=password=p'], 'unknown host IP 10.5.9.9'],
  [
    'for an address that belongs to another device',
    {},
    ['=ip=10.5.0.10', `=mac-address=${JUMA}`, '=user=asha', '=password=p'],
    'unknown host IP 10.5.0.10',
  ],
  ['with a wrong password', {}, ['=ip=10.5.0.10', '=user=asha', '=password=q'], 'invalid username or password'],
  ['of a user nobody made', {}, ['=ip=10.5.0.10', '=user=juma', '=password=p'], 'invalid username or password'],
  [
    'of a disabled user',
    { disabled: 'yes' },
    ['=ip=10.5.0.10', '=user=asha', '=password=p'],
    'invalid username or password',
  ],
  [
    'from a device the user is not bound to',
    { 'mac-address': JUMA },
    ['=ip=10.5.0.10', '=user=asha', '=password=p'],
    'user asha is not allowed to log in from this MAC address',
  ],
] as const) {
  test(`a login ${what} is refused with "${message}"`, async t => {
    const { client, router } = await start(t);
    addUser(router, user);
    router.join({ mac: ASHA });
    assert.equal((await client.talk('/ip/hotspot/active/login', ...loginWords)).trap?.message, message);
    assert.deepEqual(router.activeSessions(), []);
  });
}

test('a host that is online cannot log in a second time', async t => {
  const router = await startRouter(t);
  addUser(router);
  router.join({ mac: ASHA });
  router.login(asha);
  assert.throws(() => router.login(asha), /already logged in/);
});

test('a user has no more sessions than its profile shares', async t => {
  const { client, router } = await start(t);
  addUser(router);
  router.join({ mac: ASHA });
  router.login(asha);
  const { address } = router.join({ mac: JUMA });
  const login = ['/ip/hotspot/active/login', '=user=asha', '=password=p', `=ip=${address}`];
  assert.equal((await client.talk(...login)).trap?.message, 'no more sessions are allowed for user asha');
  router.run('/ip/hotspot/user/profile/set', { '.id': 'default', 'shared-users': '2' });
  assert.equal((await client.talk(...login)).trap, null);
  assert.equal(router.activeSessions().length, 2);
});

test("the router ends a session at the user's limit-uptime, at that very second", async t => {
  const router = await startRouter(t);
  addUser(router, { 'limit-uptime': '1h' });
  router.join({ mac: ASHA });
  router.login(asha);
  const logouts: unknown[] = [];
  router.on('logout', ({ cause, at, uptimeSeconds }) => logouts.push({ cause, at, uptimeSeconds }));
  router.advance(HOUR - 1);
  assert.equal(router.activeSessions().length, 1);
  router.advance(2 * HOUR);
  assert.deepEqual(logouts, [{ cause: 'uptime limit reached', at: NOON + HOUR, uptimeSeconds: 3_600 }]);
  assert.deepEqual(
    router.hosts().map(host => host.authorized),
    [false],
  );
  assert.throws(() => router.login(asha), /your uptime limit is reached/);
});

test('time online adds up over sessions, and the limit counts all of it', async t => {
  const { client, router } = await start(t, MAC_COOKIES);
  addUser(router, { 'limit-uptime': '1h' });
  for (const minutes of [20, 25]) {
    router.join({ mac: ASHA });
    if (router.activeSessions().length === 0) router.login(asha);
    router.advance(minutes * 60_000);
    router.leave(ASHA);
    router.advance(HOUR);
  }
  assert.equal(router.users()[0]?.uptimeSeconds, 45 * 60);
  router.join({ mac: ASHA });
  assert.equal((await client.talk('/ip/hotspot/active/print')).rows[0]?.['session-time-left'], '15m');
  router.advance(15 * 60_000);
  assert.deepEqual(router.activeSessions(), []);
});

test('whether a user counts the session that is open is a knob', async t => {
  const router = await startRouter(t);
  addUser(router);
  router.join({ mac: ASHA });
  router.login(asha);
  router.advance(60_000);
  assert.equal(router.users()[0]?.uptimeSeconds, 0);
  router.knobs.userUptime = 'live';
  assert.equal(router.users()[0]?.uptimeSeconds, 60);
  router.knobs.userUptime = 'after-logout';
  router.leave(ASHA);
  assert.equal(router.users()[0]?.uptimeSeconds, 60);
});

test('limits are those of the login, whatever becomes of the user’s', async t => {
  const { client, router } = await start(t);
  addUser(router, { 'limit-uptime': '1h' });
  router.join({ mac: ASHA });
  const { id } = router.login(asha);
  await client.talk('/ip/hotspot/user/set', '=.id=asha', '=limit-uptime=3h');
  const set = await client.talk('/ip/hotspot/active/set', `=.id=${id}`, '=limit-uptime=3h');
  assert.equal(set.trap?.message, 'unknown parameter limit-uptime');
  router.advance(HOUR);
  assert.deepEqual(router.activeSessions(), []);
  assert.equal(router.login(asha).endsAt, NOON + 3 * HOUR);
});

test('a raised limit reaches a session that is open, where the knob says so', async t => {
  const { client, router } = await start(t, { limitReachesSession: true });
  addUser(router, { 'limit-uptime': '1h' });
  router.join({ mac: ASHA });
  router.login(asha);
  await client.talk('/ip/hotspot/user/set', '=.id=asha', '=limit-uptime=3h');
  router.advance(2 * HOUR);
  assert.equal(router.activeSessions().length, 1);
});

test('a limit lowered below what was used ends the session at once there', async t => {
  const router = await startRouter(t, { limitReachesSession: true });
  addUser(router, { 'limit-uptime': '3h' });
  router.join({ mac: ASHA });
  router.login(asha);
  router.advance(2 * HOUR);
  router.run('/ip/hotspot/user/set', { '.id': 'asha', 'limit-uptime': '1h' });
  assert.deepEqual(router.activeSessions(), []);
});

test("the profile's session-timeout ends a session, and the next one starts anew", async t => {
  const router = await startRouter(t);
  router.run('/ip/hotspot/user/profile/add', { name: 'hour', 'session-timeout': '1h' });
  addUser(router, { profile: 'hour' });
  router.join({ mac: ASHA });
  const { endsAt } = router.login(asha);
  assert.equal(endsAt, NOON + HOUR);
  const causes: string[] = [];
  router.on('logout', ({ cause }) => causes.push(cause));
  router.advance(HOUR);
  assert.deepEqual(causes, ['session timeout']);
  assert.equal(router.login(asha).endsAt, NOON + 2 * HOUR);
});

test('removing or disabling a user ends neither its session nor its cookie; removing the session does', async t => {
  const { client, router } = await start(t, MAC_COOKIES);
  addUser(router);
  router.join({ mac: ASHA });
  router.login(asha);
  await client.talk('/ip/hotspot/user/remove', '=.id=asha');
  assert.equal(router.activeSessions().length, 1);
  assert.equal(router.cookies().length, 1);
  const [session] = (await client.talk('/ip/hotspot/active/print', '?user=asha')).rows;
  await client.talk('/ip/hotspot/active/remove', `=.id=${session?.['.id']}`);
  assert.deepEqual(router.activeSessions(), []);
  assert.deepEqual(
    router.hosts().map(host => host.authorized),
    [false],
  );
});

test('a user of the same name added later has used nothing and shares no session', async t => {
  const router = await startRouter(t);
  addUser(router);
  router.join({ mac: ASHA });
  router.login(asha);
  router.advance(HOUR);
  router.run('/ip/hotspot/user/remove', { '.id': 'asha' });
  addUser(router, { 'limit-uptime': '1m' });
  assert.equal(router.users()[0]?.uptimeSeconds, 0);
  router.leave(ASHA);
  assert.equal(router.users()[0]?.uptimeSeconds, 0);
});

test('the id of a session comes from its address, so a stale one hits whoever has the address now', async t => {
  const { client, router } = await start(t);
  addUser(router);
  router.run('/ip/hotspot/user/add', { name: 'juma', password: 'p' });
  router.join({ mac: ASHA, address: '10.5.50.2' });
  const stale = router.login(asha).id;
  router.leave(ASHA);
  assert.equal((await client.talk('/ip/hotspot/active/remove', `=.id=${stale}`)).trap?.message, 'no such item');
  router.join({ mac: JUMA, address: '10.5.50.2' });
  router.login({ mac: JUMA, user: 'juma', password: 'p' });
  assert.equal((await client.talk('/ip/hotspot/active/remove', `=.id=${stale}`)).trap, null);
  assert.deepEqual(router.activeSessions(), []);
});

test('an address that is given to another device takes the first one off the Wi-Fi', async t => {
  const router = await startRouter(t);
  addUser(router);
  router.join({ mac: ASHA, address: '10.5.50.2' });
  router.login(asha);
  router.join({ mac: JUMA, address: '10.5.50.2' });
  assert.deepEqual(
    router.hosts().map(({ mac, authorized }) => [mac, authorized]),
    [[JUMA, false]],
  );
});

test('a host that leaves loses its session at once', async t => {
  const router = await startRouter(t);
  addUser(router);
  router.join({ mac: ASHA });
  router.login(asha);
  router.leave(ASHA);
  assert.deepEqual([router.activeSessions(), router.hosts()], [[], []]);
});

test('traffic grows for as long as somebody is online', async t => {
  const { client, router } = await start(t);
  addUser(router);
  router.join({ mac: ASHA });
  router.login(asha);
  const bytes = async () => {
    const [row] = (
      await client.talk('/ip/hotspot/active/print', '=.proplist=bytes-in,bytes-out,packets-in,packets-out')
    ).rows;
    return Object.values(row ?? {}).map(Number);
  };
  router.advance(1_000);
  const early = await bytes();
  router.advance(60_000);
  for (const [place, later] of (await bytes()).entries()) assert.ok(later > (early[place] ?? Number.NaN));
});

test('sessions that fall due in one long step end in the order of their moments', async t => {
  const router = await startRouter(t);
  const ends: [string, number][] = [];
  router.on('logout', ({ user, at }) => ends.push([user, at - NOON]));
  for (const [name, hours, mac] of [
    ['late', 3, ASHA],
    ['early', 1, JUMA],
  ] as const) {
    router.run('/ip/hotspot/user/add', { name, 'limit-uptime': `${hours}h` });
    router.join({ mac });
    router.login({ mac, user: name, password: '' });
  }
  router.advance(5 * HOUR);
  assert.deepEqual(ends, [
    ['early', HOUR],
    ['late', 3 * HOUR],
  ]);
});

test('an ip-binding lets a host through without a login, unless it is disabled', async t => {
  const { client, router } = await start(t);
  router.join({ mac: ASHA });
  await client.talk('/ip/hotspot/ip-binding/add', `=mac-address=${ASHA}`, '=type=bypassed', '=disabled=yes');
  assert.equal((await client.talk('/ip/hotspot/host/print')).rows[0]?.['bypassed'], 'false');
  await client.talk('/ip/hotspot/ip-binding/add', `=mac-address=${ASHA}`, '=type=bypassed');
  assert.equal((await client.talk('/ip/hotspot/host/print')).rows[0]?.['bypassed'], 'true');
});

test('everything that happens can be watched, and no password with it', async t => {
  const { client, router } = await start(t);
  const seen: unknown[] = [];
  router.on('login', ({ user, by, endsAt }) => seen.push(['login', user, by, endsAt]));
  router.on('logout', ({ user, cause }) => seen.push(['logout', user, cause]));
  router.on('command', ({ command, attributes, trap }) => seen.push(['command', command, attributes, trap]));
  await client.talk('/ip/hotspot/user/add', '=name=asha', '=password=p', '=limit-uptime=1h');
  const { address } = router.join({ mac: ASHA, name: 'phone' });
  await client.talk('/ip/hotspot/active/login', '=user=asha', '=password=p', `=ip=${address}`);
  await client.talk('/ip/hotspot/active/remove', '=.id=*1');
  router.leave(ASHA);
  assert.deepEqual(seen, [
    ['command', '/ip/hotspot/user/add', { name: 'asha', password: '***', 'limit-uptime': '1h' }, null],
    ['login', 'asha', 'admin', NOON + HOUR],
    ['command', '/ip/hotspot/active/login', { user: 'asha', password: '***', ip: address }, null],
    ['command', '/ip/hotspot/active/remove', { '.id': '*1' }, 'no such item'],
    ['logout', 'asha', 'keepalive timeout'],
  ]);
});

test('on real time the router ends sessions by itself', async t => {
  const router = await startRouter(t, { clock: 'real' });
  addUser(router, { 'limit-uptime': '1s' });
  router.join({ mac: ASHA });
  const ended = new Promise(resolve => router.once('logout', resolve));
  router.login(asha);
  assert.partialDeepStrictEqual(await ended, { cause: 'uptime limit reached', uptimeSeconds: 1 });
});

test("the router can follow somebody else's clock", async t => {
  let now = NOON;
  const router = await startRouter(t, { clock: () => now });
  addUser(router, { 'limit-uptime': '1h' });
  router.join({ mac: ASHA });
  router.login(asha);
  now += HOUR;
  assert.deepEqual(router.activeSessions(), []);
  assert.throws(() => router.advance(1), /follows another clock/);
});
