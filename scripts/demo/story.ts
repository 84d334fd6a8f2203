/** What happened in the café in 90 days besides what was sold: how it began, and what people tell of it. */
import { giveTime } from '../../src/domain/access.ts';
import { createAdmin, updateAdmin } from '../../src/domain/admins.ts';
import { createBundle, updateBundle } from '../../src/domain/bundles.ts';
import { creditOutage } from '../../src/domain/credits.ts';
import type { Payment } from '../../src/domain/payments.ts';
import { openRefund, settleRefund } from '../../src/domain/refunds.ts';
import { changeBranding, recordHeartbeat } from '../../src/domain/settings.ts';
import { addDays, addSeconds, type Day, type Instant, SECONDS_PER_HOUR, startOfDay } from '../../src/domain/time.ts';
import { updateUser } from '../../src/domain/users.ts';
import { sellVouchers } from '../../src/domain/voucher-sales.ts';
import { generateVouchers, revokeBatch } from '../../src/domain/vouchers.ts';
import { BRANDING, BUNDLES, type BundleName, type Colleague, GATE, NEEMA, type Person, STAFF } from './cafe.ts';
import { decide, endOfUnpaid, order } from './sales.ts';
import { known, type Scene, type Stage, secondsAfter } from './stage.ts';
import { DAYS } from './visits.ts';

export interface Calendar {
  today: Day;
  zone: string;
  now: Instant;
  /** An hour of the day that is so many days after the first one. */
  at(place: number, hour: number): Instant;
}

export function calendarOf(today: Day, zone: string, now: Instant): Calendar {
  const at = (place: number, hour: number) =>
    addSeconds(startOfDay(addDays(today, place - DAYS), zone), hour * SECONDS_PER_HOUR);
  return { today, zone, now, at };
}

/** Codes are made and printed by hand, so there are few batches. */
const BATCHES = {
  expired: { day: 0, bundle: 'Day pass', quantity: 320, expiryDays: 50 },
  'half sold': { day: 45, bundle: 'Day pass', quantity: 460, expiryDays: 120 },
  revoked: { day: 60, bundle: 'Week', quantity: 50, expiryDays: 60 },
  fresh: { day: DAYS - 1, bundle: 'Quick look', quantity: 100, expiryDays: 90 },
} as const satisfies Record<string, { day: number; bundle: BundleName; quantity: number; expiryDays: number }>;
type BatchName = keyof typeof BATCHES;

const LOST_DAY = 63;

/** Which batch the codes of a day come from. @param count how many were sold before */
export function batchAt(at: Instant, count: number, calendar: Calendar): BatchName {
  if (at < calendar.at(BATCHES['half sold'].day, 12)) return 'expired';
  const isSheetThere = at > calendar.at(BATCHES.revoked.day, 12) && at < calendar.at(LOST_DAY, 9);
  return isSheetThere && count % 4 === 0 ? 'revoked' : 'half sold';
}

const OUTAGE = { day: 70, from: 18, to: 20.5 };
const BLOCKED_DAY = 80;

/** People do not come during an outage, nor once they are blocked. */
export function comes(person: Person, at: Instant, people: readonly Person[], calendar: Calendar): boolean {
  if (at > calendar.at(OUTAGE.day, OUTAGE.from) && at < calendar.at(OUTAGE.day, OUTAGE.to)) return false;
  return person !== blockedOf(people) || at < calendar.at(BLOCKED_DAY, 20);
}
const blockedOf = (people: readonly Person[]) => people[6] as Person;

export function storyOf(
  people: readonly Person[],
  passwordHash: string,
  firstShift: Instant,
  calendar: Calendar,
): Scene[] {
  const { at, now } = calendar;
  const scene = (moment: Instant, play: (stage: Stage) => void): Scene => ({ at: moment, play });
  const beginning = at(0, 6);
  const hiring = addSeconds(firstShift, -12 * SECONDS_PER_HOUR);
  return [
    scene(beginning, stage => {
      for (const who of ['mariam', 'baraka'] as const) hire(stage, beginning, who, passwordHash);
      const tx = stage.staff(beginning, 'mariam');
      changeBranding(tx, { branding: BRANDING });
      for (const [displayOrder, { name, description, price, hours }] of BUNDLES.entries()) {
        const sold = { name, description, price: priceOf(stage, price), durationSeconds: hours * SECONDS_PER_HOUR };
        const bundle = { ...sold, isActive: true, freeEveryHours: 24, displayOrder, routerProfile: null };
        stage.bundles.set(name, createBundle(tx, { bundle }));
      }
    }),
    ...Object.entries(BATCHES).map(([name, { day, bundle, quantity, expiryDays }]) => {
      const made = addSeconds(at(day, 6), 600);
      return scene(made, stage => {
        const { id: bundleId } = known(stage.bundles, bundle);
        const input = { bundleId, quantity, expiryDays, phone: null };
        const { codes, batch } = generateVouchers(stage.staff(made, 'baraka'), input);
        stage.codes.set(name, codes);
        stage.batches.set(name, batch.id);
      });
    }),
    scene(at(30, 10), stage => {
      const { id: bundleId } = known(stage.bundles, 'Week');
      updateBundle(stage.staff(at(30, 10), 'mariam'), { bundleId, change: { price: priceOf(stage, 7_000) } });
    }),
    scene(at(55, 11), stage => refund(stage, at(55, 11), null, 'Paid twice by mistake')),
    scene(at(LOST_DAY, 9), stage => {
      const lost = { batchId: known(stage.batches, 'revoked'), reason: 'The sheet was left on the bus' };
      revokeBatch(stage.staff(at(LOST_DAY, 9), 'mariam'), lost);
    }),
    scene(at(OUTAGE.day, 21), stage => {
      const outage = { from: at(OUTAGE.day, OUTAGE.from), to: at(OUTAGE.day, OUTAGE.to) };
      const credit = { ...outage, seconds: 3 * SECONDS_PER_HOUR, reason: 'Power cut in the street', preview: false };
      creditOutage(stage.staff(at(OUTAGE.day, 21), 'mariam'), credit);
    }),
    scene(at(BLOCKED_DAY, 20), stage => {
      const tx = stage.staff(at(BLOCKED_DAY, 20), 'baraka');
      const user = tx.users.byPhone(blockedOf(people).phone);
      if (user !== null) updateUser(tx, { userId: user.id, change: { isActive: false } });
    }),
    ...[3, 33, 90, 150, 222].map((place, day) => named(people[place] as Person, at(75 + day, 15), NOTES[day] ?? null)),
    scene(at(82, 19), stage => refund(stage, at(82, 19), 500, 'The Wi-Fi was slow all afternoon')),
    scene(at(84, 16), stage => {
      const tx = stage.staff(at(84, 16), 'baraka');
      const { userId } = lastSale(stage, at(84, 16), 'Quick look');
      giveTime(tx, { userId, seconds: 2 * SECONDS_PER_HOUR, reason: 'Waited long for a table' });
    }),
    scene(at(85, 11), stage => {
      const sheet = { batchId: known(stage.batches, 'half sold'), quantity: 20 };
      sellVouchers(stage.staff(at(85, 11), 'baraka'), sheet);
    }),
    scene(hiring, stage => {
      for (const who of ['daudi', 'zawadi'] as const) hire(stage, hiring, who, passwordHash);
    }),
    ...paidTooLittle(people[40] as Person, at(DAYS - 1, 17.4), now),
    ...theMomentOf(now),
  ];
}

/** What staff know of some of the regulars. */
const NOTES = [null, 'Guide of the safari company; pays for her guests', null, 'Two phones, one is his wife’s', null];

function named({ phone, name }: Person, at: Instant, note: string | null): Scene {
  const play = (stage: Stage) => {
    const tx = stage.staff(at, 'baraka');
    const user = tx.users.byPhone(phone);
    if (user !== null)
      updateUser(tx, {
        userId: user.id,
        change: { name, note, ...(note?.startsWith('Two') ? { maxDevices: 2 } : {}) },
      });
  };
  return { at, play };
}

function hire(stage: Stage, at: Instant, who: Colleague, passwordHash: string): void {
  const { role, ...names } = STAFF[who];
  const account = { username: who, passwordHash, email: '', role, onlyFirst: false };
  const { id } = createAdmin(stage.staff(at, 'mariam'), account);
  stage.admins.set(who, id);
  updateAdmin(stage.staff(at, 'mariam'), { adminId: id, change: names });
}

const priceOf = ({ policy: { currency } }: Stage, major: number) => ({ minor: major * 100, currency });

/** What was bought over the portal last. */
function lastSale(stage: Stage, at: Instant, bundle: BundleName): Payment {
  const filter = { status: 'completed', method: 'online', bundleId: known(stage.bundles, bundle).id } as const;
  const [payment] = stage.portal(at).payments.page(filter, { limit: 1, offset: 0 });
  if (payment === undefined) throw new Error(`No ${bundle} was sold online before ${at}.`);
  return payment;
}

/** @param major null: all of it */
function refund(stage: Stage, at: Instant, major: number | null, reason: string): void {
  const payment = lastSale(stage, at, 'Day pass');
  const amount = major === null ? null : priceOf(stage, major);
  const { id, uid, amount: given } = openRefund(stage.staff(at, 'baraka'), { paymentId: payment.id, amount, reason });
  const reference = `SBXR${String(id).padStart(16, '0')}`;
  const checkout = stage.checkouts.find(({ orderReference }) => orderReference === payment.orderReference);
  checkout?.refunds.push({ id: reference, idempotencyKey: uid, minor: given.minor, status: 'COMPLETED' });
  const answer = { outcome: 'completed', reference, message: null } as const;
  settleRefund(stage.portal(secondsAfter(at, 3)), { refundId: id, answer });
}

/** Flagged: less than the price was paid, so nothing was given for it. */
function paidTooLittle(person: Person, at: Instant, now: Instant): Scene[] {
  let unpaid: ReturnType<Parameters<typeof endOfUnpaid>[1]>;
  const begin = (stage: Stage) => {
    const payment = order(stage, at, person, 'Day pass');
    const paid = 1_200_00;
    unpaid = { payment, verification: decide(stage, secondsAfter(at, 45), payment, 'completed', paid) };
  };
  return [{ at, play: begin }, ...endOfUnpaid(at, () => unpaid, now)];
}

/** What is so at the moment of the demo's start, at whatever hour that is. */
function theMomentOf(now: Instant): Scene[] {
  const ending = addSeconds(now, -50 * 60);
  const ordered = addSeconds(now, -4 * 60);
  const [, juma] = GATE;
  return [
    {
      at: ending,
      play: stage =>
        void decide(stage, secondsAfter(ending, 30), order(stage, ending, NEEMA, 'Quick look'), 'completed'),
    },
    { at: ordered, play: stage => void order(stage, ordered, juma, 'Day pass') },
    { at: now, play: stage => recordHeartbeat(stage.portal(now), {}) },
  ];
}
