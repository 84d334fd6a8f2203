import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardClock } from '../../src/domain/clock-guard.ts';
import type { Instant } from '../../src/domain/time.ts';
import { manualClock } from '../support/clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;
const START = '2026-11-21T10:00:00.000Z' as Instant;

test('small corrections are followed', () => {
  const source = manualClock(START);
  const clock = guardClock(source, null);
  source.jump(4 * MINUTE);
  assert.equal(clock.now(), '2026-11-21T10:04:00.000Z');
  assert.ok(clock.trusted);
});

for (const [name, jump] of [
  ['ahead', YEAR],
  ['back', -YEAR],
  ['ahead by six minutes', 6 * MINUTE],
] as const) {
  test(`a jump ${name} is not believed: time goes on as the monotonic clock counts it`, () => {
    const source = manualClock(START);
    let distrusted = 0;
    const clock = guardClock(source, null, () => {
      distrusted += 1;
    });
    source.advance(HOUR);
    clock.now();
    source.jump(jump);
    source.advance(10 * MINUTE);
    assert.equal(clock.now(), '2026-11-21T11:10:00.000Z');
    assert.equal(clock.trusted, false);
    assert.equal(distrusted, 1);
    const held = clock.cutOffTime();
    source.advance(HOUR);
    assert.equal(clock.cutOffTime(), held, 'nobody is cut off meanwhile');
    source.jump(-jump);
    assert.equal(clock.now(), '2026-11-21T12:10:00.000Z');
    assert.ok(clock.trusted, 'it is believed again once it agrees');
    assert.equal(clock.cutOffTime(), clock.now());
  });
}

test('an operator’s word makes the wall clock right', () => {
  const source = manualClock(START);
  const clock = guardClock(source, null);
  source.jump(YEAR);
  assert.equal(clock.now(), START);
  clock.confirm();
  assert.equal(clock.now(), '2027-11-21T10:00:00.000Z');
  assert.ok(clock.trusted);
});

test('a start in 1970 goes on from what the books have seen, until the wall clock has caught up', () => {
  const source = manualClock('1970-01-01T00:00:10.000Z');
  const clock = guardClock(source, START);
  assert.equal(clock.now(), START);
  assert.equal(clock.trusted, false);
  source.advance(MINUTE);
  assert.equal(clock.now(), '2026-11-21T10:01:00.000Z');
  source.jump(Date.parse('2026-11-21T18:00:00.000Z') - Date.parse(source.now()));
  assert.equal(clock.now(), '2026-11-21T18:00:00.000Z');
  assert.ok(clock.trusted);
});

test('a start after a long time off is an ordinary start', () => {
  const clock = guardClock(manualClock('2026-12-24T10:00:00.000Z'), START);
  assert.equal(clock.now(), '2026-12-24T10:00:00.000Z');
  assert.ok(clock.trusted);
});
