import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHostTable } from '../../src/domain/host-table.ts';
import { parseMac } from '../../src/domain/mac.ts';
import type { RouterHost } from '../../src/domain/ports.ts';
import { manualClock } from '../support/clock.ts';

const ASHA = parseMac('A4:83:E7:12:34:56')!;
const JUMA = parseMac('A4:83:E7:65:43:21')!;

const ROW: RouterHost = {
  id: '*1',
  mac: ASHA,
  address: '10.5.0.21',
  ownAddress: '10.5.0.21',
  isOnNetwork: true,
  server: 'hotspot1',
  uptimeSeconds: 60,
  idleSeconds: 1,
  authorized: false,
  bypassed: false,
};

/** A table whose router answers what `hosts` holds, when it is let. */
function startTable() {
  const clock = manualClock('2026-11-21T10:00:00.000Z');
  const hosts = new Map([['10.5.0.20', ASHA]]);
  const questions: { answer: () => void; fail: () => void }[] = [];
  const rows: RouterHost[] = [];
  let reads = 0;
  const router = {
    hosts: async () => {
      reads += 1;
      return rows;
    },
    macsByAddress: () =>
      new Promise<typeof hosts>((resolve, reject) => {
        questions.push({ answer: () => resolve(new Map(hosts)), fail: () => reject(new Error('gone')) });
      }),
  };
  return { clock, hosts, rows, reads: () => reads, questions, table: createHostTable(router, clock) };
}

test('however many ask, the router is asked once, and not again for five seconds', async () => {
  const { clock, hosts, questions, table } = startTable();
  const asked = Promise.all(Array.from({ length: 500 }, () => table.macBehind('10.5.0.20')));
  questions[0]?.answer();
  assert.deepEqual(new Set(await asked), new Set([ASHA]));
  hosts.set('10.5.0.20', JUMA);
  clock.advance(4_999);
  assert.equal(await table.macBehind('10.5.0.20'), ASHA);
  assert.equal(questions.length, 1);
  clock.advance(1);
  const again = table.macBehind('10.5.0.20');
  questions[1]?.answer();
  assert.equal(await again, JUMA);
  assert.equal(questions.length, 2);
});

test('addresses that nobody knows cause one read a second in all; who has just joined is found by it', async () => {
  const { clock, hosts, questions, table } = startTable();
  const first = table.macBehind('10.5.0.99');
  questions[0]?.answer();
  assert.equal(await first, null);
  hosts.set('10.5.0.21', JUMA);
  clock.advance(999);
  for (let n = 0; n < 300; n += 1) assert.equal(await table.macBehind(`10.9.0.${n}`), null);
  assert.equal(await table.macBehind('10.5.0.20'), ASHA, 'a known one is answered meanwhile');
  assert.equal(questions.length, 1);
  clock.advance(1);
  const joined = Promise.all([table.macBehind('10.5.0.21'), table.macBehind('10.9.0.1')]);
  questions[1]?.answer();
  assert.deepEqual(await joined, [JUMA, null]);
  assert.equal(questions.length, 2);
});

test('a router that says nothing makes nothing known once the copy is old, and is asked again', async () => {
  const { clock, questions, table } = startTable();
  const first = table.macBehind('10.5.0.20');
  questions[0]?.answer();
  await first;
  clock.advance(5_000);
  const refused = table.macBehind('10.5.0.20');
  questions[1]?.fail();
  assert.equal(await refused, null);
  assert.equal(await table.macBehind('10.5.0.20'), null, 'not at once');
  assert.equal(questions.length, 2);
  clock.advance(1_000);
  const later = table.macBehind('10.5.0.20');
  questions[2]?.answer();
  assert.equal(await later, ASHA);
});

test('each device that is on the Wi-Fi is told once, by the row that it is behind, from one read in five seconds', async () => {
  const { clock, rows, reads, table } = startTable();
  const row = { ...ROW, mac: ASHA };
  rows.push({ ...row, address: '169.254.7.7', isOnNetwork: false }, { ...row, address: '10.5.0.20' });
  const told = await Promise.all(Array.from({ length: 50 }, () => table.devices()));
  for (const devices of told) {
    assert.deepEqual(
      [...(devices ?? [])].map(([mac, { address }]) => [mac, address]),
      [[ASHA, '10.5.0.20']],
    );
  }
  rows.push({ ...ROW, mac: JUMA });
  clock.advance(4_999);
  assert.equal((await table.devices())?.size, 1);
  assert.equal(reads(), 1);
  clock.advance(1);
  assert.equal((await table.devices())?.size, 2);
  assert.equal(reads(), 2);
});
