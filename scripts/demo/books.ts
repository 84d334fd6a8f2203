/**
 * The books of the demo: 90 days of a café, written by the domain's own commands as of their moments, so that the ledger
 * and every figure are what they would be had it happened. Relative to today, and the same for each seed, but for what
 * must not be guessed: codes, references, passwords.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimSms, recordSmsAnswer } from '../../src/domain/sms.ts';
import { addSeconds, dayOf, type Instant, SECONDS_PER_DAY } from '../../src/domain/time.ts';
import type { Policy } from '../../src/domain/transaction.ts';
import { openForWriting } from '../../src/store/database.ts';
import { DATABASE_FILE } from '../../src/store/folder.ts';
import { migrate } from '../../src/store/migrate.ts';
import { type Person, peopleOf } from './cafe.ts';
import { seededRandom } from './random.ts';
import { cashSale, onlineSale, SALE_SECONDS, voucherSale } from './sales.ts';
import { createStage, inOrder, type Scene, type Stage } from './stage.ts';
import { batchAt, type Calendar, calendarOf, comes, storyOf } from './story.ts';
import { type Shift, sellerAt, shiftScenes, shiftsOf } from './till.ts';
import { type Visit, visitsOf } from './visits.ts';

export interface BooksOptions {
  dataDir: string;
  policy: Policy;
  /** Where the appliance will be. */
  baseUrl: string;
  /** Of everybody who works there. */
  passwordHash: string;
  now: Instant;
  seed: number;
}

export interface DemoBooks {
  /** Whose time runs for an hour and more, who bought last first. */
  customers: Person[];
  /** Some that nobody has used. */
  codes: string[];
}

/** Messages are kept of so many days. */
const TOLD_DAYS = 2;
const RUNS_ON_SECONDS = 3_600;

export function writeBooks({ dataDir, policy, baseUrl, passwordHash, now, seed }: BooksOptions): DemoBooks {
  const db = openForWriting(join(dataDir, DATABASE_FILE));
  migrate(db);
  // Nothing of this outlives the program: the disk need not have it before the demo begins.
  db.pragma('synchronous = OFF');
  const tellsFrom = addSeconds(now, -TOLD_DAYS * SECONDS_PER_DAY);
  const stage = createStage(db, policy, baseUrl, tellsFrom);
  const calendar = calendarOf(dayOf(now, policy.timeZone), policy.timeZone, now);
  const people = peopleOf(seed);
  const shifts = shiftsOf(calendar.today, calendar.zone, now);
  const [firstShift] = shifts;
  const scenes = [
    ...storyOf(people, passwordHash, firstShift?.from ?? now, calendar),
    ...shiftScenes(shifts),
    ...salesOf(people, shifts, calendar, seed),
  ];
  db.transaction(() => {
    for (const { at, play } of inOrder(scenes.filter(scene => scene.at <= now))) {
      play(stage);
      if (at >= tellsFrom) deliverSms(stage, at);
    }
  })();
  const entitled = (person: Person) => {
    const user = stage.portal(now).users.byPhone(person.phone);
    return user?.isActive === true && user.paidUntil !== null && user.paidUntil > addSeconds(now, RUNS_ON_SECONDS);
  };
  const customers = people.filter(entitled);
  db.close();
  const remembered = stage.checkouts.map(checkout => `${JSON.stringify(checkout)}\n`).join('');
  writeFileSync(join(dataDir, 'sandbox.jsonl'), remembered, { mode: 0o600 });
  return { customers, codes: (stage.codes.get('fresh') ?? []).slice(0, 5) };
}

function salesOf(people: readonly Person[], shifts: readonly Shift[], calendar: Calendar, seed: number): Scene[] {
  const random = seededRandom(seed + 1);
  const last = addSeconds(calendar.now, -SALE_SECONDS);
  let sold = 0;
  const sale = (visit: Visit): Scene[] => {
    const patience = random.int(15, 90);
    if (visit.at > last || !comes(visit.person, visit.at, people, calendar)) return [];
    // Where nobody is at the counter, there is phone money.
    const seller = visit.method === 'online' ? null : sellerAt(visit.at, shifts);
    if (seller === null) return onlineSale(visit, patience, calendar.now);
    if (visit.method === 'cash') return [cashSale(visit, seller)];
    sold += 1;
    return [voucherSale(visit, seller, batchAt(visit.at, sold, calendar))];
  };
  return visitsOf(people, calendar.today, calendar.zone, seededRandom(seed)).flatMap(sale);
}

/** What people were told has been sent by then. */
function deliverSms(stage: Stage, at: Instant): void {
  const { messages } = claimSms(stage.portal(at), { limit: 10 });
  for (const { id: smsId, attempts: attempt } of messages) {
    const answer = { outcome: 'accepted', reference: `S${smsId}`, message: null } as const;
    recordSmsAnswer(stage.portal(at), { smsId, attempt, answer });
  }
}
