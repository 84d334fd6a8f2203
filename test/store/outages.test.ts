/** Time that is bought while nobody can get online: none of it is lost, and none given away, whatever happens when. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { paidUntilFromLedger } from '../../src/domain/access.ts';
import { commands } from '../../src/domain/commands.ts';
import type { Reach } from '../../src/domain/outages.ts';
import { type Phone, parsePhone } from '../../src/domain/phone.ts';
import { addSeconds, type Instant, parseInstant, secondsBetween } from '../../src/domain/time.ts';
import { type Books, DAY_BUNDLE, openBooks } from '../support/books.ts';

const ASHA = parsePhone('+255712345678', 'TZ') as Phone;
const START = parseInstant('2026-11-21T10:00:00.000Z');
const HOUR = 3_600;
const LOOK = 15;
const VOUCHER_SECONDS = [HOUR / 2, HOUR, 24 * HOUR];

interface World {
  books: Books;
  now: Instant;
  /** Unused codes by how long they last. */
  codes: Map<number, string[]>;
  look(reach: Reach): number;
  redeem(seconds: number): void;
  paidUntil(): Instant | null;
}

function newWorld(books: Books): World {
  const codes = new Map<number, string[]>();
  for (const durationSeconds of VOUCHER_SECONDS) {
    const tx = books.at(START);
    const { id: bundleId } = commands.createBundle(tx, { bundle: { ...DAY_BUNDLE, durationSeconds } });
    codes.set(
      durationSeconds,
      commands.generateVouchers(tx, { bundleId, quantity: 40, expiryDays: 300, phone: null }).codes,
    );
  }
  return {
    books,
    now: START,
    codes,
    look(reach) {
      return commands.followOutage(books.at(this.now), { reach, since: this.now }).userIds.length;
    },
    redeem(seconds) {
      const code = this.codes.get(seconds)?.pop() ?? assert.fail('no code is left');
      const tx = books.at(this.now);
      commands.redeemVoucher(tx, { phone: ASHA, language: null, device: null, code, onlineMacs: [] });
    },
    paidUntil() {
      return books.at(this.now).users.byPhone(ASHA)?.paidUntil ?? null;
    },
  };
}

/** Lets time pass, with a look every 15 seconds; some are made twice, as after a kill. */
function pass(world: World, seconds: number, reach: Reach, isOdd = false): void {
  for (let left = seconds; left > 0; left -= LOOK) {
    world.now = addSeconds(world.now, Math.min(LOOK, left));
    world.look(reach);
    if (isOdd) world.look(reach);
  }
}

const leftOf = (world: World) => secondsBetween(world.now, world.paidUntil() ?? world.now);

/**
 * What is bought stands in a queue. What was bought before the outage runs; what was bought in it waits until it is
 * over. Says how much of all is left.
 */
function model(events: readonly Event[]): number {
  let queue: { left: number; waits: boolean }[] = [];
  let isOut = false;
  for (const event of events) {
    if (event.do === 'redeem') queue.push({ left: event.seconds, waits: isOut });
    if (event.do === 'router') {
      isOut = !isOut;
      if (!isOut) queue = queue.map(({ left }) => ({ left, waits: false }));
    } else {
      // What is bought at the very moment of a look belongs to either side of it: a look's time goes by first.
      let seconds = event.do === 'redeem' ? LOOK : event.seconds;
      for (const chunk of queue) {
        if (chunk.waits) break;
        const used = Math.min(seconds, chunk.left);
        chunk.left -= used;
        seconds -= used;
      }
      queue = queue.filter(({ left }) => left > 0);
    }
  }
  return queue.reduce((sum, { left }) => sum + left, 0);
}

type Event = { do: 'redeem'; seconds: number } | { do: 'router' } | { do: 'wait'; seconds: number; isOdd: boolean };

const history: fc.Arbitrary<Event[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('redeem' as const), seconds: fc.constantFrom(...VOUCHER_SECONDS) }),
    fc.record({ do: fc.constant('router' as const) }),
    fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.integer({ min: 1, max: 200 }).map(n => n * LOOK),
      isOdd: fc.boolean(),
    }),
  ),
  { maxLength: 16 },
);

test('whatever is bought, and whenever the router goes and comes, nobody loses or gains a second', () => {
  fc.assert(
    fc.property(history, events => {
      using books = openBooks();
      const world = newWorld(books);
      let reach: Reach = 'open';
      for (const event of events) {
        if (event.do === 'wait') pass(world, event.seconds, reach, event.isOdd);
        else if (event.do === 'redeem') {
          world.redeem(event.seconds);
          pass(world, LOOK, reach);
        } else {
          reach = reach === 'open' ? 'closed' : 'open';
          world.look(reach);
        }
      }
      const expected = model(events);
      const [user] = books.reads.users.page({}, world.now, { limit: 1, offset: 0 });
      const grants = user === undefined ? [] : books.reads.grants.ofUser(user.id);
      assert.equal(user?.paidUntil ?? null, paidUntilFromLedger(grants), 'paid_until is what the ledger says');
      if (reach === 'open') assert.equal(Math.max(0, leftOf(world)), expected);
      else assert.equal(leftOf(world) > 0, expected > 0, 'what is bought is there all the while');
    }),
    { numRuns: 25 },
  );
});

test('time waits for 24 hours at most', () => {
  using books = openBooks();
  const world = newWorld(books);
  world.look('closed');
  world.redeem(HOUR);
  pass(world, 24 * HOUR + HOUR / 2, 'closed');
  world.look('open');
  assert.equal(leftOf(world), HOUR / 2, 'it began after 24 hours');
  const reasons = books.reads.grants.ofUser(1).map(({ reason }) => reason);
  assert.ok(reasons.slice(1).every(reason => reason.startsWith('Bought while the router did not answer')));
});

test('a refund in full leaves nothing to give back', () => {
  using books = openBooks();
  const world = newWorld(books);
  const tx = books.at(world.now);
  world.look('closed');
  const order = commands.openOrder(tx, {
    phone: ASHA,
    bundleId: 3,
    language: null,
    mac: null,
    ip: null,
    madeFrom: null,
  });
  const answer = { paymentReference: 'P1', transactionId: 'T', channel: 'test', payerPhone: null };
  const verification = { state: 'completed' as const, amount: order.amount, ...answer };
  commands.settlePayment(tx, { paymentId: order.id, verification, scheduled: false, onlineMacs: [] });
  pass(world, 2 * HOUR, 'closed');
  const later = books.at(world.now);
  const refund = commands.openRefund(later, { paymentId: order.id, amount: null, reason: 'test' });
  const outcome = { outcome: 'completed', reference: null, message: null } as const;
  commands.settleRefund(later, { refundId: refund.id, answer: outcome });
  world.look('open');
  assert.equal(leftOf(world), 0);
});

test('where no router is configured any more, nothing is given', () => {
  using books = openBooks();
  const world = newWorld(books);
  world.look('closed');
  world.redeem(HOUR);
  world.now = addSeconds(world.now, HOUR / 2);
  assert.equal(world.look('no_router'), 0);
  assert.equal(world.look('closed'), 0);
  assert.equal(leftOf(world), HOUR / 2);
});
