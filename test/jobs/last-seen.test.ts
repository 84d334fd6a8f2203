/** What reaches the books of the devices that are seen. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { placeDevice, touchDevices } from '../../src/domain/devices.ts';
import type { Mac } from '../../src/domain/mac.ts';
import type { Phone } from '../../src/domain/phone.ts';
import type { Commit } from '../../src/domain/transaction.ts';
import { createLastSeen } from '../../src/jobs/last-seen.ts';
import { openBooks } from '../support/books.ts';
import { manualClock } from '../support/clock.ts';

const MAC = 'A4:83:E7:00:00:01' as Mac;

function aDevice(t: TestContext) {
  const books = openBooks();
  t.after(() => books[Symbol.dispose]());
  const { tx } = books;
  const clock = manualClock('2026-11-21T10:00:00.000Z');
  const user = tx.users.ensure('+255712000001' as Phone, 1, clock.now());
  placeDevice(tx, user, { mac: MAC, ip: null, isItself: true }, false);
  const commit = (async (_: 'touchDevices', input: Parameters<typeof touchDevices>[1]) =>
    touchDevices(tx, input)) as Commit;
  const { record, flush } = createLastSeen({ commit, clock });
  const inBooks = () => tx.devices.byMac(MAC);
  const see = async (ip: string | null) => {
    record(inBooks()?.id as number, ip);
    await flush();
    return inBooks();
  };
  return { clock, see };
}

test('a device that is seen all the time is written once a minute', async t => {
  const { clock, see } = aDevice(t);
  const written = new Set<string>();
  for (let seconds = 0; seconds <= 120; seconds += 10) {
    written.add((await see('10.5.50.7'))?.lastSeen ?? '');
    clock.advance(10_000);
  }
  assert.deepEqual(
    [...written].map(at => at.slice(11, 19)),
    ['10:00:00', '10:01:00', '10:02:00'],
  );
});

test('an address that becomes known within the minute is written at once', async t => {
  const { see } = aDevice(t);
  assert.equal((await see(null))?.ip, null);
  assert.equal((await see('10.5.50.7'))?.ip, '10.5.50.7');
});
