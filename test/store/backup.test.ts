import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import SqliteDatabase from 'better-sqlite3';
import { openForReading, openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { readsOf } from '../../src/store/repositories.ts';
import { startApp } from '../support/app.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lango-backup-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function lango(dataDir: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'], LANGO_DATA_DIR: dataDir };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], { env });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, output: stderr };
  }
}

test('a backup taken while the appliance runs holds what was acknowledged, and can be restored', async t => {
  const folder = folderFor(t);
  const app = await startApp(t);
  const [code] = await app.issueVouchers();
  await app.redeem(code!, '+255712345678');
  const backup = join(folder, 'books.backup');
  assert.equal((await lango(app.dataDir, 'backup', backup)).code, 0);

  const restored = folderFor(t);
  assert.equal((await lango(restored, 'restore', backup)).code, 0);
  const db = openForReading(join(restored, 'lango.db'));
  t.after(() => db.close());
  assert.equal(readsOf(db).vouchers.byCode(code!)?.usedByPhone, '+255712345678');
});

test('a restore keeps the file that it replaces', async t => {
  const folder = folderFor(t);
  const app = await startApp(t);
  await app.createBundle({ name: 'Before' });
  await lango(app.dataDir, 'backup', join(folder, 'books.backup'));
  const { output } = await lango(folder, 'restore', join(folder, 'books.backup'));
  assert.match(output, /^Restored\.\n$/);
  const again = await lango(folder, 'restore', join(folder, 'books.backup'));
  const kept = /kept in (.+)\.\n/.exec(again.output)?.[1] ?? '';
  assert.ok(existsSync(kept), again.output);
});

test('the books of a running appliance are not replaced', async t => {
  const folder = folderFor(t);
  const app = await startApp(t);
  await app.createBundle();
  const backup = join(folder, 'books.backup');
  await lango(app.dataDir, 'backup', backup);
  const { code, output } = await lango(app.dataDir, 'restore', backup);
  assert.equal(code, 1);
  assert.match(output, /Stop the appliance first/);
  assert.equal((await app.get('/api/bundles/')).status, 200);
});

test('what is no backup is refused, and changes nothing', async t => {
  const folder = folderFor(t);
  const file = join(folder, 'wrong');
  writeFileSync(file, 'not a database at all, but long enough to look at');
  const { code, output } = await lango(folder, 'restore', file);
  assert.equal(code, 1);
  assert.match(output, /no sound backup/);
  assert.equal(existsSync(join(folder, 'lango.db')), false);
});

test('what the next start would refuse is no backup', async t => {
  const folder = folderFor(t);
  const foreign = join(folder, 'foreign');
  const changed = join(folder, 'changed');
  const other = new SqliteDatabase(foreign);
  other.exec('CREATE TABLE notes (text)');
  other.pragma('user_version = 3');
  other.close();
  const books = openForWriting(changed);
  migrate(books);
  books.exec("UPDATE migrations_run SET checksum = 'another' WHERE version = 4");
  books.close();
  for (const [file, said] of [
    [foreign, /no sound backup: .*database of another program/],
    [changed, /no sound backup: .*made by another "004-sms"/],
  ] as const) {
    const { code, output } = await lango(folder, 'restore', file);
    assert.equal(code, 1, output);
    assert.match(output, said);
  }
  assert.equal(existsSync(join(folder, 'lango.db')), false);
});

test('a backup takes the place of nothing that the appliance has open, by whatever path', async t => {
  const folder = folderFor(t);
  const app = await startApp(t);
  const [code] = await app.issueVouchers();
  symlinkSync(app.dataDir, join(folder, 'data'));
  for (const name of ['lango.db', 'lango.db-wal', 'lango.lock']) {
    for (const data of [app.dataDir, join(folder, 'data')]) {
      const { code: exit, output } = await lango(app.dataDir, 'backup', join(data, name));
      assert.equal(exit, 1, `${name}: ${output}`);
      assert.match(output, /belongs to the books themselves\. Name another file/);
    }
  }
  assert.equal((await app.redeem(code!, '+255712345678')).status, 200);
  assert.equal((await lango(app.dataDir, 'backup', join(app.dataDir, 'monday'))).code, 0);
  const db = openForReading(join(app.dataDir, 'lango.db'));
  t.after(() => db.close());
  assert.equal(readsOf(db).vouchers.byCode(code!)?.usedByPhone, '+255712345678', 'the file is still the one in use');
});

test('a backup that cannot be written leaves the earlier one as it was', async t => {
  const folder = folderFor(t);
  const target = join(folder, 'books.backup');
  writeFileSync(target, 'the earlier one');
  const { code } = await lango(join(folder, 'empty'), 'backup', target);
  assert.equal(code, 1);
  assert.equal(readFileSync(target, 'utf8'), 'the earlier one');
});
