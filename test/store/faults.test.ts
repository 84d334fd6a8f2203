/** What a bad disk may do to the appliance: refuse what was asked for, and nothing else. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { commands } from '../../src/domain/commands.ts';
import { parseInstant } from '../../src/domain/time.ts';
import { type Database, openForReading, openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { readsOf, transactionOf } from '../../src/store/repositories.ts';
import { freePort } from '../support/app.ts';
import { POLICY } from '../support/books.ts';
import { createDisk, type Disk, type Mood } from '../support/disk.ts';

const NOW = parseInstant('2026-11-21T10:00:00Z');
const ACTOR = { adminId: null, name: 'test', ip: null };
const BUNDLE = {
  name: 'Day',
  description: '',
  price: { minor: 100_000, currency: 'TZS' },
  durationSeconds: 86_400,
  isActive: true,
  displayOrder: 0,
  routerProfile: null,
};

for (const mood of ['full', 'broken'] as const satisfies readonly Mood[]) {
  test(`while the disk is ${mood}, requests that save answer 503, /health/ says it, and all else goes on`, {
    timeout: 120_000,
  }, async t => {
    const { url, codes, disk, dataDir } = await startOnBadDisk(t);
    const redeem = async (n: number) => {
      const body = JSON.stringify({ voucher_code: codes[n], phone_number: `07120000${10 + n}` });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${url}/api/vouchers/redeem/`, { method: 'POST', headers, body })).status;
    };
    const health = async () => (await (await fetch(`${url}/api/health/`)).json()) as Record<string, unknown>;
    assert.equal(await redeem(0), 200);
    assert.equal((await health())['status'], 'healthy');

    disk.is(mood);
    const refused = await Promise.all([1, 2, 3, 4].map(redeem));
    assert.deepEqual(refused, [503, 503, 503, 503]);
    const ill = await health();
    assert.equal(ill['status'], 'degraded');
    assert.equal(ill['database_connected'], true);
    assert.match(String(ill['problems']), /disk/);
    const auth = await fetch(`${url}/api/router/auth/`, {
      method: 'POST',
      body: new URLSearchParams({ username: '255712000010' }),
    });
    assert.equal(auth.status, 200, 'who has paid is still let in');

    disk.is('good');
    assert.deepEqual(await Promise.all([1, 2, 3, 4].map(redeem)), [200, 200, 200, 200], 'the same codes work then');
    assert.equal((await health())['status'], 'healthy');
    const db = openForReading(join(dataDir, 'lango.db'));
    t.after(() => db.close());
    assert.equal(db.prepare('SELECT count(*) FROM grants').pluck().get(), 5);
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
  });
}

test('a WAL whose end is torn or garbled gives back every commit before it', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'lango-torn-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'lango.db');
  const db = openForWriting(file);
  migrate(db);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const wal = `${file}-wal`;
  const ends: number[] = [];
  for (let n = 1; n <= 6; n += 1) {
    inTransaction(db, tx => commands.createBundle(tx, { bundle: { ...BUNDLE, name: `${n}` }, actor: ACTOR, now: NOW }));
    ends.push(statSync(wal).size);
  }
  const lastCommit = (ends.at(-1) as number) - (ends.at(-2) as number);
  const harms: [name: string, survive: number, harm: (wal: string) => Promise<void>][] = [
    ['one byte short', 5, async path => truncateSync(path, (ends.at(-1) as number) - 1)],
    [
      'cut in the last commit',
      5,
      async path => truncateSync(path, (ends.at(-1) as number) - Math.floor(lastCommit / 2)),
    ],
    ['its last page garbled', 5, path => garble(path, (ends.at(-1) as number) - 100)],
    ['cut in the fourth commit', 3, async path => truncateSync(path, (ends[3] as number) - 10)],
    ['untouched', 6, async () => {}],
  ];
  for (const [name, survive, harm] of harms) {
    const copy = join(folder, 'copy.db');
    for (const end of ['', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true });
    copyFileSync(file, copy);
    copyFileSync(wal, `${copy}-wal`);
    await harm(`${copy}-wal`);
    const reopened = openForWriting(copy);
    assert.equal(readsOf(reopened).bundles.list().length, survive, name);
    assert.equal(reopened.pragma('integrity_check', { simple: true }), 'ok', name);
    reopened.close();
  }
  db.close();
});

function inTransaction(db: Database, act: (tx: ReturnType<typeof transactionOf>) => void): void {
  db.transaction(() => act(transactionOf(db, POLICY)))();
}

async function garble(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(50, 0xa5), 0, 50, at);
  await file.close();
}

async function startOnBadDisk(t: TestContext): Promise<{ url: string; codes: string[]; disk: Disk; dataDir: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-faults-'));
  const disk = createDisk();
  const db = openForWriting(join(dataDir, 'lango.db'));
  migrate(db);
  let codes: string[] = [];
  inTransaction(db, tx => {
    const { id: bundleId } = commands.createBundle(tx, { bundle: BUNDLE, actor: ACTOR, now: NOW });
    const order = { bundleId, quantity: 10, expiryDays: 3_650, phone: null, actor: ACTOR, now: NOW };
    ({ codes } = commands.generateVouchers(tx, order));
  });
  db.close();
  assert.ok(!existsSync(join(dataDir, 'lango.db-wal')));

  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), 'serve'], {
    env: {
      PATH: process.env['PATH'],
      LANGO_DATA_DIR: dataDir,
      LANGO_HOST: '127.0.0.1',
      LANGO_PORT: String(port),
      SIMPLE_ADMIN_TOKEN: 'a-configured-token-for-tests-only',
      ...disk.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    disk.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', line => {
        if (line.includes('server.listening')) resolve();
      });
    }
    child.once('exit', code => reject(new Error(`The server ended with ${code}.`)));
  });
  return { url: `http://127.0.0.1:${port}`, codes, disk, dataDir };
}
