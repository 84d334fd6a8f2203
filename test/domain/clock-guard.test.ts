import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DRIFT_RATE, guardClock, LONGEST_HOLD_MS, TOLERANCE_MS } from '../../src/domain/clock-guard.ts';
import type { Instant } from '../../src/domain/time.ts';
import { manualClock } from '../support/clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;
const START = '2026-11-21T10:00:00.000Z' as Instant;

test('small corrections are followed', () => {
  const source = manualClock(START);
  const clock = guardClock(source, { lastKnown: null });
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
    const clock = guardClock(source, {
      lastKnown: null,
      onDistrust: () => {
        distrusted += 1;
      },
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
  const clock = guardClock(source, { lastKnown: null });
  source.jump(YEAR);
  assert.equal(clock.now(), START);
  clock.confirm();
  assert.equal(clock.now(), '2027-11-21T10:00:00.000Z');
  assert.ok(clock.trusted);
});

test('a start in 1970 goes on from what the books have seen, until the wall clock has caught up', () => {
  const source = manualClock('1970-01-01T00:00:10.000Z');
  const clock = guardClock(source, { lastKnown: START });
  assert.equal(clock.now(), START);
  assert.equal(clock.trusted, false);
  source.advance(MINUTE);
  assert.equal(clock.now(), '2026-11-21T10:01:00.000Z');
  source.jump(Date.parse('2026-11-21T18:00:00.000Z') - Date.parse(source.now()));
  assert.equal(clock.now(), '2026-11-21T18:00:00.000Z');
  assert.ok(clock.trusted);
});

test('a start in 1970 whose clock then jumps years past all that is known is as little believed', () => {
  const source = manualClock('1970-01-01T00:00:10.000Z');
  const clock = guardClock(source, { lastKnown: START });
  source.jump(Date.parse(START) + 15 * YEAR - Date.parse(source.now()));
  assert.equal(clock.now(), START);
  assert.equal(clock.trusted, false);
});

test('a start after weeks off is an ordinary start', () => {
  const clock = guardClock(manualClock('2026-12-20T10:00:00.000Z'), { lastKnown: START });
  assert.equal(clock.now(), '2026-12-20T10:00:00.000Z');
  assert.ok(clock.trusted);
});

test('a start 15 years ahead cuts nobody off, until a time server has set the clock', () => {
  const source = manualClock('2041-11-21T10:00:00.000Z');
  let isSynchronised = false;
  const clock = guardClock(source, { lastKnown: START, isSynchronised: () => isSynchronised });
  assert.equal(clock.trusted, false);
  assert.equal(clock.cutOffTime(), START);
  source.advance(HOUR);
  assert.equal(clock.now(), '2026-11-21T11:00:00.000Z', 'time goes on from what the books have seen');
  isSynchronised = true;
  assert.equal(clock.now(), '2041-11-21T11:00:00.000Z');
  assert.ok(clock.trusted);
});

test('a start 15 years ahead is right when an operator says so, and one that is set right meanwhile is believed', () => {
  const source = manualClock('2041-11-21T10:00:00.000Z');
  const confirmed = guardClock(source, { lastKnown: START });
  confirmed.confirm();
  assert.equal(confirmed.now(), '2041-11-21T10:00:00.000Z');
  const corrected = guardClock(source, { lastKnown: START });
  assert.equal(corrected.trusted, false);
  source.jump(2 * 24 * HOUR - 15 * YEAR);
  assert.equal(corrected.now(), source.now());
  assert.ok(corrected.trusted);
});

for (const [name, lastKnown, jump] of [
  ['a box without a clock of its own, three hours after it was switched off', START, 3 * HOUR],
  ['a box that had never been started before', null, 50 * YEAR],
  ['a box whose clock had gone two hours ahead', '2026-11-21T07:00:00.000Z', -2 * HOUR],
] as const) {
  test(`the time that a time server sets first is believed: ${name}`, () => {
    const source = manualClock(START);
    let isSynchronised = false;
    const clock = guardClock(source, { lastKnown: lastKnown as Instant | null, isSynchronised: () => isSynchronised });
    source.advance(MINUTE);
    assert.ok(clock.trusted);
    source.jump(jump);
    assert.equal(clock.trusted, false, 'nobody has said yet that it is right');
    isSynchronised = true;
    assert.equal(clock.now(), source.now());
    assert.ok(clock.trusted);
    assert.equal(clock.cutOffTime(), source.now());

    source.jump(jump);
    assert.equal(clock.trusted, false, 'later jumps are no better for it');
  });
}

test('a jump is not believed once a time server has set the clock, nor past what the books have seen', () => {
  const source = manualClock(START);
  let isSynchronised = false;
  const clock = guardClock(source, { lastKnown: START, isSynchronised: () => isSynchronised });
  isSynchronised = true;
  source.jump(-HOUR);
  assert.equal(clock.now(), START);
  source.jump(HOUR);
  source.advance(HOUR);
  assert.ok(clock.trusted);
  source.jump(YEAR);
  assert.equal(clock.trusted, false);
});

test('a machine that slept wakes up later, and no clock has jumped', () => {
  const source = manualClock(START);
  let sleptMs = 7;
  const clock = guardClock(source, { lastKnown: START, sleptMs: () => sleptMs });
  for (const nap of [3 * MINUTE, 3 * MINUTE, 8 * HOUR]) {
    source.jump(nap);
    sleptMs += nap;
    assert.equal(clock.now(), source.now());
    assert.ok(clock.trusted);
  }
  source.jump(6 * MINUTE);
  assert.equal(clock.trusted, false);
});

test('many small steps do not add up', () => {
  const source = manualClock(START);
  const clock = guardClock(source, { lastKnown: null });
  for (let step = 0; step < 40; step += 1) {
    source.advance(MINUTE);
    source.jump(-4 * MINUTE);
    clock.now();
  }
  const real = Date.parse(START) + 40 * MINUTE;
  assert.ok(Math.abs(Date.parse(clock.now()) - real) <= TOLERANCE_MS + 40 * MINUTE * DRIFT_RATE, clock.now());
  assert.equal(clock.trusted, false);
});

test('a bad crystal that a time server sets right every day is followed for years', () => {
  const source = manualClock(START);
  const clock = guardClock(source, { lastKnown: null });
  for (let day = 0; day < 3 * 365; day += 1) {
    for (let hour = 0; hour < 24; hour += 1) {
      source.advance(HOUR);
      clock.now();
    }
    source.jump(-12_000);
    assert.ok(clock.trusted, `day ${day}`);
  }
  assert.equal(clock.now(), source.now());
});

const anyTime = fc.integer({ min: 1, max: 3 * 24 * HOUR });
const anyStep = fc.oneof(
  fc.integer({ min: -TOLERANCE_MS, max: TOLERANCE_MS }),
  fc.integer({ min: -20 * YEAR, max: 20 * YEAR }),
);

test('whatever the wall clock does, nobody is cut off early by more than the bound, nor online for ever', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ passes: anyTime, step: anyStep }), { maxLength: 60 }), moves => {
      const source = manualClock(START);
      const clock = guardClock(source, { lastKnown: null });
      let real = Date.parse(START);
      for (const { passes, step } of moves) {
        source.advance(passes);
        real += passes;
        source.jump(step);
        const bound = TOLERANCE_MS + (real - Date.parse(START)) * DRIFT_RATE + 1;
        const cutOff = Date.parse(clock.cutOffTime());
        assert.ok(cutOff <= real + bound, `cut off ${cutOff - real} ms early`);
        assert.ok(cutOff >= real - bound - LONGEST_HOLD_MS - passes, `${real - cutOff} ms for free`);
        assert.ok(Math.abs(Date.parse(clock.now()) - real) <= bound);
      }
      source.advance(LONGEST_HOLD_MS);
      real += LONGEST_HOLD_MS;
      const bound = TOLERANCE_MS + (real - Date.parse(START)) * DRIFT_RATE + 1;
      assert.ok(Date.parse(clock.cutOffTime()) >= real - bound, 'after a day it ends as counted');
    }),
    { numRuns: 300 },
  );
});
