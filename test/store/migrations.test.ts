import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Database, openForWriting } from '../../src/store/database.ts';
import { checksumOf, migrate } from '../../src/store/migrate.ts';
import { type Migration, migrations } from '../../src/store/migrations/index.ts';
import { recount } from '../../src/store/recount.ts';

/** What has shipped stays as it is, letter for letter: a new migration changes what an old one made. */
const SHIPPED: readonly [name: string, checksum: string][] = [
  ['001-books', 'fa3853e97ce23967f0e3495cf05db2f2a64399d5ab0e7c7a6b95740062cbb9bd'],
  ['002-admin-lists', 'a1532da0fb7b2fba839a0ef1f226a2bf720c83ce44c41511ce00c76d3f4002de'],
  ['003-dashboard', '491278abca43c55b796edf7808aced231a07ad0d0ed9bdae2b04e2717f1de3ef'],
  ['004-sms', '8fc7df94a9e626b96cf74bb2c295102d58845eaaba3971e061444c047af9c0cf'],
  ['005-lean-redemption', 'c219516f9af54f420a08aca430ec2561616bb6e0f69052e48bf10825bbc00285'],
  ['006-orders-by-method', '867ea71e1aebe1c66b22eeb65407500f142ddfac4c77c9515cc36d378b926135'],
];

test('migrations that have shipped are what they were', () => {
  assert.deepEqual(
    migrations.slice(0, SHIPPED.length).map(step => [step.name, checksumOf(step)]),
    SHIPPED,
  );
});

test('a migration that was changed after it ran stops the start, and is named', t => {
  const db = emptyBooks(t);
  migrate(db);
  const [first, ...others] = migrations as [Migration, ...Migration[]];
  const changed = [{ ...first, sql: `${first.sql}\n-- one more word` }, ...others];
  assert.throws(() => migrate(db, changed), /made by another "001-books".*restore a backup/);
  migrate(db);
});

test('a file from before there were checksums gets them at its first start', t => {
  const db = emptyBooks(t);
  migrate(db, migrations.slice(0, 6));
  db.exec('DROP TABLE migrations_run');
  migrate(db);
  const recorded = db.prepare('SELECT name, checksum FROM migrations_run ORDER BY version').raw().all();
  assert.deepEqual(
    recorded,
    migrations.map(step => [step.name, checksumOf(step)]),
  );
});

test('the copy from before a migration is for its owner alone', t => {
  const db = emptyBooks(t);
  migrate(db, migrations.slice(0, 6));
  migrate(db);
  const folder = join(db.name, '..');
  const [copy] = readdirSync(folder).filter(name => name.includes('.before-migration-7-'));
  assert.equal(statSync(join(folder, copy ?? '')).mode & 0o777, 0o600);
});

test('a migration that fails, however often it is tried, leaves no copies behind', t => {
  const db = emptyBooks(t);
  migrate(db, migrations.slice(0, 6));
  const failing = [...migrations.slice(0, 6), { name: '007-fails', sql: 'CREATE TABLE half (id); SELECT nonsense' }];
  for (let start = 0; start < 3; start += 1) assert.throws(() => migrate(db, failing), /nonsense/);
  assert.deepEqual(
    readdirSync(join(db.name, '..')).filter(name => name.includes('.before-migration-')),
    [],
  );
  migrate(db);
});

for (const version of [0, 3]) {
  test(`a database of another program (its version ${version}) is refused, and stays what it is`, t => {
    const db = emptyBooks(t);
    db.exec('CREATE TABLE notes (text)');
    db.pragma(`user_version = ${version}`);
    assert.throws(() => migrate(db), /is a database of another program\. Move it away/);
    const names = db.prepare("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").pluck().all();
    assert.deepEqual(names, ['notes']);
  });
}

/** As 002 was when commit 68640d8 shipped it. */
function wideBlocks(step: Migration): Migration {
  if (step.name !== '002-admin-lists') return step;
  const index = 'users (is_active, id, paid_until, deleted_at)';
  assert.ok(step.sql.includes(index) && step.sql.includes('/ 512'));
  return { ...step, sql: step.sql.replaceAll('/ 512', '/ 2048').replace(index, 'users (is_active, id, paid_until)') };
}

test('a file that counts its lists in wide blocks ends up the same as any other', t => {
  const [old, fresh] = [emptyBooks(t), emptyBooks(t)];
  for (const steps of [4, 6]) {
    migrate(old, migrations.slice(0, steps).map(wideBlocks));
    migrate(fresh, migrations.slice(0, steps));
    for (const db of [old, fresh]) sell(db, 3_000);
  }
  const blocks = (db: Database) => db.prepare('SELECT * FROM list_blocks WHERE rows > 0').all();
  assert.notDeepEqual(blocks(old), blocks(fresh), 'the old file does not hold what the program looks for');
  old.exec('DROP TABLE migrations_run');
  for (const db of [old, fresh]) {
    migrate(db, migrations.slice(0, 8));
    sell(db, 600);
  }
  assert.deepEqual(blocks(old), blocks(fresh));
  for (const db of [old, fresh]) migrate(db);
  assert.deepEqual(recount(old), []);
  assert.deepEqual(shapeOf(old), shapeOf(fresh));
});

function emptyBooks(t: TestContext): Database {
  const folder = mkdtempSync(join(tmpdir(), 'lango-migrations-'));
  const db = openForWriting(join(folder, 'lango.db'));
  t.after(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return db;
}

/** People, a third of them blocked afterwards, and an order of each, half of them cancelled afterwards. */
function sell(db: Database, people: number): void {
  db.exec(`INSERT OR IGNORE INTO bundles (id, name, price_minor, currency, duration_seconds, created_at)
    VALUES (1, 'Day', 100000, 'TZS', 86400, '2026-11-21T10:00:00.000Z')`);
  const before = db.prepare('SELECT count(*) FROM users').pluck().get() as number;
  const person = db.prepare(
    `INSERT INTO users (phone, max_devices, created_at) VALUES (?, 1, '2026-11-21T10:00:00.000Z')`,
  );
  const order =
    db.prepare(`INSERT INTO payments (uid, user_id, bundle_id, bundle_name, duration_seconds, phone, amount_minor,
      currency, status, provider, order_reference, created_at, created_day, expires_at)
    VALUES (@n, @user, 1, 'Day', 86400, @n, 100000, 'TZS', 'pending', 'sandbox', @n, '2026-11-21T10:00:00.000Z',
      '2026-11-21', '2026-11-21T10:30:00.000Z')`);
  db.transaction(() => {
    for (let n = before; n < before + people; n += 1) {
      const { lastInsertRowid } = person.run(`+2557${n}`);
      order.run({ n: String(n), user: lastInsertRowid });
    }
    db.exec('UPDATE users SET is_active = 0 WHERE id % 3 = 0');
    db.exec("UPDATE payments SET status = 'cancelled' WHERE id % 2 = 0");
  })();
}

function shapeOf(db: Database): unknown[] {
  const shape = db.prepare(
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name",
  );
  return shape.all();
}
