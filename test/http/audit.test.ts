import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { ACTOR } from '../support/books.ts';
import { hire } from '../support/staff.ts';
import { takeTour } from '../support/tour.ts';

interface Entry {
  id: number;
  action: string;
  admin: string;
  sentence: string;
}

const list = async (app: TestApp, query = ''): Promise<{ entries: Entry[]; pagination: { total: number } }> => {
  const { status, body } = await app.get(`/api/admin/audit-log/${query}`, app.admin);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

test('a write says who, what, before, after, when and from where', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const bundle = await app.createBundle({ name: 'Day' });
  app.clock.advance(1_000);
  await app.send('PUT', `/api/admin/bundles/${bundle.id}/`, { name: 'Whole day' }, staff.headers);
  const { entries } = await list(app, '?action=bundle.update');
  assert.equal(entries.length, 1);
  const { id, before, after, ...entry } = entries[0] as Entry & { before: object; after: object };
  assert.ok(id > 0);
  assert.deepEqual(entry, {
    at: app.clock.now(),
    admin_id: staff.id,
    admin: 'the-staff',
    ip: '127.0.0.1',
    action: 'bundle.update',
    subject: 'bundle',
    subject_id: bundle.id,
    sentence: 'the-staff renamed Day to Whole day',
  });
  assert.deepEqual({ ...before, name: 'Whole day', version: 2 }, after);
});

test('the log is filtered by admin, action, subject and days, and the filters go together', async t => {
  const app = await startApp(t, { now: '2026-11-21T20:30:00.000Z' });
  const staff = await hire(app, 'staff');
  const make = (name: string) =>
    app.post('/api/admin/bundles/', { name, price: 100, duration_hours: 1 }, staff.headers);
  const first = (await make('One')).body.bundle.id;
  app.clock.advance(3_600_000);
  await make('Two');
  assert.equal((await list(app, `?admin_id=${staff.id}`)).pagination.total, 2);
  assert.equal((await list(app, `?subject=bundle&subject_id=${first}`)).pagination.total, 1);
  // 23:30 of the 21st and 00:30 of the 22nd in Dar es Salaam.
  assert.equal((await list(app, '?date_from=2026-11-22&action=bundle.create')).pagination.total, 1);
  assert.equal((await list(app, '?date_to=2026-11-21&action=bundle.create')).pagination.total, 1);
  assert.equal((await list(app, '?date_from=2026-11-21&date_to=2026-11-22&subject=bundle')).pagination.total, 2);
  assert.equal((await list(app, `?admin_id=${staff.id}&action=admin.create`)).pagination.total, 0);
  assert.equal((await app.get('/api/admin/audit-log/?date_from=soon&admin_id=x', app.admin)).status, 400);
});

test('pages are newest first, and past the end empty with the true total', async t => {
  const app = await startApp(t);
  for (const name of ['One', 'Two', 'Three']) await app.createBundle({ name });
  const { entries, pagination } = await list(app, '?page_size=2&subject=bundle');
  assert.ok(entries[0]!.id > entries[1]!.id);
  assert.deepEqual(pagination, { total: 3, page: 1, page_size: 2, total_pages: 2 });
  assert.deepEqual((await list(app, '?page=9&page_size=2&subject=bundle')).entries, []);
});

test('an entry says in a sentence what was done, to whom, from what to what', async t => {
  const app = await startApp(t);
  const { headers } = await hire(app, 'owner', 'demo');
  const send = async (method: string, path: string, body?: object) => {
    const reply = await app.send(method, `/api/${path}`, body, headers);
    assert.ok(reply.status < 300, `${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const { bundle } = await send('POST', 'admin/bundles/', { name: 'Day pass', price: 1_500, duration_hours: 24 });
  await send('PUT', `admin/bundles/${bundle.id}/`, { price: 2_000 });
  await send('PUT', `admin/bundles/${bundle.id}/`, { price: 1_750.5, name: 'Whole day', is_active: false });
  await send('PUT', `admin/bundles/${bundle.id}/`, { description: 'x'.repeat(100), display_order: 3, is_active: true });
  await send('PUT', `admin/bundles/${bundle.id}/`, { display_order: 3 });
  const sale = { phone_number: '0712345678', bundle_id: bundle.id, receipt_number: 'R-17' };
  const { user, payment } = await send('POST', 'admin/sales/', sale);
  await send('POST', `admin/users/${user.id}/grant/`, { hours: 2.5, reason: 'the mast was down' });
  await send('PUT', `admin/users/${user.id}/update/`, { is_active: false, max_devices: 3 });
  await send('POST', `admin/payments/${payment.id}/refund/`, { amount: 500, reason: 'slow' });
  await send('POST', 'vouchers/generate/', { bundle_id: bundle.id, quantity: 1 });
  await send('POST', 'admin/voucher-batches/1/revoke/', {});
  await send('POST', 'admin/settings/cashiers/', { vouchers_per_day: 1_200 });
  await send('POST', 'admin/settings/branding/', { business_name: 'Bahari', primary_color: '#0b6e4f' });
  const sentences = (await list(app, '?page_size=100')).entries.map(entry => entry.sentence).toReversed();
  assert.deepEqual(sentences.slice(-13), [
    'demo added the bundle Day pass for 1,500',
    'demo raised the price of Day pass from 1,500 to 2,000',
    'demo renamed Day pass to Whole day, took Whole day off sale and lowered the price of Whole day from 2,000 to 1,750.50',
    'demo put Whole day on sale and changed the description of Whole day and the place in the list from 0 to 3',
    'demo saved Whole day as it was',
    'demo sold Whole day to +255712345678 for 1,750.50 in cash, receipt R-17',
    'demo gave 2 hours, 30 minutes to +255712345678: the mast was down',
    'demo blocked +255712345678 and changed the number of devices of +255712345678 from 1 to 3',
    'demo refunded 500 of payment 1: slow',
    'demo made 1 voucher for Whole day, batch 1',
    'demo revoked 1 voucher of batch 1',
    'demo changed the rules for cashiers: the vouchers per day from 100 to 1,200',
    'demo changed what customers see: the business name from none to Bahari and the primary color from none to #0b6e4f',
  ]);
  await send('DELETE', `admin/users/${user.id}/delete/`);
  const told = (await list(app, '?page_size=100')).entries.map(entry => entry.sentence).join('\n');
  assert.doesNotMatch(told, /255712345678/, 'a number that was forgotten is not told again');
});

test('whatever staff can do has a sentence of its own', async t => {
  const { app } = await takeTour(t);
  const { entries } = await list(app, '?page_size=100');
  assert.ok(entries.length > 30);
  for (const { action, sentence } of entries) {
    assert.doesNotMatch(sentence, /did “|undefined|null|NaN|\[object/, action);
  }
  // What an older version wrote, or forgot for a person who was deleted, may lack any of it.
  const actions = new Set(entries.map(({ action }) => action));
  for (const action of actions)
    await app.context.commit('recordAction', { action, subject: 'user', details: null }, ACTOR);
  assert.equal((await list(app, '?page_size=100')).entries.length, Math.min(100, entries.length + actions.size));
});
