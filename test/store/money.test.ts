/**
 * Money under any history: whatever is sold, paid, printed, redeemed, given back in other shifts and on other days, every figure that is
 * told says what adding up the events one by one says.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LangoError } from '../../src/domain/errors.ts';
import { expectedMinor } from '../../src/domain/shifts.ts';
import { NO_REVENUE, type Revenue, type RevenueGroup } from '../../src/domain/stats.ts';
import { addDays, dayOf, type Instant } from '../../src/domain/time.ts';
import { requireBatch } from '../../src/domain/vouchers.ts';
import { recount } from '../../src/store/recount.ts';
import { type Books, openBooks } from '../support/books.ts';
import { type Card, type Event, event, isReady, live, type Move, newWorld, type World } from './money-history.ts';

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

const byBundle = (sales: ReadonlyMap<number, Revenue>) =>
  grouped(
    [...sales].map(([bundle, revenue]) => ({ ...revenue, bundle })),
    row => row.bundle,
  );

const KEYS: Record<RevenueGroup, (move: Move) => string | number> = {
  method: move => move.method,
  cashier: move => move.cashier,
  hour: move => move.hour,
  place: move => (move.method === 'online' ? 'portal' : 'counter'),
};

function agree({ reads, db }: Books, { now, moves, cards, drawers, admins }: World, timeZone: string): void {
  assert.deepEqual(recount(db), []);
  const { stats } = reads;
  const today = dayOf(now, timeZone);
  for (const from of [addDays(today, -400), addDays(today, -2), today]) {
    for (const to of [today, addDays(today, -1)]) {
      const those = moves.filter(move => move.day >= from && move.day <= to);
      assert.deepEqual({ ...stats.revenue(from, to) }, sumOf(those));
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
  assert.deepEqual(
    byBundle(stats.revenueOfBundles()),
    grouped(moves, move => move.bundle),
  );
  agreeOnVouchers(reads, now, cards);
  const shifts = reads.shifts.list(null, { limit: 1_000, offset: 0 });
  for (const { adminId } of admins) {
    const closed = shifts.filter(shift => shift.adminId === adminId && shift.closedAt !== null).map(({ id }) => id);
    const those = moves.filter(move => move.shift !== null && closed.includes(move.shift));
    const seller = adminId ?? 0;
    assert.deepEqual(
      byBundle(stats.revenueOfBundles(seller)),
      grouped(those, move => move.bundle),
    );
    assert.deepEqual({ ...stats.revenue(addDays(today, -400), today, seller) }, sumOf(those));
    const ofToday = those.filter(move => move.day === today);
    assert.deepEqual({ ...stats.revenue(today, today, seller) }, sumOf(ofToday));
  }
  assert.deepEqual(new Map(shifts.map(shift => [shift.id, expectedMinor(shift)])), new Map([...drawers].toReversed()));
}

function agreeOnVouchers({ vouchers, stats }: Books['reads'], now: Instant, cards: readonly Card[]): void {
  const countsOf = (those: readonly Card[]) => {
    const number = (is: (card: Card) => boolean) => those.filter(is).length;
    return {
      used: number(card => card.isUsed),
      revoked: number(card => card.isRevoked),
      available: number(card => !card.isUsed && !card.isRevoked && card.expiresAt > now),
      inStock: number(card => isReady(card) && card.kind === 'stock' && card.expiresAt > now),
      sold: number(card => card.sale !== null),
    };
  };
  const unsold = (card: Card) => card.isUsed && card.sale === null;
  for (const batch of new Set(cards.map(card => card.batch))) {
    const { used, revoked, available, inStock, sold, usedUnsold } = requireBatch({ vouchers }, batch, now);
    const those = cards.filter(card => card.batch === batch);
    assert.deepEqual({ used, revoked, available, inStock, sold }, countsOf(those));
    assert.equal(usedUnsold, those.filter(unsold).length);
  }
  assert.deepEqual(
    { ...stats.counts(now).vouchers },
    {
      ...countsOf(cards),
      total: cards.length,
      usedUnsold: cards.filter(card => unsold(card) && card.kind === 'stock').length,
      giveaway: cards.filter(card => card.kind === 'giveaway').length,
    },
  );
}

for (const timeZone of ['Africa/Dar_es_Salaam', 'Asia/Kathmandu', 'America/New_York']) {
  test(`drawers, revenue and refunds are what adding up every event gives, in ${timeZone}`, () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 5, maxLength: 80 }), history => {
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
      { numRuns: 25 },
    );
  });
}
