import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addDays,
  addSeconds,
  type Day,
  dayOf,
  fromEpochMs,
  humanDuration,
  parseDay,
  parseInstant,
  secondsBetween,
  startOfDay,
  toEpochMs,
} from '../../src/domain/time.ts';

const instants = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2099, 0) }).map(fromEpochMs);
const ZONES = [
  'UTC',
  'Africa/Dar_es_Salaam',
  'America/Los_Angeles',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Africa/Cairo',
  'America/Santiago',
];

test('time_remaining names the two largest units and is never rounded up', () => {
  const said: [number, string][] = [
    [-5, 'expired'],
    [0, 'expired'],
    [1, 'less than a minute'],
    [59, 'less than a minute'],
    [60, '1 minute'],
    [119, '1 minute'],
    [45 * 60 + 59, '45 minutes'],
    [3_600, '1 hour'],
    [3_600 + 59, '1 hour'],
    [2 * 3_600 + 5 * 60, '2 hours, 5 minutes'],
    [86_399, '23 hours, 59 minutes'],
    [86_400, '1 day'],
    [27 * 3_600 + 59 * 60, '1 day, 3 hours'],
    [86_400 + 59, '1 day'],
    [86_400 + 120, '1 day'],
    [365 * 86_400, '365 days'],
  ];
  for (const [seconds, words] of said) assert.equal(humanDuration(seconds), words);
});

test('a duration in words never says more than there is', () => {
  const sizes = { day: 86_400, hour: 3_600, minute: 60 } as const;
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 40_000_000 }), seconds => {
      const parts = humanDuration(seconds)
        .split(', ')
        .map(part => /^(\d+) (day|hour|minute)s?$/.exec(part));
      const said = parts.reduce((sum, part) => sum + Number(part?.[1]) * sizes[part?.[2] as 'day'], 0);
      assert.ok(parts.length <= 2 && said <= seconds);
      assert.ok(
        seconds - said < (seconds >= 86_400 ? 86_400 : 60),
        'and leaves out less than its smallest unit allows',
      );
    }),
  );
});

test('instants sort as text the way they sort in time', () => {
  fc.assert(
    fc.property(instants, instants, (a, b) => {
      assert.equal(a < b, toEpochMs(a) < toEpochMs(b));
    }),
  );
});

test('adding seconds and counting them are each other’s inverse', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -1e8, max: 1e8 }), (instant, seconds) => {
      assert.equal(secondsBetween(instant, addSeconds(instant, seconds)), seconds);
    }),
  );
});

test('a day starts at its first instant, in zones east and west of UTC and across daylight saving', () => {
  fc.assert(
    fc.property(instants, fc.constantFrom(...ZONES), (instant, zone) => {
      const day = dayOf(instant, zone);
      const start = startOfDay(day, zone);
      assert.equal(dayOf(start, zone), day);
      assert.equal(dayOf(fromEpochMs(toEpochMs(start) - 1), zone), addDays(day, -1));
      assert.ok(start <= instant && instant < startOfDay(addDays(day, 1), zone));
    }),
  );
});

test('a day whose midnight does not exist starts when its first clock time does', () => {
  // Cairo and Santiago begin daylight saving at midnight: that day starts at 01:00.
  assert.equal(startOfDay('2026-04-24' as Day, 'Africa/Cairo'), '2026-04-23T22:00:00.000Z');
  assert.equal(startOfDay('2026-11-21' as Day, 'Africa/Dar_es_Salaam'), '2026-11-20T21:00:00.000Z');
});

test('only real calendar dates are days', () => {
  assert.equal(parseDay('2026-02-28'), '2026-02-28');
  for (const wrong of ['2026-02-29', '2026-13-01', '2026-1-1', '26-01-01', '2026-01-01T00:00', '', 'today']) {
    assert.equal(parseDay(wrong), null, wrong);
  }
});

test('instants have one shape: UTC, milliseconds and a Z', () => {
  assert.equal(parseInstant('2026-11-21T13:00:00+03:00'), '2026-11-21T10:00:00.000Z');
  assert.throws(() => parseInstant('soon'), RangeError);
});
