/**
 * The "I paid" desk: why somebody who says that they paid is not online, in one sentence, and the act that mends it.
 * Of facts alone; `http/admin/desk` gathers them. See docs/rules.md: The desk.
 */
import { type Grant, hasAccess, secondsLeft } from './access.ts';
import type { Mac } from './mac.ts';
import { withCurrency } from './money.ts';
import type { Payment, Review } from './payments.ts';
import type { Phone } from './phone.ts';
import type { RouterState } from './ports.ts';
import type { Router } from './routers.ts';
import { humanDuration, type Instant, secondsBetween } from './time.ts';
import type { User } from './users.ts';
import type { Voucher } from './vouchers.ts';

export interface KnownPhone {
  mac: Mac;
  /** `free`: registered for nobody whose time runs; `held`: for another person, whose time does. */
  place: 'theirs' | 'free' | 'held';
  /** `gate`: on the Wi-Fi, and not let in. `elsewhere`: at a hotspot of the router that Lango does not look after. */
  at: 'online' | 'gate' | 'elsewhere' | 'away';
}

export interface DeskFacts {
  now: Instant;
  /** The number that was searched for, where it is a whole one. */
  number: Phone | null;
  user: Pick<User, 'isActive' | 'paidUntil' | 'maxDevices'> | null;
  /** The one that was searched for, or else what became of the person's latest order, or what they paid last. */
  payment: PaymentFacts | null;
  /** The one that was searched for. */
  voucher: Pick<Voucher, 'bundleName' | 'usedAt' | 'usedByPhone' | 'revokedAt' | 'revokedBy' | 'expiresAt'> | null;
  /** Where the person's time came from last. */
  grant: Pick<Grant, 'source' | 'at'> | null;
  /** `disconnected`: the phones may be at a router that does not answer. */
  router: RouterState;
  /** That router, where there are several. */
  silent: Pick<Router, 'id' | 'name'> | null;
  /** The one that was searched for; else those registered for the person, and the one that their payment names. */
  phones: readonly KnownPhone[];
  /** False: all places of the person are taken. */
  hasRoom: boolean;
  /** Phones at the gate that are registered for nobody whose time runs: the person's may be among them. */
  strangers: readonly Mac[];
}

type PaymentFacts = Pick<Payment, 'status' | 'method' | 'review' | 'createdAt' | 'completedAt' | 'bundleName'> &
  Pick<Payment, 'amount' | 'paid'> & {
    /** All of it was given back, and the time with it. */
    isRefunded: boolean;
  };

export type Reason =
  | 'unknown'
  | 'blocked'
  | 'unpaid'
  | 'pending'
  | 'underpaid'
  | 'wrong_currency'
  | 'flagged'
  | 'refunded'
  | 'expired'
  | 'voucher_unused'
  | 'voucher_used'
  | 'voucher_expired'
  | 'voucher_revoked'
  | 'router_down'
  | 'online'
  | 'not_let_in'
  | 'no_room'
  | 'held'
  | 'other_phone'
  | 'elsewhere'
  | 'not_joined';

export interface Diagnosis {
  reason: Reason;
  /** What is the matter, for who stands at the counter. */
  sentence: string;
  /**
   * What mends it. `connect`: gives one of `phones` its place, and wakes the router for it. `open_payment`: the page of
   * the payment has what to do. `look_again`: only the person can do something, and then it is seen. null: nothing.
   */
  act:
    | 'sell'
    | 'ask_provider'
    | 'open_payment'
    | 'redeem'
    | 'unblock'
    | 'connect'
    | 'wake_router'
    | 'look_again'
    | null;
  /** Which one it is, of several, is for who stands there to say. */
  phones: readonly Mac[];
  /** Of `wake_router`: which one; null: the only one. */
  routerId: number | null;
}

/** What staff should do about a flagged payment. */
export const REVIEW_ADVICE: Record<Review, string> = {
  underpaid: 'Less was paid than the price, so nothing was granted. Ask for the rest in cash, or send the money back.',
  overpaid: 'More was paid than the price. The hours were granted once; send the difference back or give extra time.',
  wrong_currency: 'The payment came in another currency, so nothing was granted. Settle it with the person by hand.',
  reversed: 'The provider took the money back. If hours were granted, block the person or ask for the money again.',
  reference_mismatch: 'The provider answered about another payment. Compare the references in its dashboard first.',
};

export function diagnose(facts: DeskFacts): Diagnosis {
  const { user, payment, voucher, phones, now } = facts;
  const unusable = voucher === null ? null : unusableVoucher(voucher, now);
  if (unusable !== null) return unusable;
  if (user === null && payment === null && voucher === null) return nobody(facts);
  if (user !== null && !user.isActive) {
    return is('blocked', 'This person is blocked: no internet, whatever was paid. Staff can unblock them.', 'unblock');
  }
  if (payment !== null && payment.status !== 'completed') return notCompleted(payment, now);
  if (user !== null && hasAccess(user, now)) return facts.router === 'connected' ? offline(facts) : noRouter(facts);
  if (payment?.review === 'reversed') return is('flagged', REVIEW_ADVICE.reversed, 'open_payment');
  if (payment?.isRefunded) {
    const given = `What was paid ${ago(payment.completedAt, now)} was given back, and the time with it.`;
    return is('refunded', given, 'sell');
  }
  const end = user?.paidUntil == null ? 'no time is left of it' : `the time ended ${ago(user.paidUntil, now)}`;
  if (voucher !== null) {
    const by = voucher.usedByPhone ?? 'somebody who was deleted since';
    return is('voucher_used', `The voucher was used ${ago(voucher.usedAt, now)} by ${by}, and ${end}.`, 'sell');
  }
  if (user?.paidUntil == null && payment === null) {
    const phone = phones.some(({ at }) => at === 'gate') ? ' The phone is on the Wi-Fi.' : '';
    return is('unpaid', `Nothing was ever paid by this person.${phone}`, 'sell');
  }
  return is('expired', `${origin(facts)}, and ${end}.`, 'sell');
}

const is = (reason: Reason, sentence: string, act: Diagnosis['act'], phones: readonly Mac[] = []): Diagnosis => ({
  reason,
  sentence,
  act,
  phones,
  routerId: null,
});

/** null: it was used, so how its person stands counts. */
function unusableVoucher(voucher: NonNullable<DeskFacts['voucher']>, now: Instant): Diagnosis | null {
  const { bundleName, usedAt, revokedAt, revokedBy, expiresAt } = voucher;
  if (usedAt !== null) return null;
  if (revokedAt !== null) {
    return is('voucher_revoked', `The voucher was revoked ${ago(revokedAt, now)} by ${revokedBy ?? 'staff'}.`, 'sell');
  }
  if (expiresAt <= now) {
    return is('voucher_expired', `The voucher was not used in time: it ended ${ago(expiresAt, now)}.`, 'sell');
  }
  return is('voucher_unused', `The voucher is good for ${bundleName}, and nobody has used it yet.`, 'redeem');
}

function nobody({ number, phones: [phone] }: DeskFacts): Diagnosis {
  if (number !== null) return is('unknown', 'Nobody with this number has ever paid or used a voucher here.', 'sell');
  if (phone === undefined) {
    const hint = 'Try the phone number, or the transaction id in the provider’s message.';
    return is('unknown', `Nothing is known by this. ${hint}`, null);
  }
  const whose = 'This phone is registered for nobody';
  if (phone.at === 'away') return is('unknown', `${whose}, and is not on the Wi-Fi now.`, 'look_again');
  return is('unknown', `${whose}. It is on the Wi-Fi.`, 'connect', [phone.mac]);
}

function notCompleted(payment: PaymentFacts, now: Instant): Diagnosis {
  const { status, review, amount, paid, createdAt, bundleName } = payment;
  if (review === 'underpaid' && paid !== null) {
    const came = `${withCurrency(paid)} came in of ${withCurrency(amount)}`;
    return is('underpaid', `${came}, so nothing was granted. Ask for the rest in cash.`, 'open_payment');
  }
  if (review === 'underpaid' || review === 'wrong_currency') return is(review, REVIEW_ADVICE[review], 'open_payment');
  if (review !== null) return is('flagged', REVIEW_ADVICE[review], 'open_payment');
  const order = `The order of ${bundleName} for ${withCurrency(amount)}, made ${ago(createdAt, now)},`;
  if (status === 'pending') return is('pending', `${order} is not paid yet, says the provider.`, 'ask_provider');
  return is('unpaid', `${order} ${status === 'failed' ? 'failed' : 'was cancelled unpaid'}.`, 'ask_provider');
}

function noRouter(facts: DeskFacts): Diagnosis {
  const has = `${origin(facts)}, with ${left(facts)}`;
  if (facts.router === 'not_configured') return is('router_down', `${has}, but no router is set up.`, null);
  const router = facts.silent === null ? 'the router' : `the router ${facts.silent.name}`;
  const wait = 'Whoever is not online yet waits until it is back';
  const found = is('router_down', `${has}, but ${router} does not answer. ${wait}.`, 'wake_router');
  return { ...found, routerId: facts.silent?.id ?? null };
}

const JOIN = 'Ask them to switch Wi-Fi on and choose this network.';

/** With paid time, and a router that answers. */
function offline(facts: DeskFacts): Diagnosis {
  const { user, phones, hasRoom, strangers } = facts;
  const from = origin(facts);
  const atGate = phones.find(({ at }) => at === 'gate');
  if (atGate !== undefined) {
    const { mac, place } = atGate;
    const connect = (reason: Reason, why: string) =>
      is(reason, `${from}; the phone ${mac} is on the Wi-Fi, but ${why}.`, 'connect', [mac]);
    if (place === 'held') return connect('held', 'is registered for another person, whose time runs');
    if (place === 'theirs' || hasRoom) return connect('not_let_in', 'the router has not let it in yet');
    const places = user?.maxDevices === 1 ? 'another phone has the only place' : 'other phones have all the places';
    return connect('no_room', places);
  }
  const online = phones.find(({ at, place }) => at === 'online' && place === 'theirs');
  if (online !== undefined) {
    const sentence = `${from}; the phone ${online.mac} is online, with ${left(facts)}.`;
    return strangers.length === 0 ? is('online', sentence, null) : is('online', sentence, 'connect', strangers);
  }
  const elsewhere = phones.find(({ at }) => at === 'elsewhere');
  if (elsewhere !== undefined) {
    const where = 'on a network of the router where Lango lets nobody in';
    return is('elsewhere', `${from}; the phone ${elsewhere.mac} is ${where}. Ask them to choose yours.`, 'look_again');
  }
  const [known] = phones;
  const missing = known === undefined ? 'no phone is registered for it' : `the phone ${known.mac} is not on the Wi-Fi`;
  if (strangers.length > 0) {
    const others = strangers.length === 1 ? 'another phone is' : `${strangers.length} other phones are`;
    return is('other_phone', `${from}; ${missing}, and ${others} at the gate.`, 'connect', strangers);
  }
  return is('not_joined', `${from}; ${missing}. ${JOIN}`, 'look_again');
}

/** How the person came by their time. */
function origin({ payment, grant, voucher, now }: DeskFacts): string {
  if (voucher !== null) return `The voucher was used ${ago(voucher.usedAt, now)}`;
  if (payment !== null) {
    const how = payment.method === 'cash' ? 'It was paid in cash' : 'The provider says paid';
    return `${how} ${ago(payment.completedAt, now)}`;
  }
  if (grant?.source === 'voucher') return `A voucher was used ${ago(grant.at, now)}`;
  return grant === null ? 'Time was given' : `Time was given ${ago(grant.at, now)}`;
}

const left = ({ user, now }: DeskFacts): string => `${humanDuration(secondsLeft(user?.paidUntil ?? null, now))} left`;

/** `3 minutes ago`, in the largest unit. */
function ago(then: Instant | null, now: Instant): string {
  if (then === null) return 'some time ago';
  const seconds = secondsBetween(then, now);
  return seconds < 60 ? 'just now' : `${humanDuration(seconds).split(',')[0]} ago`;
}
