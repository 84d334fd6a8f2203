/**
 * Money under any history: whatever is sold, paid, given back in other shifts and on other days, every figure that is
 * told says what adding up the events one by one says.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Actor } from '../../src/domain/audit.ts';
import { commands } from '../../src/domain/commands.ts';
import { LangoError } from '../../src/domain/errors.ts';
import type { Phone } from '../../src/domain/phone.ts';
import { expectedMinor } from '../../src/domain/shifts.ts';
import { NO_REVENUE, type Revenue, type RevenueGroup } from '../../src/domain/stats.ts';
import { addDays, addSeconds, type Day, dayOf, hourOf, type Instant } from '../../src/domain/time.ts';
import type { StaffTx } from '../../src/domain/transaction.ts';
import { recount } from '../../src/store/recount.ts';
import { type Books, DAY_BUNDLE, openBooks } from '../support/books.ts';

const START = '2026-10-20T20:00:00.000Z' as Instant;
const PEOPLE = ['+255712345671', '+255712345672', '+255712345673'] as Phone[];
const STAFF = ['owner', 'zawadi', 'juma'] as const;

const who = fc.nat(STAFF.length - 1);
const sold = { who, person: fc.nat(PEOPLE.length - 1), bundle: fc.nat(1) };
const event = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 5, max: 1_800 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('open' as const), who, float: fc.nat(9_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), who, counted: fc.nat(90_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('move' as const), who, minor: fc.integer({ min: -5_000, max: 5_000 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('sell' as const), ...sold }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pay' as const), ...sold, isPaid: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      who,
      payment: fc.nat(),
      amount: fc.option(fc.integer({ min: 1, max: 60_000 })),
      fromDrawer: fc.boolean(),
      outcome: fc.constantFrom('completed' as const, 'manual' as const, 'rejected' as const, 'pending' as const),
    }),
  },
);
type Event = typeof event extends fc.Arbitrary<infer One> ? One : never;

/** One thing that moved money, written down as it happened. */
interface Move extends Revenue {
  day: Day;
  hour: number;
  method: string;
  cashier: string;
  bundle: number;
  /** Whose drawer it went into or came from; null: none. */
  shift: number | null;
}

/** What a history should have left in the books, kept by the test alone. */
interface World {
  now: Instant;
  admins: Actor[];
  bundles: number[];
  payments: number[];
  moves: Move[];
  /** What should be in the drawer, by the shift's id. */
  drawers: Map<number, number>;
}

function newWorld({ at }: Books): World {
  const tx = at(START);
  const account = { passwordHash: '', email: '', onlyFirst: false };
  const admins = STAFF.map(username => {
    const role = username === 'owner' ? ('owner' as const) : ('cashier' as const);
    return { adminId: commands.createAdmin(tx, { ...account, username, role }).id, name: username, ip: null };
  });
  const bundles = [50_000, 120_000].map(minor => {
    const price = { minor, currency: tx.policy.currency };
    return commands.createBundle(tx, { bundle: { ...DAY_BUNDLE, name: String(minor), price } }).id;
  });
  return { now: START, admins, bundles, payments: [], moves: [], drawers: new Map() };
}

function live({ at }: Books, world: World, step: Event): void {
  if (step.do === 'wait') {
    world.now = addSeconds(world.now, step.minutes * 60);
    return;
  }
  const actor = world.admins['who' in step ? step.who : 0] as Actor;
  const tx = { ...at(world.now), actor, record: () => undefined } as StaffTx;
  const { timeZone } = tx.policy;
  const [day, hour] = [dayOf(world.now, timeZone), hourOf(world.now, timeZone)];
  const move = (change: Omit<Move, keyof Revenue | 'day' | 'hour'> & Partial<Revenue>) =>
    world.moves.push({ ...NO_REVENUE, day, hour, ...change });
  const drawer = (shiftId: number | null, minor: number): number | null => {
    if (shiftId !== null) world.drawers.set(shiftId, (world.drawers.get(shiftId) ?? 0) + minor);
    return shiftId;
  };
  switch (step.do) {
    case 'open':
      drawer(commands.openShift(tx, { openingFloatMinor: step.float }).id, step.float);
      return;
    case 'close':
      commands.closeShift(tx, { countedMinor: step.counted, note: '' });
      return;
    case 'move':
      drawer(commands.moveCash(tx, { amountMinor: step.minor, reason: 'test' }).id, step.minor);
      return;
    case 'sell': {
      const bundleId = world.bundles[step.bundle] as number;
      const sale = { phone: PEOPLE[step.person] as Phone, bundleId, mac: null, onlineMacs: [] };
      const { payment } = commands.sellForCash(tx, { ...sale, receiptNumber: `R${world.payments.length}` });
      world.payments.push(payment.id);
      const shift = drawer(tx.shifts.openOf(actor.adminId)?.id ?? null, payment.amount.minor);
      const { minor: grossMinor } = payment.amount;
      move({ method: 'cash', cashier: actor.name, bundle: bundleId, shift, sales: 1, grossMinor });
      return;
    }
    case 'pay': {
      const bundleId = world.bundles[step.bundle] as number;
      const order = { phone: PEOPLE[step.person] as Phone, bundleId, mac: null, ip: null, madeFrom: null };
      const { id, amount } = commands.openOrder(tx, { ...order, language: null });
      const rest = { paymentReference: `P${id}`, transactionId: 'T', channel: 'test', payerPhone: null };
      const state = step.isPaid ? ('completed' as const) : ('failed' as const);
      const settled = { paymentId: id, verification: { state, amount, ...rest }, scheduled: false, onlineMacs: [] };
      commands.settlePayment(tx, settled);
      commands.settlePayment(tx, settled);
      world.payments.push(id);
      if (step.isPaid)
        move({ method: 'online', cashier: '', bundle: bundleId, shift: null, sales: 1, grossMinor: amount.minor });
      return;
    }
    case 'refund': {
      const paymentId = world.payments[step.payment % world.payments.length];
      const payment = paymentId === undefined ? null : tx.payments.byId(paymentId);
      if (payment === null) return;
      const amount = step.amount === null ? null : { minor: step.amount, currency: payment.amount.currency };
      const own = tx.shifts.openOf(actor.adminId);
      const seller = world.admins.find(({ name }) => name === payment.soldBy)?.adminId ?? null;
      const sellers = payment.shiftId === null ? null : tx.shifts.openOf(seller);
      const refund = commands.openRefund(tx, {
        paymentId: payment.id,
        amount,
        reason: 'test',
        fromDrawer: step.fromDrawer,
      });
      const answer = { outcome: step.outcome, reference: null, message: null };
      commands.settleRefund(tx, { refundId: refund.id, answer });
      if (step.outcome === 'rejected') return;
      const { method, bundleId, soldBy } = payment;
      const from = method === 'cash' && step.fromDrawer ? ((own ?? sellers)?.id ?? null) : null;
      const shift = drawer(from, -refund.amount.minor);
      move({ method, bundle: bundleId, cashier: soldBy ?? '', shift, refunds: 1, refundedMinor: refund.amount.minor });
    }
  }
}

const add = (a: Revenue, b: Revenue): Revenue => ({
  sales: a.sales + b.sales,
  grossMinor: a.grossMinor + b.grossMinor,
  refunds: a.refunds + b.refunds,
  refundedMinor: a.refundedMinor + b.refundedMinor,
});
const sumOf = (rows: readonly Revenue[]) => rows.reduce(add, NO_REVENUE);

/** By what tells them apart; what adds up to nothing is left out. */
function grouped<Row extends Revenue>(rows: readonly Row[], keyOf: (row: Row) => unknown): Record<string, Revenue> {
  const sums: Record<string, Revenue> = {};
  for (const row of rows) {
    const key = String(keyOf(row));
    sums[key] = add(sums[key] ?? NO_REVENUE, row);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, { sales, refunds }]) => sales > 0 || refunds > 0));
}

const KEYS: Record<RevenueGroup, (move: Move) => string | number> = {
  method: move => move.method,
  cashier: move => move.cashier,
  hour: move => move.hour,
  place: move => (move.method === 'online' ? 'portal' : 'counter'),
};

function agree({ reads, db }: Books, { now, moves, drawers, bundles, admins }: World, timeZone: string): void {
  assert.deepEqual(recount(db), []);
  const { stats } = reads;
  const today = dayOf(now, timeZone);
  for (const from of [addDays(today, -400), addDays(today, -2), today]) {
    for (const to of [today, addDays(today, -1)]) {
      const those = moves.filter(move => move.day >= from && move.day <= to);
      assert.deepEqual({ ...stats.revenue({ from, to }) }, sumOf(those));
      assert.deepEqual(
        grouped(stats.revenueByDay(from, to), row => row.day),
        grouped(those, move => move.day),
      );
      assert.deepEqual(
        grouped(stats.revenueByBundle(from, to), row => row.bundleId),
        grouped(those, move => move.bundle),
      );
      for (const group of Object.keys(KEYS) as RevenueGroup[]) {
        assert.deepEqual(
          grouped(stats.revenueBy(group, from, to), row => row.group),
          grouped(those, KEYS[group]),
          group,
        );
      }
    }
  }
  for (const bundleId of bundles) {
    assert.deepEqual({ ...stats.revenue({ bundleId }) }, sumOf(moves.filter(move => move.bundle === bundleId)));
  }
  const shifts = reads.shifts.list(null, { limit: 1_000, offset: 0 });
  for (const { adminId } of admins) {
    const closed = shifts.filter(shift => shift.adminId === adminId && shift.closedAt !== null).map(({ id }) => id);
    const those = moves.filter(move => move.shift !== null && closed.includes(move.shift));
    assert.deepEqual({ ...stats.revenueInClosedShifts(adminId ?? 0, {}) }, sumOf(those));
    const ofToday = those.filter(move => move.day === today);
    assert.deepEqual({ ...stats.revenueInClosedShifts(adminId ?? 0, { from: today, to: today }) }, sumOf(ofToday));
  }
  assert.deepEqual(new Map(shifts.map(shift => [shift.id, expectedMinor(shift)])), new Map([...drawers].toReversed()));
}

for (const timeZone of ['Africa/Dar_es_Salaam', 'Asia/Kathmandu', 'America/New_York']) {
  test(`drawers, revenue and refunds are what adding up every event gives, in ${timeZone}`, () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 5, maxLength: 60 }), history => {
        using books = openBooks({ timeZone });
        const world = newWorld(books);
        const { db } = books;
        const step = db.transaction((next: Event) => live(books, world, next));
        db.transaction(() => {
          for (const next of history) {
            try {
              step(next);
            } catch (error) {
              // Refusals are part of any history; they must change nothing, which `agree` finds out.
              if (!(error instanceof LangoError)) throw error;
            }
          }
        })();
        agree(books, world, timeZone);
      }),
      { numRuns: 40 },
    );
  });
}
