import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { asha, assertRoles, type Json, juma, logIn } from './admin-support.ts';

test('a batch says what has become of its codes, and gives them for print', async t => {
  const app = await startApp(t);
  const codes = await app.issueVouchers({ hours: 0.5, quantity: 4 });
  await app.issueVouchers({ quantity: 1, expiryDays: 1 });
  await app.redeem(codes[0]!, asha);
  const { id } = (await app.get(`/api/vouchers/list/?code=${codes[1]}`, app.admin)).body[0];
  await app.post(`/api/admin/vouchers/${id}/revoke/`, {}, app.admin);
  app.clock.advance(25 * 3_600_000);
  const { body } = await app.get('/api/admin/voucher-batches/', app.admin);
  assert.deepEqual(body.pagination, { total: 2, page: 1, page_size: 20, total_pages: 1 });
  const [expired, batch] = body.batches;
  assert.deepEqual([expired.quantity, expired.available], [1, 0]);
  const { quantity, used, revoked, available, duration_hours, created_by } = batch;
  assert.deepEqual([quantity, used, revoked, available, duration_hours, created_by], [4, 1, 1, 2, 0.5, 'test']);
  assert.deepEqual((await app.get('/api/admin/voucher-batches/1/', app.admin)).body, { success: true, batch });
  const print = (await app.get('/api/admin/voucher-batches/1/codes/', app.admin)).body;
  assert.deepEqual(print.vouchers.map((voucher: Json) => voucher.code).toSorted(), codes.toSorted());
  const [usedOne] = print.vouchers.filter((voucher: Json) => voucher.is_used);
  assert.deepEqual([usedOne.used_by, usedOne.used_by_id, usedOne.sold_by], [asha, 1, 'test']);
  for (const path of ['', 'codes/']) {
    assert.equal((await app.get(`/api/admin/voucher-batches/9/${path}`, app.admin)).status, 404);
  }
});

test('a revoked code is worth nothing, and a used one cannot be revoked', async t => {
  const app = await startApp(t);
  const staff = await logIn(app, 'staff', 'halima');
  const [first, second] = await app.issueVouchers({ quantity: 2 });
  const idOf = async (code: string) => (await app.get(`/api/vouchers/list/?code=${code}`, app.admin)).body[0].id;
  const path = `/api/admin/vouchers/${await idOf(first!)}/revoke/`;
  const revoked = await app.post(path, { reason: 'Lost sheet' }, staff);
  assert.equal(revoked.status, 200);
  assert.deepEqual([revoked.body.voucher.is_revoked, revoked.body.voucher.revoked_by], [true, 'halima']);
  assert.equal((await app.post(path, {}, app.admin)).body.voucher.revoked_by, 'halima', 'once more changes nothing');
  const refused = await app.redeem(first!, asha);
  assert.deepEqual([refused.status, refused.body.code], [410, 'VOUCHER_REVOKED']);
  await app.redeem(second!, asha);
  const used = await app.post(`/api/admin/vouchers/${await idOf(second!)}/revoke/`, {}, staff);
  assert.deepEqual([used.status, used.body.code, used.body.success], [409, 'VOUCHER_USED', false]);
  assert.equal((await app.post('/api/admin/vouchers/99/revoke/', {}, staff)).status, 404);
});

test('of a revocation and a redemption at the same moment exactly one succeeds', async t => {
  const app = await startApp(t);
  const codes = await app.issueVouchers({ quantity: 10 });
  for (const [index, code] of codes.entries()) {
    const [voucher] = (await app.get(`/api/vouchers/list/?code=${code}`, app.admin)).body;
    const redeem = () => app.redeem(code, `+2557123450${String(index).padStart(2, '0')}`);
    const revoke = () => app.post(`/api/admin/vouchers/${voucher.id}/revoke/`, {}, app.admin);
    const [one, two] = await Promise.all(index % 2 === 0 ? [redeem(), revoke()] : [revoke(), redeem()]);
    assert.equal([one.status, two.status].filter(status => status === 200).length, 1, `${one.status} ${two.status}`);
    const [after] = (await app.get(`/api/vouchers/list/?code=${code}`, app.admin)).body;
    assert.notEqual(after.is_used, after.is_revoked);
  }
});

test('a revoked batch keeps the time of those who came before', async t => {
  const app = await startApp(t);
  const codes = await app.issueVouchers({ quantity: 3 });
  await app.redeem(codes[0]!, asha);
  const { status, body } = await app.post('/api/admin/voucher-batches/1/revoke/', { reason: 'Stolen' }, app.admin);
  assert.equal(status, 200);
  assert.equal(body.revoked_count, 2);
  assert.deepEqual([body.batch.used, body.batch.revoked, body.batch.available], [1, 2, 0]);
  assert.equal((await app.get(`/api/user-status/${asha}/`)).body.has_access, true);
  assert.equal((await app.redeem(codes[1]!, juma)).status, 410);
  assert.equal((await app.redeem(codes[0]!, asha)).status, 200, 'a lost reply may still be asked for again');
  assert.equal((await app.post('/api/admin/voucher-batches/1/revoke/', {}, app.admin)).body.revoked_count, 0);
  assert.equal((await app.post('/api/admin/voucher-batches/7/revoke/', {}, app.admin)).status, 404);
});

test('cashiers print vouchers, staff revoke them', async t => {
  const app = await startApp(t);
  const admins = {
    owner: await logIn(app, 'owner'),
    staff: await logIn(app, 'staff'),
    cashier: await logIn(app, 'cashier'),
  };
  await app.issueVouchers({ quantity: 2 });
  await assertRoles(app, admins, [
    { method: 'GET', path: '/api/admin/voucher-batches/', least: 'cashier' },
    { method: 'GET', path: '/api/admin/voucher-batches/1/', least: 'cashier' },
    { method: 'GET', path: '/api/admin/voucher-batches/1/codes/', least: 'cashier' },
    { method: 'POST', path: '/api/admin/vouchers/1/revoke/', least: 'staff', body: {} },
    { method: 'POST', path: '/api/admin/voucher-batches/1/revoke/', least: 'staff', body: {} },
    { method: 'GET', path: '/api/admin/export/vouchers/', least: 'staff' },
  ]);
});
