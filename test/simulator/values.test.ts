import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatAddress, formatDuration, parseAddress, parseDuration } from './values.ts';

test('every duration reads back as it was written', () => {
  fc.assert(fc.property(fc.nat(), seconds => assert.equal(parseDuration(formatDuration(seconds)), seconds)));
});

test('durations are written as the router writes them, without their zero parts', () => {
  const cases: [number, string][] = [
    [0, '0s'],
    [59, '59s'],
    [3_600, '1h'],
    [86_400 + 5, '1d5s'],
    [604_800 + 2 * 86_400 + 3 * 3_600 + 4 * 60 + 5, '1w2d3h4m5s'],
  ];
  for (const [seconds, text] of cases) assert.equal(formatDuration(seconds), text);
});

test('durations are read in every form the router takes, and nothing else is one', () => {
  assert.equal(parseDuration('1w2d03:04:05'), 788_645);
  assert.equal(parseDuration('00:05:00'), 300);
  assert.equal(parseDuration('90'), 90);
  for (const text of ['', 'none', '5x', '1:2', 'h1', '-5', '1.5h']) assert.equal(parseDuration(text), null, text);
});

test('addresses read back as they were written, and half addresses are none', () => {
  fc.assert(fc.property(fc.ipV4(), address => assert.equal(formatAddress(parseAddress(address) ?? -1), address)));
  for (const text of ['10.0.0', '10.0.0.256', '10.0.0.x', '']) assert.equal(parseAddress(text), null, text);
});
