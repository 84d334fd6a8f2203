/** `POST /initiate-payment/`, `GET /payment-status/`, and how orders come to their end. See docs/rules.md: Payments. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startApp, type TestApp, until } from '../support/app.ts';
import { ACTOR } from '../support/books.ts';
import { manualClock } from '../support/clock.ts';
import { count, dump, rows } from '../support/rows.ts';
import { assertInvalid, assertShape, errors, instant, string } from '../support/shape.ts';

const ASHA = '+255712345678';
const JUMA = '+255754321987';
const MAC = 'A4:83:E7:12:34:56';
const OTHER_MAC = 'B8:27:EB:65:43:21';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface Order {
  order_reference: string;
  payment_reference: string;
}

async function order(app: TestApp, fields: Record<string, unknown> = {}): Promise<Order> {
  const { status, body } = await app.post('/api/initiate-payment/', { phone_number: ASHA, bundle_id: 1, ...fields });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const statusOf = async (app: TestApp, { order_reference }: Order) =>
  (await app.get(`/api/payment-status/${order_reference}/`)).body;
const stored = (app: TestApp, { order_reference }: Order) =>
  rows(app, 'SELECT * FROM payments WHERE order_reference = ?', order_reference)[0] ?? {};
const grants = (app: TestApp) => count(app, 'grants');
const settle = (app: TestApp) => app.schedule.run('settle pending');
/** The payer decides on the provider's page, and no notification is sent. */
const decide = (app: TestApp, { payment_reference }: Order, outcome: 'completed' | 'failed' | 'cancelled') =>
  app.sandbox?.decide(payment_reference, outcome, 'never');

async function startWithBundle(...[t, options]: Parameters<typeof startApp>): Promise<TestApp> {
  const app = await startApp(t, options);
  await app.createBundle({ hours: 24, price: 1_000 });
  return app;
}

test('initiate-payment has every field of the interface, and sends the payer to the checkout page', async t => {
  const app = await startWithBundle(t);
  const { status, body } = await app.post('/api/initiate-payment/', {
    phone_number: '0712 345 678',
    bundle_id: 1,
    mac_address: 'a4-83-e7-12-34-56',
  });
  assert.equal(status, 200);
  assertShape(body, {
    success: true,
    payment_reference: string,
    order_reference: (value: unknown) => typeof value === 'string' && /^[A-Z0-9]{20}$/.test(value),
    amount: '1000.00',
    phone_number: ASHA,
    redirect_url: string,
    message: string,
  });
  const page = await app.get(new URL(body.redirect_url).pathname);
  assert.equal(page.status, 200);
  assert.match(page.body, /SANDBOX/);
  const { order_reference, ...row } = stored(app, body);
  assert.equal(order_reference, body.order_reference);
  assert.deepEqual([row['mac'], row['amount_minor'], row['currency'], row['status']], [MAC, 100_000, 'TZS', 'pending']);
});

test('payment-status has every field of the interface: pending, completed, failed, cancelled', async t => {
  const app = await startWithBundle(t);
  const shape = { order_reference: string, amount: '1000.00', phone_number: ASHA, bundle_id: 1 };
  const pending = await order(app, { mac_address: MAC });
  assertShape(await statusOf(app, pending), {
    ...shape,
    payment_status: 'PENDING',
    payment_date: null,
    access_granted: false,
    subscription_end: null,
    redirect_url: string,
  });
  for (const [outcome, word] of [
    ['failed', 'FAILED'],
    ['cancelled', 'CANCELLED'],
  ] as const) {
    const lost = await order(app);
    decide(app, lost, outcome);
    assertShape(await statusOf(app, lost), {
      ...shape,
      payment_status: word,
      payment_date: null,
      access_granted: false,
      subscription_end: null,
    });
  }
  app.clock.advance(10 * SECOND);
  decide(app, pending, 'completed');
  const { status, body } = await app.get(`/api/payment-status/${pending.order_reference.toLowerCase()}`);
  assert.equal(status, 200);
  assertShape(body, {
    ...shape,
    order_reference: pending.order_reference,
    payment_status: 'COMPLETED',
    payment_date: '2026-11-21T10:00:10.000Z',
    access_granted: true,
    subscription_end: '2026-11-22T10:00:10.000Z',
    device_allowed: true,
  });
});

test('payment-status of an order that is not there is 404, whatever is asked for', async t => {
  const app = await startWithBundle(t);
  for (const reference of ['A'.repeat(20), 'x', '__proto__', '%F0%9F%98%80', '1']) {
    const { status, body } = await app.get(`/api/payment-status/${reference}/`);
    assert.equal(status, 404, reference);
    assertShape(body, errors.api);
  }
});

test('bad fields are 400 and all named, and nothing is written', async t => {
  const app = await startWithBundle(t);
  const before = dump(app);
  assertInvalid(await app.post('/api/initiate-payment/', {}), 'phone_number', 'bundle_id');
  const wrong = { phone_number: 12, bundle_id: 'one', mac_address: 'FF:FF:FF:FF:FF:FF', ip_address: 'here' };
  assertInvalid(
    await app.post('/api/initiate-payment/', wrong),
    'phone_number',
    'bundle_id',
    'mac_address',
    'ip_address',
  );
  for (const bundleId of [0, -1, 1.5, 1e300, null, true, [1], {}]) {
    assertInvalid(await app.post('/api/initiate-payment/', { phone_number: ASHA, bundle_id: bundleId }), 'bundle_id');
    app.clock.advance(MINUTE);
  }
  assert.deepEqual(dump(app), before);
});

test('a free bundle needs no payment and is refused with 400', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 0 });
  assertInvalid(await app.post('/api/initiate-payment/', { phone_number: ASHA, bundle_id: bundle.id }), 'bundle_id');
  assert.equal(count(app, 'users'), 0);
});

test('an unknown, inactive or archived bundle is 404 BUNDLE_UNAVAILABLE', async t => {
  const app = await startWithBundle(t);
  await app.issueVouchers();
  await app.send('PUT', '/api/admin/bundles/1/', { is_active: false }, app.admin);
  await app.send('DELETE', '/api/admin/bundles/2/', undefined, app.admin);
  for (const bundleId of [99, 1, 2]) {
    const answer = await app.post('/api/initiate-payment/', { phone_number: ASHA, bundle_id: bundleId });
    assert.equal(answer.status, 404, String(bundleId));
    assertShape(answer.body, errors.payment('BUNDLE_UNAVAILABLE'));
  }
  assert.equal(count(app, 'payments'), 0);
});

test('a blocked person is refused with 403, and no order is made', async t => {
  const app = await startWithBundle(t);
  const [code] = await app.issueVouchers();
  await app.redeem(code!, ASHA);
  await app.context.commit('updateUser', { userId: 1, change: { isActive: false } }, ACTOR);
  const { status, body } = await app.post('/api/initiate-payment/', { phone_number: ASHA, bundle_id: 1 });
  assert.equal(status, 403);
  assertShape(body, errors.payment('USER_BLOCKED'));
  assert.equal(count(app, 'payments'), 0);
});

test('of a number 3 orders are open from one address: a fourth closes the oldest, which may have been paid all the same', async t => {
  const app = await startWithBundle(t);
  const orders = [await order(app), await order(app), await order(app), await order(app)];
  const states = orders.map(each => stored(app, each)['status']);
  assert.deepEqual(states, ['cancelled', 'pending', 'pending', 'pending']);
  decide(app, orders[0] as Order, 'completed');
  await app.passTime(20 * SECOND);
  assert.equal((await statusOf(app, orders[0] as Order)).payment_status, 'COMPLETED');
  assert.equal(grants(app), 1);
});

test('what strangers order for a number closes nothing that its owner ordered', async t => {
  const app = await startWithBundle(t, { environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  const from = (address: string) =>
    app.post('/api/initiate-payment/', { phone_number: ASHA, bundle_id: 1 }, { 'x-forwarded-for': address });
  const own = (await from('10.5.50.7')).body as Order;
  for (let n = 0; n < 20; n += 1) assert.equal((await from(`10.5.51.${n % 5}`)).status, 200);
  assert.equal(stored(app, own)['status'], 'pending');
  assert.equal(rows(app, "SELECT id FROM payments WHERE status = 'pending'").length, 1 + 5 * 3);

  // And the owner's "I have paid" asks about the owner's.
  decide(app, own, 'completed');
  const headers = { 'x-forwarded-for': '10.5.50.7' };
  assert.equal((await app.post('/api/verify/', { phone_number: ASHA }, headers)).body.has_access, true);
});

test('initiate-payment is limited to 10 a minute per address', async t => {
  const app = await startWithBundle(t);
  for (let asked = 0; asked < 10; asked += 1) {
    await order(app, { phone_number: `07120000${String(asked).padStart(2, '0')}` });
  }
  const { status, headers, body } = await app.post('/api/initiate-payment/', { phone_number: JUMA, bundle_id: 1 });
  assert.equal(status, 429);
  assert.ok(Number(headers.get('retry-after')) > 0);
  assert.ok(string(body.error) && string(body.message));
});

test('strangers at other addresses do not use up what a number may order', async t => {
  const app = await startWithBundle(t, { environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  const body = { phone_number: ASHA, bundle_id: 99 };
  for (let address = 1; address <= 20; address += 1) {
    const answer = await app.post('/api/initiate-payment/', body, { 'x-forwarded-for': `10.0.0.${address}` });
    assert.equal(answer.status, 404);
  }
});

test('the order is on disk before the provider is called', async t => {
  const app = await startWithBundle(t);
  assert.ok(app.sandbox);
  app.sandbox.faults.delayMs = 3_000;
  let answered = false;
  const reply = app.post('/api/initiate-payment/', { phone_number: ASHA, bundle_id: 1 }).finally(() => {
    answered = true;
  });
  await until(() => count(app, 'payments') === 1);
  assert.equal(answered, false);
  assert.equal(rows(app, 'SELECT payment_reference FROM payments')[0]?.['payment_reference'], null);
  app.sandbox.faults.delayMs = 0;
  const { body } = await reply;
  assert.equal(stored(app, body)['payment_reference'], body.payment_reference, 'kept before the payer is sent there');
});

for (const fault of ['down', 'nonJson', 'rateLimited'] as const) {
  test(`a provider that is ${fault} is 502 PAYMENT_PROVIDER_UNAVAILABLE, and says nothing of its insides`, async t => {
    const app = await startWithBundle(t);
    assert.ok(app.sandbox);
    app.sandbox.faults[fault] = true;
    const { status, body } = await app.post('/api/initiate-payment/', { phone_number: ASHA, bundle_id: 1 });
    assert.equal(status, 502);
    assertShape(body, errors.payment('PAYMENT_PROVIDER_UNAVAILABLE'));
    assert.doesNotMatch(JSON.stringify(body), /127\.0\.0\.1|Bearer|html|stack|at \//i);
    assert.equal(
      rows(app, 'SELECT status FROM payments')[0]?.['status'],
      'pending',
      'the provider may know it after all',
    );
  });
}

test('a provider that refuses the order is 402 PAYMENT_FAILED, and the order is failed', async t => {
  const app = await startWithBundle(t);
  // The sandbox takes no address to return to that is longer than 8,000 characters.
  const { status, body } = await app.post('/api/initiate-payment/', {
    phone_number: ASHA,
    bundle_id: 1,
    return_query: `link-orig=${'ا'.repeat(1_900)}`,
  });
  assert.equal(status, 402);
  assertShape(body, errors.payment('PAYMENT_FAILED'));
  const [row] = rows(app, 'SELECT status, next_check_at FROM payments');
  assert.deepEqual({ ...row }, { status: 'failed', next_check_at: null });
  await order(app, { return_query: `link-orig=${encodeURIComponent('http://example.com/?a=b&c=d')}` });
});

test('an order whose creation was answered with nonsense is settled later all the same', async t => {
  const app = await startWithBundle(t);
  assert.ok(app.sandbox);
  app.sandbox.faults.nonJson = true;
  assert.equal((await app.post('/api/initiate-payment/', { phone_number: ASHA, bundle_id: 1 })).status, 502);
  app.sandbox.faults.nonJson = false;
  const reference = String(rows(app, 'SELECT order_reference FROM payments')[0]?.['order_reference']);
  const known = await app.get(`/sandbox/api/checkouts/${reference}`, { authorization: `Bearer ${app.sandbox.apiKey}` });
  const lost = { order_reference: reference, payment_reference: known.body.payment_reference };
  decide(app, lost, 'completed');
  app.clock.advance(20 * SECOND);
  await settle(app);
  assert.equal(stored(app, lost)['status'], 'completed');
  assert.equal(grants(app), 1);
});

test('with notifications that never arrive, a payment is granted by polling within 25 s', async t => {
  const app = await startWithBundle(t);
  const lost = await order(app);
  decide(app, lost, 'completed');
  for (let passed = 0; passed < 25; passed += 5) {
    app.clock.advance(5 * SECOND);
    await settle(app);
  }
  assert.equal(stored(app, lost)['status'], 'completed');
  assert.equal(grants(app), 1);
});

test('the provider is polled at 20, 40, 60, 90 s, 2, 3, 5, 8, 12, 20, 30, 60 min, 3, 12, 24, 48 h, and not after', async t => {
  const app = await startWithBundle(t);
  const created = Date.parse(app.clock.now());
  const open = await order(app);
  const seconds = [20, 40, 60, 90, 120, 180, 300, 480, 720, 1_200, 1_800, 3_600];
  const offsets = [...seconds, 3 * 3_600, 12 * 3_600, 24 * 3_600, 48 * 3_600];
  for (const [index, offset] of offsets.entries()) {
    const due = created + offset * SECOND;
    assert.equal(Date.parse(String(stored(app, open)['next_check_at'])), due, `check ${index}`);
    app.clock.advance(due - SECOND - Date.parse(app.clock.now()));
    await settle(app);
    assert.equal(stored(app, open)['checks'], index, `nobody was asked a second before ${offset} s`);
    app.clock.advance(SECOND);
    await settle(app);
    assert.equal(stored(app, open)['checks'], index + 1, `asked at ${offset} s`);
  }
  assert.equal(stored(app, open)['next_check_at'], null);
});

test('the last poll at 48 hours still grants what was paid in the last moment', async t => {
  const app = await startWithBundle(t);
  const open = await order(app);
  for (const hours of [1, 3, 12, 24]) {
    app.clock.advance(
      hours * HOUR - (Date.parse(app.clock.now()) - Date.parse(String(stored(app, open)['created_at']))),
    );
    await settle(app);
  }
  assert.equal(stored(app, open)['status'], 'cancelled');
  decide(app, open, 'completed');
  app.clock.advance(24 * HOUR);
  await settle(app);
  assert.equal(stored(app, open)['status'], 'completed');
  assert.equal(grants(app), 1);
});

test('payment-status asks the provider at most every 10 s per order', async t => {
  const app = await startWithBundle(t);
  const open = await order(app);
  assert.equal((await statusOf(app, open)).payment_status, 'PENDING');
  decide(app, open, 'completed');
  app.clock.advance(9_999);
  assert.equal((await statusOf(app, open)).payment_status, 'PENDING', 'not asked again');
  app.clock.advance(1);
  assert.equal((await statusOf(app, open)).payment_status, 'COMPLETED');
});

test('many browsers that ask at once cause one question and one grant', async t => {
  const app = await startWithBundle(t);
  const open = await order(app);
  decide(app, open, 'completed');
  const answers = await Promise.all(Array.from({ length: 20 }, () => statusOf(app, open)));
  assert.deepEqual([...new Set(answers.map(answer => answer.payment_status))], ['COMPLETED']);
  assert.equal(grants(app), 1);
});

test('payment-status answers from the books when the provider is down', async t => {
  const app = await startWithBundle(t);
  const open = await order(app);
  assert.ok(app.sandbox);
  app.sandbox.faults.down = true;
  const answer = await app.get(`/api/payment-status/${open.order_reference}/`);
  assert.equal(answer.status, 200);
  assert.equal(answer.body.payment_status, 'PENDING');
});

test('an order left unpaid for 30 minutes becomes cancelled, and a late success still grants', async t => {
  const app = await startWithBundle(t);
  const late = await order(app, { mac_address: MAC });
  await app.passTime(30 * MINUTE - SECOND);
  assert.equal(stored(app, late)['status'], 'pending');
  await app.passTime(SECOND);
  assert.equal(stored(app, late)['status'], 'cancelled');
  assert.equal((await statusOf(app, late)).payment_status, 'CANCELLED');
  decide(app, late, 'completed');
  await app.passTime(30 * MINUTE);
  const { payment_status, access_granted, subscription_end } = await statusOf(app, late);
  assert.deepEqual([payment_status, access_granted], ['COMPLETED', true]);
  assert.equal(subscription_end, '2026-11-22T11:00:00.000Z', 'the time starts when the money is known');
  assert.equal(grants(app), 1);
});

test('the time an order may stay unpaid is configurable', async t => {
  const app = await startWithBundle(t, { environment: { LANGO_PAYMENT_EXPIRES_MINUTES: '5' } });
  const late = await order(app);
  await app.passTime(5 * MINUTE);
  assert.equal(stored(app, late)['status'], 'cancelled');
});

test('a failed payment becomes completed when the provider confirms a late success; completed is final', async t => {
  const app = await startWithBundle(t);
  const open = await order(app);
  decide(app, open, 'failed');
  assert.equal((await statusOf(app, open)).payment_status, 'FAILED');
  decide(app, open, 'completed');
  await app.passTime(20 * SECOND);
  assert.equal((await statusOf(app, open)).payment_status, 'COMPLETED');
  await app.passTime(HOUR);
  assert.equal((await statusOf(app, open)).payment_status, 'COMPLETED');
  assert.equal(grants(app), 1);
});

test('after a start the provider is asked at once about what was settled while the appliance was off', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-restart-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const clock = manualClock('2026-11-21T10:00:00.000Z');
  let open: Order | undefined;
  await t.test('an appliance takes an order, the payer pays, and the power goes', async first => {
    const app = await startWithBundle(first, { dataDir, clock });
    open = await order(app);
    await app.passTime(21 * SECOND);
    decide(app, open, 'completed');
  });
  assert.ok(open);
  const app = await startApp(t, { dataDir, clock });
  assert.equal(stored(app, open)['status'], 'pending');
  await settle(app);
  assert.equal(stored(app, open)['status'], 'completed', 'no time had to pass');
  assert.equal(grants(app), 1);
});

for (const [what, faults, review] of [
  ['less than the price', { paidAmount: '999.99' }, 'underpaid'],
  ['another currency', { paidCurrency: 'KES' }, 'wrong_currency'],
] as const) {
  test(`a payment of ${what} grants nothing, and is flagged for staff`, async t => {
    const app = await startWithBundle(t);
    const open = await order(app);
    assert.ok(app.sandbox);
    Object.assign(app.sandbox.faults, faults);
    decide(app, open, 'completed');
    await app.passTime(20 * SECOND);
    assert.equal(grants(app), 0);
    assert.equal(stored(app, open)['review'], review);
    assert.equal(stored(app, open)['status'], 'pending');
    assert.equal((await app.get(`/api/user-status/${ASHA}/`)).body.has_access, false);
  });
}

test('a payment of more than the price grants once, and is flagged for staff', async t => {
  const app = await startWithBundle(t);
  const open = await order(app);
  assert.ok(app.sandbox);
  app.sandbox.faults.paidAmount = '1000.01';
  decide(app, open, 'completed');
  await app.passTime(20 * SECOND);
  const row = stored(app, open);
  assert.deepEqual([row['status'], row['review'], row['paid_minor']], ['completed', 'overpaid', 100_001]);
  assert.equal(grants(app), 1);
  assert.equal((await statusOf(app, open)).amount, '1000.00', 'what was asked for');
});

test('what is kept of a wrong payment is never an amount in the wrong currency', async t => {
  const app = await startWithBundle(t);
  const open = await order(app);
  assert.ok(app.sandbox);
  Object.assign(app.sandbox.faults, { paidCurrency: 'KES', paidAmount: '77.00' });
  decide(app, open, 'completed');
  await app.passTime(20 * SECOND);
  assert.equal(stored(app, open)['review'], 'wrong_currency');
  assert.equal(stored(app, open)['paid_minor'], null, '77 KES are not 77 TZS');
});

test('what the provider says of a payment is kept: transaction, channel, time', async t => {
  const app = await startWithBundle(t);
  const open = await order(app);
  decide(app, open, 'completed');
  await statusOf(app, open);
  assertShape(rows(app, 'SELECT transaction_id, payment_channel, completed_at, payment_reference FROM payments')[0], {
    transaction_id: string,
    payment_channel: 'SANDBOX',
    completed_at: instant,
    payment_reference: open.payment_reference,
  });
});

test('a completed payment that named a MAC registers it, and every change of time is a row of the ledger', async t => {
  const app = await startWithBundle(t);
  const open = await order(app, { mac_address: MAC, ip_address: '10.5.50.11' });
  assert.equal(count(app, 'devices'), 0, 'an order registers nothing');
  decide(app, open, 'completed');
  await statusOf(app, open);
  const [device] = (await app.get(`/api/devices/${ASHA}/`)).body;
  assert.deepEqual([device.mac_address, device.ip_address], [MAC, '10.5.50.11']);
  assertShape(rows(app, 'SELECT * FROM grants')[0], {
    id: 1,
    user_id: 1,
    source: 'payment',
    source_id: 1,
    seconds: 86_400,
    starts_at: '2026-11-21T10:00:00.000Z',
    ends_at: '2026-11-22T10:00:00.000Z',
    by: 'sandbox',
    reason: 'Day',
    at: '2026-11-21T10:00:00.000Z',
  });
});

test('money is never refused for want of room: the least recently seen device that is offline makes room', async t => {
  const app = await startWithBundle(t);
  const first = await order(app, { mac_address: MAC });
  decide(app, first, 'completed');
  await statusOf(app, first);
  const second = await order(app, { mac_address: OTHER_MAC });
  decide(app, second, 'completed');
  const answer = await statusOf(app, second);
  assert.equal(answer.device_allowed, true);
  const devices = (await app.get(`/api/devices/${ASHA}/`)).body;
  assert.deepEqual(
    devices.map((device: { mac_address: string }) => device.mac_address),
    [OTHER_MAC],
  );
});

test('with every device online the time is granted, the device is not registered, and the reply says so', async t => {
  const app = await startApp(t, { router: true });
  const bundle = await app.createBundle({ hours: 24, price: 1_000 });
  app.router.join({ mac: MAC, address: '10.5.50.11' });
  app.router.join({ mac: OTHER_MAC, address: '10.5.50.12' });
  await app.pay({ phone: ASHA, bundle, mac: MAC });
  await until(() => app.router.activeSessions().length === 1);
  const second = await order(app, { mac_address: OTHER_MAC });
  decide(app, second, 'completed');
  const answer = await statusOf(app, second);
  assert.deepEqual([answer.payment_status, answer.device_allowed], ['COMPLETED', false]);
  assert.equal(answer.subscription_end, '2026-11-23T10:00:00.000Z', 'both days');
  const devices = (await app.get(`/api/devices/${ASHA}/`)).body;
  assert.deepEqual(
    devices.map((device: { mac_address: string }) => device.mac_address),
    [MAC],
  );
});

test("amounts in the interface are decimal text, references are never another person's to guess", async t => {
  const app = await startWithBundle(t);
  const references = new Set<string>();
  for (let made = 0; made < 10; made += 1) {
    const { order_reference } = await order(app, { phone_number: `07120000${made}0` });
    references.add(order_reference);
  }
  assert.equal(references.size, 10);
  const [reference = ''] = references;
  assert.equal((await app.get(`/api/payment-status/${reference}/`)).status, 200);
});
