/** Vouchers over the counter: who sold which codes, at what price, in which shift; and what becomes of the money. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { asha, type Headers, type Json, logIn, statuses } from './admin-support.ts';

const DAY = 24 * 3_600_000;

const open = (app: TestApp, headers: Headers) => app.post('/api/admin/shifts/open/', { opening_float: 0 }, headers);
const sell = (app: TestApp, what: object, headers: Headers) => app.post('/api/admin/voucher-sales/', what, headers);
const takeBack = (app: TestApp, id: number, what: object = {}, headers = app.admin) =>
  app.post(`/api/admin/voucher-sales/${id}/refund/`, { reason: 'Sold by mistake', ...what }, headers);
const batchOf = async (app: TestApp, id: number) =>
  (await app.get(`/api/admin/voucher-batches/${id}/`, app.admin)).body.batch;

async function make(app: TestApp, bundleId: number, what: object = {}, headers: Headers = app.admin) {
  const { body } = await app.post('/api/vouchers/generate/', { bundle_id: bundleId, quantity: 4, ...what }, headers);
  return { id: body.batch_id as number, codes: body.vouchers?.map((voucher: Json) => voucher.code) as string[] };
}

test('one voucher is sold out of the oldest stock, at the price of its batch, into the drawer of the shift', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 1_000 });
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const old = await make(app, bundle.id, { quantity: 1 });
  await make(app, bundle.id);
  await app.send('PUT', `/api/admin/bundles/${bundle.id}/`, { price: 1_500 }, app.admin);
  const early = await sell(app, { bundle_id: bundle.id }, zawadi);
  assert.deepEqual([early.status, early.body.code], [409, 'SHIFT_REQUIRED']);
  const { id: shiftId } = (await open(app, zawadi)).body.shift;
  const { status, body } = await sell(app, { bundle_id: bundle.id }, zawadi);
  assert.equal(status, 201);
  const { batch_id, quantity, price, total, sold_by, shift_id, returned } = body.sale;
  assert.deepEqual([batch_id, quantity, price, total], [old.id, 1, '1000.00', '1000.00']);
  assert.deepEqual([sold_by, shift_id, returned], ['zawadi', shiftId, 0]);
  const [voucher] = body.vouchers;
  assert.deepEqual([voucher.code, voucher.sold_by, voucher.made_by], [old.codes[0], 'zawadi', 'configured token']);
  const next = await sell(app, { bundle_id: bundle.id }, zawadi);
  assert.notEqual(next.body.sale.batch_id, old.id, 'the old stock is gone');
  assert.equal((await app.redeem(voucher.code, asha)).status, 200);

  const { shift } = (await app.post('/api/admin/shifts/close/', { counted: 2_000 }, zawadi)).body;
  assert.deepEqual(
    [shift.sales_count, shift.vouchers_count, shift.vouchers_total, shift.expected, shift.difference],
    [0, 2, '2000.00', '2000.00', '0.00'],
  );
  const { status: own } = (await app.get('/api/admin/status/', zawadi)).body;
  assert.deepEqual([own.payments_today, own.revenue_today], [2, 2_000]);
  const { rows, totals } = (await app.get('/api/admin/reports/revenue/?group=method', app.admin)).body;
  assert.deepEqual(rows, [{ method: 'voucher', ...totals }]);
  assert.deepEqual([totals.payments, totals.revenue], [2, '2000.00'], 'once, though one of them was used');
});

test('a sale that is sent again with its key is the same sale, and the key sells nothing else', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const { id: batchId, codes } = await make(app, bundle.id, { quantity: 9 });
  const cases = [
    [{ bundle_id: bundle.id }, { bundle_id: bundle.id, quantity: 2 }],
    [{ code: codes[8] }, { code: codes[7] }],
    [
      { batch_id: batchId, quantity: 2, price: 500 },
      { batch_id: batchId, quantity: 2, price: 400 },
    ],
    [{ batch_id: batchId, all: true }, { code: 'nothing' }],
  ] as const;
  for (const [number, [what, other]] of cases.entries()) {
    const send = (asked: object, headers = app.admin) =>
      sell(app, { ...asked, idempotency_key: `form-${number}` }, headers);
    const [first, ...again] = await Promise.all([send(what), send(what), send(what)]);
    assert.equal(first.status, 201);
    for (const { status, body } of again) {
      assert.deepEqual([status, body.sale, body.vouchers], [201, first.body.sale, first.body.vouchers]);
    }
    for (const refused of [await send(other), await send(what, await logIn(app, 'staff', `staff-${number}`))]) {
      assert.deepEqual([refused.status, Object.keys(refused.body.details)], [409, ['idempotency_key']]);
    }
  }
  const { sales } = (await app.get('/api/admin/voucher-sales/', app.admin)).body;
  assert.deepEqual(
    sales.map(({ quantity }: Json) => quantity),
    [5, 2, 1, 1],
  );
});

test('a sheet is sold at once, a card by its code, and nothing twice', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 1_000 });
  const sheet = await make(app, bundle.id);
  const [first, second] = sheet.codes as [string, string];
  assert.equal((await sell(app, { code: second.toLowerCase().replaceAll('-', ' ') }, app.admin)).status, 201);
  const twice = await sell(app, { code: second }, app.admin);
  assert.deepEqual([twice.status, twice.body.details], [409, { code: ['This voucher is sold already.'] }]);
  await app.redeem(first, asha);
  assert.deepEqual(pick(await batchOf(app, sheet.id)), [4, 1, 1, 2, 1], 'one was used though nobody had sold it');
  assert.equal((await sell(app, { code: first }, app.admin)).status, 201, 'it is booked late');
  const many = await sell(app, { batch_id: sheet.id, quantity: 3 }, app.admin);
  assert.deepEqual([many.status, many.body.details.quantity], [409, ['2 of this batch are left to sell.']]);
  const both = await Promise.all([1, 2].map(() => sell(app, { batch_id: sheet.id, all: true, price: 900 }, app.admin)));
  assert.deepEqual(statuses(both), [201, 409]);
  const sold = both.find(reply => reply.status === 201)?.body.sale;
  assert.deepEqual([sold.quantity, sold.price, sold.total], [2, '900.00', '1800.00']);
  assert.deepEqual(pick(await batchOf(app, sheet.id)), [4, 1, 4, 0, 0]);
  assert.equal((await app.get(`/api/vouchers/list/?sale_id=${sold.id}`, app.admin)).body.length, 2);
  const empty = await sell(app, { bundle_id: bundle.id }, app.admin);
  assert.deepEqual([empty.status, Object.keys(empty.body.details)], [409, ['bundle_id']]);
  assert.deepEqual(Object.keys((await sell(app, {}, app.admin)).body.details), ['bundle_id']);
  assert.equal((await sell(app, { code: 'AAAA-AAAA-AAAA' }, app.admin)).status, 404);
});

const pick = ({ quantity, used, sold, in_stock, used_unsold }: Json) => [quantity, used, sold, in_stock, used_unsold];

test('what is given away, revoked or too old is not sold, and cashiers neither give away nor name a price', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  await open(app, zawadi);
  const gift = { bundle_id: bundle.id, quantity: 1, kind: 'giveaway' };
  assert.equal((await app.post('/api/vouchers/generate/', gift, zawadi)).status, 403);
  const given = await make(app, bundle.id, { kind: 'giveaway' });
  assert.equal((await batchOf(app, given.id)).in_stock, 0);
  for (const what of [{ bundle_id: bundle.id }, { batch_id: given.id }, { code: given.codes[0] }]) {
    assert.equal((await sell(app, what, zawadi)).status, 409, JSON.stringify(what));
  }
  const stock = await make(app, bundle.id, { expiry_days: 1 });
  assert.equal((await sell(app, { batch_id: stock.id, price: 1 }, zawadi)).status, 403);
  const [voucher] = (await app.get(`/api/vouchers/list/?code=${stock.codes[0]}`, app.admin)).body;
  await app.post(`/api/admin/vouchers/${voucher.id}/revoke/`, {}, app.admin);
  assert.equal((await sell(app, { code: stock.codes[0] }, zawadi)).status, 410);
  app.clock.advance(2 * DAY);
  const late = await logIn(app, 'staff');
  for (const what of [{ bundle_id: bundle.id }, { batch_id: stock.id }, { code: stock.codes[1] }]) {
    assert.ok([409, 410].includes((await sell(app, what, late)).status), JSON.stringify(what));
  }
});

test('an owner takes back what nobody has used of a sale, once, and the money comes out of a drawer', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 1_000 });
  const [zawadi, staff] = [await logIn(app, 'cashier', 'zawadi'), await logIn(app, 'staff')];
  const sheet = await make(app, bundle.id);
  await open(app, zawadi);
  const { sale, vouchers } = (await sell(app, { batch_id: sheet.id, quantity: 3 }, zawadi)).body;
  assert.equal(sale.unused, 3);
  const [used, ...unused] = vouchers.map((voucher: Json) => voucher.code) as [string, ...string[]];
  await app.redeem(used, asha);
  const [listed] = (await app.get('/api/admin/voucher-sales/', app.admin)).body.sales;
  assert.equal(listed.unused, 2);
  assert.equal((await takeBack(app, sale.id, {}, staff)).status, 403);
  const { body } = await takeBack(app, sale.id);
  assert.deepEqual([body.sale.returned, body.sale.unused, body.sale.returned_by], [2, 0, 'configured token']);
  for (const code of unused) assert.equal((await app.redeem(code, asha)).body.code, 'VOUCHER_REVOKED');
  assert.deepEqual(pick(await batchOf(app, sheet.id)), [4, 1, 1, 1, 0]);
  const again = await takeBack(app, sale.id);
  assert.deepEqual([again.status, again.body.code], [409, 'REFUND_NOT_ALLOWED']);
  assert.equal((await takeBack(app, 99)).status, 404);
  const { shift } = (await app.post('/api/admin/shifts/close/', { counted: 1_000 }, zawadi)).body;
  assert.deepEqual([shift.refunds_count, shift.refunds_total, shift.difference], [2, '2000.00', '0.00']);
  const { totals } = (await app.get('/api/admin/reports/revenue/', app.admin)).body;
  assert.deepEqual(totals, { payments: 3, revenue: '3000.00', refunds: '2000.00', net: '1000.00' });
});

test('a cashier reads the codes that they sold, sees their own sales, and nobody finds codes in the audit log', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const [zawadi, juma] = [await logIn(app, 'cashier', 'zawadi'), await logIn(app, 'cashier', 'juma')];
  for (const headers of [zawadi, juma]) await open(app, headers);
  const stock = await make(app, bundle.id);
  const { vouchers } = (await sell(app, { batch_id: stock.id }, zawadi)).body;
  const read = async (headers: Headers) => {
    const { body } = await app.get(`/api/vouchers/list/?batch_id=${stock.id}`, headers);
    return body.filter((voucher: Json) => voucher.code_masked === undefined).map((voucher: Json) => voucher.code);
  };
  assert.deepEqual(await read(zawadi), [vouchers[0].code]);
  assert.deepEqual(await read(juma), []);
  const sales = async (headers: Headers) => {
    const { body } = await app.get(`/api/admin/voucher-sales/?batch_id=${stock.id}`, headers);
    return [body.sales.length, body.pagination.total];
  };
  assert.deepEqual(
    [await sales(zawadi), await sales(juma), await sales(app.admin)],
    [
      [1, 1],
      [0, 0],
      [1, 1],
    ],
  );
  const log = JSON.stringify((await app.get('/api/admin/audit-log/?action=voucher.sell', app.admin)).body.entries);
  assert.match(log, /"quantity":1/);
  for (const code of stock.codes) assert.ok(!log.includes(code));
});
