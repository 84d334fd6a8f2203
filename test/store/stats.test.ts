import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { commands } from '../../src/domain/commands.ts';
import type { Phone } from '../../src/domain/phone.ts';
import { addDays, addSeconds, dayOf, type Instant } from '../../src/domain/time.ts';
import { type Books, openBooks } from '../support/books.ts';

const START = '2026-10-20T09:00:00.000Z' as Instant;
const PEOPLE = ['+255712345671', '+255712345672', '+255712345673', '+255712345674'] as Phone[];

type Step =
  | { do: 'wait'; hours: number }
  | { do: 'pay'; person: number }
  | { do: 'redeem'; person: number }
  | { do: 'revoke' }
  | { do: 'device'; person: number; device: number }
  | { do: 'forget'; person: number };

const person = fc.nat(PEOPLE.length - 1);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 40 }) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('pay' as const), person }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('redeem' as const), person }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('device' as const), person, device: fc.nat(5) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), person }) },
  ),
  { maxLength: 60 },
);

/** Lives through a history on real books. @returns the time at its end */
function live({ at, db }: Books, history: readonly Step[]): Instant {
  let tx = at(START);
  let receipts = 0;
  const terms = {
    name: 'Hour',
    description: '',
    durationSeconds: 3_600,
    isActive: true,
    freeEveryHours: 24,
    displayOrder: 0,
  };
  const price = { minor: 50_000, currency: tx.policy.currency };
  const bundle = { ...terms, price, routerProfile: null };
  const { id: bundleId } = commands.createBundle(tx, { bundle });
  const batch = { bundleId, quantity: 40, expiryDays: 20, phone: null };
  const { codes } = commands.generateVouchers(tx, batch);
  const unused = () =>
    db.prepare<[], number>('SELECT id FROM vouchers WHERE used_at IS NULL AND revoked_at IS NULL').pluck().get();
  for (const step of history) {
    try {
      switch (step.do) {
        case 'wait':
          tx = at(addSeconds(tx.now, step.hours * 3_600));
          break;
        case 'pay': {
          receipts += 1;
          const sale = { bundleId, receiptNumber: `R${receipts}`, mac: null, onlineMacs: [] };
          commands.sellForCash(tx, { phone: PEOPLE[step.person]!, ...sale });
          break;
        }
        case 'redeem': {
          const code = codes.pop() ?? '';
          const whose = { phone: PEOPLE[step.person]!, language: null, device: null };
          commands.redeemVoucher(tx, { ...whose, code, onlineMacs: [] });
          break;
        }
        case 'revoke': {
          const voucherId = unused();
          if (voucherId !== undefined) commands.revokeVoucher(tx, { voucherId, reason: '' });
          break;
        }
        case 'device': {
          const mac = `02:00:00:00:00:0${step.device}` as never;
          commands.registerDevice(tx, {
            phone: PEOPLE[step.person]!,
            device: { mac, ip: null, isItself: true },
            isProven: false,
          });
          break;
        }
        case 'forget': {
          const user = tx.users.byPhone(PEOPLE[step.person]!);
          if (user !== null) commands.deleteUser(tx, { userId: user.id });
          break;
        }
      }
    } catch (error) {
      // A voucher that was revoked or has expired is refused; that is not the subject here.
      if (!(error instanceof Error && error.name === 'LangoError')) throw error;
    }
  }
  return tx.now;
}

for (const timeZone of ['Africa/Dar_es_Salaam', 'America/New_York', 'Pacific/Auckland']) {
  test(`what the dashboard counts is what a recount gives, after any history in ${timeZone}`, () => {
    fc.assert(
      fc.property(steps, history => {
        using books = openBooks({ timeZone, defaultMaxDevices: 2 });
        const now = live(books, history);
        const { db, reads } = books;
        const one = (sql: string, ...given: unknown[]) => db.prepare(sql).pluck().get(given) as number;
        const counts = reads.stats.counts(now);
        const [used, revoked, live_] = ['used_at IS NOT NULL', 'revoked_at IS NOT NULL', 'removed_at IS NULL'];
        // Those that are sold and given away are counted in money.test.ts.
        const { inStock, usedUnsold, sold, giveaway, ...vouchers } = counts.vouchers;
        assert.deepEqual([inStock, usedUnsold, sold, giveaway], [vouchers.available, vouchers.used, 0, 0]);
        assert.deepEqual(vouchers, {
          total: one('SELECT count(*) FROM vouchers'),
          used: one(`SELECT count(*) FROM vouchers WHERE ${used}`),
          revoked: one(`SELECT count(*) FROM vouchers WHERE ${revoked}`),
          available: one(
            'SELECT count(*) FROM vouchers WHERE used_at IS NULL AND revoked_at IS NULL AND expires_at > ?',
            now,
          ),
        });
        assert.equal(counts.devices, one(`SELECT count(*) FROM devices WHERE ${live_}`));
        assert.equal(counts.users, one('SELECT count(*) FROM users WHERE deleted_at IS NULL'));
        assert.equal(
          counts.activeUsers,
          one('SELECT count(*) FROM users WHERE is_active = 1 AND deleted_at IS NULL AND paid_until > ?', now),
        );
        assert.equal(counts.payments.completed, one("SELECT count(*) FROM payments WHERE status = 'completed'"));
        const today = dayOf(now, timeZone);
        for (const days of [1, 2, 7, 30, 400]) {
          const from = addDays(today, 1 - days);
          const distinct = one('SELECT count(DISTINCT user_id) FROM payments WHERE completed_day >= ?', from);
          assert.equal(reads.stats.payersSince(from), distinct, `payers of ${days} days`);
          const earned = reads.stats.revenueByDay(from, today).reduce((sum, day) => sum + day.grossMinor, 0);
          assert.equal(
            earned,
            one('SELECT coalesce(sum(amount_minor), 0) FROM payments WHERE completed_day >= ?', from),
          );
          const bySold = reads.stats.revenueByBundle(from, today).reduce((sum, row) => sum + row.grossMinor, 0);
          assert.equal(bySold, earned);
        }
      }),
      { numRuns: 12 },
    );
  });
}
