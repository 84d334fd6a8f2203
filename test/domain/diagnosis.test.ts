/** Each reason why somebody who paid is not online. See docs/rules.md: The desk. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DeskFacts, type Diagnosis, diagnose, type KnownPhone, type Reason } from '../../src/domain/diagnosis.ts';
import { parseMac } from '../../src/domain/mac.ts';
import { addSeconds } from '../../src/domain/time.ts';
import { NOW } from '../support/books.ts';

const ASHA = parseMac('A4:83:E7:12:34:56')!;
const OTHER = parseMac('B8:27:EB:65:43:21')!;
const THIRD = parseMac('3C:5A:B4:0F:1E:2D')!;
const ago = (minutes: number) => addSeconds(NOW, -minutes * 60);
const price = { minor: 100_000, currency: 'TZS' };

const NOTHING: DeskFacts = {
  now: NOW,
  number: null,
  user: null,
  payment: null,
  voucher: null,
  grant: null,
  router: 'connected',
  silent: null,
  phones: [],
  hasRoom: true,
  strangers: [],
};
const ORDER: NonNullable<DeskFacts['payment']> = {
  status: 'pending',
  method: 'online',
  review: null,
  createdAt: ago(5),
  completedAt: null,
  bundleName: 'Day',
  amount: price,
  paid: null,
  isRefunded: false,
};
const PAID = { ...ORDER, status: 'completed', completedAt: ago(3) } as const;
const VOUCHER: NonNullable<DeskFacts['voucher']> = {
  bundleName: 'Day',
  usedAt: null,
  usedByPhone: null,
  revokedAt: null,
  revokedBy: null,
  expiresAt: addSeconds(NOW, 86_400),
};
const USED = { ...VOUCHER, usedAt: ago(90), usedByPhone: '+255712345678' as never };
const user = (minutesLeft: number | null, changes: Partial<NonNullable<DeskFacts['user']>> = {}) => ({
  isActive: true,
  maxDevices: 1,
  paidUntil: minutesLeft === null ? null : ago(-minutesLeft),
  ...changes,
});
const [WITH_TIME, EXPIRED, NEVER] = [user(1_437), user(-120), user(null)];
const phone = (place: KnownPhone['place'], at: KnownPhone['at'], mac = ASHA): KnownPhone => ({ mac, place, at });

interface Case extends Partial<DeskFacts> {
  title: string;
  is: Reason;
  act: Diagnosis['act'];
  says: RegExp;
  /** Of `connect`. */
  macs?: Diagnosis['phones'];
}

const PAID_AND_ON = { user: WITH_TIME, payment: PAID };

const CASES: Case[] = [
  { title: 'nothing is found', is: 'unknown', act: null, says: /^Nothing is known by this\. Try the phone number/ },
  { title: 'a number that nobody has', number: '+255712345678' as never, is: 'unknown', act: 'sell', says: /^Nobody/ },
  {
    title: 'a phone of nobody, at the gate',
    phones: [phone('free', 'gate')],
    is: 'unknown',
    act: 'connect',
    macs: [ASHA],
    says: /registered for nobody\. It is on the Wi-Fi\.$/,
  },
  {
    title: 'a phone of nobody, gone',
    phones: [phone('free', 'away')],
    is: 'unknown',
    act: 'look_again',
    says: /not on the Wi-Fi now/,
  },
  { title: 'never paid', user: NEVER, is: 'unpaid', act: 'sell', says: /^Nothing was ever paid by this person\.$/ },
  {
    title: 'never paid, at the gate',
    user: NEVER,
    phones: [phone('theirs', 'gate')],
    is: 'unpaid',
    act: 'sell',
    says: /The phone is on the Wi-Fi\.$/,
  },
  {
    title: 'an order failed',
    user: NEVER,
    payment: { ...ORDER, status: 'failed' },
    is: 'unpaid',
    act: 'ask_provider',
    says: /^The order of Day for TZS 1,000, made 5 minutes ago, failed\.$/,
  },
  {
    title: 'an order was cancelled',
    user: EXPIRED,
    payment: { ...ORDER, status: 'cancelled' },
    is: 'unpaid',
    act: 'ask_provider',
    says: /was cancelled unpaid\.$/,
  },
  {
    title: 'pending at the provider',
    user: NEVER,
    payment: ORDER,
    is: 'pending',
    act: 'ask_provider',
    says: /made 5 minutes ago, is not paid yet, says the provider\.$/,
  },
  {
    title: 'pending, while other time runs',
    user: WITH_TIME,
    payment: ORDER,
    phones: [phone('theirs', 'online')],
    is: 'pending',
    act: 'ask_provider',
    says: /not paid yet/,
  },
  {
    title: 'underpaid',
    user: NEVER,
    payment: { ...ORDER, review: 'underpaid', paid: { ...price, minor: 50_000 } },
    is: 'underpaid',
    act: 'open_payment',
    says: /^TZS 500 came in of TZS 1,000, so nothing was granted/,
  },
  {
    title: 'paid, and nobody knows how much',
    user: NEVER,
    payment: { ...ORDER, review: 'underpaid' },
    is: 'underpaid',
    act: 'open_payment',
    says: /^Less was paid than the price/,
  },
  {
    title: 'wrong currency',
    user: NEVER,
    payment: { ...ORDER, review: 'wrong_currency' },
    is: 'wrong_currency',
    act: 'open_payment',
    says: /another currency/,
  },
  {
    title: 'flagged: another payment',
    user: NEVER,
    payment: { ...ORDER, review: 'reference_mismatch' },
    is: 'flagged',
    act: 'open_payment',
    says: /another payment/,
  },
  {
    title: 'flagged: the money was taken back',
    user: EXPIRED,
    payment: { ...PAID, review: 'reversed' },
    is: 'flagged',
    act: 'open_payment',
    says: /took the money back/,
  },
  {
    title: 'given back',
    user: EXPIRED,
    payment: { ...PAID, isRefunded: true },
    is: 'refunded',
    act: 'sell',
    says: /^What was paid 3 minutes ago was given back/,
  },
  {
    title: 'completed and expired',
    user: EXPIRED,
    payment: PAID,
    is: 'expired',
    act: 'sell',
    says: /^The provider says paid 3 minutes ago, and the time ended 2 hours ago\.$/,
  },
  {
    title: 'the person was deleted since',
    payment: PAID,
    is: 'expired',
    act: 'sell',
    says: /paid 3 minutes ago, and no time is left of it\.$/,
  },
  {
    title: 'time from a voucher, expired',
    user: EXPIRED,
    grant: { source: 'voucher', at: ago(1_600) },
    is: 'expired',
    act: 'sell',
    says: /^A voucher was used 1 day ago, and the time ended/,
  },
  {
    title: 'blocked, though paid and at the gate',
    user: user(60, { isActive: false }),
    payment: PAID,
    phones: [phone('theirs', 'gate')],
    is: 'blocked',
    act: 'unblock',
    says: /^This person is blocked/,
  },
  { title: 'voucher unused', voucher: VOUCHER, is: 'voucher_unused', act: 'redeem', says: /good for Day/ },
  {
    title: 'voucher used, time over',
    voucher: USED,
    user: EXPIRED,
    is: 'voucher_used',
    act: 'sell',
    says: /^The voucher was used 1 hour ago by \+255712345678, and the time ended 2 hours ago\.$/,
  },
  {
    title: 'voucher used by somebody deleted',
    voucher: { ...USED, usedByPhone: null },
    is: 'voucher_used',
    act: 'sell',
    says: /deleted since/,
  },
  {
    title: 'voucher used, time runs, another phone at the gate',
    voucher: USED,
    user: WITH_TIME,
    phones: [phone('theirs', 'away')],
    strangers: [OTHER],
    is: 'other_phone',
    act: 'connect',
    macs: [OTHER],
    says: /^The voucher was used 1 hour ago; the phone A4:83:E7:12:34:56 is not on the Wi-Fi, and another phone is at/,
  },
  {
    title: 'voucher too old',
    voucher: { ...VOUCHER, expiresAt: ago(60 * 50) },
    is: 'voucher_expired',
    act: 'sell',
    says: /ended 2 days ago/,
  },
  {
    title: 'voucher revoked',
    voucher: { ...VOUCHER, revokedAt: ago(0), revokedBy: 'halima' },
    is: 'voucher_revoked',
    act: 'sell',
    says: /revoked just now by halima/,
  },
  {
    title: 'router down',
    ...PAID_AND_ON,
    router: 'disconnected',
    phones: [phone('theirs', 'away')],
    is: 'router_down',
    act: 'wake_router',
    says: /^The provider says paid 3 minutes ago, with 23 hours, 57 minutes left, but the router does not answer/,
  },
  {
    title: 'one of several routers is down',
    ...PAID_AND_ON,
    router: 'disconnected',
    silent: { id: 2, name: 'Garden' },
    phones: [phone('theirs', 'away')],
    is: 'router_down',
    act: 'wake_router',
    says: /but the router Garden does not answer/,
  },
  {
    title: 'no router',
    ...PAID_AND_ON,
    router: 'not_configured',
    is: 'router_down',
    act: null,
    says: /no router is set up/,
  },
  {
    title: 'all is well',
    ...PAID_AND_ON,
    phones: [phone('theirs', 'online')],
    is: 'online',
    act: null,
    says: /the phone A4:83:E7:12:34:56 is online, with 23 hours, 57 minutes left\.$/,
  },
  {
    title: 'online on one phone, another at the gate',
    ...PAID_AND_ON,
    phones: [phone('theirs', 'online')],
    strangers: [OTHER],
    is: 'online',
    act: 'connect',
    macs: [OTHER],
    says: /is online/,
  },
  {
    title: 'registered, joined, not let in',
    ...PAID_AND_ON,
    phones: [phone('theirs', 'gate')],
    hasRoom: false,
    is: 'not_let_in',
    act: 'connect',
    macs: [ASHA],
    says: /is on the Wi-Fi, but the router has not let it in yet\.$/,
  },
  {
    title: 'the second of two phones is not let in',
    ...PAID_AND_ON,
    phones: [phone('theirs', 'online', OTHER), phone('theirs', 'gate')],
    is: 'not_let_in',
    act: 'connect',
    macs: [ASHA],
    says: /not let it in/,
  },
  {
    title: 'the order’s phone has no place, and there is room',
    ...PAID_AND_ON,
    phones: [phone('free', 'gate')],
    is: 'not_let_in',
    act: 'connect',
    macs: [ASHA],
    says: /not let it in/,
  },
  {
    title: 'no room for the device',
    ...PAID_AND_ON,
    phones: [phone('theirs', 'online', OTHER), phone('free', 'gate')],
    hasRoom: false,
    is: 'no_room',
    act: 'connect',
    macs: [ASHA],
    says: /but another phone has the only place\.$/,
  },
  {
    title: 'no room among several',
    user: user(60, { maxDevices: 2 }),
    payment: PAID,
    phones: [phone('free', 'gate')],
    hasRoom: false,
    is: 'no_room',
    act: 'connect',
    macs: [ASHA],
    says: /other phones have all the places/,
  },
  {
    title: 'the order’s phone is another person’s',
    ...PAID_AND_ON,
    phones: [phone('held', 'gate')],
    is: 'held',
    act: 'connect',
    macs: [ASHA],
    says: /registered for another person/,
  },
  {
    title: 'it is online as that other person’s',
    ...PAID_AND_ON,
    phones: [phone('held', 'online')],
    is: 'not_joined',
    act: 'look_again',
    says: /Ask them to switch Wi-Fi on/,
  },
  {
    title: 'another MAC than the order’s',
    ...PAID_AND_ON,
    phones: [phone('theirs', 'away')],
    strangers: [OTHER, THIRD],
    is: 'other_phone',
    act: 'connect',
    macs: [OTHER, THIRD],
    says: /^The provider says paid 3 minutes ago; the phone A4.* is not on the Wi-Fi, and 2 other phones are at the gate\.$/,
  },
  {
    title: 'paid in cash without a phone, which is at the gate',
    user: WITH_TIME,
    payment: { ...PAID, method: 'cash' },
    strangers: [OTHER],
    is: 'other_phone',
    act: 'connect',
    macs: [OTHER],
    says: /^It was paid in cash 3 minutes ago; no phone is registered for it, and another phone is at the gate\.$/,
  },
  {
    title: 'joined elsewhere',
    ...PAID_AND_ON,
    phones: [phone('theirs', 'elsewhere')],
    is: 'elsewhere',
    act: 'look_again',
    says: /where Lango lets nobody in/,
  },
  {
    title: 'not joined',
    ...PAID_AND_ON,
    phones: [phone('theirs', 'away')],
    is: 'not_joined',
    act: 'look_again',
    says: /the phone A4:83:E7:12:34:56 is not on the Wi-Fi\. Ask them to switch Wi-Fi on/,
  },
  {
    title: 'given time, no phone yet',
    user: WITH_TIME,
    grant: { source: 'admin', at: ago(1) },
    is: 'not_joined',
    act: 'look_again',
    says: /^Time was given 1 minute ago; no phone is registered for it/,
  },
];

for (const { title, is, act, says, macs = [], ...facts } of CASES) {
  test(`diagnosis: ${title}`, () => {
    const found = diagnose({ ...NOTHING, ...facts });
    assert.deepEqual([found.reason, found.act, found.phones], [is, act, macs], found.sentence);
    assert.match(found.sentence, says);
  });
}

test('whatever the facts are, there is one sentence, and an act that can be done', () => {
  const reviews = [null, 'underpaid', 'overpaid', 'wrong_currency', 'reversed', 'reference_mismatch'] as const;
  const payments = [null, ...(['pending', 'completed', 'failed', 'cancelled'] as const)].flatMap(status =>
    status === null
      ? [null]
      : reviews.flatMap(review => [true, false].map(isRefunded => ({ ...ORDER, status, review, isRefunded }))),
  );
  const vouchers = [null, VOUCHER, USED, { ...VOUCHER, revokedAt: NOW }, { ...VOUCHER, expiresAt: NOW }];
  const places = ['theirs', 'free', 'held'] as const;
  const wheres = ['online', 'gate', 'elsewhere', 'away'] as const;
  const phones = [[], ...places.flatMap(place => wheres.map(at => [phone(place, at)]))];
  const seen = new Set<Reason>();
  for (const who of [null, NEVER, EXPIRED, WITH_TIME, user(9, { isActive: false })])
    for (const payment of payments)
      for (const voucher of vouchers)
        for (const known of phones)
          for (const router of ['connected', 'disconnected', 'not_configured'] as const)
            for (const strangers of [[], [OTHER]])
              for (const hasRoom of [true, false]) {
                const facts = { ...NOTHING, user: who, payment, voucher, phones: known, router, strangers, hasRoom };
                const { reason, sentence, act, phones: macs } = diagnose(facts);
                seen.add(reason);
                assert.match(sentence, /^[A-Z].*[a-z0-9]\.$/);
                assert.doesNotMatch(sentence, /null|undefined|NaN|expired ago/);
                assert.equal(act === 'connect', macs.length > 0, reason);
                const hasTime = who?.isActive === true && who.paidUntil !== null && who.paidUntil > NOW;
                if (act === 'connect')
                  assert.ok(hasTime || reason === 'unknown', 'a place without time is worth nothing');
                if (act === 'ask_provider') assert.ok(payment !== null && payment.status !== 'completed');
                if (act === 'open_payment') assert.ok(payment !== null);
                if (act === 'redeem') assert.equal(voucher, VOUCHER);
                if (reason === 'online') assert.ok(hasTime && known.some(({ at }) => at === 'online'));
              }
  assert.deepEqual(
    [...seen].toSorted(),
    [...new Set(CASES.map(({ is }) => is))].toSorted(),
    'each reason has a case above, and no other is told',
  );
});
