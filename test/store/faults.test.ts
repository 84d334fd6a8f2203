/** What a bad disk may do to the appliance: refuse what was asked for, and nothing else. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { commands } from '../../src/domain/commands.ts';
import type { StaffTx } from '../../src/domain/transaction.ts';
import { type Database, openForReading, openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { readsOf, transactionsOf } from '../../src/store/repositories.ts';
import { until } from '../support/app.ts';
import { ACTOR, DAY_BUNDLE, NOW, POLICY } from '../support/books.ts';
import { createDisk, type Disk, type Mood } from '../support/disk.ts';
import { BARE_ENVIRONMENT } from '../support/environment.ts';
import { freePort } from '../support/ports.ts';

for (const mood of ['full', 'broken'] as const satisfies readonly Mood[]) {
  test(`while the disk is ${mood}, requests that save answer 503, /health/ says it, and all else goes on`, async t => {
    const { url, disk, dataDir, redeem, health } = await startOnBadDisk(t);
    const redeemAll = async () => (await Promise.all([1, 2, 3, 4].map(redeem))).map(({ status }) => status);
    assert.equal((await redeem(0)).status, 200);
    assert.equal((await health())['status'], 'healthy');

    disk.is(mood);
    assert.deepEqual(await redeemAll(), [503, 503, 503, 503]);
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
    assert.deepEqual(await redeemAll(), [200, 200, 200, 200], 'the same codes work then');
    assert.equal((await health())['status'], 'healthy');
    const db = openForReading(join(dataDir, 'lango.db'));
    t.after(() => db.close());
    assert.equal(db.prepare('SELECT count(*) FROM grants').pluck().get(), 5);
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
  });
}

test('while a flush of the disk does not come back, nobody waits for it longer than 10 s, and nothing counts twice', async t => {
  const { disk, dataDir, redeem, health } = await startOnBadDisk(t);
  const took = async (act: () => Promise<unknown>) => {
    const begun = performance.now();
    await act();
    return performance.now() - begun;
  };
  disk.is({ slowMicroseconds: 14_000_000 });
  const waited = await took(async () => {
    const [first, second] = await Promise.all([redeem(0), redeem(1)]);
    assert.deepEqual([first.status, second.status], [503, 503]);
    assert.match(String(first.body['message']), /look again/);
  });
  assert.ok(waited < 10_000, `answered after ${waited} ms`);
  assert.ok((await took(async () => assert.equal((await redeem(2)).status, 503))) < 4_000, 'the next is told at once');
  assert.match(String((await health())['problems']), /disk/);

  disk.is('good');
  await until(async () => (await health())['status'] === 'healthy');
  assert.deepEqual([(await redeem(0)).status, (await redeem(1)).status, (await redeem(2)).status], [200, 200, 200]);
  const db = openForReading(join(dataDir, 'lango.db'));
  t.after(() => db.close());
  assert.equal(db.prepare('SELECT count(*) FROM grants').pluck().get(), 3);
});

test('a flush that does not come back does not keep it from ending within 10 s', async t => {
  const { process: child, disk, dataDir, redeem } = await startOnBadDisk(t);
  assert.equal((await redeem(0)).status, 200);
  disk.is({ slowMicroseconds: 120_000_000 });
  const lost = assert.rejects(redeem(1));
  const wal = join(dataDir, 'lango.db-wal');
  const before = statSync(wal).size;
  await until(() => statSync(wal).size > before);
  const begun = performance.now();
  child.kill('SIGTERM');
  await once(child, 'exit');
  const took = performance.now() - begun;
  assert.ok(took < 10_000, `ended after ${took} ms`);
  await lost;
  const db = openForWriting(join(dataDir, 'lango.db'));
  t.after(() => db.close());
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
  assert.ok((db.prepare('SELECT count(*) FROM grants').pluck().get() as number) >= 1, 'what was acknowledged is there');
});

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
    inTransaction(db, tx => commands.createBundle(tx, { bundle: { ...DAY_BUNDLE, name: `${n}` } }));
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

function inTransaction(db: Database, act: (tx: StaffTx) => void): void {
  db.transaction(() => act(transactionsOf(db, POLICY)(NOW, ACTOR)))();
}

async function garble(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(50, 0xa5), 0, 50, at);
  await file.close();
}

interface Started {
  url: string;
  process: ChildProcess;
  disk: Disk;
  dataDir: string;
  /** The n-th code, by the n-th person. */
  redeem(n: number): Promise<{ status: number; body: Record<string, unknown> }>;
  health(): Promise<Record<string, unknown>>;
}

async function startOnBadDisk(t: TestContext): Promise<Started> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-faults-'));
  const disk = createDisk();
  const db = openForWriting(join(dataDir, 'lango.db'));
  migrate(db);
  let codes: string[] = [];
  inTransaction(db, tx => {
    const { id: bundleId } = commands.createBundle(tx, { bundle: DAY_BUNDLE });
    const order = { bundleId, quantity: 10, expiryDays: 3_650, phone: null };
    ({ codes } = commands.generateVouchers(tx, order));
  });
  db.close();
  assert.ok(!existsSync(join(dataDir, 'lango.db-wal')));

  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), 'serve'], {
    env: {
      ...BARE_ENVIRONMENT,
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
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    process: child,
    disk,
    dataDir,
    async redeem(n) {
      const body = JSON.stringify({ voucher_code: codes[n], phone_number: `07120000${10 + n}` });
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${url}/api/vouchers/redeem/`, { method: 'POST', headers, body });
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
    },
    health: async () => (await (await fetch(`${url}/api/health/`)).json()) as Record<string, unknown>,
  };
}
