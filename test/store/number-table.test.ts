/** The hash table of numbers says what a Map says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NumberTable } from '../../src/store/number-table.ts';

const MOST_SLOTS = 4_096;
// Keys close together, as phone numbers of one operator are, and keys from anywhere.
const key = fc.oneof(
  fc.integer({ min: 1, max: 3_000 }),
  fc.integer({ min: 255_712_000_000, max: 255_712_003_000 }),
  fc.maxSafeNat().map(n => n + 1),
);
const step = fc.oneof(
  { weight: 200, arbitrary: fc.record({ do: fc.constant('put' as const), key, value: fc.double() }) },
  { weight: 50, arbitrary: fc.record({ do: fc.constant('find' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const) }) },
);

test('what was put under a key is found under it, through growth and clearing', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 4_000, size: 'max' }), steps => {
      const table = new NumberTable(2, MOST_SLOTS);
      const model = new Map<number, number>();
      for (const each of steps) {
        if (table.isFull || each.do === 'clear') {
          table.clear();
          model.clear();
        }
        if (each.do === 'put') {
          const at = table.place(each.key);
          if (!model.has(each.key)) assert.deepEqual(table.cells.slice(at, at + 3), Float64Array.of(each.key, 0, 0));
          table.cells[at + 2] = each.value;
          model.set(each.key, each.value);
        }
        if (each.do === 'find') assert.equal(table.find(each.key) !== -1, model.has(each.key));
      }
      for (const [known, value] of model) assert.equal(table.cells[table.find(known) + 2], value);
    }),
    { numRuns: 40 },
  );
});

test('it grows to the slots that it may have and no further, and says when it is time to clear it', () => {
  const table = new NumberTable(1, MOST_SLOTS);
  for (let n = 1; n < MOST_SLOTS; n += 1) {
    assert.equal(table.isFull, n - 1 >= 0.75 * MOST_SLOTS, `before ${n}`);
    table.place(n);
  }
  assert.equal(table.cells.length, 2 * MOST_SLOTS);
  for (let n = 1; n < MOST_SLOTS; n += 1) assert.equal(table.cells[table.find(n)], n);
  assert.equal(table.find(MOST_SLOTS), -1);
  table.clear();
  assert.deepEqual([table.isFull, table.find(1)], [false, -1]);
});
