/** Who and what a search at the desk finds, and the facts about each. Only what an index finds, and people by a part. */
import { type Grant, hasAccess } from '../../domain/access.ts';
import type { DeskFacts, KnownPhone } from '../../domain/diagnosis.ts';
import { type Mac, parseMac } from '../../domain/mac.ts';
import type { Payment } from '../../domain/payments.ts';
import { type Phone, parsePhone, stripSeparators, textSearch } from '../../domain/phone.ts';
import { isRefunded } from '../../domain/refunds.ts';
import type { Instant } from '../../domain/time.ts';
import type { Reads } from '../../domain/transaction.ts';
import type { User } from '../../domain/users.ts';
import { parseVoucherCode, type Voucher } from '../../domain/vouchers.ts';
import type { Context } from '../context.ts';
import type { Gate } from '../gate.ts';

export interface Subject {
  user: User | null;
  payment: Payment | null;
  voucher: Voucher | null;
  mac: Mac | null;
  number: Phone | null;
}

const NOTHING: Subject = { user: null, payment: null, voucher: null, mac: null, number: null };

/** @returns never empty; `limit` at most */
export function subjectsOf(context: Context, text: string, limit: number): Subject[] {
  const { reads, clock, defaultCountry } = context;
  const code = parseVoucherCode(text);
  const voucher = code === null ? null : reads.vouchers.byCode(code);
  if (voucher !== null) {
    return [{ ...NOTHING, voucher, user: voucher.usedBy === null ? null : reads.users.byId(voucher.usedBy) }];
  }
  const now = clock.now();
  const asPerson = (user: User): Subject => ({ ...NOTHING, user, payment: paymentMeant(reads, user, now) });
  const mac = parseMac(text);
  if (mac !== null) {
    const holder = reads.devices.byMac(mac)?.userId;
    const user = holder === undefined ? null : reads.users.byId(holder);
    if (user !== null) return [{ ...asPerson(user), mac }];
    // Nobody's: before anything is paid, a phone is known by the order that names it.
    const payment = reads.payments.lastPendingOfMac(mac);
    return [{ ...NOTHING, mac, payment, user: payment === null ? null : reads.users.byId(payment.userId) }];
  }
  const paid = paymentsNamed(reads, text, limit);
  const orders = paid.map(payment => ({ ...NOTHING, payment, user: reads.users.byId(payment.userId) }));
  const people = reads.users
    .page({ search: textSearch(text, defaultCountry) }, now, { limit, offset: 0 })
    .filter(({ id }) => !paid.some(({ userId }) => userId === id));
  const found = [...orders, ...people.map(asPerson)].slice(0, limit);
  return found.length > 0 ? found : [{ ...NOTHING, number: parsePhone(text, defaultCountry) }];
}

/** Characters of a number or reference that name one: with fewer, a cashier's search would list everybody. */
export const NAMING_LENGTH = 6;

/** As it was typed, or without the spaces and dashes that people put in. A receipt's number may be short. */
function paymentsNamed(reads: Reads, text: string, limit: number): Payment[] {
  const receipt = reads.payments.byReceiptNumber(text);
  if (receipt !== null) return [receipt];
  for (const given of new Set([text, stripSeparators(text)])) {
    if (given.length < NAMING_LENGTH) continue;
    const found = reads.payments.page({ search: { text: given, phone: null } }, { limit, offset: 0 });
    if (found.length > 0) return found;
  }
  return [];
}

/** Orders and grants of a person. */
const LOOKED_THROUGH = 20;

/** What the person's time came from. Time that was added to running time by hand is no beginning. */
function originOf({ grants }: Reads, user: User): Grant | null {
  const [latest = null, ...earlier] = grants.latestOfUser(user.id, LOOKED_THROUGH);
  return earlier.reduce(
    (origin, before) => (origin?.source === 'admin' && before.endsAt >= origin.startsAt ? before : origin),
    latest,
  );
}

/** What somebody means who says "I paid": an order that staff or the provider have to look at, or what gave the time. */
function paymentMeant(reads: Reads, user: User, now: Instant): Payment | null {
  const grant = originOf(reads, user);
  const unpaid = reads.payments.ofUser(user.id, LOOKED_THROUGH).filter(({ status }) => status !== 'completed');
  const open = unpaid.find(({ review }) => review !== null) ?? unpaid.find(({ status }) => status === 'pending');
  if (open !== undefined) return open;
  const closed = unpaid.find(({ createdAt }) => grant === null || createdAt > grant.at);
  if (closed !== undefined && !hasAccess(user, now)) return closed;
  if (grant?.sourceId == null) return null;
  if (grant.source === 'payment') return reads.payments.byId(grant.sourceId);
  const refund = grant.source === 'refund' ? reads.refunds.byId(grant.sourceId) : null;
  return refund === null ? null : reads.payments.byId(refund.paymentId);
}

export function factsOf({ reads, clock }: Context, subject: Subject, gate: Gate): DeskFacts {
  const { user, payment, voucher, mac, number } = subject;
  const devices = user === null ? [] : reads.devices.ofUser(user.id);
  const own = devices.map(device => device.mac);
  const meant = mac === null ? [...new Set([...own, ...(payment?.mac == null ? [] : [payment.mac])])] : [mac];
  const placeOf = (phone: Mac): KnownPhone['place'] =>
    own.includes(phone) ? 'theirs' : gate.holderOf(phone) === null ? 'free' : 'held';
  return {
    now: clock.now(),
    number,
    user,
    payment:
      payment === null
        ? null
        : { ...payment, isRefunded: isRefunded(payment, reads.refunds.refundedMinor(payment.id)) },
    voucher,
    grant: user === null ? null : originOf(reads, user),
    ...gate.routerOf(meant),
    phones: meant.map(phone => ({ mac: phone, place: placeOf(phone), at: gate.whereIs(phone) })),
    hasRoom: user !== null && devices.length < user.maxDevices,
    strangers: mac === null ? gate.strangers : [],
  };
}
