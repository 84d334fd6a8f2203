/** `/admin/bundles/`. See docs/interface.md: Bundles; docs/rules.md: Bundles and users. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { count, dump, rows } from '../support/rows.ts';
import { assertInvalid, assertShape, errors } from '../support/shape.ts';

const DAY = {
  name: 'Day',
  description: 'All day',
  price: 1_000,
  duration_hours: 24,
  is_active: true,
  free_every_hours: 48,
  display_order: 2,
};
const ASHA = '+255712345678';

const list = async (app: TestApp) => (await app.get('/api/admin/bundles/', app.admin)).body.bundles;
const create = (app: TestApp, bundle: unknown) => app.post('/api/admin/bundles/', bundle, app.admin);
const put = (app: TestApp, id: number, change: unknown) =>
  app.send('PUT', `/api/admin/bundles/${id}/`, change, app.admin);
const remove = (app: TestApp, id: number) => app.send('DELETE', `/api/admin/bundles/${id}/`, undefined, app.admin);

test('create answers 201 with the bundle as the list shows it, the price as decimal text', async t => {
  const app = await startApp(t);
  const { status, body } = await create(app, DAY);
  assert.equal(status, 201);
  const { id, ...fields } = body.bundle;
  assert.ok(id > 0);
  assert.deepEqual(fields, {
    ...DAY,
    price: '1000.00',
    total_purchases: 0,
    revenue: '0.00',
    vouchers_in_stock: 0,
    voucher_price: null,
    router_profile: null,
    version: 1,
  });
  const listed = await app.get('/api/admin/bundles/', app.admin);
  assert.equal(listed.status, 200);
  assert.deepEqual(listed.body.bundles, [body.bundle]);
});

test('what is optional on creation has sensible values', async t => {
  const app = await startApp(t);
  const { body } = await create(app, { name: ' Day ', price: 1, duration_hours: 1 });
  assert.equal(body.bundle.name, 'Day');
  assert.equal(body.bundle.description, '');
  assert.equal(body.bundle.is_active, true);
  assert.equal(body.bundle.display_order, 0);
});

test('purchases and revenue count completed payments, and the detail has purchases and unused vouchers', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 1_500 });
  const paid = await app.pay({ phone: ASHA, bundle, webhook: 'never' });
  await app.get(`/api/payment-status/${paid.body.order_reference}/`);
  await app.pay({ phone: ASHA, bundle, webhook: 'never', outcome: 'failed' });
  await app.post('/api/vouchers/generate/', { bundle_id: bundle.id, quantity: 2, expiry_days: 5 }, app.admin);
  const [listed] = await list(app);
  assert.equal(listed.total_purchases, 1);
  assert.equal(listed.revenue, '1500.00');
  const { status, body } = await app.get(`/api/admin/bundles/${bundle.id}/`, app.admin);
  assert.equal(status, 200);
  assert.equal(body.success, true);
  for (const [field, value] of Object.entries(listed)) assert.deepEqual(body.bundle[field], value, field);
  assert.equal(body.bundle.unused_vouchers.length, 2);
});

test('an update changes what it names and leaves the rest', async t => {
  const app = await startApp(t);
  const { id } = (await create(app, DAY)).body.bundle;
  const { status, body } = await put(app, id, { price: 1_200, is_active: false });
  assert.equal(status, 200);
  assert.equal(body.bundle.price, '1200.00');
  assert.equal(body.bundle.is_active, false);
  assert.equal(body.bundle.name, 'Day');
  assert.equal(body.bundle.description, 'All day');
  assert.deepEqual((await app.get('/api/bundles/')).body, [], 'not for sale any more');
  const whole = { name: 'Night', description: '', price: '800', duration_hours: 8, is_active: true, display_order: 0 };
  const replaced = (await put(app, id, whole)).body.bundle;
  assert.deepEqual(
    [replaced.name, replaced.description, replaced.price, replaced.duration_hours, replaced.display_order],
    ['Night', '', '800.00', 8, 0],
  );
});

test('vouchers and orders keep the hours they were sold with when the bundle changes', async t => {
  const app = await startApp(t);
  const { id } = (await create(app, DAY)).body.bundle;
  const vouchers = await app.post('/api/vouchers/generate/', { bundle_id: id, quantity: 1, expiry_days: 5 }, app.admin);
  await put(app, id, { duration_hours: 1 });
  const { body } = await app.redeem(vouchers.body.vouchers[0].code, ASHA);
  assert.equal(body.subscription_end, '2026-11-22T10:00:00.000Z');
  assert.equal(body.bundle.duration_hours, 24);
});

test('duration_hours may have decimals: a whole number of seconds from 36 s to 8760 h', async t => {
  const app = await startApp(t);
  for (const hours of [0.01, 0.5, 0.1, 1.25, 8_760]) {
    const { status, body } = await create(app, { ...DAY, duration_hours: hours });
    assert.equal(status, 201, String(hours));
    assert.equal(body.bundle.duration_hours, hours);
  }
  for (const hours of [0, 0.009, -1, 8_760.5, 0.0101, 1e9, 'a day', null, true, [1]]) {
    assertInvalid(await create(app, { ...DAY, duration_hours: hours }), 'duration_hours');
  }
});

test('a price that the currency cannot express is refused, a price of nothing is not', async t => {
  const app = await startApp(t);
  for (const [price, shown] of [
    [0, '0.00'],
    [1_000, '1000.00'],
    [0.5, '0.50'],
    ['1000.00', '1000.00'],
    ['1000.50', '1000.50'],
    ['1000.500', '1000.50'],
  ] as const) {
    assert.equal((await create(app, { ...DAY, price })).body.bundle?.price, shown, String(price));
  }
  for (const price of [-1, 0.001, '1000.005', '1e3', '1,000', '', 'free', null, true, [1], 1e21, 9e15, '١٠٠']) {
    assertInvalid(await create(app, { ...DAY, price }), 'price');
  }
  const whole = await startApp(t, { environment: { LANGO_CURRENCY: 'UGX' } });
  assertInvalid(await create(whole, { ...DAY, price: 1_000.5 }), 'price');
  const { bundle } = (await create(whole, { ...DAY, price: 1_000 })).body;
  assert.equal(bundle.price, '1000', 'a currency without decimals has none at the edges either');
});

test('creation names every field that is missing or wrong, and creates nothing', async t => {
  const app = await startApp(t);
  const before = dump(app);
  assertInvalid(await create(app, {}), 'name', 'price', 'duration_hours');
  assertInvalid(
    await create(app, {
      name: 5,
      description: 5,
      price: 'x',
      duration_hours: 'x',
      is_active: 'yes',
      display_order: 1.5,
    }),
    'name',
    'description',
    'price',
    'duration_hours',
    'is_active',
    'display_order',
  );
  assertInvalid(await create(app, { ...DAY, name: 'x'.repeat(101) }), 'name');
  assertInvalid(await create(app, { ...DAY, name: 'two\nlines' }), 'name');
  assertInvalid(await create(app, { ...DAY, description: 'x'.repeat(501) }), 'description');
  assert.deepEqual(dump(app), before);
});

test('DELETE removes a bundle that nobody bought, and archives one with a history that keeps its name', async t => {
  const app = await startApp(t);
  const unsold = (await create(app, { ...DAY, name: 'Unsold' })).body.bundle;
  const sold = (await create(app, { ...DAY, name: 'Sold' })).body.bundle;
  const vouchers = { bundle_id: sold.id, quantity: 1, expiry_days: 5 };
  const [voucher] = (await app.post('/api/vouchers/generate/', vouchers, app.admin)).body.vouchers;

  const removed = await remove(app, unsold.id);
  assert.equal(removed.status, 200);
  assert.equal(removed.body.archived, false);
  assert.equal(count(app, 'bundles', "name = 'Unsold'"), 0);
  const archived = await remove(app, sold.id);
  assert.equal(archived.body.archived, true);

  assert.deepEqual(await list(app), [], 'gone from every list');
  assert.deepEqual((await app.get('/api/bundles/')).body, []);
  assert.equal((await app.get(`/api/admin/bundles/${sold.id}/`, app.admin)).status, 404);
  assert.equal((await app.post('/api/vouchers/generate/', vouchers, app.admin)).status, 404);
  assert.equal((await app.get('/api/vouchers/list/', app.admin)).body[0].bundle, 'Sold', 'history keeps its name');
  const { status, body } = await app.redeem(voucher.code, ASHA);
  assert.equal(status, 200, 'what was sold is honoured');
  assert.equal(body.bundle.name, 'Sold');
});

test('a bundle that is not there is 404, an id that is none 400', async t => {
  const app = await startApp(t);
  for (const answer of [
    await app.get('/api/admin/bundles/99/', app.admin),
    await put(app, 99, { price: 1 }),
    await remove(app, 99),
  ]) {
    assert.equal(answer.status, 404);
    assertShape(answer.body, errors.api);
  }
  for (const id of ['0', '-1', '1.5', 'x', '99999999999999999999', '1e3', '%31%30x', '__proto__']) {
    assertInvalid(await app.get(`/api/admin/bundles/${id}/`, app.admin), 'bundle_id');
  }
});

test('money keeps every cent: the largest price that fits is sold and counted exactly', async t => {
  const app = await startApp(t);
  const { body } = await create(app, { ...DAY, price: '90071992547409.91' });
  assert.equal(body.bundle.price, '90071992547409.91');
  assert.equal(rows(app, 'SELECT price_minor FROM bundles')[0]?.['price_minor'], Number.MAX_SAFE_INTEGER);
});
