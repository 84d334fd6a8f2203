/**
 * The books under any history: whatever is bought, redeemed, given back, edited, and however the clock steps, the
 * ledger, `paid_until`, the daily figures and the router's projection say the same.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasAccess, paidUntilFromLedger, secondsLeft } from '../../src/domain/access.ts';
import { commands } from '../../src/domain/commands.ts';
import { LangoError } from '../../src/domain/errors.ts';
import { type Mac, parseMac } from '../../src/domain/mac.ts';
import { type Phone, parsePhone, routerUserName } from '../../src/domain/phone.ts';
import type { RouterUser } from '../../src/domain/ports.ts';
import { planSteps } from '../../src/domain/projection.ts';
import { addSeconds, type Day, type Instant, parseInstant } from '../../src/domain/time.ts';
import { type Books, DAY_BUNDLE, openBooks } from '../support/books.ts';

const PHONES = ['+255712345678', '+255754321987', '+255688112233'].map(text => parsePhone(text, 'TZ') as Phone);
const MACS = ['A4:83:E7:00:00:01', 'A4:83:E7:00:00:02', 'A4:83:E7:00:00:03', 'A4:83:E7:00:00:04'].map(
  text => parseMac(text) as Mac,
);

const person = fc.nat(PHONES.length - 1);
const device = fc.option(fc.nat(MACS.length - 1));
const history = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('buy' as const), person, device, pays: fc.constantFrom(0, 0.5, 1, 2) }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('redeem' as const), person, device, voucher: fc.nat(5) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('refund' as const), payment: fc.nat(10), part: fc.constantFrom(0.4, 1) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('block' as const), person, isActive: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('limit' as const), person, maxDevices: fc.integer({ min: 1, max: 3 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('remove' as const), person, device: fc.nat(MACS.length - 1) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), person }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: -7_200, max: 90_000 }) }),
    },
  ),
  { maxLength: 30 },
);
type Event = (typeof history extends fc.Arbitrary<infer Events> ? Events : never) extends (infer One)[] ? One : never;

test('after any history the ledger, paid_until, the daily figures and the router agree', () => {
  fc.assert(
    fc.property(history, events => {
      using books = openBooks();
      const world = newWorld(books);
      for (const event of events) live(books, world, event);
      agree(books, world.now);
    }),
    { numRuns: 150 },
  );
});

interface World {
  now: Instant;
  bundleId: number;
  codes: string[];
  paymentIds: number[];
}

function newWorld({ at }: Books): World {
  const now = parseInstant('2026-11-21T20:30:00.000Z');
  const tx = at(now);
  const { id: bundleId } = commands.createBundle(tx, { bundle: DAY_BUNDLE });
  const { codes } = commands.generateVouchers(tx, {
    bundleId,
    quantity: 6,
    expiryDays: 30,
    phone: null,
  });
  return { now, bundleId, codes, paymentIds: [] };
}

function live(books: Books, world: World, event: Event): void {
  const { now } = world;
  const tx = books.at(now);
  try {
    switch (event.do) {
      case 'buy': {
        const mac = event.device === null ? null : (MACS[event.device] as Mac);
        const order = commands.openOrder(tx, {
          phone: PHONES[event.person] as Phone,
          bundleId: world.bundleId,
          language: null,
          mac,
          ip: null,
          madeFrom: null,
        });
        world.paymentIds.push(order.id);
        const amount = { minor: order.amount.minor * event.pays, currency: 'TZS' };
        const state = event.pays === 0 ? ('cancelled' as const) : ('completed' as const);
        const rest = { paymentReference: `P${order.id}`, transactionId: 'T', channel: 'test', payerPhone: null };
        const settle = {
          paymentId: order.id,
          verification: { state, amount, ...rest },
          scheduled: false,
          onlineMacs: [],
        };
        // Notifications come twice.
        commands.settlePayment(tx, settle);
        commands.settlePayment(tx, settle);
        return;
      }
      case 'redeem': {
        const seen = event.device === null ? null : { mac: MACS[event.device] as Mac, ip: null, isItself: true };
        const code = world.codes[event.voucher] as string;
        const whose = { phone: PHONES[event.person] as Phone, language: null, device: seen };
        commands.redeemVoucher(tx, { ...whose, code, onlineMacs: [] });
        return;
      }
      case 'refund': {
        const paymentId = world.paymentIds[event.payment];
        if (paymentId === undefined) return;
        const amount = event.part === 1 ? null : { minor: 40_000, currency: 'TZS' };
        const refund = commands.openRefund(tx, { paymentId, amount, reason: 'test' });
        const answer = { outcome: 'completed', reference: null, message: null } as const;
        commands.settleRefund(tx, { refundId: refund.id, answer });
        commands.settleRefund(tx, { refundId: refund.id, answer });
        return;
      }
      case 'wait':
        world.now = addSeconds(now, event.seconds);
        return;
      default: {
        const user = tx.users.byPhone(PHONES[event.person] as Phone);
        if (user === null) return;
        const common = { userId: user.id };
        if (event.do === 'delete') commands.deleteUser(tx, common);
        else if (event.do === 'remove')
          commands.removeDevice(tx, { ...common, isFinal: true, mac: MACS[event.device] as Mac });
        else if (event.do === 'block') commands.updateUser(tx, { ...common, change: { isActive: event.isActive } });
        else commands.updateUser(tx, { ...common, change: { maxDevices: event.maxDevices } });
      }
    }
  } catch (error) {
    // Refusals are part of any history; they must change nothing, which `agree` finds out.
    if (!(error instanceof LangoError)) throw error;
  }
}

function agree({ db, reads }: Books, now: Instant): void {
  const users = db
    .prepare('SELECT id, phone, is_active, paid_until, max_devices, deleted_at FROM users')
    .all() as UserRow[];
  for (const user of users) {
    const ledger = reads.grants.ofUser(user.id);
    assert.equal(user.paid_until, paidUntilFromLedger(ledger), 'paid_until is the ledger’s end');
    assert.equal(ledger.at(-1)?.endsAt ?? null, user.paid_until);
  }
  const grantsOfPayments = db.prepare(`SELECT count(*) FROM grants WHERE source = 'payment'`).pluck().get();
  const completed = db.prepare(`SELECT count(*) FROM payments WHERE status = 'completed'`).pluck().get();
  assert.equal(grantsOfPayments, completed, 'one grant per completed payment');
  const grantsOfVouchers = db.prepare(`SELECT count(*) FROM grants WHERE source = 'voucher'`).pluck().get();
  const used = db.prepare('SELECT count(*) FROM vouchers WHERE used_at IS NOT NULL').pluck().get();
  assert.equal(grantsOfVouchers, used, 'one grant per used voucher');

  const recount = db
    .prepare(
      `SELECT completed_day AS day, count(*) AS sales, sum(amount_minor) AS grossMinor, count(DISTINCT user_id) AS payers
       FROM payments WHERE status = 'completed' GROUP BY completed_day ORDER BY day`,
    )
    .all();
  const kept = reads.stats.revenueByDay('2000-01-01' as Day, '2100-01-01' as Day).filter(day => day.sales > 0);
  assert.deepEqual(
    kept.map(({ day, sales, grossMinor, payers }) => ({ day, sales, grossMinor, payers })),
    recount,
  );
  projectionAgrees(reads, users, now);
  assert.deepEqual(db.pragma('foreign_key_check'), []);
}

interface UserRow {
  id: number;
  phone: Phone;
  is_active: 0 | 1;
  paid_until: Instant | null;
  max_devices: number;
  deleted_at: string | null;
}

/** An empty router gets exactly the devices of those with access; a router that has them gets nothing. */
function projectionAgrees(reads: Books['reads'], users: readonly UserRow[], now: Instant): void {
  const view = { users: [] as RouterUser[], sessions: [], hosts: [] };
  const entitlements = reads.entitlements.all(now);
  const input = {
    entitlements,
    view,
    defaultProfile: 'default',
    now,
    askedFrom: () => null,
    placeOf: () => 'here' as const,
  };
  const plan = planSteps(input);
  const wanted = users
    .filter(
      user =>
        user.deleted_at === null && hasAccess({ isActive: user.is_active === 1, paidUntil: user.paid_until }, now),
    )
    .flatMap(user =>
      reads.devices
        .ofUser(user.id)
        .map(({ slot, mac }) => [
          routerUserName(user.phone, slot),
          mac,
          Math.max(1, secondsLeft(user.paid_until, now)),
        ]),
    );
  const added = plan.given.flatMap(({ name, mac, steps }) =>
    steps.map(step => (step.do === 'add' ? { ...step, name, mac } : assert.fail(step.do))),
  );
  assert.deepEqual(
    new Set(added.map(({ name, mac, limitUptimeSeconds }) => [name, mac, limitUptimeSeconds])),
    new Set(wanted),
  );
  view.users = added.map(user => ({
    ...user,
    id: user.name,
    uptimeSeconds: 0,
    comment: '',
    disabled: false,
    ours: true,
  }));
  assert.deepEqual(planSteps(input), { revoked: [], given: [], overstated: null });
}
