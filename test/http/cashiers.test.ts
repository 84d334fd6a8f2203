/** What cashiers are held to: shifts, how many vouchers they make, what they see. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { asha, type Headers, logIn } from './admin-support.ts';

const HOUR = 3_600_000;

const sell = (app: TestApp, bundleId: number, receipt: string, headers: Headers) =>
  app.post('/api/admin/sales/', { phone_number: asha, bundle_id: bundleId, receipt_number: receipt }, headers);
const openShift = (app: TestApp, headers: Headers) =>
  app.post('/api/admin/shifts/open/', { opening_float: 0 }, headers);
const generate = (app: TestApp, bundleId: number, quantity: number, headers: Headers) =>
  app.post('/api/vouchers/generate/', { bundle_id: bundleId, quantity }, headers);
const setRules = (app: TestApp, rules: object, headers: Headers = app.admin) =>
  app.post('/api/admin/settings/cashiers/', rules, headers);

test('a cashier sells within a shift of their own alone, unless the owner says otherwise', async t => {
  const app = await startApp(t);
  const { id } = await app.createBundle();
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const juma = await logIn(app, 'cashier', 'juma');
  await openShift(app, juma);
  const refused = await sell(app, id, '1', zawadi);
  assert.deepEqual([refused.status, refused.body.code], [409, 'SHIFT_REQUIRED']);
  assert.match(refused.body.message, /shift/);
  assert.equal((await app.get(`/api/user-status/${asha}/`)).status, 404, 'nothing was written');
  assert.equal((await sell(app, id, '2', juma)).status, 201);
  for (const role of ['staff', 'owner'] as const) {
    assert.equal((await sell(app, id, role, await logIn(app, role))).status, 201, role);
  }
  const { body } = await setRules(app, { sell_within_shift: false });
  assert.deepEqual(body.cashiers, { sell_within_shift: false, vouchers_per_day: 100 });
  assert.equal((await sell(app, id, '1', zawadi)).status, 201);
});

test('a cashier makes a hundred vouchers a day, of the configured zone, and is told how many are left', async t => {
  // 23:30 in Dar es Salaam.
  const app = await startApp(t, { now: '2026-11-21T20:30:00.000Z' });
  const { id } = await app.createBundle();
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  assert.equal((await generate(app, id, 60, zawadi)).status, 200);
  const refused = await generate(app, id, 41, zawadi);
  assert.deepEqual([refused.status, refused.body.code, refused.body.vouchers_left], [409, 'VOUCHER_LIMIT', 40]);
  assert.match(refused.body.message, /\b40\b/);
  const both = await Promise.all([generate(app, id, 30, zawadi), generate(app, id, 30, zawadi)]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409], 'nor do two at one moment');
  assert.equal((await generate(app, id, 100, await logIn(app, 'cashier', 'juma'))).status, 200, 'each their own');
  assert.equal((await generate(app, id, 500, await logIn(app, 'staff'))).status, 200);
  app.clock.advance(HOUR);
  assert.equal((await generate(app, id, 100, zawadi)).status, 200, 'a new day');
  await setRules(app, { vouchers_per_day: 150 });
  assert.equal((await generate(app, id, 51, zawadi)).body.vouchers_left, 50);
});

test('owners set what cashiers are held to, field by field, and it is traced', async t => {
  const app = await startApp(t);
  const told = async () => (await app.get('/api/admin/settings/', app.admin)).body.settings.cashiers;
  assert.deepEqual(await told(), { sell_within_shift: true, vouchers_per_day: 100 });
  await setRules(app, { vouchers_per_day: 20 });
  await setRules(app, { sell_within_shift: false });
  assert.deepEqual(await told(), { sell_within_shift: false, vouchers_per_day: 20 });
  assert.equal((await setRules(app, { vouchers_per_day: -1 })).status, 400);
  assert.equal((await setRules(app, {}, await logIn(app, 'staff'))).status, 403);
  const { entries } = (await app.get('/api/admin/audit-log/?action=settings.cashiers', app.admin)).body;
  assert.equal(entries.length, 2);
});
