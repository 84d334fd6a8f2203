import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostAddresses } from '../../src/router/addresses.ts';
import { until } from '../support/app.ts';
import { manualClock } from '../support/clock.ts';

const clock = manualClock('2026-11-21T10:00:00.000Z');

test('a host that is an address stands for that one, however it is written', () => {
  const addresses = new HostAddresses('10.5.50.1', clock);
  assert.deepEqual([addresses.has('10.5.50.1'), addresses.has('10.5.50.2')], [true, false]);
  assert.equal(new HostAddresses('FD00:0::1', clock).has('fd00::1'), true);
});

test('a host name stands for what it is looked up to be, and nothing until then', async () => {
  const addresses = new HostAddresses('localhost', clock);
  assert.equal(addresses.has('127.0.0.1'), false);
  await until(() => addresses.has('127.0.0.1'));
  assert.equal(addresses.has('10.5.50.1'), false);
});

test('a name that nobody knows stands for nothing', async () => {
  const addresses = new HostAddresses('nowhere.invalid', clock);
  assert.equal(addresses.has('127.0.0.1'), false);
  assert.equal(addresses.has(''), false);
});
