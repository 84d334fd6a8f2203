import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { hire } from '../support/staff.ts';

interface Entry {
  id: number;
  action: string;
  admin: string;
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
