/** Standings are kept in memory; whoever has heard that a commit is done never gets one from before it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { workerFile } from '../../src/assets.ts';
import { giveTime } from '../../src/domain/access.ts';
import { createBundle } from '../../src/domain/bundles.ts';
import { placeDevice, placePaidDevice } from '../../src/domain/devices.ts';
import type { Mac } from '../../src/domain/mac.ts';
import { newOrderReference, openOrder } from '../../src/domain/orders.ts';
import type { Phone } from '../../src/domain/phone.ts';
import type { StandingReads } from '../../src/domain/standings.ts';
import { addSeconds, dayOf, hourOf } from '../../src/domain/time.ts';
import { createLog } from '../../src/log.ts';
import { openForReading } from '../../src/store/database.ts';
import { readsOf } from '../../src/store/repositories.ts';
import { rememberStandings, watchStandings } from '../../src/store/standings.ts';
import { openStore } from '../../src/store/store.ts';
import { ACTOR, DAY_BUNDLE, NOW, openBooks, POLICY } from '../support/books.ts';

const ASHA = '+255712000001' as Phone;
const BARAKA = '+255712000002' as Phone;
const PHONE = { mac: 'A4:83:E7:00:00:01' as Mac, ip: null, isItself: true };
const LAPTOP = { mac: 'A4:83:E7:00:00:02' as Mac, ip: null, isItself: true };
const PAID = {
  completedAt: NOW,
  completedDay: dayOf(NOW, POLICY.timeZone),
  completedHour: hourOf(NOW, POLICY.timeZone),
  paid: null,
  review: null,
  paymentReference: null,
  transactionId: null,
  paymentChannel: null,
};

test('after every commit the standing that is remembered is the one in the books', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-standings-'));
  const log = createLog('error', { write: () => {} });
  const store = await openStore({
    dataDir,
    policy: POLICY,
    workerFile: workerFile('store/writer-worker'),
    now: () => NOW,
    log,
  });
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
  const { id: bundleId } = await commit('createBundle', { bundle: DAY_BUNDLE }, ACTOR);
  const order = { bundleId, quantity: 2, expiryDays: 30, phone: null };
  const { codes } = await commit('generateVouchers', order, ACTOR);
  agree('nobody is known yet');

  const redeem = (phone: Phone, code: string | undefined, device: typeof PHONE | null) =>
    commit('redeemVoucher', { code: code as string, phone, language: null, device, onlineMacs: [] });
  await redeem(ASHA, codes[0], PHONE);
  agree('a voucher with a device');
  await redeem(BARAKA, codes[1], null);
  agree('a voucher without a device');
  const idOf = (phone: Phone) => inBooks.byPhone(phone)?.user.id as number;

  const inBoth = () => [ASHA, BARAKA].map(phone => inBooks.byPhone(phone));
  const steps: [name: string, act: () => Promise<unknown>][] = [
    ['more devices', () => commit('updateUser', { userId: idOf(BARAKA), change: { maxDevices: 2 } }, ACTOR)],
    ['a device registers', () => commit('registerDevice', { phone: BARAKA, device: LAPTOP, isProven: false })],
    ['a device moves here', () => commit('registerDevice', { phone: BARAKA, device: PHONE, isProven: false })],
    ['a device goes', () => commit('removeDevice', { userId: idOf(BARAKA), mac: LAPTOP.mac, isFinal: true }, null)],
    ['time is given', () => commit('giveTime', { userId: idOf(ASHA), seconds: 60, reason: '' }, ACTOR)],
    ['blocked', () => commit('updateUser', { userId: idOf(ASHA), change: { isActive: false } }, ACTOR)],
    ['unblocked', () => commit('updateUser', { userId: idOf(ASHA), change: { isActive: true } }, ACTOR)],
    ['deleted', () => commit('deleteUser', { userId: idOf(BARAKA) }, ACTOR)],
  ];
  for (const [name, act] of steps) {
    const before = inBoth();
    agree(`before: ${name}`);
    await act();
    agree(name);
    assert.notDeepEqual(inBoth(), before, `${name} changed something`);
  }
});

const someone = fc.integer({ min: 0, max: 3 });
const change = fc.oneof(
  fc.record({ do: fc.constant('time' as const), who: someone, seconds: fc.integer({ min: -7_200, max: 7_200 }) }),
  fc.record({ do: fc.constant('device' as const), who: someone, which: someone }),
  fc.record({ do: fc.constant('no device' as const), which: someone }),
  fc.record({ do: fc.constant('block' as const), who: someone, isActive: fc.boolean() }),
  fc.record({ do: fc.constant('room' as const), who: someone, maxDevices: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('number' as const), who: someone, to: someone }),
  fc.record({ do: fc.constant('delete' as const), who: someone }),
  fc.record({ do: fc.constant('seen' as const), which: someone }),
  fc.record({ do: fc.constant('order' as const), who: someone }),
  fc.record({ do: fc.constant('paid' as const), who: someone }),
  fc.record({ do: fc.constant('sold' as const), who: someone }),
);

test('whatever is written, only what has changed is forgotten, and all of that', () => {
  const phones = [1, 2, 3, 4].map(n => `+25571200000${n}` as Phone);
  const macs = [1, 2, 3, 4].map(n => `A4:83:E7:00:00:0${n}` as Mac);
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 30 }), history => {
      using books = openBooks();
      const { db, tx, reads } = books;
      const changed = watchStandings(db);
      const remembered = rememberStandings(db);
      const all = (standings: StandingReads) => phones.map(phone => standings.byPhone(phone));
      for (const phone of phones) tx.users.ensure(phone, 2, NOW);
      const { id: bundleId } = createBundle(tx, { bundle: DAY_BUNDLE });
      remembered.forget(changed());
      for (const step of history) {
        all(remembered);
        const user = 'who' in step ? tx.users.byPhone(phones[step.who] as Phone) : null;
        const mac = 'which' in step ? (macs[step.which] as Mac) : PHONE.mac;
        const owned = tx.devices.byMac(mac);
        if (step.do === 'no device' && owned !== null) tx.devices.remove(owned.id, NOW);
        if (step.do === 'seen' && owned !== null) {
          tx.devices.touch(owned.id, null, addSeconds(NOW, 90));
          assert.deepEqual(changed(), [], 'a sighting changes nobody');
        }
        if (user !== null) {
          if (step.do === 'time') {
            const given = { userId: user.id, seconds: step.seconds, reason: '' };
            giveTime(tx, given);
          }
          if (step.do === 'device') placePaidDevice(tx, user, { mac, ip: null, isItself: true }, []);
          if (step.do === 'block') tx.users.update(user.id, { isActive: step.isActive });
          if (step.do === 'room') tx.users.update(user.id, { maxDevices: step.maxDevices });
          const to = 'to' in step ? (phones[step.to] as Phone) : null;
          if (to !== null && tx.users.byPhone(to) === null) tx.users.update(user.id, { phone: to });
          if (step.do === 'delete') tx.users.anonymise(user.id, NOW);
          if (step.do === 'order' && user.isActive)
            openOrder(tx, {
              phone: user.phone,
              bundleId,
              language: null,
              mac: null,
              ip: null,
              madeFrom: null,
            });
          // Both without the time that is granted with them: the number of payments must be told of by itself.
          const order = tx.payments.lastUnsettledOfUser(user.id, addSeconds(NOW, -1));
          if (step.do === 'paid' && order !== null) tx.payments.complete(order.id, PAID);
          if (step.do === 'sold' && order !== null) {
            const own = { status: 'completed', completedAt: NOW, orderReference: newOrderReference() } as const;
            const { completedDay, completedHour } = PAID;
            tx.payments.insert({ ...order, ...own, createdDay: completedDay, completedDay, completedHour });
          }
        }
        remembered.forget(changed());
        assert.deepEqual(all(remembered), all(reads.standings), step.do);
      }
    }),
    { numRuns: 60 },
  );
});

test('a memory that is full starts afresh, and goes on telling what the books say', () => {
  using books = openBooks();
  const { db, tx, reads } = books;
  const { byPhone } = rememberStandings(db, 100);
  const phones = Array.from({ length: 250 }, (_, n) => `+2557${String(n).padStart(8, '0')}` as Phone);
  for (const [n, phone] of phones.entries()) {
    const mac = `A4:83:E7:00:00:${n.toString(16).padStart(2, '0').toUpperCase()}` as Mac;
    placeDevice(tx, tx.users.ensure(phone, 1, NOW), { mac, ip: null, isItself: true }, false);
  }
  for (const phone of [...phones, ...phones.toReversed()]) {
    const expected = reads.standings.byPhone(phone);
    assert.equal(expected?.devices.length, 1);
    assert.deepEqual(byPhone(phone), expected);
  }
});
