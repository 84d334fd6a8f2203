/** `GET /bundles/`: what is for sale. See docs/interface.md: Bundles and payments; docs/rules.md: Bundles and users. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { assertShape, integer } from '../support/shape.ts';

test('the public list is a bare array with every field of the interface, the price a number', async t => {
  const app = await startApp(t);
  assert.deepEqual((await app.get('/api/bundles/')).body, []);
  await app.post(
    '/api/admin/bundles/',
    { name: 'Half an hour', price: '500.50', duration_hours: 0.5, description: 'To try it', display_order: 3 },
    app.admin,
  );
  const { status, body } = await app.get('/api/bundles/');
  assert.equal(status, 200);
  assertShape(body, [
    { id: integer, name: 'Half an hour', price: 500.5, duration_hours: 0.5, description: 'To try it', is_active: true },
  ]);
  assert.equal(body.length, 1);
});

test('bundles are listed by display order, then price, then id, and only active ones', async t => {
  const app = await startApp(t);
  const create = (bundle: Record<string, unknown>) =>
    app.post('/api/admin/bundles/', { duration_hours: 1, ...bundle }, app.admin);
  await create({ name: 'last', price: 1, display_order: 9 });
  await create({ name: 'dear', price: 900, display_order: 1 });
  await create({ name: 'cheap', price: 100, display_order: 1 });
  await create({ name: 'cheap too', price: 100, display_order: 1 });
  await create({ name: 'first', price: 5_000, display_order: -1 });
  await create({ name: 'hidden', price: 1, display_order: 0, is_active: false });
  const names = (list: { name: string }[]) => list.map(bundle => bundle.name);
  assert.deepEqual(names((await app.get('/api/bundles/')).body), ['first', 'cheap', 'cheap too', 'dear', 'last']);
  const all = (await app.get('/api/admin/bundles/', app.admin)).body.bundles;
  assert.deepEqual(names(all), ['first', 'hidden', 'cheap', 'cheap too', 'dear', 'last']);
});

test('a free bundle is listed: it needs no payment', async t => {
  const app = await startApp(t);
  await app.createBundle({ name: 'Free', price: 0 });
  assert.equal((await app.get('/api/bundles/')).body[0].price, 0);
});
