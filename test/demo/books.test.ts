/** The books of the demo: what `scripts/run` shows of 90 days must add up as the books of a real café would. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { type DemoBooks, writeBooks } from '../../scripts/demo/books.ts';
import { SEED } from '../../scripts/demo/cafe.ts';
import { checkBooks } from '../../src/commands/doctor/books.ts';
import { expectedMinor } from '../../src/domain/shifts.ts';
import { type Instant, parseInstant } from '../../src/domain/time.ts';
import { type Database, openForReading } from '../../src/store/database.ts';
import { DATABASE_FILE } from '../../src/store/folder.ts';
import { readsOf } from '../../src/store/repositories.ts';
import { POLICY } from '../support/books.ts';

const EVENING = parseInstant('2026-11-21T16:30:00Z');

interface Written extends DemoBooks {
  db: Database;
  /** The rows of a query, as arrays. */
  rows(sql: string, ...values: unknown[]): unknown[][];
  number(sql: string, ...values: unknown[]): number;
}

const written: Written[] = [];
after(() => {
  for (const { db } of written) {
    db.close();
    rmSync(dirname(db.name), { recursive: true });
  }
});

function write({ now = EVENING, seed = SEED }: { now?: Instant; seed?: number } = {}): Written {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-demo-test-'));
  const options = { dataDir, policy: POLICY, baseUrl: 'http://127.0.0.1:8080', passwordHash: 'none' };
  const books = writeBooks({ ...options, now, seed });
  const db = openForReading(join(dataDir, DATABASE_FILE));
  const rows = (sql: string, ...values: unknown[]) => db.prepare(sql).raw().all(values) as unknown[][];
  const made = {
    ...books,
    db,
    rows,
    number: (sql: string, ...values: unknown[]) => Number(rows(sql, ...values)[0]?.[0]),
  };
  written.push(made);
  return made;
}

/** Of an evening. */
const books = write();

/** Everything in the books, in words: what must not be guessed is another one each time, and left out. */
function told({ rows }: Written): string[] {
  const tables = rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").map(String);
  return tables.flatMap(name =>
    rows(`SELECT * FROM "${name}"`).map(row =>
      `${name} ${JSON.stringify(row)}`
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'a uid')
        .replaceAll(/\b[A-Z0-9]{20}\b/g, 'a reference')
        .replaceAll(/\b[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}\b/g, 'a code'),
    ),
  );
}

const isWithin = (value: number, [least, most]: readonly [number, number], what: string) =>
  assert.ok(value >= least && value <= most, `${what}: ${value} is not from ${least} to ${most}`);

test('the books of the demo pass the check of the operator', () => {
  const findings = checkBooks(books.db);
  assert.deepEqual(
    findings.filter(({ grade }) => grade !== 'well'),
    [],
  );
});

test('four hundred people have come in 90 days, a third of them again and again', () => {
  const { number, rows } = books;
  const people = number('SELECT count(*) FROM users');
  isWithin(people, [390, 402], 'people');
  const often = `SELECT count(*) FROM (SELECT user_id FROM grants WHERE source <> 'admin'
    GROUP BY user_id HAVING count(*) >= 8)`;
  isWithin(number(often) / people, [0.3, 0.37], 'regulars');
  const days = rows('SELECT DISTINCT day FROM daily_sales WHERE sales > 0').flat();
  assert.equal(days.length, 91);
});

test('phone money, cash and vouchers have their shares', () => {
  const { number } = books;
  const paid = "SELECT count(*) FROM payments WHERE status = 'completed' AND method = ?";
  const [online, cash, vouchers] = [
    number(paid, 'online'),
    number(paid, 'cash'),
    number('SELECT count(*) FROM vouchers WHERE used_at IS NOT NULL'),
  ];
  const all = online + cash + vouchers;
  isWithin(online / all, [0.62, 0.68], 'phone money');
  isWithin(cash / all, [0.17, 0.23], 'cash');
  isWithin(vouchers / all, [0.12, 0.18], 'vouchers');
});

test('the evening, the weekend and the days about pay-day are busier than others', () => {
  const { number } = books;
  const local = "datetime(created_at, '+3 hours')";
  const between = (from: number, to: number) =>
    number(`SELECT count(*) FROM payments WHERE CAST(strftime('%H', ${local}) AS INTEGER) BETWEEN ? AND ?`, from, to) /
    (to - from + 1);
  assert.ok(between(18, 20) > 2 * between(9, 11));
  const days = 'SELECT day, sum(sales) AS sold FROM daily_sales GROUP BY day';
  const perDay = (which: string) => number(`SELECT avg(sold) FROM (${days}) WHERE ${which}`);
  assert.ok(perDay("strftime('%w', day) IN ('5', '6')") > 1.2 * perDay("strftime('%w', day) IN ('1', '2')"));
  assert.ok(perDay("strftime('%d', day) >= '26'") > perDay("strftime('%d', day) BETWEEN '10' AND '20'"));
});

test('twelve shifts are closed, one of them short by 500 with a note, and one is open', () => {
  const shifts = readsOf(books.db).shifts.list(null, { limit: 100, offset: 0 });
  assert.equal(shifts.filter(({ closedAt }) => closedAt === null).length, 1);
  const closed = shifts.filter(({ closedAt }) => closedAt !== null);
  assert.equal(closed.length, 12);
  const wrong = closed.filter(shift => shift.countedMinor !== expectedMinor(shift));
  assert.deepEqual(
    wrong.map(shift => [(shift.countedMinor ?? 0) - expectedMinor(shift), shift.note !== '']),
    [[-500_00, true]],
  );
});

test('of four batches one is fresh, one half sold, one expired and one revoked, and what was used was sold', () => {
  const batches = readsOf(books.db).vouchers.batches(EVENING, { limit: 10, offset: 0 }).toReversed();
  assert.deepEqual(
    batches.map(({ sold, revoked, expiresAt }) => [sold > 0, revoked > 0, expiresAt < EVENING]),
    [
      [true, false, true],
      [true, false, false],
      [true, true, false],
      [false, false, false],
    ],
  );
  const [, half] = batches;
  isWithin((half?.sold ?? 0) / (half?.quantity ?? 1), [0.35, 0.65], 'half sold');
  assert.ok(batches.every(({ usedUnsold }) => usedUnsold === 0));
});

test('things went wrong: failures, one flagged payment, two refunds, an outage, one person blocked', () => {
  const { number, rows } = books;
  isWithin(number("SELECT count(*) FROM payments WHERE status = 'failed'"), [60, 250], 'failed');
  isWithin(number("SELECT count(*) FROM payments WHERE status = 'cancelled'"), [30, 200], 'left alone');
  assert.deepEqual(rows('SELECT review FROM payments WHERE review IS NOT NULL'), [['underpaid']]);
  assert.deepEqual(rows('SELECT status, amount_minor FROM refunds ORDER BY id'), [
    ['completed', 1_500_00],
    ['completed', 500_00],
  ]);
  isWithin(number('SELECT users FROM credits'), [30, 150], 'people credited');
  assert.equal(number('SELECT count(*) FROM users WHERE is_active = 0'), 1);
});

test('at the moment of its start, one person has ten minutes left, one has an open order, and twelve have hours', () => {
  for (const now of ['2026-11-21T16:30:00Z', '2026-11-21T21:05:00Z', '2026-03-01T03:00:00Z'].map(parseInstant)) {
    const { customers, rows, number } = write({ now });
    assert.ok(customers.length >= 12, `${customers.length} customers at ${now}`);
    const left = "round((julianday(paid_until) - julianday(?)) * 1440) FROM users WHERE phone = '+255765222333'";
    assert.equal(number(`SELECT ${left}`, now), 11);
    assert.deepEqual(rows("SELECT phone FROM payments WHERE status = 'pending' AND expires_at > ?", now), [
      ['+255754222111'],
    ]);
    assert.equal(number('SELECT count(*) FROM shifts WHERE closed_at IS NULL'), 1);
    assert.equal(number('SELECT count(*) FROM payments WHERE created_at > ?', now), 0);
  }
});

test('the same seed and the same moment make the same books; another seed makes others', () => {
  const first = told(books);
  assert.deepEqual(told(write()), first);
  assert.notDeepEqual(told(write({ seed: SEED + 1 })), first);
});

test('the days before today are the same at whatever hour the demo begins', () => {
  const figures = ({ rows }: Written) =>
    rows("SELECT * FROM daily_sales WHERE day < '2026-11-21' ORDER BY day, bundle_id, method, seller");
  const morning = write({ now: parseInstant('2026-11-21T06:00:00Z') });
  assert.deepEqual(figures(morning), figures(books));
});
