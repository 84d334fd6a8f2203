/** The device that asks is found by its address, and is told to be online only where the router shows it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startApp, type TestApp, until } from '../support/app.ts';

const ASHA = '+255712345678';
const PHONE = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const TABLET = { mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' };
const ELSEWHERE = '10.5.50.99';
const from = (address: string) => ({ 'x-forwarded-for': address });

/** Two devices are on the Wi-Fi; the router is known under another address than theirs. */
async function hotspot(t: TestContext): Promise<TestApp> {
  const app = await startApp(t, { router: true, environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  app.router.join(PHONE);
  app.router.join(TABLET);
  await app.schedule.run('reconcile router');
  return app;
}

async function redeem(app: TestApp, address: string, more: object = {}) {
  const [code] = await app.issueVouchers();
  const body = { voucher_code: code, phone_number: ASHA, ...more };
  return (await app.post('/api/vouchers/redeem/', body, from(address))).body;
}

async function verify(app: TestApp, address: string, more: object = {}) {
  return (await app.post('/api/verify/', { phone_number: ASHA, ...more }, from(address))).body;
}

const captivity = async (app: TestApp, address: string) =>
  (await app.get('/api/captive-portal/', from(address))).body as Record<string, unknown>;

const onlineMacs = (app: TestApp) => app.router.activeSessions().map(({ mac }) => mac);

test('a voucher puts the phone online that redeems it, though nobody named its MAC', async t => {
  const app = await hotspot(t);
  const reply = await redeem(app, PHONE.address);
  assert.deepEqual([reply.device_allowed, reply.online], [true, true]);
  assert.equal(reply.message, 'The voucher is accepted. You are online.');
  assert.deepEqual(onlineMacs(app), [PHONE.mac]);
});

test('verify finds the phone that asks', async t => {
  const app = await hotspot(t);
  await redeem(app, ELSEWHERE);
  const reply = await verify(app, PHONE.address);
  assert.deepEqual([reply.device_allowed, reply.router_connected, reply.online], [true, true, true]);
  assert.deepEqual(onlineMacs(app), [PHONE.mac]);
});

test('an order is for the phone that makes it', async t => {
  const app = await hotspot(t);
  const bundle = await app.createBundle();
  const order = { phone_number: ASHA, bundle_id: bundle.id };
  const { body } = await app.post('/api/initiate-payment/', order, from(PHONE.address));
  await fetch(body.redirect_url, { method: 'POST', body: new URLSearchParams({ outcome: 'completed' }) });
  await until(() => onlineMacs(app).length === 1);
  assert.deepEqual(onlineMacs(app), [PHONE.mac]);
});

test('where the router knows no device at the address, time is given and nothing is told to be online', async t => {
  const app = await hotspot(t);
  const redeemed = await redeem(app, ELSEWHERE);
  assert.match(redeemed.message, /^The voucher is accepted\. One step is left/);
  assert.deepEqual(['online' in redeemed, 'device_allowed' in redeemed], [false, false]);
  const verified = await verify(app, ELSEWHERE);
  assert.deepEqual([verified.has_access, verified.router_connected, verified.online], [true, true, false]);
  assert.equal('device_allowed' in verified, false);
  assert.deepEqual((await app.get(`/api/devices/${ASHA}/`)).body, []);
});

test('a device that is let in and not on the Wi-Fi is not told to be online', async t => {
  const app = await hotspot(t);
  const away = { mac_address: 'C8:5B:76:00:00:03' };
  const redeemed = await redeem(app, ELSEWHERE, away);
  assert.deepEqual([redeemed.device_allowed, redeemed.online], [true, false]);
  assert.doesNotMatch(redeemed.message, /You are online/);
  const verified = await verify(app, ELSEWHERE, away);
  assert.deepEqual([verified.device_allowed, verified.online], [true, false]);
});

test('a session that the router has ended since it was last read is told no more', async t => {
  const app = await hotspot(t);
  await redeem(app, PHONE.address);
  app.router.leave(PHONE.mac);
  app.clock.advance(5_000);
  assert.equal((await verify(app, ELSEWHERE, { mac_address: PHONE.mac })).online, false);
});

test('a router that is away shows nobody online, whoever was when it was last read', async t => {
  const app = await hotspot(t);
  await redeem(app, PHONE.address);
  await app.router.stopListening();
  await until(() => !app.context.site.isConnected);
  const verified = await verify(app, PHONE.address, { mac_address: PHONE.mac });
  assert.deepEqual([verified.device_allowed, verified.router_connected, verified.online], [true, false, false]);
});

test('who names the device of another is told so, and not whether it is online', async t => {
  const app = await hotspot(t);
  await redeem(app, PHONE.address);
  const named = await verify(app, TABLET.address, { mac_address: PHONE.mac });
  assert.deepEqual([named.device_allowed, named.other_device, named.online], [true, true, false]);
  const fresh = await verify(app, TABLET.address, { mac_address: 'C8:5B:76:00:00:03' });
  assert.deepEqual([fresh.device_allowed, fresh.other_device, 'online' in fresh], [false, true, false]);
  const own = await verify(app, PHONE.address, { mac_address: PHONE.mac });
  assert.deepEqual([own.online, 'other_device' in own], [true, false]);
});

test('a used voucher tells its holder nothing of the devices of others', async t => {
  const app = await hotspot(t);
  const [code, others = ''] = await app.issueVouchers({ quantity: 2 });
  await app.post(
    '/api/vouchers/redeem/',
    { voucher_code: others, phone_number: '+255754321987' },
    from(TABLET.address),
  );
  const body = { voucher_code: code, phone_number: ASHA, mac_address: 'C8:5B:76:00:00:03' };
  await app.post('/api/vouchers/redeem/', body, from(ELSEWHERE));
  const again = await app.post('/api/vouchers/redeem/', { ...body, mac_address: TABLET.mac }, from(ELSEWHERE));
  assert.deepEqual(onlineMacs(app), [TABLET.mac]);
  assert.equal(again.body.online, false);
});

test('an open order is told to the device that made it, at the address that it made it from', async t => {
  const app = await hotspot(t);
  const bundle = await app.createBundle();
  const order = { phone_number: ASHA, bundle_id: bundle.id };
  const { body } = await app.post('/api/initiate-payment/', order, from(PHONE.address));
  assert.equal((await captivity(app, PHONE.address))['order-reference'], body.order_reference);
  for (const address of [TABLET.address, ELSEWHERE]) {
    assert.deepEqual(Object.keys(await captivity(app, address)).toSorted(), [
      'can-extend-session',
      'captive',
      'user-portal-url',
    ]);
  }
  // Somebody whom the router does not know names the tablet: its owner is not led to an order of a stranger.
  await app.post('/api/initiate-payment/', { ...order, mac_address: TABLET.mac }, from(ELSEWHERE));
  assert.equal('order-reference' in (await captivity(app, TABLET.address)), false);
  app.clock.advance(31 * 60_000);
  assert.equal('order-reference' in (await captivity(app, PHONE.address)), false);
});

test('a paid phone that comes back is put online, and is captive until the router shows it', async t => {
  const app = await hotspot(t);
  app.router.knobs.readOnly = true;
  const { subscription_end: end, online } = await redeem(app, PHONE.address);
  assert.equal(online, false);
  const refused = await captivity(app, PHONE.address);
  assert.deepEqual([refused.captive, refused['paid-until'], 'seconds-remaining' in refused], [true, end, false]);
  app.router.knobs.readOnly = false;
  app.clock.advance(5_000);
  assert.equal((await captivity(app, PHONE.address)).captive, false);
  assert.deepEqual(onlineMacs(app), [PHONE.mac]);
  app.router.logout(PHONE.mac);
  app.clock.advance(5_000);
  assert.equal((await captivity(app, PHONE.address)).captive, false);
  assert.deepEqual(onlineMacs(app), [PHONE.mac], 'online again');
});
