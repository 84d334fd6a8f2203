import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrub } from '../../src/outbound/scrub.ts';

test('a word of half a megabyte is read no further than its beginning', () => {
  assert.equal(scrub('a'.repeat(512 * 1_024)), '…');
  assert.equal(scrub('no '.repeat(200_000)).length, 200);
});

test('what is cut off leaves no part of a key behind', () => {
  const key = 'k'.repeat(30);
  assert.equal(scrub(`wrong${' '.repeat(1_985)}${key}`), 'wrong …');
});
