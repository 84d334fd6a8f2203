import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PAYMENT_STATUSES, type Payment, type PaymentFilter } from '../../src/domain/payments.ts';
import type { Phone } from '../../src/domain/phone.ts';
import type { Day, Instant } from '../../src/domain/time.ts';
import type { User, UserFilter } from '../../src/domain/users.ts';
import { type Books, openBooks } from '../support/books.ts';

const NOW = '2026-11-21T10:00:00.000Z' as Instant;
const PEOPLE = 1_700;
const ORDERS = 2_300;

/** Some of them gone, blocked, completed after a while. */
function crowded(): Books {
  const books = openBooks();
  const { db } = books;
  db.exec(`
    INSERT INTO bundles (name, price_minor, currency, duration_seconds, created_at)
      VALUES ('Day', 100000, 'TZS', 86400, '${NOW}'), ('Week', 500000, 'TZS', 604800, '${NOW}');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${PEOPLE})
    INSERT INTO users (phone, is_active, max_devices, paid_until, created_at)
      SELECT printf('+2557%08d', i * 7919), i % 9 <> 0, 1,
        CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN '2026-11-20T00:00:00.000Z' ELSE '2026-11-22T00:00:00.000Z' END, '${NOW}' FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ORDERS})
    INSERT INTO payments (uid, user_id, bundle_id, bundle_name, duration_seconds, phone, amount_minor, currency, status, method,
        provider, order_reference, payment_reference, receipt_number, review, created_at, created_day, expires_at)
      SELECT 'p' || i, 1 + i % ${PEOPLE}, 1 + i % 2, 'Day', 86400, printf('+2557%08d', (1 + i % ${PEOPLE}) * 7919), 100 + i, 'TZS',
        'pending', CASE WHEN i % 11 = 0 THEN 'cash' ELSE 'online' END, 'sandbox', printf('ORDER%015d', i), 'sandbox-' || i,
        CASE WHEN i % 11 = 0 THEN 'R-' || i END, CASE WHEN i % 50 = 0 THEN 'underpaid' END,
        '${NOW}', date('2026-01-01', printf('+%d days', i / 20)), '${NOW}' FROM n;
    UPDATE payments SET status = 'completed', completed_at = '${NOW}', completed_day = created_day WHERE id % 3 = 0;
    UPDATE payments SET status = 'failed' WHERE id % 7 = 1 AND status = 'pending';
    UPDATE payments SET status = 'cancelled' WHERE id % 7 = 2 AND status = 'pending';
    UPDATE users SET is_active = 0 WHERE id % 13 = 0;
    UPDATE users SET is_active = 1 WHERE id % 18 = 0;
    UPDATE users SET phone = 'deleted:' || id, is_active = 0, deleted_at = '${NOW}' WHERE id % 17 = 0;
  `);
  return books;
}

const page = fc.record({ limit: fc.integer({ min: 1, max: 100 }), offset: fc.nat(ORDERS + 50) });
const optionally = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
const digits = fc.stringMatching(/^[0-9]{1,4}$/);

const userFilter: fc.Arbitrary<UserFilter> = fc.record({
  phone: optionally(digits.map(contains => ({ contains }))),
  isActive: optionally(fc.boolean()),
  access: optionally(fc.constantFrom('active', 'expired', 'blocked', 'never')),
});

function isListed(user: User, { phone, isActive, access }: UserFilter): boolean {
  const state = !user.isActive
    ? 'blocked'
    : user.paidUntil === null
      ? 'never'
      : user.paidUntil > NOW
        ? 'active'
        : 'expired';
  return (
    (phone === undefined || ('contains' in phone && user.phone.includes(phone.contains))) &&
    (isActive === undefined || user.isActive === isActive) &&
    (access === undefined || state === access)
  );
}

test('every page, count and walk of users shows what going through all of them would', () => {
  using books = crowded();
  const { users } = books.reads;
  const ids = Array.from({ length: PEOPLE }, (_, index) => PEOPLE - index);
  const everybody = ids.map(id => users.byId(id)).filter(user => user !== null);
  assert.ok(everybody.length > 1_500);
  fc.assert(
    fc.property(userFilter, page, (filter, { limit, offset }) => {
      const wanted = everybody.filter(user => isListed(user, filter)).map(user => user.id);
      const found = users.page(filter, NOW, { limit, offset }).map(user => user.id);
      assert.deepEqual(found, wanted.slice(offset, offset + limit));
      assert.equal(users.count(filter, NOW), wanted.length);
      const walked = users
        .walk(
          filter,
          NOW,
        )({ lowest: 300, below: 900 })
        .map(user => user.id);
      assert.deepEqual(
        walked,
        wanted.filter(id => id >= 300 && id < 900),
      );
    }),
    { numRuns: 150 },
  );
});

const day = fc
  .integer({ min: 0, max: 120 })
  .map(days => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10) as Day);

const paymentFilter: fc.Arbitrary<PaymentFilter> = fc.record({
  status: optionally(fc.constantFrom(...PAYMENT_STATUSES)),
  bundleId: optionally(fc.integer({ min: 1, max: 3 })),
  userId: fc.option(fc.integer({ min: 1, max: PEOPLE }), { nil: undefined, freq: 8 }),
  method: optionally(fc.constantFrom('online' as const, 'cash' as const)),
  from: optionally(day),
  to: optionally(day),
  phone: optionally(
    fc.oneof(
      digits.map(contains => ({ contains })),
      fc.integer({ min: 1, max: PEOPLE }).map(n => ({ is: `+2557${String(n * 7_919).padStart(8, '0')}` as Phone })),
    ),
  ),
  search: fc.option(
    fc.oneof(
      fc
        .integer({ min: 1, max: ORDERS })
        .map(n => ({ text: `ORDER${String(n).padStart(15, '0')}`.slice(0, 19), phone: null })),
      fc.integer({ min: 1, max: ORDERS }).map(n => ({ text: `sandbox-${n}`, phone: null })),
      fc.integer({ min: 1, max: ORDERS }).map(n => ({ text: `R-${n}`, phone: null })),
      digits.map(contains => ({ text: contains, phone: { contains } })),
    ),
    { nil: undefined, freq: 4 },
  ),
  inReview: fc.option(fc.boolean(), { nil: undefined, freq: 4 }),
});

const hasPhone = (payment: Payment, phone: NonNullable<PaymentFilter['phone']>) =>
  'is' in phone ? payment.phone === phone.is : payment.phone.includes(phone.contains);

function isFound(payment: Payment & { day: string }, filter: PaymentFilter): boolean {
  const { search } = filter;
  const byText =
    search === undefined ||
    payment.orderReference.startsWith(search.text) ||
    payment.paymentReference === search.text ||
    payment.receiptNumber === search.text ||
    (search.phone !== null && hasPhone(payment, search.phone));
  return (
    byText &&
    (filter.status === undefined || payment.status === filter.status) &&
    (filter.bundleId === undefined || payment.bundleId === filter.bundleId) &&
    (filter.userId === undefined || payment.userId === filter.userId) &&
    (filter.method === undefined || payment.method === filter.method) &&
    (filter.from === undefined || payment.day >= filter.from) &&
    (filter.to === undefined || payment.day <= filter.to) &&
    (filter.phone === undefined || hasPhone(payment, filter.phone)) &&
    (filter.inReview === undefined || (payment.review !== null) === filter.inReview)
  );
}

test('every page, summary and walk of payments shows what going through all of them would', () => {
  using books = crowded();
  const { payments } = books.reads;
  const all = books.db
    .prepare<[], { id: number; day: string }>('SELECT id, created_day AS day FROM payments ORDER BY id DESC')
    .all()
    .map(({ id, day: created }) => ({ ...(payments.byId(id) as Payment), day: created }));
  fc.assert(
    fc.property(paymentFilter, page, (filter, { limit, offset }) => {
      const wanted = all.filter(payment => isFound(payment, filter));
      const ids = wanted.map(payment => payment.id);
      const found = payments.page(filter, { limit, offset }).map(payment => payment.id);
      assert.deepEqual(found, ids.slice(offset, offset + limit));
      const summary = payments.summary(filter);
      for (const status of PAYMENT_STATUSES) {
        const those = wanted.filter(payment => payment.status === status);
        const amountMinor = those.reduce((sum, payment) => sum + payment.amount.minor, 0);
        assert.deepEqual(summary[status], { orders: those.length, amountMinor }, status);
      }
      const walked = payments
        .walk(filter)({ lowest: 400, below: 1_300 })
        .map(payment => payment.id);
      assert.deepEqual(
        walked,
        ids.filter(id => id >= 400 && id < 1_300),
      );
    }),
    { numRuns: 300 },
  );
});

test('the plans of long lists touch no more than they show', () => {
  using books = crowded();
  const plan = (sql: string) =>
    books.db
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(step => step.detail)
      .join('; ');
  const byDay = plan(
    "SELECT id FROM payments INDEXED BY payments_by_day WHERE created_day >= '2026-01-01' AND method = 'online'",
  );
  assert.match(byDay, /USING COVERING INDEX payments_by_day/);
  assert.match(
    plan(
      "SELECT count(*), total(amount_minor) FROM payments INDEXED BY payments_by_phone WHERE phone GLOB '+*71*' AND status = 'failed'",
    ),
    /USING COVERING INDEX payments_by_phone/,
  );
  assert.match(
    plan(
      'SELECT id FROM users WHERE deleted_at IS NULL AND is_active = 1 AND paid_until > 0 ORDER BY id DESC LIMIT 20',
    ),
    /USING COVERING INDEX users_by_state/,
  );
  const newest = 'ORDER BY id DESC LIMIT 20 OFFSET 900';
  assert.match(
    plan(`SELECT id FROM payments WHERE status = 'completed' ${newest}`),
    /USING COVERING INDEX payments_by_status/,
  );
  assert.match(
    plan(`SELECT id FROM payments INDEXED BY payments_listed WHERE TRUE ${newest}`),
    /^SCAN payments USING COVERING INDEX payments_listed$/,
  );
  assert.match(
    plan(`SELECT id FROM users WHERE deleted_at IS NULL ${newest}`),
    /^SEARCH users USING COVERING INDEX users_by_deletion \(deleted_at=\?\)$/,
  );
  assert.match(
    plan("SELECT id FROM users WHERE (name IS NOT NULL OR note IS NOT NULL) AND name LIKE '%asha%'"),
    /^SCAN users USING COVERING INDEX users_described$/,
    'those who have a name alone',
  );
});
