import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, until } from '../support/app.ts';
import { rows } from '../support/rows.ts';
import { asha, assertRoles, type Json, juma, logIn, neema, paidOrder, phoneOfAsha, statuses } from './admin-support.ts';

test('a payment in the list has the fields of the interface, with a summary of the whole filter', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 1_000 });
  for (const phone of [asha, juma, neema]) await paidOrder(app, phone, bundle);
  await app.pay({ phone: asha, bundle, outcome: 'failed' });
  await until(async () => (await app.get('/api/payments/?status=failed', app.admin)).body.pagination.total === 1);
  await app.post('/api/initiate-payment/', { phone_number: asha, bundle_id: bundle.id });
  const { body } = await app.get('/api/admin/payments/?page_size=2', app.admin);
  assert.deepEqual(body.pagination, { total: 5, page: 1, page_size: 2, total_pages: 3 });
  assert.deepEqual(body.summary, {
    total_amount: '3000.00',
    refunded_amount: '0.00',
    net_amount: '3000.00',
    pending_amount: '1000.00',
    completed_count: 3,
    pending_count: 1,
    failed_count: 1,
    cancelled_count: 0,
  });
  assert.deepEqual(
    body.payments.map((payment: Json) => [payment.id, payment.status]),
    [
      [5, 'pending'],
      [4, 'failed'],
    ],
  );
  assert.deepEqual((await app.get('/api/payments/?page_size=2', app.admin)).body, body);
  const past = (await app.get('/api/payments/?page=50', app.admin)).body;
  assert.deepEqual([past.payments, past.pagination.total, past.summary], [[], 5, body.summary]);
});

test('every filter of payments finds what it names, and the summary goes with it', async t => {
  const app = await startApp(t);
  const day = await app.createBundle({ name: 'Day', price: 1_000 });
  const week = await app.createBundle({ name: 'Week', price: 5_000 });
  const first = await paidOrder(app, asha, day);
  const second = await paidOrder(app, juma, week);
  await app.pay({ phone: asha, bundle: week, outcome: 'cancelled' });
  await until(async () => (await app.get('/api/payments/?status=cancelled', app.admin)).body.pagination.total === 1);
  const sale = { phone_number: neema, bundle_id: day.id, receipt_number: 'R-0077' };
  await app.post('/api/admin/sales/', sale, app.admin);
  const found = async (query: string) => {
    const { body } = await app.get(`/api/admin/payments/?${query}`, app.admin);
    const ids = body.payments.map((payment: Json) => payment.id);
    assert.equal(body.pagination.total, ids.length, query);
    const { completed_count, pending_count, failed_count, cancelled_count } = body.summary;
    assert.equal(completed_count + pending_count + failed_count + cancelled_count, ids.length, query);
    return ids;
  };
  assert.deepEqual(await found(''), [4, 3, 2, 1]);
  assert.deepEqual(await found('status=completed'), [4, 2, 1]);
  assert.deepEqual(await found('status=cancelled'), [3]);
  assert.deepEqual(await found('status=pending'), []);
  assert.deepEqual(await found(`bundle_id=${week.id}`), [3, 2]);
  assert.deepEqual(await found(`bundle_id=${week.id}&status=completed`), [2]);
  assert.deepEqual(await found('method=cash'), [4]);
  assert.deepEqual(await found('method=online&status=completed'), [2, 1]);
  assert.deepEqual(await found('phone_number=0712 345'), [3, 1]);
  assert.deepEqual(await found('phone_number=%2B255712345678&status=completed'), [1]);
  assert.deepEqual(await found('phone_number=255'), [4, 3, 2, 1]);
  assert.deepEqual(await found(`user_id=${second.userId}`), [2]);
  assert.deepEqual(await found('review=true'), []);
  assert.deepEqual(await found('review=false&method=cash'), [4]);
  assert.deepEqual(await found(`search=${first.orderReference}`), [1]);
  assert.deepEqual(await found(`search=${first.orderReference.slice(0, 9).toLowerCase()}`), [1]);
  assert.deepEqual(await found(`search=${encodeURIComponent(second.paymentReference!)}`), [2]);
  assert.deepEqual(await found(`search=${encodeURIComponent(second.transactionId!)}`), [2]);
  assert.deepEqual(await found('search=R-0077'), [4]);
  assert.deepEqual(await found('search=0754'), [2]);
  assert.deepEqual(await found('search=nothing'), []);
  const wrong = await app.get(
    '/api/payments/?status=DONE&method=card&bundle_id=x&date_from=2026-13-01&date_to=1.2.2026&user_id=0&review=x&phone_number=-',
    app.admin,
  );
  assert.equal(wrong.status, 400);
  assert.deepEqual(Object.keys(wrong.body.details).toSorted(), NAMED_BY_THE_LIST);
});

const NAMED_BY_THE_LIST = 'bundle_id date_from date_to method phone_number review status user_id'.split(' ');

test('date_from and date_to are days in the configured zone, both inclusive', async t => {
  // Eleven at night in Dar es Salaam is eight in the evening UTC.
  const app = await startApp(t, { now: '2026-11-21T20:59:00.000Z' });
  const bundle = await app.createBundle({ price: 1_000 });
  const sell = (receipt: string) =>
    app.post('/api/admin/sales/', { phone_number: asha, bundle_id: bundle.id, receipt_number: receipt }, app.admin);
  await sell('before midnight');
  app.clock.advance(2 * 60_000);
  await sell('after midnight');
  const found = async (query: string) => {
    const { body } = await app.get(`/api/admin/payments/?${query}`, app.admin);
    return [body.payments.map((payment: Json) => payment.receipt_number), body.summary.total_amount];
  };
  assert.deepEqual(await found('date_to=2026-11-21'), [['before midnight'], '1000.00']);
  assert.deepEqual(await found('date_from=2026-11-22'), [['after midnight'], '1000.00']);
  const both = [['after midnight', 'before midnight'], '2000.00'];
  assert.deepEqual(await found('date_from=2026-11-21&date_to=2026-11-22'), both);
  assert.deepEqual(await found('date_from=2026-11-21&date_to=2026-11-22&method=cash'), both);
  assert.deepEqual(await found('date_from=2026-11-21&date_to=2026-11-22&phone_number=712'), both);
  assert.deepEqual(await found('date_from=2026-11-22&date_to=2026-11-21'), [[], '0.00']);
});

test('the detail of a payment shows refunds, grant, checks and, to staff, the raw notifications', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const payment = await paidOrder(app, asha, bundle, phoneOfAsha.mac);
  await app.post(`/api/admin/payments/${payment.id}/refund/`, { reason: 'Late', amount: '250.50' }, app.admin);
  const staff = await logIn(app, 'staff');
  const { body } = await app.get(`/api/admin/payments/${payment.id}/`, staff);
  const { grant, checks, refunds, webhook_logs: logs } = body.payment;
  assert.deepEqual([body.payment.mac_address, body.payment.shift_id], [phoneOfAsha.mac, null]);
  assert.deepEqual([body.payment.refundable_amount, refunds.length], ['749.50', 1]);
  assert.deepEqual([logs.length, logs[0].order_reference, logs[0].outcome], [1, payment.orderReference, 'accepted']);
  assert.deepEqual([grant.source, grant.source_id, grant.hours], ['payment', payment.id, 24]);
  assert.deepEqual([grant.by, grant.reason, checks.next_at], ['sandbox', 'Day', null]);
  assert.equal(body.payment.refunded_amount, '250.50');
  assert.equal(body.payment.webhook_logs[0].webhook_data.order_reference, payment.orderReference);
  const cashier = await app.get(`/api/payments/${payment.id}`, await logIn(app, 'cashier'));
  assert.deepEqual([cashier.status, cashier.body.payment.webhook_logs], [200, []]);
  assert.doesNotMatch(JSON.stringify(body), /redirect|"uid"|api_key/i);
  assert.equal((await app.get('/api/admin/payments/99/', app.admin)).status, 404);
});

test('a payment is asked about now, and granted when the provider says so', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const { body: order } = await app.pay({ phone: asha, bundle, webhook: 'never' });
  const { id } = app.context.reads.payments.byOrderReference(order.order_reference)!;
  const path = `/api/admin/payments/${id}/recheck/`;
  app.sandbox!.faults.down = true;
  const unreachable = await app.post(path, {}, app.admin);
  assert.deepEqual([unreachable.status, unreachable.body.code], [502, 'PAYMENT_PROVIDER_UNAVAILABLE']);
  app.sandbox!.faults.down = false;
  const asked = await app.post(path, {}, app.admin);
  assert.deepEqual([asked.status, asked.body.granted, asked.body.payment.status], [200, true, 'completed']);
  const again = await app.post(path, {}, app.admin);
  assert.deepEqual([again.body.granted, again.body.payment.status], [false, 'completed']);
  assert.equal((await app.get('/api/users/1/', app.admin)).body.user.paid_until, '2026-11-22T10:00:00.000Z');
  const sale = { phone_number: juma, bundle_id: bundle.id, receipt_number: '1' };
  await app.post('/api/admin/sales/', sale, app.admin);
  assert.equal((await app.post('/api/admin/payments/2/recheck/', {}, app.admin)).status, 409);
});

test('a flagged payment says what to do, is found by its flag, and loses it when staff have looked', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 1_000 });
  app.sandbox!.faults.paidAmount = '400.00';
  await app.pay({ phone: asha, bundle });
  await until(() => app.context.reads.payments.byId(1)?.review === 'underpaid');
  const [flagged] = (await app.get('/api/admin/payments/?review=true', app.admin)).body.payments;
  assert.deepEqual([flagged.review, flagged.paid_amount, flagged.status], ['underpaid', '400.00', 'pending']);
  assert.match(flagged.review_advice, /Less was paid/);
  const looked = await app.post('/api/admin/payments/1/review/', { note: 'Paid the rest in cash' }, app.admin);
  assert.deepEqual([looked.status, looked.body.payment.review, looked.body.payment.review_advice], [200, null, null]);
  assert.equal((await app.post('/api/admin/payments/1/review/', { note: 'Twice' }, app.admin)).status, 409);
  assert.deepEqual((await app.get('/api/admin/payments/?review=true', app.admin)).body.payments, []);
  const [entry] = rows(app, "SELECT before, after FROM audit_log WHERE action = 'payment.review'");
  assert.deepEqual(JSON.parse(String(entry?.['after'])), { review: null, note: 'Paid the rest in cash' });
});

// --------------------------------------------------------------------------------------------- refunds

test('a full refund gives the money back and takes the hours back, on the router too', async t => {
  const app = await startApp(t, { router: true });
  app.router.join(phoneOfAsha);
  const payment = await paidOrder(app, asha, await app.createBundle({ price: 1_000 }), phoneOfAsha.mac);
  await until(() => app.router.activeSessions().length === 1);
  const { status, body } = await app.post(
    `/api/admin/payments/${payment.id}/refund/`,
    { reason: 'No signal' },
    app.admin,
  );
  assert.equal(status, 200);
  assert.deepEqual([body.refund.status, body.refund.amount], ['completed', '1000.00']);
  assert.deepEqual([body.payment.status, body.payment.refunded_amount], ['completed', '1000.00']);
  assert.equal(app.router.activeSessions().length, 0);
  const { user } = (await app.get(`/api/users/${payment.userId}/`, app.admin)).body;
  assert.deepEqual([user.has_active_access, user.grants[0].source, user.grants[0].hours], [false, 'refund', -24]);
  const again = await app.post(`/api/admin/payments/${payment.id}/refund/`, { reason: 'Again' }, app.admin);
  assert.deepEqual([again.status, again.body.code], [409, 'REFUND_NOT_ALLOWED']);
});

test('parts of a payment are refunded up to the whole, and only the whole takes the hours', async t => {
  const app = await startApp(t);
  const payment = await paidOrder(app, asha, await app.createBundle({ price: 1_000 }));
  const refund = (amountWanted: unknown) =>
    app.post(`/api/admin/payments/${payment.id}/refund/`, { reason: 'Slow', amount: amountWanted }, app.admin);
  for (const wrong of [0, -5, 1_000.01, 1_001, 'a lot']) {
    const refused = await refund(wrong);
    assert.deepEqual([refused.status, Object.keys(refused.body.details)], [400, ['amount']], String(wrong));
  }
  assert.equal((await refund(300)).body.payment.refunded_amount, '300.00');
  assert.equal((await refund(700.5)).status, 400);
  const access = async () => (await app.get(`/api/users/${payment.userId}/`, app.admin)).body.user.has_active_access;
  assert.equal(await access(), true);
  assert.equal((await refund('700.00')).body.payment.refunded_amount, '1000.00');
  assert.equal(await access(), false);
  assert.equal((await refund(1)).status, 409);
});

test('only what was paid can be refunded, and only with a reason', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  await app.post('/api/initiate-payment/', { phone_number: asha, bundle_id: bundle.id });
  const pending = await app.post('/api/admin/payments/1/refund/', { reason: 'x' }, app.admin);
  assert.deepEqual([pending.status, pending.body.code], [409, 'REFUND_NOT_ALLOWED']);
  assert.deepEqual(Object.keys((await app.post('/api/admin/payments/1/refund/', {}, app.admin)).body.details), [
    'reason',
  ]);
  assert.equal((await app.post('/api/admin/payments/9/refund/', { reason: 'x' }, app.admin)).status, 404);
});

test('of refunds of one payment at the same moment one is paid, and the others hear why not', async t => {
  const app = await startApp(t);
  const payment = await paidOrder(app, asha, await app.createBundle({ price: 1_000 }));
  const path = `/api/admin/payments/${payment.id}/refund/`;
  const whole = Array.from({ length: 5 }, () => app.post(path, { reason: 'Both of us' }, app.admin));
  const replies = await Promise.all(whole);
  assert.deepEqual(statuses(replies), [200, 409, 409, 409, 409]);
  assert.equal(rows(app, 'SELECT id FROM refunds').length, 1);
  assert.equal(rows(app, "SELECT id FROM grants WHERE source = 'refund'").length, 1);

  const other = await paidOrder(app, juma, await app.createBundle({ price: 1_000 }));
  const parts = [600, 600].map(part =>
    app.post(`/api/admin/payments/${other.id}/refund/`, { reason: 'Part', amount: part }, app.admin),
  );
  assert.deepEqual(statuses(await Promise.all(parts)), [200, 400]);
});

test('a refund that the provider takes its time for is followed to its end', async t => {
  const app = await startApp(t);
  const payment = await paidOrder(app, asha, await app.createBundle());
  app.sandbox!.faults.slowRefunds = true;
  const { body } = await app.post(`/api/admin/payments/${payment.id}/refund/`, { reason: 'x' }, app.admin);
  assert.deepEqual([body.success, body.refund.status], [true, 'pending']);
  assert.equal((await app.get(`/api/users/${payment.userId}/`, app.admin)).body.user.has_active_access, true);
  await app.schedule.run('settle refunds');
  const [refund] = (await app.get(`/api/payments/${payment.id}/`, app.admin)).body.payment.refunds;
  assert.deepEqual([refund.status, refund.reference !== null], ['completed', true]);
  assert.equal((await app.get(`/api/users/${payment.userId}/`, app.admin)).body.user.has_active_access, false);
});

test('a refund whose answer was lost is sent again with the same key, and paid once', async t => {
  const app = await startApp(t);
  const payment = await paidOrder(app, asha, await app.createBundle({ price: 1_000 }));
  app.sandbox!.faults.nonJson = true;
  const lost = await app.post(`/api/admin/payments/${payment.id}/refund/`, { reason: 'x' }, app.admin);
  assert.deepEqual([lost.status, lost.body.refund.status], [200, 'pending']);
  app.sandbox!.faults.nonJson = false;
  await app.schedule.run('settle refunds');
  const [refund] = (await app.get(`/api/payments/${payment.id}/`, app.admin)).body.payment.refunds;
  assert.equal(refund.status, 'completed');
  // The sandbox would refuse a second refund of the same payment, had the first been another one.
  const kept = rows(app, 'SELECT uid, status FROM refunds');
  assert.equal(kept.length, 1);
});

test('a refund that a crash left between the books and the provider is finished after the start', async t => {
  const app = await startApp(t);
  const payment = await paidOrder(app, asha, await app.createBundle());
  const actor = { adminId: null, name: 'before the crash', ip: null };
  const opening = { paymentId: payment.id, amount: null, reason: 'x' };
  await app.context.commit('openRefund', opening, actor);
  await Promise.all([app.schedule.run('settle refunds'), app.schedule.run('settle refunds')]);
  const [refund] = (await app.get(`/api/payments/${payment.id}/`, app.admin)).body.payment.refunds;
  assert.deepEqual([refund.status, refund.created_by], ['completed', 'before the crash']);
});

test('an unanswered refund that is too old to be repeated becomes work for a person, never a second payment', async t => {
  const app = await startApp(t);
  const payment = await paidOrder(app, asha, await app.createBundle());
  const actor = { adminId: null, name: 'before the crash', ip: null };
  const opening = { paymentId: payment.id, amount: null, reason: 'x' };
  await app.context.commit('openRefund', opening, actor);
  app.clock.advance(25 * 3_600_000);
  await app.schedule.run('settle refunds');
  const [refund] = (await app.get(`/api/payments/${payment.id}/`, app.admin)).body.payment.refunds;
  assert.equal(refund.status, 'manual');
  assert.match(refund.message, /dashboard/);
});

test('what the provider refuses gives nothing back and takes no hours', async t => {
  const app = await startApp(t);
  const payment = await paidOrder(app, asha, await app.createBundle());
  // The provider has given the money back already, behind our back: it refuses a second time.
  const { orderReference, paymentReference, transactionId, amount: whole } = payment;
  const behind = { orderReference, paymentReference, transactionId, amount: whole, full: true, reason: 'x' };
  await app.context.provider.refund({ ...behind, idempotencyKey: 'somebody-else' });
  const refused = await app.post(`/api/admin/payments/${payment.id}/refund/`, { reason: 'x' }, app.admin);
  assert.deepEqual([refused.status, refused.body.code], [402, 'PAYMENT_FAILED']);
  const detail = (await app.get(`/api/payments/${payment.id}/`, app.admin)).body.payment;
  assert.deepEqual([detail.refunds[0].status, detail.refunded_amount], ['failed', '0.00']);
  assert.equal((await app.get(`/api/users/${payment.userId}/`, app.admin)).body.user.has_active_access, true);
});

test('money of a cash sale is given back by hand, and the books say so', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const sale = { phone_number: asha, bundle_id: bundle.id, receipt_number: '1' };
  await app.post('/api/admin/sales/', sale, app.admin);
  const { body } = await app.post('/api/admin/payments/1/refund/', { reason: 'x' }, app.admin);
  assert.deepEqual([body.success, body.refund.status], [true, 'manual']);
  assert.match(body.message, /by hand/);
  assert.equal((await app.get('/api/users/1/', app.admin)).body.user.has_active_access, false);
});

// ----------------------------------------------------------------------------------------- cash sales

test('a cash sale is a payment like any other, with its receipt and its seller', async t => {
  const app = await startApp(t, { router: true });
  app.router.join(phoneOfAsha);
  const cashier = await logIn(app, 'cashier', 'zawadi');
  const bundle = await app.createBundle({ price: 1_000, hours: 24 });
  const sale = {
    phone_number: '0712 345 678',
    bundle_id: bundle.id,
    receipt_number: 'A-17',
    mac_address: phoneOfAsha.mac,
  };
  await app.post('/api/admin/shifts/open/', { opening_float: 0 }, cashier);
  const { status, body } = await app.post('/api/admin/sales/', sale, cashier);
  assert.equal(status, 201);
  const { method, receipt_number, sold_by, status: state } = body.payment;
  assert.deepEqual([method, receipt_number, sold_by, state], ['cash', 'A-17', 'zawadi', 'completed']);
  assert.deepEqual([body.user.phone_number, body.user.paid_until], [asha, '2026-11-22T10:00:00.000Z']);
  assert.equal(body.device_allowed, true);
  assert.equal(app.router.activeSessions().length, 1);
  const bundles = (await app.get('/api/admin/bundles/', app.admin)).body.bundles;
  assert.deepEqual([bundles[0].total_purchases, bundles[0].revenue], [1, '1000.00']);
});

test('one receipt is one sale, also when it is sent twice at the same moment', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const sale = { phone_number: asha, bundle_id: bundle.id, receipt_number: 'A-17' };
  const replies = await Promise.all([1, 2, 3].map(() => app.post('/api/admin/sales/', sale, app.admin)));
  assert.deepEqual(statuses(replies), [201, 409, 409]);
  const lost = replies.find(reply => reply.status === 409);
  assert.deepEqual(Object.keys(lost!.body.details), ['receipt_number']);
  assert.equal(rows(app, 'SELECT id FROM grants').length, 1);
});

test('a sale to a blocked user, or of what is not for sale, is refused', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const sell = (change: object) =>
    app.post(
      '/api/admin/sales/',
      { phone_number: asha, bundle_id: bundle.id, receipt_number: '1', ...change },
      app.admin,
    );
  assert.deepEqual(
    [(await sell({ bundle_id: 99 })).status, (await sell({ bundle_id: 99 })).body.code],
    [404, 'BUNDLE_UNAVAILABLE'],
  );
  assert.deepEqual(
    Object.keys((await sell({ receipt_number: 'x'.repeat(41), phone_number: '1' })).body.details).toSorted(),
    ['phone_number', 'receipt_number'],
  );
  assert.equal((await sell({})).status, 201);
  await app.send('PUT', '/api/admin/users/1/update/', { is_active: false }, app.admin);
  assert.equal((await sell({ receipt_number: '2' })).status, 403);
});

test('cashiers sell and look up, staff look into payments, owners give money back', async t => {
  const app = await startApp(t);
  const admins = {
    owner: await logIn(app, 'owner'),
    staff: await logIn(app, 'staff'),
    cashier: await logIn(app, 'cashier'),
  };
  await paidOrder(app, asha, await app.createBundle());
  await assertRoles(app, admins, [
    { method: 'GET', path: '/api/admin/payments/', least: 'cashier' },
    { method: 'GET', path: '/api/payments/', least: 'cashier' },
    { method: 'GET', path: '/api/admin/payments/1/', least: 'cashier' },
    { method: 'GET', path: '/api/payments/1/', least: 'cashier' },
    { method: 'POST', path: '/api/admin/payments/1/recheck/', least: 'cashier', body: {} },
    { method: 'POST', path: '/api/admin/payments/1/review/', least: 'staff', body: {} },
    { method: 'POST', path: '/api/admin/payments/1/refund/', least: 'owner', body: {} },
    { method: 'POST', path: '/api/admin/sales/', least: 'cashier', body: {} },
    { method: 'GET', path: '/api/admin/export/payments/', least: 'staff' },
  ]);
});

test('a payment that was given back in full says so everywhere, and nowhere that it gave access', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 1_000 });
  const { id, orderReference } = await paidOrder(app, asha, bundle);
  const told = async () => {
    const { payment } = (await app.get(`/api/admin/payments/${id}/`, app.admin)).body;
    const [listed] = (await app.get('/api/admin/payments/', app.admin)).body.payments;
    const { summary } = (await app.get('/api/admin/payments/?status=completed', app.admin)).body;
    const [recent] = (await app.get('/api/dashboard-stats/', app.admin)).body.recent_payments;
    const [user] = (await app.get('/api/admin/users/', app.admin)).body.users;
    return {
      refunded: [payment.is_refunded, listed.is_refunded, recent.is_refunded],
      left: payment.refundable_amount,
      summary: [summary.total_amount, summary.refunded_amount, summary.net_amount],
      lastPayment: user.last_payment?.bundle_name ?? null,
      access: (await app.get(`/api/payment-status/${orderReference}/`)).body.access_granted,
    };
  };
  const refund = (amount: number) =>
    app.post(`/api/admin/payments/${id}/refund/`, { reason: 'Slow', amount }, app.admin);
  await refund(400);
  assert.deepEqual(await told(), {
    refunded: [false, false, false],
    left: '600.00',
    summary: ['1000.00', '400.00', '600.00'],
    lastPayment: 'Day',
    access: true,
  });
  await refund(600);
  assert.deepEqual(await told(), {
    refunded: [true, true, true],
    left: '0.00',
    summary: ['1000.00', '1000.00', '0.00'],
    lastPayment: null,
    access: false,
  });
});

test('receipts number themselves without a gap, past numbers that were typed, and typed ones still count once', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const sell = async (receipt_number?: string) => {
    const sale = { phone_number: asha, bundle_id: bundle.id, receipt_number };
    const { status, body } = await app.post('/api/admin/sales/', sale, app.admin);
    return status === 201 ? body.payment.receipt_number : status;
  };
  assert.deepEqual([await sell(), await sell('')], ['R00001', 'R00002']);
  assert.deepEqual([await sell('R00003'), await sell('A-9'), await sell()], ['R00003', 'A-9', 'R00004']);
  assert.deepEqual([await sell('R00002'), await sell('A-9')], [409, 409]);
  const atOnce = await Promise.all([sell(), sell(), sell()]);
  assert.deepEqual(atOnce.toSorted(), ['R00005', 'R00006', 'R00007']);
});

test('a sale that is sent again with its key is the same sale, and the key sells nothing else', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const sale = { phone_number: asha, bundle_id: bundle.id, idempotency_key: 'form-1' };
  const sell = (what: object, headers = app.admin) => app.post('/api/admin/sales/', { ...sale, ...what }, headers);
  const replies = await Promise.all([sell({}), sell({}), sell({})]);
  assert.deepEqual(statuses(replies), [201, 201, 201]);
  assert.equal(new Set(replies.map(({ body }) => body.payment.id)).size, 1);
  for (const refused of [await sell({ phone_number: juma }), await sell({}, await logIn(app, 'staff'))]) {
    assert.deepEqual([refused.status, Object.keys(refused.body.details)], [409, ['idempotency_key']]);
  }
  assert.equal(rows(app, 'SELECT id FROM grants').length, 1);
  assert.equal((await sell({ idempotency_key: 'form-2' })).body.payment.receipt_number, 'R00002');
});
