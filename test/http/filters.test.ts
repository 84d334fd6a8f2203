import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as f from '../../src/http/fields.ts';
import { filterBy, filterByDay, filterByWord } from '../../src/http/filters.ts';

const List = f.fields({
  status: filterByWord(['pending', 'completed']),
  is_active: filterBy(f.boolText()),
  bundle_id: filterBy(f.idText()),
  date_from: filterByDay('Africa/Dar_es_Salaam'),
});

const read = (query: f.Part[1]) => ({ ...(f.validate([[List, query]])[0] as Record<string, unknown>) });

test('an empty value and the word all filter nothing', () => {
  for (const nothing of ['', ' ', 'all', 'ALL', ' All ']) {
    const query = Object.fromEntries(['status', 'is_active', 'bundle_id', 'date_from'].map(name => [name, nothing]));
    assert.deepEqual(
      Object.values(read(query)).filter(value => value !== undefined),
      [],
      JSON.stringify(nothing),
    );
  }
  assert.deepEqual(read({}), {});
});

test('words filter in any case, and what is no such word is refused', () => {
  for (const word of ['completed', 'COMPLETED', 'Completed', ' completed ']) {
    assert.equal(read({ status: word })['status'], 'completed');
  }
  assert.throws(() => read({ status: 'done' }), {
    code: 'VALIDATION',
    details: { status: ['Give one of: pending, completed.'] },
  });
  assert.throws(() => read({ bundle_id: 'any' }), { code: 'VALIDATION' });
});

test('a day may come as a date, or as a date and time of which the local day counts', () => {
  for (const [given, day] of [
    ['2026-11-21', '2026-11-21'],
    ['2026-11-21T23:30:00', '2026-11-21'],
    ['2026-11-21 23:30', '2026-11-21'],
    ['2026-11-21T20:59:59Z', '2026-11-21'],
    ['2026-11-21T21:00:00.000Z', '2026-11-22'],
    ['2026-11-21T23:30:00+03:00', '2026-11-21'],
    // A plus that was not escaped.
    ['2026-11-21T23:30:00 03:00', '2026-11-21'],
    ['2026-11-21T23:30:00-0500', '2026-11-22'],
  ] as const) {
    assert.equal(read({ date_from: given })['date_from'], day, given);
  }
  for (const bad of [
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '2026-1-1',
    '20261121',
    '2026-11-21T25:00:00Z',
    '2026-11-21T10:00:00+99:00',
    '2026-11-21T10',
    'yesterday',
    '2026-11-21T10:00:00Zulu',
  ]) {
    assert.throws(() => read({ date_from: bad }), { code: 'VALIDATION' }, bad);
  }
});
