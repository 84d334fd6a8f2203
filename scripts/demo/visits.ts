/** Who comes when in 90 days, what for, and how they pay. */
import { addDays, addSeconds, type Day, type Instant, parseInstant, startOfDay } from '../../src/domain/time.ts';
import { BUNDLES, type BundleName, type Person } from './cafe.ts';
import type { Random } from './random.ts';
import { inOrder } from './stage.ts';

export const DAYS = 90;

export interface Visit {
  at: Instant;
  person: Person;
  bundle: BundleName;
  method: 'online' | 'cash' | 'voucher';
  /** What comes of the first try; who fails may well try again a little later. */
  outcome: 'paid' | 'failed' | 'abandoned';
}

/** Phone money, cash, vouchers. */
const METHODS = ['online', 'cash', 'voucher'] as const;
const SHARES = [65, 20, 15];
/** Tries with phone money that fail (a wrong PIN, too little money), or are left alone. */
const FAILED_PERCENT = 6;
const ABANDONED_PERCENT = 4;

const FIRST_HOUR = 7;
/** How many come in each hour of the day, from 7 on: the evening is when people have time. */
const HOURS = [2, 3, 3, 3, 4, 5, 5, 4, 4, 6, 8, 11, 13, 12, 9, 5, 2];
/** From Sunday on. */
const WEEKDAYS = [0.8, 0.85, 0.85, 0.9, 1, 1.3, 1.4];
const PAY_DAYS = 1.4;

/** How busy a day is beside others: by weekday, about pay-day, and a little more each week. */
function busyness(day: Day, place: number): number {
  const date = Number(day.slice(8));
  const weekday = new Date(parseInstant(`${day}T12:00:00Z`)).getUTCDay();
  return (WEEKDAYS[weekday] as number) * (date >= 26 || date <= 3 ? PAY_DAYS : 1) * (0.8 + (0.4 * place) / DAYS);
}

/**
 * In the order of time, up to the end of today. What is before today is the same at whatever hour of the day it is made.
 * @param today the day they end with
 */
export function visitsOf(people: readonly Person[], today: Day, zone: string, random: Random): Visit[] {
  const days = Array.from({ length: DAYS + 1 }, (_, place) => addDays(today, place - DAYS));
  const starts = days.map(day => startOfDay(day, zone));
  const weights = days.map(busyness);
  const momentOf = () => {
    const start = starts[random.weighted(weights)] as Instant;
    const hour = FIRST_HOUR + random.weighted(HOURS);
    return addSeconds(start, hour * 3_600 + random.int(0, 3_599));
  };
  const visits = people.flatMap(person => {
    const moments = Array.from({ length: person.isRegular ? random.int(24, 48) : random.int(1, 4) }, momentOf);
    return withoutNeed(moments.toSorted()).map(([at, place]) => visit(person, at, place));
  });
  return inOrder(visits);

  function visit(person: Person, at: Instant, place: number): Visit {
    const method = METHODS[random.weighted(SHARES)] as Visit['method'];
    const luck = method === 'online' ? random.int(0, 99) : 100;
    const outcome = luck < FAILED_PERCENT ? 'failed' : luck < FAILED_PERCENT + ABANDONED_PERCENT ? 'abandoned' : 'paid';
    return { at, person, bundle: (BUNDLES[place] as (typeof BUNDLES)[number]).name, method, outcome };
  }

  /** Whose time still runs buys nothing: those moments are left out. @returns each with the place of its bundle */
  function withoutNeed(moments: readonly Instant[]): [Instant, number][] {
    let until: Instant | null = null;
    const kept: [Instant, number][] = [];
    for (const at of moments) {
      const place = random.weighted(BUNDLES.map(({ weight }) => weight));
      if (until !== null && until > at) continue;
      until = addSeconds(at, (BUNDLES[place] as (typeof BUNDLES)[number]).hours * 3_600);
      kept.push([at, place]);
    }
    return kept;
  }
}
