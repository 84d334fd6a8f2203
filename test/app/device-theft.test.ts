/** Nobody takes paid time with a phone number alone: who removes a device, what proves it, how it comes back. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type AppOptions, startApp, type TestApp, until } from '../support/app.ts';
import { assertShape, string } from '../support/shape.ts';

const ASHA = '+255712345678';
const JUMA = '+255754321987';
const PHONE = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const THIEF = { mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' };
const TABLET = { mac: 'C8:5B:76:00:00:03', address: '10.5.50.13' };
/** On the LAN, and not in the host table. */
const UNKNOWN_ADDRESS = '10.5.50.99';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** How long a copy of the host table counts. */
const TABLE_AGE = 5_000;
const BEHIND_PROXY = { LANGO_TRUSTED_PROXIES: '127.0.0.1' };

const from = (address: string) => ({ 'x-forwarded-for': address });
const onlineMacs = (app: TestApp) => app.router.activeSessions().map(session => session.mac);
const devicesOf = async (app: TestApp, phone: string): Promise<string[]> =>
  (await app.get(`/api/devices/${phone}/`, from('10.5.50.200'))).body.map(
    (device: { mac_address: string }) => device.mac_address,
  );
const verify = (app: TestApp, phone: string, device: { mac: string }, address: string) =>
  app.post('/api/verify/', { phone_number: phone, mac_address: device.mac }, from(address));

function remove(app: TestApp, device: { mac: string }, address: string, proof?: string, phone = ASHA) {
  const body = { phone_number: phone, mac_address: device.mac, ...(proof === undefined ? {} : { proof }) };
  return app.post('/api/devices/remove/', body, from(address));
}

async function redeem(app: TestApp, phone: string, device: typeof PHONE, hours = 24): Promise<string> {
  const [code = ''] = await app.issueVouchers({ hours });
  const body = { voucher_code: code, phone_number: phone, mac_address: device.mac };
  assert.equal((await app.post('/api/vouchers/redeem/', body, from(device.address))).status, 200);
  return code;
}

/** Asha has redeemed a voucher on her phone and is online with it; the thief is on the Wi-Fi too. */
async function victim(t: TestContext, options: AppOptions = {}): Promise<{ app: TestApp; code: string }> {
  const environment = { ...BEHIND_PROXY, ...options.environment };
  const app = await startApp(t, { router: true, ...options, environment });
  app.router.join(PHONE);
  app.router.join(THIEF);
  await app.schedule.run('reconcile router');
  const code = await redeem(app, ASHA, PHONE);
  await until(() => onlineMacs(app).includes(PHONE.mac));
  return { app, code };
}

function assertRefusal({ proofs, ...body }: Record<string, unknown>): void {
  assertShape(body, { success: false, error: string, message: string, code: 'PROOF_REQUIRED' });
  assert.deepEqual(proofs, ['order_reference', 'voucher_code']);
}

async function assertRefused(app: TestApp, address: string): Promise<void> {
  const { status, body } = await remove(app, PHONE, address);
  assert.equal(status, 403, address);
  assertRefusal(body);
  assert.match(body.message, /reference.*voucher/, 'it says what would do');
}

/** The device is Asha's still, and what the thief names gets no place. */
async function assertHeld(app: TestApp, address: string): Promise<void> {
  assert.deepEqual(await devicesOf(app, ASHA), [PHONE.mac]);
  assert.equal((await verify(app, ASHA, THIEF, address)).body.device_allowed, false);
  assert.equal((await app.post('/api/router/auth/', { username: ASHA, mac: THIEF.mac }, from(address))).status, 403);
  assert.deepEqual(await devicesOf(app, ASHA), [PHONE.mac]);
}

test('from an address that the router does not know, nobody removes a device', async t => {
  const { app } = await victim(t);
  await assertRefused(app, UNKNOWN_ADDRESS);
  await assertHeld(app, UNKNOWN_ADDRESS);
  assert.deepEqual(onlineMacs(app), [PHONE.mac]);
});

test('from an own address nobody removes the device of another person, here or away', async t => {
  const { app } = await victim(t);
  await assertRefused(app, THIEF.address);
  assert.deepEqual(onlineMacs(app), [PHONE.mac]);
  app.router.leave(PHONE.mac);
  await assertRefused(app, THIEF.address);
  await assertHeld(app, THIEF.address);
  app.router.join(PHONE);
  await app.schedule.run('reconcile router');
  assert.deepEqual(onlineMacs(app), [PHONE.mac]);
});

test('a router that does not answer, or is away, proves nothing', async t => {
  const { app } = await victim(t);
  app.router.knobs.silent = true;
  app.clock.advance(TABLE_AGE);
  await assertRefused(app, PHONE.address);
  app.router.knobs.silent = false;
  await app.router.stop();
  await until(() => app.context.site.defaultRouter.port.state === 'disconnected');
  await assertRefused(app, PHONE.address);
  await assertRefused(app, THIEF.address);
  await assertHeld(app, THIEF.address);
});

test("the router's own address proves nothing", async t => {
  const { app } = await victim(t);
  await assertRefused(app, '127.0.0.1');
  await assertHeld(app, '127.0.0.1');
  assert.deepEqual(onlineMacs(app), [PHONE.mac]);
});

test('behind a proxy the address counts that the proxy tells; where it is not trusted, what it tells does not', async t => {
  const { app } = await victim(t);
  await assertRefused(app, THIEF.address);
  await assertRefused(app, `${PHONE.address}, ${THIEF.address}`);
  const open = await victim(t, { environment: { LANGO_TRUSTED_PROXIES: '192.0.2.1' } });
  await assertRefused(open.app, PHONE.address);
  await assertHeld(open.app, PHONE.address);
  assert.deepEqual([onlineMacs(app), onlineMacs(open.app)], [[PHONE.mac], [PHONE.mac]]);
});

test('staff remove one from anywhere, which is written down; credentials that are not valid prove nothing', async t => {
  const { app } = await victim(t);
  const asked = { phone_number: ASHA, mac_address: PHONE.mac };
  const removeAs = (credentials: Record<string, string>) =>
    app.post('/api/devices/remove/', asked, { ...credentials, ...from(UNKNOWN_ADDRESS) });
  assert.equal((await removeAs({ authorization: 'Bearer nobody' })).status, 403);
  assert.equal((await removeAs(app.admin)).body.devices_remaining, 0);
  assert.deepEqual(onlineMacs(app), []);
  const [entry] = app.context.reads.audit.list({ action: 'device.remove' }, { limit: 1, offset: 0 });
  assert.deepEqual([entry?.actor.name, entry?.actor.ip], ['configured token', UNKNOWN_ADDRESS]);
});

test('a device removes itself, and then comes back only where there is room', async t => {
  const { app } = await victim(t);
  const { status, body } = await remove(app, PHONE, PHONE.address);
  assert.equal(status, 200);
  assert.equal(body.devices_remaining, 0);
  assert.deepEqual(onlineMacs(app), []);
  assert.equal((await verify(app, ASHA, TABLET, UNKNOWN_ADDRESS)).body.device_allowed, true, 'phones are swapped');
  assert.equal((await verify(app, ASHA, PHONE, PHONE.address)).body.device_allowed, false, 'the old one was given up');
});

test('another device of the person may, if it paid or has been there for an hour', async t => {
  const { app } = await victim(t, { environment: { LANGO_DEFAULT_MAX_DEVICES: '2' } });
  app.router.join(TABLET);
  app.clock.advance(TABLE_AGE);
  assert.equal((await verify(app, ASHA, TABLET, TABLET.address)).body.device_allowed, true);
  await assertRefused(app, TABLET.address);
  app.clock.advance(HOUR - 1);
  await assertRefused(app, TABLET.address);
  app.clock.advance(1);
  assert.equal((await remove(app, PHONE, TABLET.address)).status, 200);
  assert.equal((await verify(app, ASHA, PHONE, PHONE.address)).body.device_allowed, true, 'who paid comes back');
  assert.equal((await remove(app, TABLET, PHONE.address)).status, 200, 'at once, as it paid');
});

test('a voucher code that the person used proves it, however it is written; anybody else’s does not', async t => {
  const { app, code } = await victim(t);
  const [unused = ''] = await app.issueVouchers();
  const others = await redeem(app, JUMA, TABLET);
  for (const wrong of [unused, others, 'ABCD-EFGH-2345', '------']) {
    const { status, body } = await remove(app, PHONE, UNKNOWN_ADDRESS, wrong);
    assert.equal(status, 403);
    assertRefusal(body);
    assert.deepEqual(await devicesOf(app, ASHA), [PHONE.mac]);
  }
  const written = ` ${code.toLowerCase().replaceAll('-', ' ')}`;
  assert.equal((await remove(app, PHONE, UNKNOWN_ADDRESS, written)).status, 200);
  assert.deepEqual(onlineMacs(app), []);
});

test('the references of a completed payment prove it: ours and the two of the provider', async t => {
  const { app } = await victim(t);
  const bundle = await app.createBundle();
  const paid = (await app.pay({ phone: ASHA, bundle, webhook: 'never' })).body;
  const open = (await app.pay({ phone: ASHA, bundle, outcome: 'pending', webhook: 'never' })).body;
  await app.get(`/api/payment-status/${paid.order_reference}/`);
  const payment = app.context.reads.payments.byOrderReference(paid.order_reference);
  assert.equal((await remove(app, PHONE, UNKNOWN_ADDRESS, open.order_reference)).status, 403, 'not one that is open');
  const right = [paid.order_reference, payment?.paymentReference, payment?.transactionId];
  for (const reference of right) {
    assert.ok(reference);
    assert.equal((await remove(app, PHONE, UNKNOWN_ADDRESS, reference.toLowerCase())).status, 200, reference);
    assert.equal((await verify(app, ASHA, PHONE, PHONE.address)).body.device_allowed, true);
  }
});

test('ten wrong proofs an hour are too many, by address and by number; right ones cost nothing', async t => {
  const { app, code } = await victim(t);
  for (let tried = 0; tried < 12; tried += 1) {
    assert.equal((await remove(app, PHONE, UNKNOWN_ADDRESS, code)).status, 200);
    await verify(app, ASHA, PHONE, PHONE.address);
  }
  for (let tried = 0; tried < 10; tried += 1) {
    assert.equal((await remove(app, PHONE, THIEF.address, `4903${100_000 + tried}`)).status, 403);
  }
  const held = await remove(app, PHONE, THIEF.address, code);
  assert.equal(held.status, 429, 'the address');
  assert.ok(Number(held.headers.get('retry-after')) > 0);
  assert.equal((await remove(app, PHONE, UNKNOWN_ADDRESS, '4903200000')).status, 429, 'the number');
  assert.equal((await remove(app, PHONE, UNKNOWN_ADDRESS, 'ABCD-EFGH-2345')).status, 429, 'the number');
  assert.equal((await remove(app, PHONE, THIEF.address)).status, 403, 'to ask what would do is no try');
  assert.equal((await remove(app, PHONE, PHONE.address)).status, 200, 'the device itself needs none');
  await verify(app, ASHA, PHONE, PHONE.address);
  assert.equal((await remove(app, PHONE, UNKNOWN_ADDRESS, code)).status, 200, 'the thief locks nobody out');
  app.clock.advance(HOUR);
  await verify(app, ASHA, PHONE, PHONE.address);
  assert.equal((await remove(app, PHONE, THIEF.address, 'ABCD-EFGH-2345')).status, 403, 'after an hour again');
});

test('tries that are made at one moment are no more than tries that are made in turn', async t => {
  const { app } = await victim(t);
  const tries = Array.from({ length: 40 }, (_, n) => remove(app, PHONE, THIEF.address, `4903${100_000 + n}`));
  const statuses = (await Promise.all(tries)).map(answer => answer.status);
  assert.equal(statuses.filter(status => status === 403).length, 10);
  assert.equal(statuses.filter(status => status === 429).length, 30);
});
