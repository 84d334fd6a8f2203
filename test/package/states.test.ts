/** Every state that the data folder may be in at a start: what the executable says of it, and what it does. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commands } from '../../src/domain/commands.ts';
import { systemClock } from '../../src/domain/time.ts';
import { openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { migrations } from '../../src/store/migrations/index.ts';
import { transactionsOf } from '../../src/store/repositories.ts';
import { ACTOR, DAY_BUNDLE, POLICY } from '../support/books.ts';
import { createDisk } from '../support/disk.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';
import { executable, serve, stop, temporaryFolder } from './support.ts';

const lango = executable('linux-x64');
const NOBODY = 65_534;
const PHONE = '+255712345678';

/** A folder with books that sell a bundle, closed in order. @returns the folder and its codes */
function booksIn(folder: string, steps = migrations): string[] {
  const db = openForWriting(join(folder, 'lango.db'));
  migrate(db, steps);
  let codes: string[] = [];
  if (steps === migrations) {
    db.transaction(() => {
      const tx = transactionsOf(db, POLICY)(systemClock.now(), ACTOR);
      const { id: bundleId } = commands.createBundle(tx, { bundle: DAY_BUNDLE });
      const order = { bundleId, quantity: 5, expiryDays: 30, phone: null };
      ({ codes } = commands.generateVouchers(tx, order));
    })();
  }
  db.close();
  return codes;
}

async function environmentOf(dataDir: string): Promise<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    LANGO_DATA_DIR: dataDir,
    LANGO_HOST: '127.0.0.1',
    LANGO_PORT: String(await freePort()),
  };
}

async function run(
  args: readonly string[],
  env: Record<string, string>,
  { input = '', program = lango, ...as }: Run = {},
) {
  const child = spawn(program, args, { env, timeout: 240_000, cwd: '/', ...as });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', piece => {
      said += piece;
    });
  }
  child.stdin.end(input);
  await once(child, 'close');
  return { status: child.exitCode, said };
}

interface Run {
  input?: string;
  program?: string;
  uid?: number;
  gid?: number;
}

const contentsOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .filter(name => name !== 'lango.lock' && !name.endsWith('-shm'))
      .map(name => [name, readFileSync(join(folder, name)).toString('latin1')]),
  );

const overwrite = (file: string, at: number, bytes: number) => {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(bytes, 0xa5), 0, bytes, at);
};

interface State {
  name: string;
  make(file: string, folder: string): void;
  said: RegExp;
}

const LOST = /is missing or empty, but .* show that there were books\. Restore a backup with `lango restore FILE`/;
const DAMAGED = /The books in .*lango\.db are damaged .*`lango restore FILE`/;

const REFUSED: readonly State[] = [
  { name: 'no database at all', make: file => writeFileSync(file, 'not a database '.repeat(999)), said: DAMAGED },
  { name: 'garbled in the middle', make: file => overwrite(file, 4_096 * 4, 4_096 * 20), said: DAMAGED },
  { name: 'cut to half', make: file => truncateSync(file, statSync(file).size >> 1), said: DAMAGED },
  { name: 'cut within the first page', make: file => truncateSync(file, 700), said: DAMAGED },
  {
    name: 'empty beside a log of changes',
    make(file) {
      writeFileSync(`${file}-wal`, 'changes');
      truncateSync(file, 0);
    },
    said: LOST,
  },
  {
    name: 'missing beside a log of changes',
    make(file) {
      writeFileSync(`${file}-wal`, 'changes');
      rmSync(file);
    },
    said: LOST,
  },
  { name: 'missing beside a backup', make: (file, folder) => renameSync(file, join(folder, 'monday')), said: LOST },
  {
    name: 'missing beside what a restore replaced',
    make: file => renameSync(file, `${file}.replaced-2026`),
    said: LOST,
  },
  {
    name: 'empty beside a copy from before a migration',
    make(file) {
      copyFileSync(file, `${file}.before-migration-2-7`);
      truncateSync(file, 0);
    },
    said: LOST,
  },
];

for (const { name, make, said } of REFUSED) {
  test(`books that are ${name}: the start is refused, says what to do, changes nothing; a restore mends it`, async t => {
    const [folder, elsewhere] = [temporaryFolder(t), temporaryFolder(t)];
    const env = await environmentOf(folder);
    booksIn(folder);
    const backup = join(elsewhere, 'backup');
    assert.equal((await run(['backup', backup], env)).status, 0);
    assert.equal(statSync(backup).mode & 0o777, 0o600);
    make(join(folder, 'lango.db'), folder);
    const before = contentsOf(folder);

    const refused = await run(['serve'], env);
    assert.equal(refused.status, 1);
    assert.match(refused.said, said);
    assert.doesNotMatch(refused.said, /\n\s+at /, 'no stack');
    assert.match((await run(['doctor'], env)).said, /✗ .*lango restore/);
    assert.deepEqual(contentsOf(folder), before);

    const restored = await run(['restore', backup], env);
    assert.equal(restored.status, 0, restored.said);
    assert.equal(existsSync(join(folder, 'lango.db-wal')), false);
    assert.equal(statSync(join(folder, 'lango.db')).mode & 0o777, 0o600);
    if (before['lango.db'] !== undefined) assert.match(restored.said, /is kept in .*lango\.db\.replaced-/);
    const served = await serve(t, Number(env['LANGO_PORT']), [lango, 'serve'], { cwd: folder, env });
    const bundles = (await (await fetch(`${served.url}/api/bundles/`)).json()) as { name: string }[];
    assert.equal(JSON.stringify(bundles).includes('Day'), true);
    assert.equal(await stop(served.process), 0);
  });
}

test('an empty file alone is a first start', async t => {
  const folder = temporaryFolder(t);
  const env = await environmentOf(folder);
  writeFileSync(join(folder, 'lango.db'), '');
  const served = await serve(t, Number(env['LANGO_PORT']), [lango, 'serve'], { cwd: folder, env });
  assert.equal(await stop(served.process), 0);
});

test('a log of changes that strayed beside a restored file does it no harm', async t => {
  const [folder, elsewhere] = [temporaryFolder(t), temporaryFolder(t)];
  const env = await environmentOf(folder);
  booksIn(folder);
  const backup = join(elsewhere, 'backup');
  await run(['backup', backup], env);
  for (const end of ['', '-wal', '-shm']) writeFileSync(join(folder, `lango.db${end}`), `old${end}`.repeat(2_000));
  const { status, said } = await run(['restore', backup], env);
  assert.equal(status, 0, said);
  const kept = readdirSync(folder).filter(name => name.includes('.replaced-'));
  assert.deepEqual(kept.map(name => name.replace(/^.*Z/, '')).toSorted(), ['', '-shm', '-wal']);
  assert.deepEqual(
    readdirSync(folder).filter(name => /^lango\.db(-|$)/.test(name)),
    ['lango.db'],
  );
  const served = await serve(t, Number(env['LANGO_PORT']), [lango, 'serve'], { cwd: folder, env });
  assert.equal(await stop(served.process), 0);
});

test('a second one on the same folder is refused; commands work; after kill -9 the next starts', async t => {
  const folder = temporaryFolder(t);
  const env = await environmentOf(folder);
  booksIn(folder);
  const first = await serve(t, Number(env['LANGO_PORT']), [lango, 'serve'], { cwd: folder, env });
  const second = await run(['serve'], await environmentOf(folder));
  assert.equal(second.status, 1);
  assert.match(second.said, /in use by another Lango\. Stop the appliance first \(systemctl stop lango\)/);
  const backup = join(temporaryFolder(t), 'backup');
  assert.equal((await run(['backup', backup], env)).status, 0);
  assert.equal((await run(['admin', 'add', 'mariam'], env, { input: 'a long enough password\n' })).status, 0);
  assert.match((await run(['doctor'], env)).said, /✓ The appliance runs/);
  const restore = await run(['restore', backup], env);
  assert.equal(restore.status, 1);
  assert.match(restore.said, /in use/);

  first.process.kill('SIGKILL');
  await once(first.process, 'exit');
  const next = await serve(t, Number(env['LANGO_PORT']), [lango, 'serve'], { cwd: folder, env });
  assert.equal(await stop(next.process), 0);
});

test('a folder that may not be written is refused, and named', async t => {
  const [folder, program] = [temporaryFolder(t), temporaryFolder(t)];
  booksIn(folder);
  const isRoot = process.getuid?.() === 0;
  chmodSync(folder, isRoot ? 0o755 : 0o555);
  const copy = join(program, 'lango');
  copyFileSync(lango, copy);
  for (const path of [program, copy]) chmodSync(path, 0o755);
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const { status, said } = await run(['serve'], await environmentOf(folder), { program: copy, ...as });
  chmodSync(folder, 0o755);
  assert.equal(status, 1, said);
  assert.match(said, /cannot be written by this user: give it to the user Lango runs as/);
});

test('a file where the folder should be is refused, and named', async t => {
  const file = join(temporaryFolder(t), 'data');
  writeFileSync(file, '');
  const { status, said } = await run(['serve'], await environmentOf(file));
  assert.equal(status, 1, said);
  assert.match(said, /data is no folder: name one in LANGO_DATA_DIR\.\n$/);
});

/** Starts without waiting for it to serve. @returns what it has said so far */
function begin(t: TestContext, env: Record<string, string>): { child: ChildProcess; said: () => string } {
  const child = spawn(lango, ['serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', piece => {
    said += piece;
  });
  t.after(() => stop(child));
  return { child, said: () => said };
}

for (const mood of ['full', 'broken'] as const) {
  test(`on a ${mood} disk it starts reading, says so, refuses to sell, and recovers by itself`, async t => {
    const folder = temporaryFolder(t);
    const disk = createDisk();
    t.after(() => disk.remove());
    const codes = booksIn(folder);
    const env: Record<string, string> = { ...(await environmentOf(folder)), ...disk.environment };
    disk.is(mood);
    const { url, process: child } = await serve(t, Number(env['LANGO_PORT']), [lango, 'serve'], { cwd: folder, env });
    const health = async () => (await (await fetch(`${url}/api/health/`)).json()) as Record<string, unknown>;
    const redeem = async () => {
      const body = JSON.stringify({ voucher_code: codes[0], phone_number: PHONE });
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${url}/api/vouchers/redeem/`, { method: 'POST', headers, body });
      return { status: reply.status, body: await reply.text() };
    };
    const ill = await health();
    assert.equal(ill['status'], 'degraded');
    assert.equal(ill['database_connected'], true);
    assert.match(String(ill['problems']), /The disk does not take what is to be saved/);
    assert.match(await (await fetch(`${url}/api/bundles/`)).text(), /Day/);
    const refused = await redeem();
    assert.equal(refused.status, 503, refused.body);
    const { said } = await run(['doctor'], env);
    assert.match(said, /✗ The appliance says: The disk does not take/);
    assert.doesNotMatch(said, /lango restore/, 'nothing is wrong with the books');

    disk.is('good');
    await until(async () => (await health())['status'] === 'healthy');
    const sold = await redeem();
    assert.equal(sold.status, 200, sold.body);
    assert.equal(await stop(child), 0);
  });
}

test('on a full disk, books that a migration must change first are waited for', async t => {
  const folder = temporaryFolder(t);
  const disk = createDisk();
  t.after(() => disk.remove());
  booksIn(folder, migrations.slice(0, 6));
  const env: Record<string, string> = { ...(await environmentOf(folder)), ...disk.environment };
  disk.is('full');
  const { child, said } = begin(t, env);
  await until(() => said().split('store.not_saving').length > 2);
  assert.match(said(), /does not take anything .*make room/);
  assert.equal(child.exitCode, null);
  disk.is('good');
  await until(() => said().includes('server.listening'));
  assert.equal(await stop(child), 0);
  assert.equal(readdirSync(folder).filter(name => name.includes('.before-migration-')).length, 1);
});
