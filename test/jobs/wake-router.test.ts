import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Mac } from '../../src/domain/mac.ts';
import { createWake } from '../../src/jobs/wake-router.ts';

const hex = (byte: number): string => byte.toString(16).padStart(2, '0').toUpperCase();

const PHONE = 'A4:83:E7:12:34:56' as Mac;
const TABLET = 'B8:27:EB:65:43:21' as Mac;

test('auth does not bother the router for a phone that is online, nor for one twice within five seconds', () => {
  const reconciled: Mac[][] = [];
  const online = new Set([TABLET]);
  let now = 1_000;
  const site = { isConnected: true, isOnline: (device: Mac) => online.has(device) };
  const wake = createWake({
    site,
    clock: { monotonic: () => now },
    reconcile: async macs => reconciled.push([...macs]) > 0,
  });
  for (let again = 0; again < 3; again += 1) for (const mac of [PHONE, TABLET]) void wake(mac);
  assert.deepEqual(reconciled, [[PHONE]]);
  now += 5_000;
  site.isConnected = false;
  void wake(PHONE);
  assert.equal(reconciled.length, 1, 'a router that is away is reconciled when it is back');
  site.isConnected = true;
  void wake(PHONE);
  assert.deepEqual(reconciled, [[PHONE], [PHONE]]);
  for (let n = 0; n < 5_000; n += 1) void wake(`A4:83:E7:00:${hex(n >> 8)}:${hex(n & 255)}` as Mac);
  assert.equal(reconciled.length, 1 + 1_000, 'a flood of devices is left to the pass over everything');
});
