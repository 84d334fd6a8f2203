import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateLimitProblem } from '../../src/domain/rate-limit.ts';

test('a burst rate below the rate is a problem, in either direction', () => {
  for (const bad of ['4M/8M 2M/16M', '4M/8M 8M/4M', '1M 512k', '2M/2M 1999k/2M 1M/1M 10/10', ' 1G/1G  999M/1G ']) {
    assert.match(rateLimitProblem(bad) ?? bad, /raise the burst rate/);
  }
});

test('a limit without a burst, with a higher one or with one that is off is none', () => {
  for (const good of [
    '',
    '2M/8M',
    '512k',
    '4M/8M 8M/16M',
    '4M/8M 4M/8M 3M/6M 10/10 8 1M/1M',
    '4M/8M 0/0',
    '1M 2048k',
    'fast',
  ]) {
    assert.equal(rateLimitProblem(good), null, good);
  }
});
