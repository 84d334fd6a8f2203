import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { asha, assertRoles, type Json, logIn, statuses } from './admin-support.ts';

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
  const { shift } = (await app.get('/api/admin/shifts/current/', zawadi)).body;
  assert.deepEqual([shift.sales_count, shift.sales_total, shift.expected], [2, '2000.00', '7000.00']);
  assert.deepEqual([shift.closed_at, shift.counted, shift.difference], [null, null, null]);
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
  ]);
});
