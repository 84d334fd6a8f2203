/** A phone is online on the address that it is behind, within one pass, whatever else the router has seen of it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { RouterSimulatorOptions } from '../simulator/router.ts';
import { MAC_COOKIES } from '../simulator/support.ts';
import { startApp, type TestApp, until } from '../support/app.ts';

const ASHA = '+255712345678';
const MAC = 'A4:83:E7:12:34:56';
const HOME = '10.5.50.11';
const DEAD = '169.254.7.7';

/** A person with a day of access; their phone is nowhere yet. */
async function startPaid(t: TestContext, knobs: RouterSimulatorOptions = {}): Promise<TestApp> {
  const app = await startApp(t, { router: knobs, environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  const [code] = await app.issueVouchers({ hours: 24 });
  assert.equal((await app.redeem(code!, ASHA, MAC)).status, 200);
  await until(() => app.router.users().length === 1);
  await app.passTime(0);
  return app;
}

const onlineAt = (app: TestApp) => app.router.activeSessions().map(session => session.address);

test('of two rows the one with an address of the hotspot’s is logged in, in whichever order they came', async t => {
  const app = await startPaid(t);
  for (const addresses of [
    [DEAD, HOME],
    [HOME, DEAD],
    ['192.168.77.7', HOME],
  ]) {
    for (const address of addresses) app.router.join({ mac: MAC, address });
    await app.passTime(1_000);
    assert.deepEqual(onlineAt(app), [HOME]);
    app.router.leave(MAC);
    for (const { id } of app.router.cookies()) app.router.run('/ip/hotspot/cookie/remove', { '.id': id });
  }
});

test('an address that a phone gave itself is never logged in', async t => {
  const app = await startPaid(t);
  app.router.join({ mac: MAC, address: DEAD });
  await app.passTime(60_000);
  assert.deepEqual(onlineAt(app), []);
});

test('a session that the router’s cookie began on a dead address is begun anew on the real one', async t => {
  const app = await startPaid(t, MAC_COOKIES);
  app.router.join({ mac: MAC, address: HOME });
  await app.passTime(1_000);
  app.router.leave(MAC);
  app.router.join({ mac: MAC, address: DEAD });
  app.router.join({ mac: MAC, address: HOME });
  assert.deepEqual(onlineAt(app), [DEAD]);
  await app.passTime(1_000);
  assert.deepEqual(onlineAt(app), [HOME]);
});

test('an address that changes during a session takes the session with it, there and back', async t => {
  const app = await startPaid(t);
  for (const address of [HOME, '10.5.50.12', HOME]) {
    app.router.join({ mac: MAC, address });
    await app.passTime(15_000);
    assert.deepEqual(onlineAt(app), [address]);
  }
});

test('an address that changes right after the phone asked from the old one takes the session with it in one pass', async t => {
  const app = await startPaid(t);
  app.router.join({ mac: MAC, address: HOME });
  await app.passTime(15_000);
  const asked = await app.post('/api/verify/', { phone_number: ASHA, mac_address: MAC }, { 'x-forwarded-for': HOME });
  assert.equal(asked.body.online, true);
  app.clock.advance(2_000);
  app.router.join({ mac: MAC, address: '10.5.50.12' });
  await app.passTime(13_000);
  assert.deepEqual(onlineAt(app), ['10.5.50.12']);
});

test('a phone that walks from one hotspot server of the router to another is online where it is', async t => {
  const app = await startPaid(t);
  app.router.run('/ip/address/add', { address: '10.6.0.1/24', interface: 'garden' });
  app.router.run('/ip/hotspot/add', { name: 'garden', interface: 'garden', profile: 'hsprof1' });
  for (const [server, address] of [
    ['hotspot1', HOME],
    ['garden', '10.6.0.9'],
    ['hotspot1', HOME],
  ] as const) {
    app.router.join({ mac: MAC, address, server });
    await app.passTime(15_000);
    assert.deepEqual(onlineAt(app), [address]);
  }
});

for (const loginAddress of ['to-address', 'address'] as const) {
  test(`a phone whose address the hotspot translates is logged in where the router knows it by its ${loginAddress}`, async t => {
    const app = await startPaid(t, { loginAddress });
    app.router.join({ mac: MAC, address: '192.168.1.5', toAddress: '10.5.50.30' });
    await app.passTime(1_000);
    assert.deepEqual(onlineAt(app), ['10.5.50.30']);
    const { id } = app.router.activeSessions()[0]!;
    await app.passTime(60_000);
    assert.deepEqual(
      app.router.activeSessions().map(session => [session.id, session.uptimeSeconds]),
      [[id, 60]],
    );
  });
}

test('of two addresses of the hotspot’s the one that asks for the portal is logged in, though it idled', async t => {
  const app = await startPaid(t);
  const other = '10.5.50.12';
  app.router.join({ mac: MAC, address: HOME });
  app.router.join({ mac: MAC, address: other });
  app.clock.advance(5_000);
  const asked = await app.post('/api/verify/', { phone_number: ASHA, mac_address: MAC }, { 'x-forwarded-for': HOME });
  assert.equal(asked.status, 200);
  await until(() => onlineAt(app).length === 1);
  assert.deepEqual(onlineAt(app), [HOME]);
});
