/** Which router a phone is at, by what each of them showed when it was read last. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mac } from '../../src/domain/mac.ts';
import type { RouterHost } from '../../src/domain/ports.ts';
import { createWhereabouts } from '../../src/domain/whereabouts.ts';

const PHONE = 'A4:83:E7:12:34:56' as Mac;
const [A, B] = [1, 2];

function start() {
  let now = 1_000_000;
  const down = new Set<number>();
  const whereabouts = createWhereabouts({
    clock: { monotonic: () => now },
    isConnected: router => !down.has(router),
  });
  const row = (idleSeconds: number, uptimeSeconds: number): RouterHost => ({
    id: '*1',
    mac: PHONE,
    address: '10.5.50.11',
    ownAddress: '10.5.50.11',
    isOnNetwork: true,
    server: 'hotspot1',
    uptimeSeconds,
    idleSeconds,
    authorized: false,
    bypassed: false,
  });
  return {
    whereabouts,
    down,
    after(seconds: number) {
      now += seconds * 1_000;
    },
    /** A router is read: the phone's row idles so long, and is so old; none: it has no row. */
    read(router: number, ...rows: [idle: number, age: number][]) {
      const hosts = rows.map(([idle, age]) => row(idle, age));
      const news = whereabouts.see(router, { scope: 'all', hosts, askedFrom: () => null, readAt: now });
      return [...news].map(([id]) => id);
    },
    at: () => whereabouts.routerOf(PHONE),
  };
}

test('a phone that joins another router is there at once, and the one that it left is told', () => {
  const site = start();
  site.read(A, [0, 600]);
  site.after(15);
  assert.deepEqual(site.read(B, [0, 3]), [A]);
  assert.equal(site.at(), B);
  assert.deepEqual(site.read(A, [4, 619]), []);
  assert.deepEqual([site.at(), site.whereabouts.placeFor(A, PHONE)], [B, 'elsewhere']);
});

test('a row that a phone left behind is nothing, whichever router is read first after a start', () => {
  for (const [first, second] of [
    [A, B],
    [B, A],
  ] as const) {
    const site = start();
    const rows: Record<number, [number, number]> = { [A]: [0, 900], [B]: [20, 3_000] };
    site.read(first, rows[first]!);
    site.after(1);
    const asked = site.read(second, rows[second]!);
    if (first === B) {
      // Nobody loses a session before the router that was read first has said that it hears nothing of the phone.
      assert.deepEqual([asked, site.whereabouts.placeFor(A, PHONE)], [[B], 'unsure']);
      site.read(B, [21, 3_001]);
    }
    assert.equal(site.at(), A);
  }
});

test('a phone that comes back to a row that it left is there once the other router has not heard it for five seconds', () => {
  const site = start();
  site.read(A, [0, 600]);
  site.after(60);
  site.read(B, [0, 10]);
  site.after(60);
  // It has just left B, which was read before A.
  site.read(B, [2, 70]);
  site.after(1);
  assert.deepEqual(site.read(A, [0, 721]), [B]);
  assert.deepEqual(site.read(B, [3, 71]), []);
  assert.equal(site.at(), B, 'it may come again');
  site.after(15);
  site.read(A, [1, 736]);
  site.read(B, [18, 86]);
  assert.equal(site.at(), A);
});

test('a phone that two routers hear stays, whichever is read first and however its rows are made anew', () => {
  const site = start();
  site.read(A, [0, 600]);
  site.read(B, [0, 600]);
  for (let pass = 0; pass < 40; pass += 1) {
    site.after(15);
    const order = pass % 2 === 0 ? [A, B] : [B, A];
    for (const router of order)
      for (const other of site.read(router, [pass % 4, 700 + pass])) site.read(other, [0, 700]);
    assert.equal(site.at(), A);
  }
});

test('from a router that is away a phone goes to where it is heard, and not to an old row', () => {
  const site = start();
  site.read(B, [0, 600]);
  site.after(60);
  site.read(A, [0, 10]);
  site.read(B, [60, 660]);
  site.down.add(A);
  site.after(60);
  site.read(B, [120, 720]);
  assert.equal(site.at(), A);
  site.after(15);
  site.read(B, [0, 735]);
  assert.equal(site.at(), B);
  site.read(B);
  site.whereabouts.forget(A);
  assert.equal(site.at(), null);
});

test('a phone that asks from an old row of its own is there, and is looked for once in five seconds, however often it asks', () => {
  const site = start();
  site.read(A, [0, 600]);
  site.after(60);
  site.read(B, [0, 10]);
  site.after(2);
  const ask = (router: number) => [...site.whereabouts.hear(router, PHONE).keys()];
  assert.deepEqual(ask(A), [], 'it has just come');
  site.after(5);
  assert.deepEqual(ask(A), [B, A]);
  assert.equal(site.at(), A);
  for (let times = 0; times < 10; times += 1) assert.deepEqual([ask(B), ask(A)], [[], []]);
  const C = 3;
  site.after(5);
  assert.deepEqual([ask(C), ask(C)], [[C], []], 'one that has not been read since');
});
