import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouterSimulator } from './router.ts';
import { ASHA, addUser, asha, HOUR, start, startRouter } from './support.ts';

test('a returning host is logged in by its cookie', async t => {
  const { client, router } = await start(t);
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
    const router = await startRouter(t);
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
  const { client, router } = await start(t, { apiLoginMakesCookie: false });
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
  const router = await startRouter(t);
  addUser(router);
  const { address } = router.join({ mac: ASHA });
  const { id } = router.login(asha);
  router.run('/ip/hotspot/active/remove', { '.id': id });
  assert.deepEqual(router.activeSessions(), []);
  assert.deepEqual([router.join({ mac: ASHA }).authorized, router.hosts().length], [true, 1]);
  assert.equal(router.activeSessions()[0]?.address, address);
});
