/** What was acknowledged is on the disk: `kill -9` in the middle of redeeming, again and again, on one file. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { commands } from '../../src/domain/commands.ts';
import { parseInstant } from '../../src/domain/time.ts';
import { openForReading, openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { readsOf, transactionOf } from '../../src/store/repositories.ts';
import { freePort } from '../support/app.ts';
import { POLICY } from '../support/books.ts';

const ROUNDS = 20;
const REDEEMERS = 4;
const CODES = 4_000;

test('kill -9 while four redeem: nothing acknowledged is lost, nothing is granted twice', {
  timeout: 180_000,
}, async t => {
  const folder = mkdtempSync(join(tmpdir(), 'lango-kill-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const codes = stockUp(join(folder, 'lango.db'));
  const acknowledged = new Set<string>();
  let next = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startServer(folder);
    const redeemers = Array.from({ length: REDEEMERS }, async () => {
      for (; next < codes.length; ) {
        const code = codes[next++] as string;
        if (!(await redeem(server.url, code, next))) return;
        acknowledged.add(code);
      }
    });
    await setTimeout(60 + round * 10);
    server.process.kill('SIGKILL');
    await once(server.process, 'exit');
    await Promise.all(redeemers);
  }

  assert.ok(acknowledged.size > ROUNDS * REDEEMERS, `only ${acknowledged.size} were acknowledged`);
  assert.ok(next < codes.length, 'the codes lasted to the end');
  const db = openForReading(join(folder, 'lango.db'));
  t.after(() => db.close());
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
  const reads = readsOf(db);
  for (const code of acknowledged) {
    const voucher = reads.vouchers.byCode(code);
    assert.ok(voucher?.usedAt != null, 'an acknowledged voucher is used');
    assert.ok(reads.grants.ofSource('voucher', voucher.id) !== null, 'and has its grant');
  }
  const doubled = db.prepare('SELECT source_id FROM grants GROUP BY source, source_id HAVING count(*) > 1').all();
  assert.deepEqual(doubled, []);
  const halfDone = `SELECT count(*) FROM vouchers LEFT JOIN grants ON source = 'voucher' AND source_id = vouchers.id
    WHERE (used_at IS NULL) <> (grants.id IS NULL)`;
  assert.equal(db.prepare(halfDone).pluck().get(), 0);
});

function stockUp(file: string): string[] {
  const db = openForWriting(file);
  migrate(db);
  const tx = transactionOf(db, POLICY);
  const now = parseInstant(new Date().toISOString());
  const actor = { adminId: null, name: 'test', ip: null };
  const price = { minor: 100, currency: 'TZS' };
  const rest = { description: '', isActive: true, displayOrder: 0, routerProfile: null };
  const bundle = commands.createBundle(tx, {
    bundle: { name: 'Hour', price, durationSeconds: 3_600, ...rest },
    actor,
    now,
  });
  const input = { bundleId: bundle.id, quantity: CODES, expiryDays: 30, phone: null, actor, now };
  const { codes } = db.transaction(() => commands.generateVouchers(tx, input))();
  db.close();
  return codes;
}

async function startServer(dataDir: string): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const environment = {
    PATH: process.env['PATH'],
    LANGO_DATA_DIR: dataDir,
    LANGO_HOST: '127.0.0.1',
    LANGO_PORT: String(port),
    SIMPLE_ADMIN_TOKEN: 'a-configured-token-for-tests-only',
  };
  const main = join(import.meta.dirname, '../../src/main.ts');
  const child = spawn(process.execPath, [main, 'serve'], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr })) {
    if (line.includes('server.listening')) break;
  }
  child.stderr.resume();
  return { url: `http://127.0.0.1:${port}`, process: child };
}

/** @returns true when the appliance acknowledged it */
async function redeem(url: string, code: string, person: number): Promise<boolean> {
  const phone = `+2557${String(12_000_000 + person).padStart(8, '0')}`;
  try {
    const reply = await fetch(`${url}/api/vouchers/redeem/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ voucher_code: code, phone_number: phone }),
    });
    await reply.text();
    assert.equal(reply.status, 200);
    return true;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return false;
  }
}
