/** What the routers of one site mean for each other, and for those who ask. See docs/rules.md: The router. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkingSite } from '../../src/site.ts';
import { until } from '../support/app.ts';
import { ADDRESSES, ASHA, from, MAC, online, onlineAt, startSite, type TestSite, walk } from '../support/site.ts';

const JUMA = { phone: '+255754321987', mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' };
/** Where the routers themselves ask from. */
const ROUTER = ['127.0.0.2', '127.0.0.3'] as const;

/** Juma joins the default router, and pays. */
async function payThere({ app, routers }: TestSite) {
  const bundle = await app.createBundle();
  routers[0]!.join(JUMA);
  const order = { phone_number: JUMA.phone, bundle_id: bundle.id, mac_address: JUMA.mac };
  const started = await app.post('/api/initiate-payment/', order, from(JUMA.address));
  assert.equal(started.status, 200, JSON.stringify(started.body));
  const body = new URLSearchParams({ outcome: 'completed', webhook: 'once' });
  await fetch(started.body.redirect_url, { method: 'POST', body, redirect: 'manual' });
  await until(() => routers[0]!.activeSessions().some(({ mac }) => mac === JUMA.mac));
}

test('a router that says nothing, and one that refuses, are nothing to the customers of another', async t => {
  const site = await startSite(t, [{}, {}, {}]);
  await online(site);
  walk(site, 0, 1);
  await site.pass();
  await until(() => onlineAt(site).join() === `1: ${MAC}`);
  // Silent while it counts as connected, for as long as the clock stands still.
  site.routers[1]!.knobs.silent = true;
  await site.routers[2]!.stopListening();
  await payThere(site);
  assert.equal(await (site.app.context.site as WorkingSite).reconcile([JUMA.mac as never]), true, 'waits for its own');
  await site.app.schedule.run('expire access');

  const [first, silent] = site.app.context.site.routers;
  assert.deepEqual([first?.port.state, silent?.port.state], ['connected', 'connected']);
  walk(site, 1, 0);
  const { body } = await site.app.post('/api/verify/', { phone_number: ASHA, mac_address: MAC }, from(ADDRESSES[0]));
  assert.equal(body.online, true, 'though its old router cannot be told');
  site.routers[1]!.knobs.silent = false;
  site.routers[1]!.dropConnections();
  await until(() => onlineAt(site).toSorted().join() === [`0: ${MAC}`, `0: ${JUMA.mac}`].join());
});

test('who is blocked or whose time ends is offline wherever they are', async t => {
  const site = await startSite(t, [{}, {}]);
  await online(site);
  walk(site, 0, 1);
  await site.pass();
  await until(() => onlineAt(site).join() === `1: ${MAC}`);
  const { app } = site;
  const [user] = (await app.get('/api/admin/users/', app.admin)).body.users;
  const block = (isActive: boolean) =>
    app.send('PUT', `/api/admin/users/${user.id}/update/`, { is_active: isActive }, app.admin);
  assert.equal((await block(false)).status, 200);
  await until(() => onlineAt(site).length === 0 && site.routers.every(router => router.users().length === 0));
  await block(true);
  await until(() => onlineAt(site).join() === `1: ${MAC}`);
  app.clock.advance(24 * 3_600_000);
  await app.schedule.run('expire access');
  await until(() => onlineAt(site).length === 0 && site.routers.every(router => router.users().length === 0));
});

test('each router is known by its address: asks without limit, is told all, and says who has come to it', async t => {
  const site = await startSite(t, [{}, {}]);
  await online(site);
  const { app } = site;
  const auth = (address: string) =>
    app.form('/api/router/auth/', { username: '255712345678', mac: MAC, ip: '10.5.50.99' }, from(address));
  for (const address of ROUTER) {
    for (let times = 0; times < 70; times += 1) assert.equal((await auth(address)).status, 200);
    const { body } = await app.get(`/api/router/user-status/?username=${ASHA}`, from(address));
    const session = address === ROUTER[0] ? 1 : undefined;
    assert.deepEqual([body.devices.length, body.router_session?.router_id], [1, session], 'of its own sessions');
  }
  const answers = await Promise.all(Array.from({ length: 70 }, () => auth('10.9.9.9')));
  assert.ok(answers.some(({ status }) => status === 429));

  app.clock.advance(60_000);
  walk(site, 0, 1);
  assert.equal((await auth(ROUTER[1])).status, 200);
  await until(() => onlineAt(site).join() === `1: ${MAC}`);
});

test('a phone logs out on the router that it is at', async t => {
  const site = await startSite(t, [{}, {}]);
  await online(site);
  walk(site, 0, 1);
  await site.pass();
  await until(() => onlineAt(site).join() === `1: ${MAC}`);
  const logout = (address: string) => site.app.post('/api/router/logout/', { username: ASHA }, from(address));
  await logout('10.9.9.9');
  assert.equal(onlineAt(site).length, 1);
  await logout(ADDRESSES[1]);
  assert.equal(onlineAt(site).length, 0);
});

test('an address that two routers have behind different devices proves nothing', async t => {
  const site = await startSite(t, [{}, {}]);
  await online(site);
  const devices = async () => {
    site.app.clock.advance(6_000);
    const { body } = await site.app.get(`/api/router/user-status/?username=${ASHA}`, from(ADDRESSES[0]));
    return body.devices.length;
  };
  assert.equal(await devices(), 1);
  site.routers[1]!.join({ mac: JUMA.mac, address: ADDRESSES[0] });
  assert.equal(await devices(), 0);
  site.routers[1]!.leave(JUMA.mac);
  assert.equal(await devices(), 1);
});

test('strangers on the Wi-Fi learn nothing of the routers', async t => {
  const site = await startSite(t, [{}, {}]);
  await online(site);
  await site.routers[1]!.stopListening();
  await until(() => site.app.context.site.router(2).port.state === 'disconnected');
  const ask = from('10.5.50.77');
  site.routers[0]!.join({ mac: JUMA.mac, address: '10.5.50.77' });
  const told = await Promise.all([
    site.app.get('/api/health/', ask),
    site.app.get('/api/portal/', ask),
    site.app.get('/api/captive-portal/', ask),
    site.app.get(`/api/router/user-status/?username=${ASHA}`, ask),
    site.app.post('/api/verify/', { phone_number: ASHA, mac_address: JUMA.mac }, ask),
    site.app.post('/api/router/auth/', { username: ASHA, mac: JUMA.mac, router_id: 2 }, ask),
  ]);
  for (const { body } of told) assert.doesNotMatch(JSON.stringify(body), /Router 2|127\.0\.0\.[23]|router_id/);
});
