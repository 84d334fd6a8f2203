/** Records go into a table and come out as they were, from one list of columns. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Money } from '../../src/domain/money.ts';
import type { Database } from '../../src/store/database.ts';
import { flag, json, money, table } from '../../src/store/table.ts';
import { openBooks } from '../support/books.ts';

interface Parcel {
  id: number;
  toWhom: string;
  isSent: boolean;
  isPaid: boolean | null;
  price: Money | null;
  contents: readonly string[] | null;
  city: string;
  weight: number;
}

const TEA: Omit<Parcel, 'id' | 'city'> = {
  toWhom: 'Asha',
  isSent: true,
  isPaid: false,
  price: { minor: 250_000, currency: 'TZS' },
  contents: ['tea', '"sugar"'],
  weight: 3,
};
const NOTHING_KNOWN = { isPaid: null, price: null, contents: null };

function parcelsIn(db: Database) {
  db.exec(`
    CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
    INSERT INTO cities VALUES (1, 'Tanga');
    CREATE TABLE parcels (id INTEGER PRIMARY KEY, to_whom TEXT NOT NULL UNIQUE, is_sent INTEGER NOT NULL, is_paid INTEGER,
      price_minor INTEGER, currency TEXT, contents TEXT, weight INTEGER NOT NULL, note TEXT, city_id INTEGER DEFAULT 1) STRICT`);
  return table<Parcel, { note: string }>(
    db,
    'parcels',
    {
      id: 'id',
      toWhom: 'to_whom',
      isSent: flag('is_sent'),
      isPaid: flag('is_paid'),
      price: money('price_minor', 'currency'),
      contents: json('contents'),
      city: 'cities.name',
      weight: 'weight',
    },
    { joined: 'JOIN cities ON cities.id = parcels.city_id', hidden: { note: 'note' } },
  );
}

test('a record comes out as it went in, flags, money, JSON and what is not known among it', () => {
  using books = openBooks();
  const parcels = parcelsIn(books.db);
  const tea = parcels.add(TEA);
  assert.deepEqual(tea, { ...TEA, id: 1, city: 'Tanga' });
  const empty = parcels.add({ ...TEA, ...NOTHING_KNOWN, toWhom: 'Baraka' });
  assert.deepEqual(empty, { ...TEA, ...NOTHING_KNOWN, toWhom: 'Baraka', id: 2, city: 'Tanga' });
  assert.deepEqual(parcels.select<[]>('ORDER BY parcels.id DESC').all(), [empty, tea]);
  assert.equal(parcels.select<[string]>('WHERE to_whom = ?').get('Chiku'), null);
});

test('a change writes what it names, as long as its condition holds', () => {
  using books = openBooks();
  const parcels = parcelsIn(books.db);
  const { id } = parcels.add(TEA);
  const read = () => parcels.select<[number]>('WHERE parcels.id = ?').get(id);
  assert.equal(parcels.update(id, { price: null, isSent: false, weight: undefined, note: 'late' }), true);
  assert.deepEqual(read(), { ...TEA, id, city: 'Tanga', price: null, isSent: false });
  assert.equal(books.db.prepare('SELECT note FROM parcels').pluck().get(), 'late');
  assert.equal(parcels.update(id, { weight: 9 }, 'is_sent = 1'), false);
  assert.equal(parcels.update(id + 1, { weight: 9 }), false);
  assert.equal(read()?.weight, 3);
});

test('what is read from elsewhere and ids are never written, and what has no column is refused', () => {
  using books = openBooks();
  const parcels = parcelsIn(books.db);
  const { id } = parcels.add({ ...TEA, id: 77, city: 'Moshi' });
  assert.equal(id, 1);
  assert.equal(parcels.update(id, { id: 78, city: 'Moshi', weight: 4 }), true);
  assert.deepEqual(parcels.select<[]>('').all(), [{ ...TEA, id, city: 'Tanga', weight: 4 }]);
  const misspelt = { wieght: 4 };
  assert.throws(() => parcels.update(id, misspelt as object), /parcels has no column for wieght/);
});
