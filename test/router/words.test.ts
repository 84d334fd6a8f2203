import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { routerDuration } from '../../src/domain/time.ts';
import { USERS } from '../../src/router/rows.ts';
import {
  formatBoolean,
  formatLimit,
  parseBoolean,
  parseCount,
  parseDuration,
  parseLimit,
} from '../../src/router/words.ts';

const TEN_YEARS = 10 * 365 * 86_400;

test('durations are read in every form the router writes', () => {
  const forms: [text: string, seconds: number][] = [
    ['1w2d3h4m5s', 788_645],
    ['1w2d03:04:05', 788_645],
    ['03:04:05', 11_045],
    ['00:00:00', 0],
    ['2d', 172_800],
    ['1h', 3_600],
    ['5m', 300],
    ['59s', 59],
    ['0s', 0],
    ['1s500ms', 1],
    ['500ms', 0],
    ['3w', 1_814_400],
    ['00:00:01.250', 1],
  ];
  for (const [text, seconds] of forms) assert.equal(parseDuration(text), seconds, text);
});

test('what is no duration is null, not zero', () => {
  for (const text of [undefined, '', 'none', 'never', '5', 'h', '1h2', '-5s', '1d1w', ' 1h', '1h ']) {
    assert.equal(parseDuration(text), null, String(text));
  }
});

test('any duration is read back from both forms as it was written', () => {
  fc.assert(
    fc.property(fc.nat({ max: TEN_YEARS }), seconds => {
      assert.equal(parseDuration(routerDuration(seconds)), seconds);
      const two = (value: number) => String(value).padStart(2, '0');
      const clock = `${two(Math.floor(seconds / 3_600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
      const weeks = Math.floor(seconds / 604_800);
      const days = Math.floor(seconds / 86_400) % 7;
      assert.equal(parseDuration(`${weeks > 0 ? `${weeks}w` : ''}${days > 0 ? `${days}d` : ''}${clock}`), seconds);
    }),
  );
});

test('a duration is written as the router writes it, zero parts left out', () => {
  assert.equal(routerDuration(788_645), '1w2d3h4m5s');
  assert.equal(routerDuration(86_401), '1d1s');
  assert.equal(routerDuration(0), '0s');
  assert.equal(routerDuration(59.9), '59s');
});

test('a limit that has run out is never written as zero, which would be without end', () => {
  assert.equal(formatLimit(0), '1s');
  assert.equal(formatLimit(-30), '1s');
  assert.equal(formatLimit(0.5), '1s');
  assert.equal(formatLimit(3_600), '1h');
  assert.equal(parseLimit('0s'), null);
  assert.equal(parseLimit('1s'), 1);
  assert.equal(parseLimit(undefined), null);
});

test('booleans are read as true or yes and written as yes or no', () => {
  assert.deepEqual(['true', 'yes', 'false', 'no', '', undefined].map(parseBoolean), [
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  assert.deepEqual([true, false].map(formatBoolean), ['yes', 'no']);
});

test('counters beyond 32 bits are exact, and a missing one is zero', () => {
  assert.equal(parseCount('4294967296123'), 4_294_967_296_123);
  assert.equal(parseCount(undefined), 0);
  assert.equal(parseCount('?'), 0);
});

test('only a comment that begins with the whole mark makes a row ours', () => {
  const ours = (comment: string | undefined) => USERS.read({ '.id': '*1', name: 'x', comment })?.ours;
  assert.equal(ours('lango:v1'), true);
  assert.equal(ours('lango:v2 something'), true);
  for (const comment of ['lango is nice', 'lango', 'Lango:v1', ' lango:v1', 'not lango:v1', '', undefined]) {
    assert.equal(ours(comment), false, String(comment));
  }
});
