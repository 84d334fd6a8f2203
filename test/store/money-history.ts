/** Random histories of money for `money.test.ts`, and what each should leave in the books, kept by the test alone. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Actor } from '../../src/domain/audit.ts';
import { commands } from '../../src/domain/commands.ts';
import type { Phone } from '../../src/domain/phone.ts';
import { NO_REVENUE, type Revenue } from '../../src/domain/stats.ts';
import { addSeconds, type Day, dayOf, hourOf, type Instant } from '../../src/domain/time.ts';
import type { StaffTx } from '../../src/domain/transaction.ts';
import type { VoucherSale } from '../../src/domain/voucher-sales.ts';
import { type Books, DAY_BUNDLE } from '../support/books.ts';

const START = '2026-10-20T20:00:00.000Z' as Instant;
const PEOPLE = ['+255712345671', '+255712345672', '+255712345673'] as Phone[];
const STAFF = ['owner', 'zawadi', 'juma'] as const;

const who = fc.nat(STAFF.length - 1);
const sold = { who, person: fc.nat(PEOPLE.length - 1), bundle: fc.nat(1) };
export const event = fc.oneof(
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
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('make' as const),
      bundle: fc.nat(1),
      quantity: fc.integer({ min: 1, max: 6 }),
      expiryDays: fc.constantFrom(1, 365),
      kind: fc.constantFrom('stock' as const, 'stock' as const, 'giveaway' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('sellVouchers' as const),
      who,
      from: fc.constantFrom('bundle' as const, 'batch' as const, 'code' as const),
      which: fc.nat(),
      quantity: fc.constantFrom(1, 1, 2, 'all' as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('redeem' as const), person: fc.nat(2), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('return' as const), who, which: fc.nat(), fromDrawer: fc.boolean() }),
  },
);
export type Event = typeof event extends fc.Arbitrary<infer One> ? One : never;

/** One thing that moved money, written down as it happened. */
export interface Move extends Revenue {
  day: Day;
  hour: number;
  method: string;
  cashier: string;
  bundle: number;
  /** Whose drawer it went into or came from; null: none. */
  shift: number | null;
}

/** One voucher, and what has become of it. */
export interface Card {
  code: string;
  batch: number;
  bundle: number;
  kind: 'stock' | 'giveaway';
  priceMinor: number;
  expiresAt: Instant;
  sale: VoucherSale | null;
  isUsed: boolean;
  isRevoked: boolean;
}

export const isReady = (card: Card) => card.sale === null && !card.isUsed && !card.isRevoked;

/** What a history should have left in the books, kept by the test alone. */
export interface World {
  now: Instant;
  admins: Actor[];
  bundles: number[];
  payments: number[];
  moves: Move[];
  cards: Card[];
  /** What should be in the drawer, by the shift's id. */
  drawers: Map<number, number>;
}

export function newWorld({ at }: Books): World {
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
  return { now: START, admins, bundles, payments: [], moves: [], cards: [], drawers: new Map() };
}

export function live({ at }: Books, world: World, step: Event): void {
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
      return;
    }
    case 'make': {
      const bundleId = world.bundles[step.bundle] as number;
      const { batch, codes } = commands.generateVouchers(tx, { ...step, bundleId, phone: null });
      const { id, kind, price, expiresAt } = batch;
      const terms = { batch: id, bundle: bundleId, kind, priceMinor: price.minor, expiresAt };
      for (const code of codes) world.cards.push({ ...terms, code, sale: null, isUsed: false, isRevoked: false });
      return;
    }
    case 'sellVouchers': {
      const named = cardAt(world, step.which);
      if (named === undefined) return;
      const from = { bundle: { bundleId: named.bundle }, batch: { batchId: named.batch }, code: { code: named.code } };
      const sale = commands.sellVouchers(tx, { ...from[step.from], quantity: step.quantity });
      const { quantity, price, bundleId, batchId } = sale;
      const ready = world.cards.filter(card => card.batch === batchId && isReady(card));
      for (const card of step.from === 'code' ? [named] : ready.slice(0, quantity)) card.sale = sale;
      const grossMinor = quantity * price.minor;
      const shift = drawer(tx.shifts.openOf(actor.adminId)?.id ?? null, grossMinor);
      move({ method: 'voucher', bundle: bundleId, cashier: actor.name, shift, sales: quantity, grossMinor });
      return;
    }
    case 'redeem': {
      const card = cardAt(world, step.which);
      if (card === undefined) return;
      const phone = PEOPLE[step.person] as Phone;
      commands.redeemVoucher(tx, { phone, code: card.code, language: null, device: null, onlineMacs: [] });
      card.isUsed = true;
      return;
    }
    case 'revoke': {
      const card = cardAt(world, step.which);
      const voucher = card === undefined ? null : tx.vouchers.byCode(card.code);
      if (card === undefined || voucher === null) return;
      commands.revokeVoucher(tx, { voucherId: voucher.id, reason: 'test' });
      card.isRevoked = true;
      return;
    }
    case 'return': {
      const sale = cardAt(world, step.which)?.sale;
      if (sale == null) return;
      const seller = sale.shiftId === null ? null : (tx.shifts.byId(sale.shiftId)?.adminId ?? null);
      const source = tx.shifts.openOf(actor.adminId) ?? tx.shifts.openOf(seller);
      const { returned } = commands.returnVouchers(tx, {
        saleId: sale.id,
        reason: 'test',
        fromDrawer: step.fromDrawer,
      });
      const unused = world.cards.filter(card => card.sale?.id === sale.id && !card.isUsed && !card.isRevoked);
      assert.equal(returned, unused.length);
      for (const card of unused) Object.assign(card, { sale: null, isRevoked: true });
      const refundedMinor = returned * sale.price.minor;
      const shift = drawer(step.fromDrawer ? (source?.id ?? null) : null, -refundedMinor);
      const { bundleId: bundle, soldBy: cashier } = sale;
      move({ method: 'voucher', bundle, cashier, shift, refunds: returned, refundedMinor });
    }
  }
}

const cardAt = ({ cards }: World, which: number): Card | undefined => cards[which % cards.length];
