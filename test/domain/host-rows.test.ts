import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestRow, isMisplaced } from '../../src/domain/host-rows.ts';
import type { Mac } from '../../src/domain/mac.ts';
import type { RouterHost, RouterSession } from '../../src/domain/ports.ts';

const row = (address: string, more: Partial<RouterHost> = {}): RouterHost => ({
  id: `*${address}`,
  mac: '02:AA:00:00:00:01' as Mac,
  address,
  ownAddress: address,
  isOnNetwork: true,
  server: 'hall',
  uptimeSeconds: 100,
  idleSeconds: 0,
  authorized: false,
  bypassed: false,
  ...more,
});
const session = (address: string, uptimeSeconds: number) => ({ address, uptimeSeconds }) as RouterSession;

test('the hotspot’s network counts before who asked, who asked before who idles, and idling before age', () => {
  const rows = [
    row('outside', { isOnNetwork: false }),
    row('old', { idleSeconds: 5, uptimeSeconds: 900 }),
    row('asked', { idleSeconds: 20 }),
    row('young', { idleSeconds: 5, uptimeSeconds: 10 }),
  ];
  assert.equal(bestRow(rows, { address: 'asked', secondsAgo: 5 })?.address, 'asked');
  assert.equal(bestRow(rows, { address: 'outside', secondsAgo: 5 })?.address, 'young');
  assert.equal(bestRow(rows, null)?.address, 'young');
  assert.equal(bestRow([], null), undefined);
});

test('what a device asked before it got another address says nothing', () => {
  const rows = [row('asked', { idleSeconds: 11 }), row('next', { uptimeSeconds: 11 })];
  const asked = { address: 'asked', secondsAgo: 12 };
  assert.equal(bestRow(rows, asked)?.address, 'next');
  assert.equal(bestRow(rows, { ...asked, secondsAgo: 11 })?.address, 'asked');
  const dead = row('dead', { uptimeSeconds: 11, isOnNetwork: false });
  assert.equal(bestRow([rows[0]!, dead], asked)?.address, 'asked');
});

test('a session moves once to a row that is younger than itself, and does not hop between two that both live', () => {
  const first = row('first', { uptimeSeconds: 500, idleSeconds: 3 });
  const second = row('second', { uptimeSeconds: 20 });
  assert.equal(isMisplaced(session('first', 400), second, [first, second]), true);
  // On the second one by now, which falls silent for a moment while the first one speaks.
  const quiet = { ...second, idleSeconds: 8 };
  const speaking = { ...first, idleSeconds: 0 };
  assert.equal(isMisplaced(session('second', 15), speaking, [quiet, speaking]), false);
  assert.equal(isMisplaced(session('second', 15), speaking, [{ ...second, idleSeconds: 11 }, speaking]), true);
});

test('a session on an address that no row has any more is misplaced, one on a translated address is not', () => {
  const here = row('10.5.50.30', { ownAddress: '192.168.1.5' });
  assert.equal(isMisplaced(session('10.5.50.11', 10), here, [here]), true);
  assert.equal(isMisplaced(session('192.168.1.5', 10), here, [here]), false);
  assert.equal(isMisplaced(session('10.5.50.30', 10), here, [here]), false);
});
