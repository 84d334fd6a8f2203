/** When open orders are asked about: on schedule, again after a failure, and after a start. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBundle } from '../../src/domain/bundles.ts';
import { openOrder } from '../../src/domain/orders.ts';
import { CHECK_SCHEDULE, recheckUnsettled } from '../../src/domain/payment-checks.ts';
import { type Payment, settlePayment } from '../../src/domain/payments.ts';
import { type Phone, parsePhone } from '../../src/domain/phone.ts';
import type { Verification } from '../../src/domain/ports.ts';
import { addSeconds, type Instant, secondsBetween } from '../../src/domain/time.ts';
import { type Books, DAY_BUNDLE, NOW, openBooks } from '../support/books.ts';

const PENDING: Verification = {
  state: 'pending',
  amount: null,
  paymentReference: null,
  transactionId: null,
  channel: null,
  payerPhone: null,
};
const HOUR = 3_600;

function order(books: Books, person = 0, now: Instant = NOW): Payment {
  const phone = parsePhone(`+25571${String(2_000_000 + person)}`, 'TZ') as Phone;
  return openOrder(books.at(now), { phone, bundleId: 1, language: null, mac: null, ip: null, madeFrom: null });
}

function withBundle(books: Books): void {
  createBundle(books.tx, { bundle: DAY_BUNDLE });
}

function check(books: Books, { id }: Payment, now: Instant, verification: Verification | null): Payment {
  return settlePayment(books.at(now), { paymentId: id, verification, scheduled: true, onlineMacs: [] }).payment;
}

/** Seconds after creation of every check until the end, when each is made as soon as it is due. */
function checksUntilEnd(books: Books, first: Payment, answer: (age: number) => Verification | null): number[] {
  const ages: number[] = [];
  for (let payment = first; payment.nextCheckAt !== null && ages.length < 5_000; ) {
    const age = secondsBetween(payment.createdAt, payment.nextCheckAt);
    ages.push(age);
    payment = check(books, payment, payment.nextCheckAt, answer(age));
  }
  return ages;
}

test('an order that nobody pays is asked about on schedule, and then no more', () => {
  using books = openBooks();
  withBundle(books);
  assert.deepEqual(
    checksUntilEnd(books, order(books), () => PENDING),
    CHECK_SCHEDULE,
  );
});

test('a check that the provider did not answer is made up within a minute, not hours later', () => {
  using books = openBooks();
  withBundle(books);
  const down = (age: number) => age >= 3 * HOUR && age < 3 * HOUR + 600;
  const ages = checksUntilEnd(books, order(books), age => (down(age) ? null : PENDING));
  const madeUp = ages.filter(age => age >= 3 * HOUR && age < 4 * HOUR).map(age => age - 3 * HOUR);
  assert.deepEqual(madeUp, [0, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600]);
  assert.equal(ages.at(-1), 48 * HOUR);
});

test('an order whose last check was not answered is asked about for another day', () => {
  using books = openBooks();
  withBundle(books);
  const ages = checksUntilEnd(books, order(books), age => (age >= 48 * HOUR ? null : PENDING));
  assert.ok((ages.at(-1) ?? 0) > 72 * HOUR - 60 && (ages.at(-1) ?? 0) <= 72 * HOUR + 60, String(ages.at(-1)));
});

test('starts bring checks forward, and use none of them up', () => {
  using books = openBooks();
  withBundle(books);
  const first = order(books);
  let now = addSeconds(NOW, HOUR + 300);
  let payment = check(books, first, now, PENDING);
  for (let start = 0; start < 5; start += 1) {
    now = addSeconds(now, 600);
    assert.deepEqual(recheckUnsettled(books.at(now), { requestsPerMinute: 60 }), { due: 1 });
    payment = check(books, payment, now, PENDING);
    assert.equal(payment.nextCheckAt, addSeconds(NOW, 3 * HOUR));
  }
});

test('after a start the newest orders are asked about first, at half of the provider’s pace', () => {
  using books = openBooks();
  withBundle(books);
  const orders = Array.from({ length: 100 }, (_, person) => order(books, person, addSeconds(NOW, person)));
  for (const payment of orders) check(books, payment, addSeconds(NOW, 2 * HOUR), PENDING);
  const now = addSeconds(NOW, 2 * HOUR + 60);
  assert.deepEqual(recheckUnsettled(books.at(now), { requestsPerMinute: 60 }), { due: 100 });
  const dueWithin = (seconds: number) =>
    books.reads.payments.dueForCheck(addSeconds(now, seconds), 1_000).map(({ id }) => id);
  assert.deepEqual(dueWithin(0), [100]);
  assert.deepEqual(dueWithin(10), [100, 99, 98, 97, 96, 95]);
  assert.equal(dueWithin(60).length, 31);
  assert.equal(dueWithin(200).length, 100);
});

test('a start never makes a check later than it was', () => {
  using books = openBooks();
  withBundle(books);
  for (let person = 0; person < 50; person += 1) order(books, person);
  assert.deepEqual(recheckUnsettled(books.tx, { requestsPerMinute: 60 }), { due: 10 });
  assert.equal(books.reads.payments.dueForCheck(addSeconds(NOW, 20), 100).length, 50);
});

test('money that comes in twice for one order is for staff to see', () => {
  using books = openBooks();
  withBundle(books);
  const payment = order(books);
  const paid = (minor: number): Verification => ({
    ...PENDING,
    state: 'completed',
    amount: { minor, currency: 'TZS' },
  });
  assert.equal(check(books, payment, NOW, paid(100_000)).review, null);
  const twice = check(books, payment, NOW, paid(200_000));
  assert.equal(twice.review, 'overpaid');
  assert.equal(twice.paid?.minor, 200_000);
  assert.equal(books.reads.grants.ofUser(payment.userId).length, 1);
});
