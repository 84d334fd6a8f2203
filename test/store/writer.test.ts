/** What one transaction takes together, and what becomes of the rest when one command of it refuses. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { workerFile } from '../../src/assets.ts';
import type { LangoError } from '../../src/domain/errors.ts';
import type { Phone } from '../../src/domain/phone.ts';
import type { Instant } from '../../src/domain/time.ts';
import { createLog } from '../../src/log.ts';
import { openStore } from '../../src/store/store.ts';
import { ACTOR, DAY_BUNDLE, NOW, POLICY } from '../support/books.ts';

const [ASHA, BARAKA, CHIKU] = ['+255712000001', '+255712000002', '+255712000003'] as [Phone, Phone, Phone];

test('a command that refuses, even halfway, undoes itself alone; the others of its group are kept, once', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-writer-'));
  const log = createLog('error', { write: () => {} });
  let now = NOW;
  const store = await openStore({
    dataDir,
    policy: POLICY,
    workerFile: workerFile('store/writer-worker'),
    now: () => now,
    log,
  });
  t.after(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const { commit, reads } = store;
  const { id: bundleId } = await commit('createBundle', { bundle: DAY_BUNDLE }, ACTOR);
  const order = { bundleId, quantity: 3, expiryDays: 30, phone: null };
  const [first, second, third] = (await commit('generateVouchers', order, ACTOR)).codes as [string, string, string];

  const redeem = (phone: Phone, code: string, at = NOW) => {
    now = at;
    return commit('redeemVoucher', { phone, code, language: null, device: null, onlineMacs: [] });
  };
  const revision = store.revision();
  const outcomes = await Promise.allSettled([
    redeem(ASHA, first),
    // An hour that is none: by the time it is noticed the person has been written, and the code is taken.
    redeem(BARAKA, second, '!' as Instant),
    redeem(BARAKA, first),
    redeem(CHIKU, 'AAAA-AAAA-AAAA'),
    redeem(CHIKU, third),
  ]);
  assert.equal(store.revision(), revision + 1, 'all of them were one transaction');
  assert.deepEqual(
    outcomes.map(outcome => (outcome.status === 'fulfilled' ? 'kept' : (outcome.reason as LangoError).code)),
    ['kept', 'INTERNAL', 'VOUCHER_USED', 'VOUCHER_INVALID', 'kept'],
  );
  assert.deepEqual(
    [first, second, third].map(code => reads.vouchers.byCode(code)?.usedByPhone),
    [ASHA, null, CHIKU],
  );
  assert.equal(reads.users.byPhone(BARAKA), null);
  for (const phone of [ASHA, CHIKU]) {
    const { id, paidUntil } = reads.users.byPhone(phone) ?? {};
    assert.equal(paidUntil, '2026-11-22T10:00:00.000Z');
    assert.equal(reads.grants.ofUser(id as number).length, 1);
  }
});

test('a writer thread that ends unasked is told of, refuses what is asked for, and lets the books be closed', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-writer-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const log = createLog('error', { write: () => {} });
  const started = new Promise<Worker>(resolve => process.once('worker', resolve));
  const lost = Promise.withResolvers<unknown>();
  const options = { dataDir, policy: POLICY, workerFile: workerFile('store/writer-worker'), now: () => NOW, log };
  const store = await openStore({ ...options, onWriterLost: lost.resolve });
  await (await started).terminate();
  assert.match(String(await lost.promise), /writer thread ended/);
  assert.equal(store.isWorking(), false);
  await assert.rejects(store.commit('recordHeartbeat', {}), { code: 'STORAGE_UNAVAILABLE' });
  await store.close();
  const again = await openStore(options);
  await again.commit('recordHeartbeat', {});
  await again.close();
});
