/** What must be so of people and routers, second by second and at rest, by a model that asks nothing of the program. */
import type { Random } from '../../scripts/demo/random.ts';
import type { Phone } from '../../src/domain/phone.ts';
import { toEpochMs } from '../../src/domain/time.ts';
import type { TestSite } from './site.ts';

/** Simulated seconds at worst, and what there was of each thing. */
export interface Outcome {
  paidOffline: number;
  unpaidOnline: number;
  /** The first of those beyond what is allowed. */
  offences: string[];
  did: Record<string, number>;
  /** By router: everything on its wire, and what was no print of them. */
  commands: number[];
  writes: number[];
}

export const MOST_PAID_OFFLINE = 15;
export const MOST_UNPAID_ONLINE = 20;

export interface Person {
  /** Its own, so that each does the same in every run, whoever is answered first. */
  random: Random;
  phone: Phone;
  mac: string;
  /** The router whose Wi-Fi the phone is on; null: out of reach of all. */
  at: number | null;
  /** What it was given on each router; it gets the same one again. */
  leases: string[];
  /** Null: none that can be used. */
  address: string | null;
  /** Milliseconds since the epoch; somebody who paid while a router was silent may have been given up to `slack` more. */
  paidUntil: number;
  slack: number;
  isPaying: boolean;
  /** The second of the last request. */
  askedIn: number;
  /** `router address` of each session. */
  sessions: Set<string>;
  offlineFor: number;
  unpaidFor: number;
}

/** What a router's own limit may be off by. */
const toleranceMs = (left: number) => Math.max(600_000, left * 0.05) + 60_000;

export const hasPaid = ({ paidUntil }: Pick<Person, 'paidUntil'>, ms: number) => ms < paidUntil;

interface Watched {
  crowd: readonly Person[];
  /** Whether the appliance can reach each router. */
  isReachable: readonly boolean[];
  outcome: Outcome;
  now: () => number;
}

/** @returns `look`: at one person, once a second; `compare`: everything, at rest */
export function createOracle({ app, routers }: TestSite, { crowd, isReachable, outcome, now }: Watched) {
  const byMac = new Map(crowd.map(person => [person.mac, person]));
  const userOf = ({ phone }: Person) => phone.slice(1);
  const startedAt = now();
  const tell = ({ mac, at, address, sessions, paidUntil }: Person) =>
    `${mac} is at ${at} ${address}, has sessions at [${[...sessions].join()}], has paid for ${(paidUntil - now()) / 1_000} s`;

  function hold(isSo: boolean, what: string): void {
    if (!isSo && outcome.offences.length < 20) outcome.offences.push(`second ${(now() - startedAt) / 1_000}: ${what}`);
  }

  function look(person: Person): void {
    const { at, address, sessions } = person;
    const isIn = at !== null && address !== null && isReachable[at] === true;
    person.offlineFor = isIn && hasPaid(person, now()) && !sessions.has(`${at} ${address}`) ? person.offlineFor + 1 : 0;
    outcome.paidOffline = Math.max(outcome.paidOffline, person.offlineFor);
    hold(person.offlineFor !== MOST_PAID_OFFLINE + 1, `paid and offline: ${tell(person)}`);
    const hasEnded = !hasPaid(person, now() - person.slack) && !person.isPaying;
    const isHeld = hasEnded && [...sessions].some(session => isReachable[Number(session[0])]);
    person.unpaidFor = isHeld ? person.unpaidFor + 1 : 0;
    outcome.unpaidOnline = Math.max(outcome.unpaidOnline, person.unpaidFor);
    hold(person.unpaidFor !== MOST_UNPAID_ONLINE + 1, `online and unpaid: ${tell(person)}`);
  }

  /** Every router holds what the model says, and so do the books; of those whose time ends this moment either is right. */
  function compare(): void {
    const isEnding = ({ paidUntil, slack }: Person) =>
      paidUntil <= now() && now() <= paidUntil + slack + MOST_UNPAID_ONLINE * 1_000;
    const sure = crowd.filter(person => !isEnding(person));
    for (const person of crowd) {
      const inBooks = app.context.reads.users.byPhone(person.phone)?.paidUntil ?? null;
      const off = (inBooks === null ? 0 : toEpochMs(inBooks)) - person.paidUntil;
      hold(off >= 0 && off <= person.slack, `the books are off by ${off} ms: ${tell(person)}`);
    }
    for (const [place, router] of routers.entries()) {
      const held = new Set(router.users().map(({ name, mac }) => `${name} ${mac}`));
      for (const person of sure) {
        const isHeld = held.delete(`${userOf(person)} ${person.mac}`);
        hold(
          isHeld === hasPaid(person, now()),
          `router ${place} ${isHeld ? 'has' : 'lacks'} the user of: ${tell(person)}`,
        );
      }
      for (const person of crowd) if (isEnding(person)) held.delete(`${userOf(person)} ${person.mac}`);
      hold(held.size === 0, `router ${place} has users of nobody: ${[...held].join()}`);
      for (const session of router.activeSessions()) {
        const person = byMac.get(session.mac);
        const off = (session.endsAt ?? Number.POSITIVE_INFINITY) - (person?.paidUntil ?? 0);
        const isRight = person !== undefined && (isEnding(person) || off <= toleranceMs(person.paidUntil - now()));
        hold(isRight, `router ${place} has a session that ends ${off} ms late: ${session.mac}`);
      }
    }
    for (const person of sure) {
      const { at, address, sessions } = person;
      // Of somebody who is out of reach it stays until the router forgets the row.
      const isRight = address === null ? sessions.size <= 1 : [...sessions].join() === `${at} ${address}`;
      hold(hasPaid(person, now()) ? isRight : sessions.size === 0, `at rest, ${tell(person)}`);
    }
    outcome.did['comparisons'] = (outcome.did['comparisons'] ?? 0) + 1;
  }
  return { look, compare };
}
