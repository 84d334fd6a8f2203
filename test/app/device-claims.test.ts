/** What was paid on comes back; a device goes from one number to another seldom; and what the owner sets about both. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type AppOptions, startApp, type TestApp, until } from '../support/app.ts';
import { assertInvalid } from '../support/shape.ts';

const ASHA = '+255712345678';
const JUMA = '+255754321987';
const PHONE = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const THIEF = { mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' };
const UNKNOWN_ADDRESS = '10.5.50.99';
const HOUR = 3_600_000;
/** How long a copy of the host table counts. */
const TABLE_AGE = 5_000;

const from = (address: string) => ({ 'x-forwarded-for': address });
const onlineMacs = (app: TestApp) => app.router.activeSessions().map(session => session.mac);
const devicesOf = async (app: TestApp, phone: string): Promise<string[]> =>
  (await app.get(`/api/devices/${phone}/`, from('10.5.50.200'))).body.map(
    (device: { mac_address: string }) => device.mac_address,
  );
const verify = async (app: TestApp, phone: string, mac: string, address: string, proof?: string) =>
  (await app.post('/api/verify/', { phone_number: phone, mac_address: mac, proof }, from(address))).body;
const set = (app: TestApp, devices: object) => app.post('/api/admin/settings/devices/', devices, app.admin);

async function redeem(app: TestApp, phone: string, mac: string | null, address: string): Promise<string> {
  const [code = ''] = await app.issueVouchers({ hours: 240 });
  const body = { voucher_code: code, phone_number: phone, mac_address: mac };
  assert.equal((await app.post('/api/vouchers/redeem/', body, from(address))).status, 200);
  return code;
}

async function hotspot(t: TestContext, options: AppOptions = {}): Promise<TestApp> {
  const environment = { LANGO_TRUSTED_PROXIES: '127.0.0.1', ...options.environment };
  const app = await startApp(t, { router: true, ...options, environment });
  app.router.join(PHONE);
  app.router.join(THIEF);
  await app.schedule.run('reconcile router');
  return app;
}

/** Asha has paid on her phone, and by some way the thief has its place. */
async function stolen(t: TestContext, pay: (app: TestApp) => Promise<unknown>): Promise<TestApp> {
  const app = await hotspot(t);
  await pay(app);
  assert.deepEqual(await devicesOf(app, ASHA), [PHONE.mac]);
  const { reads, commit, applyAccess } = app.context;
  const userId = reads.users.byPhone(ASHA as never)?.id ?? 0;
  await commit('removeDevice', { userId, mac: PHONE.mac as never, isFinal: false }, null);
  await applyAccess(userId);
  assert.equal((await verify(app, ASHA, THIEF.mac, THIEF.address)).device_allowed, true);
  await until(() => onlineMacs(app).join() === THIEF.mac);
  return app;
}

const byVoucher = (app: TestApp) => redeem(app, ASHA, PHONE.mac, PHONE.address);
async function byPayment(app: TestApp): Promise<void> {
  const { body } = await app.pay({ phone: ASHA, bundle: await app.createBundle(), mac: PHONE.mac, webhook: 'never' });
  await app.get(`/api/payment-status/${body.order_reference}/`);
}

for (const [how, pay] of [
  ['a redemption', byVoucher],
  ['a payment', byPayment],
] as const) {
  test(`a device that ${how} named takes its place back by verify, from one that the number alone let in`, async t => {
    const app = await stolen(t, pay);
    const back = await verify(app, ASHA, PHONE.mac, PHONE.address);
    assert.deepEqual([back.has_access, back.device_allowed], [true, true]);
    assert.deepEqual(await devicesOf(app, ASHA), [PHONE.mac]);
    await until(() => onlineMacs(app).join() === PHONE.mac);
    assert.equal((await verify(app, ASHA, THIEF.mac, THIEF.address)).device_allowed, false, 'and keeps it');
  });
}

test('it takes its place back by router auth too, and whoever had it is offline at once', async t => {
  const app = await stolen(t, byVoucher);
  const auth = (mac: string) => app.form('/api/router/auth/', { username: ASHA.slice(1), mac });
  assert.equal((await auth(PHONE.mac)).body, 'OK');
  assert.ok(!onlineMacs(app).includes(THIEF.mac));
  assert.equal((await auth(THIEF.mac)).status, 403);
});

test('of several the newest unproven one makes way, and one that is proven never does', async t => {
  const app = await hotspot(t, { environment: { LANGO_DEFAULT_MAX_DEVICES: '3' } });
  const [paid, first, second] = ['C8:5B:76:00:00:01', 'C8:5B:76:00:00:02', 'C8:5B:76:00:00:03'] as const;
  await redeem(app, ASHA, paid, UNKNOWN_ADDRESS);
  await redeem(app, ASHA, PHONE.mac, PHONE.address);
  await redeem(app, ASHA, first, UNKNOWN_ADDRESS);
  const { reads, commit } = app.context;
  const userId = reads.users.byPhone(ASHA as never)?.id ?? 0;
  const drop = (mac: string) => commit('removeDevice', { userId, mac: mac as never, isFinal: false }, null);
  await drop(PHONE.mac);
  await drop(first);
  await verify(app, ASHA, second, UNKNOWN_ADDRESS);
  await verify(app, ASHA, THIEF.mac, THIEF.address);
  assert.equal((await verify(app, ASHA, PHONE.mac, PHONE.address)).device_allowed, true);
  assert.deepEqual(await devicesOf(app, ASHA), [paid, second, PHONE.mac]);
  assert.equal((await verify(app, ASHA, first, UNKNOWN_ADDRESS)).device_allowed, true);
  assert.deepEqual(await devicesOf(app, ASHA), [paid, PHONE.mac, first]);
  assert.equal((await verify(app, ASHA, second, UNKNOWN_ADDRESS)).device_allowed, false, 'it has paid nothing');
});

test('a device of a person whose time runs moves to nobody by being named', async t => {
  const app = await hotspot(t);
  await redeem(app, ASHA, PHONE.mac, PHONE.address);
  await redeem(app, JUMA, null, UNKNOWN_ADDRESS);
  for (const address of [UNKNOWN_ADDRESS, THIEF.address, '127.0.0.1']) {
    assert.equal((await verify(app, JUMA, PHONE.mac, address)).device_allowed, false, address);
    const auth = { username: JUMA, mac: PHONE.mac };
    assert.equal((await app.post('/api/router/auth/', auth, from(address))).status, 403, address);
    await redeem(app, JUMA, PHONE.mac, address);
  }
  const order = await app.pay({ phone: JUMA, bundle: await app.createBundle(), mac: PHONE.mac, webhook: 'never' });
  const paid = (await app.get(`/api/payment-status/${order.body.order_reference}/`)).body;
  assert.deepEqual([paid.payment_status, paid.device_allowed], ['COMPLETED', false]);
  assert.deepEqual([await devicesOf(app, ASHA), await devicesOf(app, JUMA)], [[PHONE.mac], []]);
  assert.equal((await verify(app, JUMA, PHONE.mac, PHONE.address)).device_allowed, true, 'but by itself');
});

test('money buys no right to a device that is known to be another person’s', async t => {
  const app = await hotspot(t);
  await redeem(app, ASHA, null, UNKNOWN_ADDRESS);
  assert.equal((await verify(app, ASHA, PHONE.mac, PHONE.address)).device_allowed, true, 'by number alone');
  for (const address of [UNKNOWN_ADDRESS, '127.0.0.1']) {
    await redeem(app, JUMA, PHONE.mac, address);
    assert.equal((await verify(app, JUMA, PHONE.mac, address)).device_allowed, false, address);
  }
  const order = await app.pay({ phone: JUMA, bundle: await app.createBundle(), mac: PHONE.mac, webhook: 'never' });
  assert.equal((await app.get(`/api/payment-status/${order.body.order_reference}/`)).body.device_allowed, false);
  assert.deepEqual([await devicesOf(app, ASHA), await devicesOf(app, JUMA)], [[PHONE.mac], []]);
});

test('what was paid on comes back from a person who named it while nobody’s time ran', async t => {
  const app = await hotspot(t);
  await redeem(app, ASHA, PHONE.mac, PHONE.address);
  app.clock.advance(241 * HOUR);
  await redeem(app, JUMA, null, UNKNOWN_ADDRESS);
  assert.equal((await verify(app, JUMA, PHONE.mac, UNKNOWN_ADDRESS)).device_allowed, true);
  await redeem(app, ASHA, PHONE.mac, UNKNOWN_ADDRESS);
  assert.deepEqual([await devicesOf(app, ASHA), await devicesOf(app, JUMA)], [[PHONE.mac], []]);
});

test('a device that goes to another person by itself comes back to nobody who only names it', async t => {
  const app = await hotspot(t);
  await redeem(app, JUMA, PHONE.mac, UNKNOWN_ADDRESS);
  assert.deepEqual(await devicesOf(app, JUMA), [PHONE.mac], 'nobody’s yet');
  await redeem(app, ASHA, null, UNKNOWN_ADDRESS);
  assert.equal((await verify(app, ASHA, PHONE.mac, PHONE.address)).device_allowed, true);
  for (const address of [UNKNOWN_ADDRESS, '127.0.0.1']) {
    assert.equal((await verify(app, JUMA, PHONE.mac, address)).device_allowed, false, address);
  }
  assert.deepEqual([await devicesOf(app, ASHA), await devicesOf(app, JUMA)], [[PHONE.mac], []]);
});

test('it moves five times an hour, and then stays where it is', async t => {
  const app = await startApp(t);
  await redeem(app, ASHA, PHONE.mac, UNKNOWN_ADDRESS);
  await redeem(app, JUMA, null, UNKNOWN_ADDRESS);
  const move = (moves: number) => verify(app, moves % 2 === 0 ? JUMA : ASHA, PHONE.mac, UNKNOWN_ADDRESS);
  for (let moves = 0; moves < 5; moves += 1) assert.equal((await move(moves)).device_allowed, true, String(moves));
  const held = await move(5);
  assert.deepEqual([held.has_access, held.device_allowed], [true, false]);
  assert.match(held.message, /too often/);
  const auth = await app.form('/api/router/auth/', { username: ASHA, mac: PHONE.mac });
  assert.equal(auth.status, 403);
  assert.match(auth.body, /too often/);
  assert.deepEqual(await devicesOf(app, JUMA), [PHONE.mac]);
  const again = await verify(app, JUMA, PHONE.mac, UNKNOWN_ADDRESS);
  assert.equal(again.device_allowed, true, 'where it is, it is let in');
  app.clock.advance(HOUR);
  assert.equal((await move(5)).device_allowed, true);
});

test('the owner sets how strict to be with devices; it is told, and written down', async t => {
  const app = await startApp(t);
  const told = async () => {
    const { settings } = (await app.get('/api/admin/settings/', app.admin)).body;
    const { device_swap, new_devices, proofs } = (await app.get('/api/portal/')).body;
    assert.deepEqual(settings.devices, { device_swap, new_devices });
    return { device_swap, new_devices, proofs };
  };
  const proofs = ['order_reference', 'voucher_code'];
  assert.deepEqual(await told(), { device_swap: 'with_proof', new_devices: 'by_number', proofs });
  const changed = await set(app, { new_devices: 'with_proof' });
  assert.equal(changed.status, 200);
  assert.deepEqual(changed.body.devices, { device_swap: 'with_proof', new_devices: 'with_proof' });
  await set(app, { device_swap: 'when_away' });
  assert.deepEqual(await told(), { device_swap: 'when_away', new_devices: 'with_proof', proofs });
  const [last] = (await app.get('/api/admin/audit-log/', app.admin)).body.entries;
  assert.equal(last.action, 'settings.devices');
  assert.deepEqual([last.before.swap, last.after.swap], ['with_proof', 'when_away']);
  assertInvalid(await set(app, { device_swap: 'always', new_devices: 1 }), 'device_swap', 'new_devices');
  assert.equal((await app.post('/api/admin/settings/devices/', {})).status, 403);
});

test('where new devices need a proof, the number alone lets none in, money does, and a proof does', async t => {
  const app = await hotspot(t, { environment: { LANGO_DEFAULT_MAX_DEVICES: '2' } });
  await set(app, { new_devices: 'with_proof' });
  const code = await redeem(app, ASHA, PHONE.mac, PHONE.address);
  assert.deepEqual(await devicesOf(app, ASHA), [PHONE.mac], 'paid on');
  const { proofs, ...asked } = await verify(app, ASHA, THIEF.mac, THIEF.address);
  assert.deepEqual([asked.has_access, asked.device_allowed, asked.proof_required], [true, false, true]);
  assert.deepEqual(proofs, ['order_reference', 'voucher_code']);
  const auth = await app.form('/api/router/auth/', { username: ASHA, mac: THIEF.mac });
  assert.equal(auth.status, 403);
  assert.match(auth.body, /proof/);
  const body = { phone_number: ASHA, mac_address: THIEF.mac, proof: 'ABCD-EFGH-2345' };
  for (let tried = 0; tried < 10; tried += 1) {
    const wrong = await app.post('/api/verify/', body, from(THIEF.address));
    assert.deepEqual([wrong.status, wrong.body.code, wrong.body.proofs], [403, 'PROOF_REQUIRED', proofs]);
  }
  assert.equal((await app.post('/api/verify/', body, from(THIEF.address))).status, 429);
  assert.deepEqual(await devicesOf(app, ASHA), [PHONE.mac]);

  const own = 'C8:5B:76:00:00:03';
  const joined = await verify(app, ASHA, own, UNKNOWN_ADDRESS, code);
  assert.deepEqual([joined.device_allowed, joined.proof_required], [true, undefined]);
  assert.equal((await verify(app, ASHA, own, UNKNOWN_ADDRESS)).device_allowed, true, 'and it is known from then on');
});

test('a device let in with a proof does not make way for one that was paid on', async t => {
  const app = await hotspot(t);
  const code = await redeem(app, ASHA, PHONE.mac, PHONE.address);
  const body = { phone_number: ASHA, mac_address: PHONE.mac, proof: code };
  assert.equal((await app.post('/api/devices/remove/', body, from(UNKNOWN_ADDRESS))).status, 200);
  const own = 'C8:5B:76:00:00:03';
  assert.equal((await verify(app, ASHA, own, UNKNOWN_ADDRESS, code)).device_allowed, true);
  assert.equal((await verify(app, ASHA, PHONE.mac, PHONE.address)).device_allowed, false, 'a lost phone stays out');
  assert.deepEqual(await devicesOf(app, ASHA), [own]);
});

test('where the owner lets devices go that are away, a day unseen is enough, and less is not', async t => {
  const app = await hotspot(t);
  await redeem(app, ASHA, PHONE.mac, PHONE.address);
  await until(() => onlineMacs(app).includes(PHONE.mac));
  await set(app, { device_swap: 'when_away' });
  const remove = () =>
    app.post('/api/devices/remove/', { phone_number: ASHA, mac_address: PHONE.mac }, from(THIEF.address));
  const wait = async (ms: number) => {
    app.clock.advance(ms);
    await app.schedule.run('reconcile router');
    await app.schedule.run('last seen');
  };
  await wait(30 * HOUR);
  assert.equal((await remove()).status, 403, 'it has been online all the time');
  app.router.leave(PHONE.mac);
  await wait(TABLE_AGE);
  await wait(24 * HOUR - 1);
  assert.equal((await remove()).status, 403, 'it was here a day ago');
  await wait(1);
  const gone = await remove();
  assert.equal(gone.status, 200);
  assert.equal(gone.body.devices_remaining, 0);
  app.router.join(PHONE);
  await wait(TABLE_AGE);
  assert.equal((await verify(app, ASHA, THIEF.mac, THIEF.address)).device_allowed, true);
  assert.equal((await verify(app, ASHA, PHONE.mac, PHONE.address)).device_allowed, true, 'but it paid, and comes back');
});

test('while the router is away, nobody can tell that a device is', async t => {
  const app = await hotspot(t);
  await redeem(app, ASHA, PHONE.mac, PHONE.address);
  await set(app, { device_swap: 'when_away' });
  app.router.leave(PHONE.mac);
  await app.schedule.run('reconcile router');
  app.clock.advance(48 * HOUR);
  await app.router.stop();
  await until(() => app.context.site.defaultRouter.port.state === 'disconnected');
  const body = { phone_number: ASHA, mac_address: PHONE.mac };
  assert.equal((await app.post('/api/devices/remove/', body, from(THIEF.address))).status, 403);
});

test('an open order is told to the device that it names, and to nobody who names that device', async t => {
  const app = await hotspot(t);
  const order = { phone_number: ASHA, bundle_id: (await app.createBundle()).id, mac_address: PHONE.mac };
  const { order_reference: reference } = (await app.post('/api/initiate-payment/', order, from(PHONE.address))).body;
  for (const address of [THIEF.address, UNKNOWN_ADDRESS, '127.0.0.1']) {
    assert.equal((await verify(app, ASHA, PHONE.mac, address)).pending_order_reference, undefined, address);
  }
  assert.equal((await verify(app, ASHA, PHONE.mac, PHONE.address)).pending_order_reference, reference);
});
