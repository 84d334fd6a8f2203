/** `GET /health/`: is the appliance well. See docs/interface.md: Health and portal. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openForWriting } from '../../src/store/database.ts';
import { DATABASE_FILE } from '../../src/store/store.ts';
import { startApp } from '../support/app.ts';

const packageVersion = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;

test('health has every field that any listing names, and the semantic version of the package', async t => {
  const app = await startApp(t);
  const { status, body } = await app.get('/api/health/');
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(body, {
    status: 'healthy',
    version: packageVersion,
    database: 'connected',
    database_connected: true,
  });
  assert.equal(body.timestamp, app.clock.now());
  assert.match(body.version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(body.problems, []);
});

test('health turns degraded when a job has not run for three periods, and healthy again when it has', async t => {
  const app = await startApp(t);
  const runAll = async () => {
    for (const { name } of app.schedule.report()) await app.schedule.run(name);
  };
  await runAll();
  app.clock.advance(3 * 5_000 + 1_000);
  const late = await app.get('/api/health/');
  assert.equal(late.status, 200, 'the appliance still answers');
  assert.equal(late.body.status, 'degraded');
  assert.equal(late.body.problems.length, 1, 'one sentence for all of them');
  assert.match(late.body.problems[0], /^These jobs have not run for three periods: .*"settle pending".*, ".*\.$/);
  await runAll();
  assert.equal((await app.get('/api/health/')).body.status, 'healthy');
});

test('health says so when the clock cannot be believed', async t => {
  const app = await startApp(t);
  app.clock.jump(-40 * 365 * 86_400_000);
  const { body } = await app.get('/api/health/');
  assert.equal(body.status, 'degraded');
  assert.match(body.problems.join(' '), /clock/);
});

test('health reads a row of the books: a file that has lost a table is not connected', async t => {
  const app = await startApp(t);
  const db = openForWriting(join(app.dataDir, DATABASE_FILE));
  t.after(() => db.close());
  db.exec('ALTER TABLE settings RENAME TO lost');
  const { body } = await app.get('/api/health/');
  assert.equal(body.database_connected, false);
  assert.equal(body.status, 'degraded');
  db.exec('ALTER TABLE lost RENAME TO settings');
  assert.equal((await app.get('/api/health/')).body.database_connected, true);
});
