import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouterSimulator } from './router.ts';
import { ASHA, addUser, asha, HOUR, JUMA, MAC_COOKIES, start, startRouter } from './support.ts';

test('a returning host is logged in by its cookie', async t => {
  const { client, router } = await start(t, MAC_COOKIES);
  addUser(router, { 'mac-address': ASHA });
  router.join({ mac: ASHA });
  router.login(asha);
  const [cookie] = (await client.talk('/ip/hotspot/cookie/print')).rows;
  assert.partialDeepStrictEqual(cookie, {
    user: 'asha',
    'mac-address': ASHA,
    'expires-in': '3d',
    'mac-cookie': 'true',
  });
  router.leave(ASHA);
  router.advance(HOUR);
  router.join({ mac: ASHA, address: '10.5.7.7' });
  assert.deepEqual(
    router.activeSessions().map(({ by, address }) => [by, address]),
    [['mac-cookie', '10.5.7.7']],
  );
});

for (const [what, spoil] of [
  ['removed', router => router.run('/ip/hotspot/cookie/remove', { '.id': router.cookies()[0]?.id ?? '' })],
  ['older than its timeout', router => router.advance(73 * HOUR)],
  ['of a user that is gone', router => router.run('/ip/hotspot/user/remove', { '.id': 'asha' })],
  ['of a user that is disabled', router => router.run('/ip/hotspot/user/disable', { '.id': 'asha' })],
  ['of a user at its limit', router => router.run('/ip/hotspot/user/set', { '.id': 'asha', 'limit-uptime': '1m' })],
] as [string, (router: RouterSimulator) => unknown][]) {
  test(`a cookie ${what} logs nobody in`, async t => {
    const router = await startRouter(t, MAC_COOKIES);
    addUser(router);
    router.join({ mac: ASHA });
    router.login(asha);
    router.advance(120_000);
    router.leave(ASHA);
    spoil(router);
    assert.equal(router.join({ mac: ASHA }).authorized, false);
  });
}

test('no cookie is made by a profile without add-mac-cookie, by a logout, or by the API when the knob says so', async t => {
  const { client, router } = await start(t, { ...MAC_COOKIES, apiLoginMakesCookie: false });
  addUser(router);
  const { address } = router.join({ mac: ASHA });
  await client.talk('/ip/hotspot/active/login', '=user=asha', '=password=p', `=ip=${address}`);
  assert.deepEqual([router.activeSessions().length, router.cookies()], [1, []]);
  router.logout(ASHA);
  router.login(asha);
  assert.equal(router.cookies().length, 1);
  router.logout(ASHA);
  assert.deepEqual([router.activeSessions(), router.cookies()], [[], []]);
  router.run('/ip/hotspot/user/profile/set', { '.id': 'default', 'add-mac-cookie': 'no' });
  router.login(asha);
  assert.deepEqual(router.cookies(), []);
});

test('a host that stayed is logged in by its cookie when it asks for its address again', async t => {
  const router = await startRouter(t, MAC_COOKIES);
  addUser(router);
  const { address } = router.join({ mac: ASHA });
  const { id } = router.login(asha);
  router.run('/ip/hotspot/active/remove', { '.id': id });
  assert.deepEqual(router.activeSessions(), []);
  assert.deepEqual([router.join({ mac: ASHA }).authorized, router.hosts().length], [true, 1]);
  assert.equal(router.activeSessions()[0]?.address, address);
});

test("a profile's add-mac-cookie does nothing where the server's login-by has no mac-cookie", async t => {
  const router = await startRouter(t);
  addUser(router);
  router.join({ mac: ASHA });
  router.login(asha);
  assert.deepEqual(router.cookies(), []);
  router.run('/ip/hotspot/profile/set', { '.id': 'hsprof1', 'login-by': 'http-pap,mac-cookie' });
  router.logout(ASHA);
  router.login(asha);
  router.run('/ip/hotspot/profile/set', { '.id': 'hsprof1', 'login-by': 'http-pap' });
  router.leave(ASHA);
  assert.deepEqual([router.cookies().length, router.join({ mac: ASHA }).authorized], [1, false]);
});

test('the cookie lets the first address of a device in, and the second one waits for the session to end', async t => {
  const router = await startRouter(t, MAC_COOKIES);
  addUser(router);
  router.join({ mac: ASHA });
  router.login(asha);
  router.leave(ASHA);
  router.join({ mac: ASHA, address: '169.254.7.7' });
  router.join({ mac: ASHA, address: '10.5.0.20' });
  const rows = () => router.hosts().map(({ address, authorized }) => [address, authorized]);
  assert.deepEqual(rows(), [
    ['169.254.7.7', true],
    ['10.5.0.20', false],
  ]);
  router.advance(120_000);
  assert.deepEqual(rows(), [['10.5.0.20', false]], 'the keepalive-timeout of the dead one');
  router.join({ mac: ASHA, address: '10.5.0.20' });
  assert.deepEqual(rows(), [['10.5.0.20', true]]);
});

test('a binding that blocks addresses keeps the cookie from them', async t => {
  const router = await startRouter(t, MAC_COOKIES);
  addUser(router);
  router.join({ mac: ASHA });
  router.login(asha);
  router.leave(ASHA);
  router.run('/ip/hotspot/ip-binding/add', { address: '169.254.0.1-169.254.255.254', type: 'blocked' });
  router.join({ mac: ASHA, address: '169.254.7.7' });
  assert.equal(router.join({ mac: ASHA, address: '10.5.0.20' }).authorized, true);
});

test('a device has as many rows as its server gives one MAC, each with an idle time of its own', async t => {
  const { client, router } = await start(t);
  router.run('/ip/hotspot/add', { name: 'hotspot2', interface: 'bridge2' });
  router.join({ mac: ASHA, address: '10.5.0.20' });
  router.advance(30_000);
  router.join({ mac: ASHA, address: '10.5.0.21', server: 'hotspot2' });
  router.join({ mac: JUMA, address: '192.168.1.5', toAddress: '10.5.0.22' });
  router.advance(10_000);
  const print = ['/ip/hotspot/host/print', '=.proplist=address,to-address,server,uptime,idle-time'];
  assert.deepEqual(
    (await client.talk(...print)).rows.map(row => Object.values(row)),
    [
      ['10.5.0.20', '10.5.0.20', 'hotspot1', '40s', '10s'],
      ['10.5.0.21', '10.5.0.21', 'hotspot2', '10s', '0s'],
      ['192.168.1.5', '10.5.0.22', 'hotspot1', '10s', '0s'],
    ],
  );
  router.join({ mac: ASHA, address: '10.5.0.23' });
  assert.deepEqual(
    router
      .hosts()
      .filter(host => host.mac === ASHA)
      .map(host => host.address),
    ['10.5.0.21', '10.5.0.23'],
  );
  router.advance(300_000);
  assert.deepEqual(
    router.hosts().map(host => host.address),
    ['192.168.1.5', '10.5.0.23'],
  );
});
