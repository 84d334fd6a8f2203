/** Standings are kept in memory; whoever has heard that a commit is done never gets one from before it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { workerFile } from '../../src/assets.ts';
import type { Mac } from '../../src/domain/mac.ts';
import type { Phone } from '../../src/domain/phone.ts';
import { addSeconds, parseInstant } from '../../src/domain/time.ts';
import { createLog } from '../../src/log.ts';
import { openForReading } from '../../src/store/database.ts';
import { readsOf } from '../../src/store/repositories.ts';
import { openStore } from '../../src/store/store.ts';
import { POLICY } from '../support/books.ts';

const NOW = parseInstant('2026-11-21T10:00:00Z');
const ACTOR = { adminId: null, name: 'test', ip: null };
const ASHA = '+255712000001' as Phone;
const BARAKA = '+255712000002' as Phone;
const PHONE = { mac: 'A4:83:E7:00:00:01' as Mac, ip: null };
const LAPTOP = { mac: 'A4:83:E7:00:00:02' as Mac, ip: null };

test('after every commit the standing that is remembered is the one in the books', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-standings-'));
  const log = createLog('error', { write: () => {} });
  const store = await openStore({ dataDir, policy: POLICY, workerFile: workerFile('store/writer-worker'), log });
  const beside = openForReading(store.file);
  t.after(async () => {
    beside.close();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const { commit, reads } = store;
  const inBooks = readsOf(beside).standings;
  const agree = (step: string) => {
    for (const phone of [ASHA, BARAKA]) assert.deepEqual(reads.standings.byPhone(phone), inBooks.byPhone(phone), step);
  };
  const bundle = {
    name: 'Day',
    description: '',
    price: { minor: 100_000, currency: 'TZS' },
    durationSeconds: 86_400,
    isActive: true,
    displayOrder: 0,
    routerProfile: null,
  };
  const { id: bundleId } = await commit('createBundle', { bundle, actor: ACTOR, now: NOW });
  const order = { bundleId, quantity: 2, expiryDays: 30, phone: null, actor: ACTOR, now: NOW };
  const { codes } = await commit('generateVouchers', order);
  agree('nobody is known yet');

  const redeem = (phone: Phone, code: string | undefined, device: typeof PHONE | null) =>
    commit('redeemVoucher', { code: code as string, phone, device, onlineMacs: [], now: NOW });
  await redeem(ASHA, codes[0], PHONE);
  agree('a voucher with a device');
  await redeem(BARAKA, codes[1], null);
  agree('a voucher without a device');
  const idOf = (phone: Phone) => inBooks.byPhone(phone)?.user.id as number;

  const inBoth = () => [ASHA, BARAKA].map(phone => inBooks.byPhone(phone));
  const steps: [name: string, act: () => Promise<unknown>][] = [
    [
      'more devices',
      () => commit('updateUser', { userId: idOf(BARAKA), change: { maxDevices: 2 }, actor: ACTOR, now: NOW }),
    ],
    ['a device registers', () => commit('registerDevice', { phone: BARAKA, device: LAPTOP, now: NOW })],
    ['a device moves here', () => commit('registerDevice', { phone: BARAKA, device: PHONE, now: NOW })],
    ['a device goes', () => commit('removeDevice', { userId: idOf(BARAKA), mac: LAPTOP.mac, actor: null, now: NOW })],
    [
      'time is given',
      () => commit('giveTime', { userId: idOf(ASHA), seconds: 60, reason: '', actor: ACTOR, now: NOW }),
    ],
    [
      'blocked',
      () => commit('updateUser', { userId: idOf(ASHA), change: { isActive: false }, actor: ACTOR, now: NOW }),
    ],
    [
      'unblocked',
      () => commit('updateUser', { userId: idOf(ASHA), change: { isActive: true }, actor: ACTOR, now: NOW }),
    ],
    ['deleted', () => commit('deleteUser', { userId: idOf(BARAKA), actor: ACTOR, now: addSeconds(NOW, 5) })],
  ];
  for (const [name, act] of steps) {
    const before = inBoth();
    agree(`before: ${name}`);
    await act();
    agree(name);
    assert.notDeepEqual(inBoth(), before, `${name} changed something`);
  }
});
