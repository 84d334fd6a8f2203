import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRequestBudget } from '../../src/domain/request-budget.ts';
import { manualClock } from '../support/clock.ts';

const START = '2026-11-21T10:00:00.000Z';

test('in no minute, wherever it begins, more is taken than granted', () => {
  const clock = manualClock(START);
  const budget = createRequestBudget(6, clock);
  const taken: number[] = [];
  for (let second = 0; second < 600; second += 1) {
    if (budget.take(1)) taken.push(second);
    clock.advance(1_000);
  }
  for (const from of taken) assert.ok(taken.filter(at => at >= from && at < from + 60).length <= 6);
  assert.equal(taken.length, 60);
});

test('a share leaves the rest of the budget to what is more urgent', () => {
  const budget = createRequestBudget(10, manualClock(START));
  let hints = 0;
  while (budget.take(0.7)) hints += 1;
  assert.equal(hints, 7);
  let urgent = 0;
  while (budget.take(1)) urgent += 1;
  assert.equal(urgent, 3);
});

test('a refused request costs nothing', () => {
  const clock = manualClock(START);
  const budget = createRequestBudget(1, clock);
  assert.ok(budget.take(1));
  for (let second = 1; second < 60; second += 1) {
    clock.advance(1_000);
    assert.ok(!budget.take(1));
  }
  clock.advance(1_000);
  assert.ok(budget.take(1));
});

test('a budget so small that a share of it is nothing still grants one', () => {
  assert.ok(createRequestBudget(1, manualClock(START)).take(0.1));
});

test('an asker that does not pause leaves most of the budget to those that do', () => {
  const clock = manualClock(START);
  const budget = createRequestBudget(60, clock);
  let greedy = 0;
  while (budget.take(1, 'greedy')) greedy += 1;
  assert.equal(greedy, 24);
  assert.ok(budget.take(1, 'patient'));
  assert.ok(!budget.take(1, 'patient'), 'not twice at once');
  clock.advance(20_000);
  assert.ok(budget.take(1, 'patient'));
  assert.ok(budget.take(1, null), 'nobody in particular');
});
