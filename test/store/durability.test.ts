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
import { openForReading } from '../../src/store/database.ts';
import { readsOf } from '../../src/store/repositories.ts';
import { BARE_ENVIRONMENT } from '../support/environment.ts';
import { freePort } from '../support/ports.ts';

const ROUNDS = 20;
const REDEEMERS = 4;
const ADMIN_TOKEN = 'a-configured-token-for-tests-only';
const AS_ADMIN = { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` };

test('kill -9 while four redeem: nothing acknowledged is lost, nothing is granted twice', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'lango-kill-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const acknowledged = new Set<string>();
  let person = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await startServer(folder);
    const supply = await endlessCodes(server.url);
    const enough = Promise.withResolvers<void>();
    const goal = acknowledged.size + REDEEMERS + 1;
    const redeemers = Array.from({ length: REDEEMERS }, async () => {
      for (;;) {
        const code = await supply();
        if (code === null || !(await redeem(server.url, code, ++person))) return;
        acknowledged.add(code);
        if (acknowledged.size >= goal) enough.resolve();
      }
    });
    // Everybody is at work, on a slow machine too; then at another moment of the work in each round.
    await Promise.race([enough.promise, Promise.all(redeemers)]);
    await setTimeout(round * 10);
    server.process.kill('SIGKILL');
    await once(server.process, 'exit');
    await Promise.all(redeemers);
  }

  assert.ok(acknowledged.size > ROUNDS * REDEEMERS, `only ${acknowledged.size} were acknowledged`);
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

/** Unused codes of the appliance, made as they are asked for, however fast that is; null once it is gone. */
async function endlessCodes(url: string): Promise<() => Promise<string | null>> {
  const send = async (path: string, body: unknown) => {
    const reply = await fetch(url + path, { method: 'POST', headers: AS_ADMIN, body: JSON.stringify(body) });
    assert.ok(reply.ok, `${path}: ${reply.status}`);
    // What comes of it is what the test finds out.
    // oxlint-disable-next-line typescript/no-explicit-any
    return (await reply.json()) as any;
  };
  const { bundle } = await send('/api/admin/bundles/', { name: 'Hour', price: 1_000, duration_hours: 1 });
  const order = { bundle_id: bundle.id, quantity: 200, expiry_days: 30 };
  let codes: Promise<string[]> = Promise.resolve([]);
  const restock = async (): Promise<string[]> => {
    const { vouchers } = await send('/api/vouchers/generate/', order);
    return vouchers.map(({ code }: { code: string }) => code);
  };
  return async function next(): Promise<string | null> {
    try {
      const stock = codes;
      const code = (await stock).pop();
      if (code !== undefined) return code;
      if (codes === stock) codes = restock();
      return await next();
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return null;
    }
  };
}

async function startServer(dataDir: string): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const environment = {
    ...BARE_ENVIRONMENT,
    LANGO_DATA_DIR: dataDir,
    LANGO_HOST: '127.0.0.1',
    LANGO_PORT: String(port),
    SIMPLE_ADMIN_TOKEN: ADMIN_TOKEN,
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
