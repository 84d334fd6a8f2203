import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { asha, assertRoles, type Headers, type Json, logIn, statuses } from './admin-support.ts';

test('a shift adds up what was sold for cash while it was open, and says what is missing', async t => {
  const app = await startApp(t);
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const bundle = await app.createBundle({ price: 1_000 });
  const sell = (receipt: string, headers: Record<string, string>) =>
    app.post('/api/admin/sales/', { phone_number: asha, bundle_id: bundle.id, receipt_number: receipt }, headers);
  const early = await sell('before', zawadi);
  assert.deepEqual([early.status, early.body.code], [409, 'SHIFT_REQUIRED']);
  assert.deepEqual((await app.get('/api/admin/shifts/current/', zawadi)).body, { success: true, shift: null });
  const opened = await app.post('/api/admin/shifts/open/', { opening_float: 5_000 }, zawadi);
  assert.equal(opened.status, 201);
  await sell('1', zawadi);
  await sell('2', zawadi);
  await sell('of somebody else', app.admin);
  const seen = (await app.get(`/api/admin/shifts/${opened.body.shift.id}/`, app.admin)).body.shift;
  assert.deepEqual([seen.sales_count, seen.sales_total, seen.expected], [2, '2000.00', '7000.00']);
  assert.deepEqual([seen.closed_at, seen.counted, seen.difference], [null, null, null]);
  app.clock.advance(60_000);
  const closed = await app.post('/api/admin/shifts/close/', { counted: '6900.50', note: 'Gave wrong change' }, zawadi);
  assert.deepEqual(
    [closed.body.shift.counted, closed.body.shift.difference, closed.body.shift.note],
    ['6900.50', '-99.50', 'Gave wrong change'],
  );
  assert.equal((await sell('after', zawadi)).status, 409);
  const [kept] = (await app.get('/api/admin/shifts/', zawadi)).body.shifts;
  assert.deepEqual([kept.sales_count, kept.expected, kept.closed_at], [2, '7000.00', '2026-11-21T10:01:00.000Z']);
});

test('a drawer is counted blind: no reply tells its cashier what should be in it before they have counted', async t => {
  const app = await startApp(t);
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const bundle = await app.createBundle({ price: 1_300 });
  const opened = await app.post('/api/admin/shifts/open/', { opening_float: 7_000 }, zawadi);
  const sale = { phone_number: asha, bundle_id: bundle.id, receipt_number: '1' };
  await app.post('/api/admin/sales/', sale, zawadi);
  await app.post('/api/admin/sales/', { ...sale, receipt_number: '2' }, zawadi);
  const moved = await move(app, zawadi, { direction: 'in', amount: 50 });
  const shift = `/api/admin/shifts/${opened.body.shift.id}/`;
  const early = await app.post(`${shift}note/`, { note: 'x' }, zawadi);
  const paths = [
    shift,
    '/api/admin/shifts/',
    '/api/admin/shifts/current/',
    '/api/admin/payments/',
    '/api/admin/status/',
  ];
  const replies = await Promise.all([...paths, '/api/admin/bundles/'].map(path => app.get(path, zawadi)));
  for (const { body } of [opened, moved, early, ...replies]) {
    // What was sold, with and without what was there before and what was put in.
    assert.doesNotMatch(JSON.stringify(body), /\b(2600|2650|9600|9650)\b/);
  }
  const told = ({ shift: one }: Json) => [one.sales_count, one.sales_total, one.expected];
  for (const { body } of [opened, moved]) assert.deepEqual(told(body), [null, null, null]);
  const closed = await app.post('/api/admin/shifts/close/', { counted: 9_000 }, zawadi);
  assert.deepEqual(told(closed.body), [2, '2600.00', '9650.00']);
  assert.equal((await app.get('/api/admin/status/', zawadi)).body.status.revenue_today, 2_600);
});

test('cash goes into a drawer and out of it with a reason, and counts in what should be there', async t => {
  const app = await startApp(t);
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const early = await move(app, zawadi, { direction: 'in', amount: 1 });
  assert.equal(early.status, 409);
  const { body } = await app.post('/api/admin/shifts/open/', { opening_float: 5_000 }, zawadi);
  await move(app, zawadi, { direction: 'in', amount: '2000.00', reason: 'change from the bank' });
  const out = await move(app, zawadi, { direction: 'out', amount: 90_000, reason: 'to the owner' });
  assert.equal(out.status, 200, 'a refusal would tell what is in the drawer');
  for (const [field, wrong] of [
    ['amount', { amount: 0 }],
    ['amount', { amount: -5 }],
    ['reason', { reason: '' }],
    ['direction', { direction: 'up' }],
  ] as const) {
    const refused = await move(app, zawadi, wrong);
    assert.deepEqual([refused.status, Object.keys(refused.body.details)], [400, [field]]);
  }
  assert.deepEqual(
    out.body.shift.movements.map(({ direction, amount, reason }: Json) => [direction, amount, reason]),
    [
      ['in', '2000.00', 'change from the bank'],
      ['out', '90000.00', 'to the owner'],
    ],
  );
  const { shift } = (await app.post('/api/admin/shifts/close/', { counted: 0 }, zawadi)).body;
  assert.deepEqual(
    [shift.cash_in, shift.cash_out, shift.expected, shift.difference],
    ['2000.00', '90000.00', '-83000.00', '83000.00'],
  );
  const log = (await app.get('/api/admin/audit-log/?action=shift.cash', app.admin)).body.entries;
  assert.deepEqual(
    log.map((entry: Json) => [entry.admin, entry.subject_id, entry.after.reason]),
    [
      ['zawadi', body.shift.id, 'to the owner'],
      ['zawadi', body.shift.id, 'change from the bank'],
    ],
  );
});

test('why a count differs is said once it is compared, once, by whose shift it is or by staff', async t => {
  const app = await startApp(t);
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const other = await logIn(app, 'cashier', 'other');
  const staff = await logIn(app, 'staff');
  const explain = (id: number, headers: Record<string, string>, note = 'Gave wrong change') =>
    app.post(`/api/admin/shifts/${id}/note/`, { note }, headers);
  const shifts: number[] = [];
  for (const counted of [10, 20]) {
    shifts.push((await app.post('/api/admin/shifts/open/', { opening_float: 0 }, zawadi)).body.shift.id);
    if (counted === 10) assert.equal((await explain(shifts[0] as number, zawadi)).status, 409, 'it runs');
    await app.post('/api/admin/shifts/close/', { counted }, zawadi);
  }
  const [first, second] = shifts as [number, number];
  assert.equal((await explain(first, other)).status, 404);
  assert.equal((await app.get(`/api/admin/shifts/${first}/`, other)).status, 404);
  assert.equal((await explain(first, zawadi)).body.shift.note, 'Gave wrong change');
  const again = await explain(first, zawadi, 'Another story');
  assert.deepEqual([again.status, Object.keys(again.body.details)], [409, ['note']]);
  assert.equal((await explain(second, staff)).status, 200);
  assert.equal((await app.get(`/api/admin/shifts/${first}/`, staff)).body.shift.note, 'Gave wrong change');
});

const move = (app: TestApp, headers: Record<string, string>, what: object) =>
  app.post('/api/admin/shifts/cash/', { direction: 'in', amount: 1, reason: 'because', ...what }, headers);

test('cash that is given back is missing from the drawer of who gives it, else of who sold it, else of nobody', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 1_000 });
  const [zawadi, owner] = [await logIn(app, 'cashier', 'zawadi'), await logIn(app, 'owner', 'mama')];
  const open = (headers: Headers) => app.post('/api/admin/shifts/open/', { opening_float: 5_000 }, headers);
  const drawer = async (whose: string) => {
    const { shifts } = (await app.get('/api/admin/shifts/', app.admin)).body;
    const shift = shifts.find((one: Json) => one.admin === whose);
    return [shift.refunds_count, shift.refunds_total, shift.expected];
  };
  const refund = (id: number, body: object) =>
    app.post(`/api/admin/payments/${id}/refund/`, { reason: 'Slow', ...body }, owner);
  const source = async (id: number) => (await app.get(`/api/admin/payments/${id}/`, owner)).body.payment.refund_drawer;
  await open(zawadi);
  const sale = { phone_number: asha, bundle_id: bundle.id, receipt_number: '1' };
  const { id } = (await app.post('/api/admin/sales/', sale, zawadi)).body.payment;

  assert.equal(await source(id), 'zawadi');
  await refund(id, { amount: 100, from_drawer: false });
  assert.deepEqual(await drawer('zawadi'), [0, '0.00', '6000.00'], 'the owner paid it');
  await refund(id, { amount: 200 });
  assert.deepEqual(await drawer('zawadi'), [1, '200.00', '5800.00']);
  const { shift } = (await app.get('/api/admin/shifts/current/', zawadi)).body;
  assert.deepEqual([shift.refunds_count, shift.refunds_total], [null, null], 'she has yet to count');
  await open(owner);
  assert.equal(await source(id), 'mama');
  await refund(id, { amount: 300 });
  assert.deepEqual(await drawer('mama'), [1, '300.00', '4700.00']);
  assert.deepEqual(await drawer('zawadi'), [1, '200.00', '5800.00']);
  await app.post('/api/admin/shifts/close/', { counted: 4_700 }, owner);
  const closed = await app.post('/api/admin/shifts/close/', { counted: 5_800 }, zawadi);
  assert.equal(closed.body.shift.difference, '0.00');
  assert.equal(await source(id), null);
  await refund(id, {});
  const [kept] = (await app.get('/api/admin/shifts/', zawadi)).body.shifts;
  assert.deepEqual([kept.refunds_total, kept.expected], ['200.00', '5800.00'], 'what is closed stays as it is');
});

test('a person has one open shift, closes it once, and the configured token has none', async t => {
  const app = await startApp(t);
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const close = () => app.post('/api/admin/shifts/close/', { counted: 0 }, zawadi);
  assert.equal((await close()).status, 409);
  const open = (headers: Record<string, string>) => app.post('/api/admin/shifts/open/', { opening_float: 0 }, headers);
  const twice = await Promise.all([open(zawadi), open(zawadi)]);
  assert.deepEqual(statuses(twice), [201, 409]);
  const closings = await Promise.all([close(), close()]);
  assert.deepEqual(statuses(closings), [200, 409]);
  assert.equal((await open(app.admin)).status, 403);
  for (const opening_float of [-1, 'x', 0.001]) {
    const wrong = await app.post('/api/admin/shifts/open/', { opening_float }, zawadi);
    assert.deepEqual([wrong.status, Object.keys(wrong.body.details)], [400, ['opening_float']]);
  }
});

test('cashiers see their own shifts, staff see everybody’s', async t => {
  const app = await startApp(t);
  const admins = {
    owner: await logIn(app, 'owner'),
    staff: await logIn(app, 'staff'),
    cashier: await logIn(app, 'cashier'),
  };
  await app.post('/api/admin/shifts/open/', { opening_float: 0 }, admins.cashier);
  const other = await logIn(app, 'cashier', 'other');
  await app.post('/api/admin/shifts/open/', { opening_float: 0 }, other);
  const seen = async (headers: Record<string, string>) =>
    (await app.get('/api/admin/shifts/', headers)).body.shifts.map((shift: Json) => shift.admin);
  assert.deepEqual(await seen(other), ['other']);
  assert.deepEqual(await seen(admins.cashier), ['cashier-of-the-day']);
  assert.deepEqual(await seen(admins.staff), ['other', 'cashier-of-the-day']);
  assert.deepEqual((await app.get('/api/admin/shifts/?page=2&page_size=1', app.admin)).body.pagination, {
    total: 2,
    page: 2,
    page_size: 1,
    total_pages: 2,
  });
  await assertRoles(app, admins, [
    { method: 'GET', path: '/api/admin/shifts/', least: 'cashier' },
    { method: 'GET', path: '/api/admin/shifts/current/', least: 'cashier' },
    { method: 'POST', path: '/api/admin/shifts/open/', least: 'cashier', body: {} },
    { method: 'POST', path: '/api/admin/shifts/close/', least: 'cashier', body: {} },
    { method: 'POST', path: '/api/admin/shifts/cash/', least: 'cashier', body: {} },
    { method: 'GET', path: '/api/admin/shifts/9/', least: 'cashier' },
    { method: 'POST', path: '/api/admin/shifts/9/note/', least: 'cashier', body: {} },
  ]);
});
