/** The "I paid" desk and the phones at the gate, as a cashier uses them. See docs/rules.md: The desk. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startRouterSimulator } from '../simulator/router.ts';
import { type AppOptions, startApp, type TestApp, until } from '../support/app.ts';
import { ACTOR } from '../support/books.ts';
import { asha, type Headers, type Json, juma, logIn, neema, paidOrder, personWithTime } from './admin-support.ts';

const PHONE = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const OTHER = { mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' };
/** How long a copy of the host table counts. */
const TABLE_AGE = 5_000;

async function counter(t: TestContext, options: AppOptions = {}): Promise<{ app: TestApp; cashier: Headers }> {
  const app = await startApp(t, { router: true, ...options });
  await app.schedule.run('reconcile router');
  return { app, cashier: await logIn(app, 'cashier', 'zawadi') };
}

const casesOf = async (app: TestApp, search: string, headers: Headers): Promise<Json> => {
  const { status, body } = await app.get(`/api/admin/desk/?search=${encodeURIComponent(search)}`, headers);
  assert.equal(status, 200, JSON.stringify(body));
  return body.cases;
};
/** Of the only case. */
async function diagnosisOf(app: TestApp, search: string, headers: Headers): Promise<Json> {
  const [found, ...more] = await casesOf(app, search, headers);
  assert.deepEqual(more, []);
  return found;
}
const gateOf = async (app: TestApp, headers: Headers) => (await app.get('/api/admin/gate/', headers)).body;
const connect = (app: TestApp, phone: string, mac: string, headers: Headers) =>
  app.post('/api/admin/devices/connect/', { phone_number: phone, mac_address: mac }, headers);
const onlineMacs = (app: TestApp) => app.router.activeSessions().map(session => session.mac);

test('a cashier asks the provider again about an order whose notification never came, and the person is online', async t => {
  const { app, cashier } = await counter(t);
  app.router.join(PHONE);
  const { body } = await app.pay({ phone: asha, bundle: await app.createBundle(), mac: PHONE.mac, webhook: 'never' });
  const waiting = await diagnosisOf(app, '712 345', cashier);
  assert.deepEqual([waiting.reason, waiting.act], ['pending', 'ask_provider']);
  assert.equal(waiting.payment.order_reference, body.order_reference);
  const byPhone = await diagnosisOf(app, PHONE.mac, cashier);
  assert.deepEqual([byPhone.reason, byPhone.payment.id], ['pending', waiting.payment.id], 'by the phone at the gate');
  const asked = await app.post(`/api/admin/payments/${waiting.payment.id}/recheck/`, {}, cashier);
  assert.equal(asked.body.granted, true);
  await until(() => onlineMacs(app).length === 1);
  app.clock.advance(TABLE_AGE);
  const online = await diagnosisOf(app, '712 345', cashier);
  assert.deepEqual([online.reason, online.act], ['online', null]);
  assert.match(online.sentence, /^The provider says paid just now; the phone A4:83:E7:12:34:56 is online/);
});

test('paid on one phone and standing there with another: the place moves with one act, and the other is offline', async t => {
  const { app, cashier } = await counter(t);
  await paidOrder(app, asha, await app.createBundle(), PHONE.mac);
  app.router.join(OTHER);
  app.clock.advance(180_000);
  const found = await diagnosisOf(app, asha, cashier);
  assert.deepEqual([found.reason, found.act, found.mac_addresses], ['other_phone', 'connect', [OTHER.mac]]);
  assert.match(
    found.sentence,
    /^The provider says paid 3 minutes ago; the phone A4.* is not on the Wi-Fi, and another/,
  );

  const moved = await connect(app, asha, OTHER.mac, cashier);
  assert.equal(moved.status, 200);
  assert.deepEqual([moved.body.online, moved.body.replaced_mac_address], [true, PHONE.mac]);
  assert.match(moved.body.message, /It is online\. Device 1 \(A4:83:E7:12:34:56\) made way\.$/);
  assert.deepEqual(onlineMacs(app), [OTHER.mac]);
  const [entry] = (await app.get('/api/admin/audit-log/?action=device.connect', app.admin)).body.entries;
  assert.deepEqual([entry.admin, entry.before.mac, entry.after.mac], ['zawadi', PHONE.mac, OTHER.mac]);

  // What was online makes way too, when staff say so: they see who stands there.
  app.router.join(PHONE);
  assert.equal((await connect(app, asha, PHONE.mac, cashier)).body.online, true);
  assert.deepEqual(onlineMacs(app), [PHONE.mac]);
  const again = await connect(app, asha, PHONE.mac, cashier);
  assert.deepEqual([again.body.online, again.body.replaced_mac_address], [true, null], 'once more is no mistake');
});

test('of several places the phone that was not seen for longest makes way, and none that is online', async t => {
  const { app, cashier } = await counter(t);
  const id = await personWithTime(app, asha);
  await app.send('PUT', `/api/admin/users/${id}/update/`, { max_devices: 2 }, app.admin);
  app.router.join(PHONE);
  await connect(app, asha, PHONE.mac, cashier);
  app.clock.advance(60_000);
  await connect(app, asha, OTHER.mac, cashier);
  const third = '3C:5A:B4:0F:1E:2D';
  const { body } = await connect(app, asha, third, cashier);
  assert.deepEqual([body.online, body.replaced_mac_address], [false, OTHER.mac]);
  assert.match(body.message, /goes online as soon as it is on the Wi-Fi/);
  app.router.join({ mac: third, address: '10.5.50.30' });
  await app.schedule.run('reconcile router');
  assert.deepEqual(onlineMacs(app).toSorted(), [third, PHONE.mac]);
});

test('a place is given for paid time alone, and a phone does not go to and fro without end', async t => {
  const { app, cashier } = await counter(t);
  const refusal = async (phone: string) => {
    const { status, body } = await connect(app, phone, PHONE.mac, cashier);
    return [status, body.success, body.message];
  };
  assert.deepEqual(await refusal(asha), [404, false, 'Nobody here has this number. Sell a bundle to it first.']);
  const id = await personWithTime(app, asha, 1);
  await app.send('PUT', `/api/admin/users/${id}/update/`, { is_active: false }, app.admin);
  assert.equal((await refusal(asha))[0], 403);
  await app.send('PUT', `/api/admin/users/${id}/update/`, { is_active: true }, app.admin);
  app.clock.advance(3_601_000);
  assert.match(String(await refusal(asha)), /^409,false,This person has no paid time\. Sell a bundle first/);
  await personWithTime(app, asha);
  await personWithTime(app, juma);
  const moves = [];
  for (let n = 0; n < 8; n += 1) moves.push((await refusal(n % 2 === 0 ? asha : juma))[0]);
  assert.deepEqual(moves, [200, 200, 200, 200, 200, 200, 409, 200], 'five times an hour; its holder keeps it');
});

test('one box finds by part of a number, references, receipt, name and MAC, each in the ways that people write it', async t => {
  const { app, cashier } = await counter(t);
  const bundle = await app.createBundle();
  const payment = await paidOrder(app, asha, bundle, PHONE.mac);
  const sale = { phone_number: juma, bundle_id: bundle.id, receipt_number: '17' };
  await app.post('/api/admin/sales/', sale, app.admin);
  await app.post(`/api/admin/users/${payment.userId}/describe/`, { name: 'Mama Asha' }, cashier);
  const { orderReference: order, paymentReference, transactionId } = payment;
  for (const search of [
    '712345',
    '0712 345 678',
    asha,
    'mama a',
    order,
    order.slice(0, 8).toLowerCase(),
    `${order.slice(0, 10)} ${order.slice(10)}`,
    paymentReference ?? '',
    transactionId?.toLowerCase() ?? '',
    PHONE.mac.toLowerCase(),
    PHONE.mac.replaceAll(':', '-'),
  ]) {
    const found = await diagnosisOf(app, search, cashier);
    assert.equal(found.user?.phone_number, asha, search);
    assert.equal(found.payment?.id, payment.id, search);
    assert.equal(found.reason, 'not_joined', search);
  }
  const sold = await diagnosisOf(app, '17', cashier);
  assert.deepEqual([sold.user.phone_number, sold.payment.receipt_number], [juma, '17']);
  assert.match(sold.sentence, /^It was paid in cash just now; no phone is registered for it/);

  for (const [search, act] of [
    [neema, 'sell'],
    ['XQ77ZZ', null],
    [OTHER.mac, 'look_again'],
  ] as const) {
    const found = await diagnosisOf(app, search, cashier);
    assert.deepEqual([found.reason, found.act, found.user], ['unknown', act, null], search);
  }
  const both = await casesOf(app, '+2557', cashier);
  assert.deepEqual(
    both.map((each: Json) => each.user.phone_number),
    [juma, asha],
  );
  const none = await app.get('/api/admin/desk/', cashier);
  assert.deepEqual([none.status, Object.keys(none.body.details)], [400, ['search']]);
});

test('ten are told at most, and that there are more', async t => {
  const { app, cashier } = await counter(t, { router: false });
  const bundle = await app.createBundle();
  for (let n = 10; n < 22; n += 1) {
    await app.context.commit(
      'sellForCash',
      {
        phone: `+2557120000${n}` as never,
        bundleId: bundle.id,
        receiptNumber: `R-${n}`,
        mac: null,
        onlineMacs: [],
      },
      ACTOR,
    );
  }
  const { body } = await app.get('/api/admin/desk/?search=7120000', cashier);
  assert.deepEqual([body.cases.length, body.more], [10, true]);
  assert.equal((await app.get('/api/admin/desk/?search=71200001', cashier)).body.more, false);
});

test('a voucher tells a cashier whether it is good and who used it; others’ stay masked, and each look is recorded', async t => {
  const { app, cashier } = await counter(t);
  const [code = '', used = '', revoked = ''] = await app.issueVouchers({ quantity: 3 });
  for (const search of [code, code.toLowerCase().replaceAll('-', ' ')]) {
    const good = await diagnosisOf(app, search, cashier);
    assert.deepEqual([good.reason, good.act, good.voucher.code_masked], ['voucher_unused', 'redeem', true]);
    assert.ok(!JSON.stringify(good).includes(code));
  }
  const looks = async () => (await app.get('/api/admin/audit-log/?action=voucher.look', app.admin)).body.entries;
  await until(async () => (await looks()).length === 1);
  assert.match((await looks())[0].sentence, /^zawadi looked at the code of voucher \d+$/);
  assert.deepEqual((await diagnosisOf(app, code.slice(0, 9), cashier)).reason, 'unknown', 'no part of a code is found');

  await app.redeem(used, asha, PHONE.mac);
  const taken = await diagnosisOf(app, used, cashier);
  assert.deepEqual([taken.reason, taken.user.phone_number], ['not_joined', asha]);
  assert.match(taken.sentence, /^The voucher was used just now; the phone A4/);
  const list = (await app.get('/api/vouchers/list/', app.admin)).body;
  const { id } = list.find((voucher: Json) => voucher.code === revoked);
  await app.post(`/api/admin/vouchers/${id}/revoke/`, { reason: 'Lost' }, app.admin);
  assert.equal((await diagnosisOf(app, revoked, cashier)).reason, 'voucher_revoked');
  app.clock.advance(31 * 86_400_000);
  assert.equal((await diagnosisOf(app, code, app.admin)).reason, 'voucher_expired');
  const over = await diagnosisOf(app, used, app.admin);
  assert.equal(over.reason, 'voucher_used');
  assert.match(over.sentence, new RegExp(`used 31 days ago by \\${asha}`));
});

test('what was paid last is what is meant: a refund, an order that was cancelled, one that is short', async t => {
  const { app, cashier } = await counter(t);
  const bundle = await app.createBundle();
  const payment = await paidOrder(app, asha, bundle);
  await app.post(`/api/admin/payments/${payment.id}/refund/`, { reason: 'rain' }, app.admin);
  await until(() => app.context.reads.refunds.pending().length === 0);
  assert.equal((await diagnosisOf(app, asha, cashier)).reason, 'refunded');

  app.clock.advance(60_000);
  await app.post('/api/initiate-payment/', { phone_number: asha, bundle_id: bundle.id });
  app.clock.advance(31 * 60_000);
  await app.schedule.run('settle pending');
  const cancelled = await diagnosisOf(app, asha, cashier);
  assert.deepEqual([cancelled.reason, cancelled.act], ['unpaid', 'ask_provider']);

  if (app.sandbox !== null) app.sandbox.faults.paidAmount = '400.00';
  const { body } = await app.pay({ phone: asha, bundle, webhook: 'never' });
  await app.get(`/api/payment-status/${body.order_reference}/`);
  const short = await diagnosisOf(app, asha, cashier);
  assert.deepEqual([short.reason, short.act], ['underpaid', 'open_payment']);
  assert.match(short.sentence, /^TZS 400 came in of TZS 1,000/);
  assert.equal((await diagnosisOf(app, body.order_reference, cashier)).reason, 'underpaid');
  const named = await diagnosisOf(app, payment.orderReference, cashier);
  assert.equal(named.reason, 'refunded', 'a reference means its own payment');
});

test('what staff add to running time changes nothing of where it came from; what they give anew does', async t => {
  const { app, cashier } = await counter(t);
  await paidOrder(app, asha, await app.createBundle());
  app.clock.advance(60_000);
  const give = (hours: number) => app.post('/api/admin/users/1/grant/', { hours, reason: 'rain' }, app.admin);
  await give(1);
  await give(1);
  assert.match((await diagnosisOf(app, asha, cashier)).sentence, /^The provider says paid 1 minute ago; no phone/);
  app.clock.advance(27 * 3_600_000);
  await give(1);
  assert.match((await diagnosisOf(app, asha, app.admin)).sentence, /^Time was given just now; no phone/);
});

test('the gate shows who is on the Wi-Fi and not online, who joined last first, and whose it is', async t => {
  const { app, cashier } = await counter(t);
  const told = async () => {
    app.clock.advance(TABLE_AGE);
    const { phones, total, router_connected: isThere } = await gateOf(app, cashier);
    assert.equal(total, phones.length);
    assert.equal(isThere, true);
    return phones.map((phone: Json) => [phone.mac_address, phone.user?.phone_number ?? null]);
  };
  assert.deepEqual(await told(), []);
  app.router.join(PHONE);
  app.clock.advance(60_000);
  app.router.join(OTHER);
  assert.deepEqual(await told(), [
    [OTHER.mac, null],
    [PHONE.mac, null],
  ]);
  await personWithTime(app, asha, 1);
  await connect(app, asha, PHONE.mac, cashier);
  const { phones } = await gateOf(app, cashier);
  assert.deepEqual(
    phones.map((phone: Json) => phone.mac_address),
    [OTHER.mac],
    'who goes online leaves at once, whatever the copy says',
  );
  assert.equal(phones[0].ip_address, OTHER.address);
  await app.passTime(3_700_000);
  assert.deepEqual(await told(), [
    [OTHER.mac, null],
    [PHONE.mac, asha],
  ]);
});

test('the gate is answered from a copy, however many desks look', async t => {
  const { app, cashier } = await counter(t);
  app.router.join(PHONE);
  await gateOf(app, cashier);
  app.router.join(OTHER);
  for (const { phones } of await Promise.all(Array.from({ length: 20 }, () => gateOf(app, cashier)))) {
    assert.equal(phones.length, 1);
  }
  app.clock.advance(TABLE_AGE);
  assert.equal((await gateOf(app, cashier)).total, 2);
});

test('a router that is away is the diagnosis, and nothing waits for it', async t => {
  const { app, cashier } = await counter(t);
  await paidOrder(app, asha, await app.createBundle(), PHONE.mac);
  await app.router.stop();
  await until(() => app.context.site.defaultRouter.port.state === 'disconnected');
  const found = await diagnosisOf(app, asha, cashier);
  assert.deepEqual([found.reason, found.act], ['router_down', 'wake_router']);
  const gate = await gateOf(app, cashier);
  assert.deepEqual([gate.router_connected, gate.phones], [false, []]);
  const { status, body } = await connect(app, asha, OTHER.mac, cashier);
  assert.deepEqual([status, body.online], [200, false]);
  assert.match(body.message, /goes online when the router is back/);
});

test('a phone at a hotspot of the router that is not Lango’s is told as such', async t => {
  const { app, cashier } = await counter(t, { environment: { LANGO_ROUTER_HOTSPOT: 'hotspot1' } });
  await paidOrder(app, asha, await app.createBundle(), PHONE.mac);
  app.router.run('/ip/hotspot/add', { name: 'guests', interface: 'ether5' });
  app.router.join({ ...PHONE, server: 'guests' });
  const found = await diagnosisOf(app, asha, cashier);
  assert.deepEqual([found.reason, found.act], ['elsewhere', 'look_again']);
});

test('of several routers the gate is one, and the one that does not answer is named and asked again', async t => {
  const { app, cashier } = await counter(t);
  const garden = await startRouterSimulator({ username: 'gate', password: 'secret of the garden' });
  t.after(() => garden.stop());
  const entry = { router_ip: '127.0.0.1', api_port: garden.port, username: 'gate', password: 'secret of the garden' };
  const { body } = await app.post('/api/admin/routers/', { name: 'Garden', ...entry }, app.admin);
  await paidOrder(app, asha, await app.createBundle(), PHONE.mac);
  garden.join(PHONE);
  app.router.join(OTHER);
  const { phones } = await gateOf(app, cashier);
  assert.deepEqual(new Set(phones.map((phone: Json) => phone.mac_address)), new Set([PHONE.mac, OTHER.mac]));
  const there = await diagnosisOf(app, asha, cashier);
  assert.deepEqual([there.reason, there.mac_addresses, there.router_id], ['not_let_in', [PHONE.mac], null]);
  assert.equal((await connect(app, asha, PHONE.mac, cashier)).body.online, true);
  assert.equal(garden.activeSessions().length, 1);

  garden.leave(PHONE.mac);
  await garden.stop();
  const port = app.context.site.router(body.router.router_id).port;
  await until(() => port.state === 'disconnected');
  await app.schedule.run('reconcile router');
  app.clock.advance(TABLE_AGE);
  const away = await diagnosisOf(app, asha, cashier);
  assert.deepEqual([away.reason, away.act, away.router_id], ['router_down', 'wake_router', body.router.router_id]);
  assert.match(away.sentence, /but the router Garden does not answer/);
  app.router.join(PHONE);
  app.clock.advance(TABLE_AGE);
  assert.equal((await diagnosisOf(app, asha, cashier)).reason, 'not_let_in', 'found at another one, that does');
});
