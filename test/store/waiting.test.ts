import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Waiting, WaitingCommands } from '../../src/store/waiting.ts';

function waitingFrom(since: number): Waiting {
  return { since, resolve: () => {}, reject: () => {} };
}

test('waiting commands are found by number in any order, each once, and the oldest is the first that is left', () => {
  const waiting = new WaitingCommands(3);
  const [first, second, third] = [1, 2, 3].map(since => waiting.add(waitingFrom(since))) as [number, number, number];
  assert.equal(waiting.hasRoom, false);
  assert.equal(waiting.take(second)?.since, 2);
  assert.equal(waiting.take(second), undefined);
  assert.equal(waiting.oldest?.since, 1);
  // The place of the second comes free with the first: those that still wait keep theirs.
  assert.equal(waiting.hasRoom, false);
  assert.equal(waiting.take(first)?.since, 1);
  assert.equal(waiting.oldest?.since, 3);
  const fourth = waiting.add(waitingFrom(4));
  assert.equal(waiting.take(third)?.since, 3);
  assert.equal(waiting.take(fourth)?.since, 4);
  assert.equal(waiting.oldest, undefined);
  assert.equal(waiting.hasRoom, true);
});

test('all that wait are told, and none that has its answer', () => {
  const waiting = new WaitingCommands(4);
  const told: number[] = [];
  const numbers = [1, 2, 3].map(since => waiting.add({ ...waitingFrom(since), reject: () => told.push(since) }));
  waiting.take(numbers[0] as number);
  waiting.rejectAll(new Error('the disk'));
  assert.deepEqual(told, [2, 3]);
});
