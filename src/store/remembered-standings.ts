/** Standings in memory: what a router asks for at every login, without a question to SQLite. */
import type { Mac } from '../domain/mac.ts';
import type { Phone } from '../domain/phone.ts';
import { isNews, type Standing, type StandingReads } from '../domain/standings.ts';
import { fromEpochMs, type Instant, toEpochMs } from '../domain/time.ts';
import type { Database } from './database.ts';
import { NumberTable } from './number-table.ts';
import { type Found, standingFinder } from './standings.ts';

/** Together the tables take 44 MiB at most, for 390,000 people and as many devices; less while there are fewer. */
const MOST_SLOTS = 2 ** 19;

/** Columns beside the key: a person by phone number … */
const ID = 1;
const PAID_UNTIL = 2;
/** `max_devices`, below zero for somebody who is blocked. */
const MAX_DEVICES = 3;
const DEVICES = 4;
const PAYMENTS = 5;
/** … and a device by MAC: its id, when it was last seen, and which reading of which person it came with. */
const LAST_SEEN = 2;
const READING_OF_DEVICE = 3;
/** Of a person; zero when the books have changed since. */
const READING = 6;

export interface RememberedStandings extends StandingReads {
  /** To be called with each commit, before anybody hears of it. */
  forget(phones: readonly Phone[]): void;
}

/**
 * Keeps what was read in memory until it changes in the books: the same people log in again and again. All of it is
 * numbers in two tables, since as objects a hundred thousand people are work for the garbage collector at each login.
 */
export function rememberStandings(db: Database, mostSlots: number = MOST_SLOTS): RememberedStandings {
  const find = standingFinder(db);
  const people = new NumberTable(6, mostSlots);
  const devices = new NumberTable(3, mostSlots);
  let readings = 0;

  function remember({ user, paymentCount, devices: own }: Found): void {
    // Both tables together: a person whose devices were dropped would look like one who has none.
    if (people.isFull || devices.isFull) {
      people.clear();
      devices.clear();
    }
    readings += 1;
    const at = people.place(phoneKey(user.phone));
    const { cells } = people;
    cells[at + ID] = user.id;
    cells[at + PAID_UNTIL] = user.paidUntil === null ? Number.NaN : toEpochMs(user.paidUntil);
    cells[at + MAX_DEVICES] = user.isActive ? user.maxDevices : -user.maxDevices;
    cells[at + DEVICES] = own.length;
    cells[at + PAYMENTS] = paymentCount;
    cells[at + READING] = readings;
    for (const [mac, id, lastSeen] of own) {
      const place = devices.place(macKey(mac));
      devices.cells[place + ID] = id;
      devices.cells[place + LAST_SEEN] = toEpochMs(lastSeen);
      devices.cells[place + READING_OF_DEVICE] = readings;
    }
  }

  function recall(phone: Phone): Standing | null {
    const at = people.find(phoneKey(phone));
    if (at === -1) return null;
    const { cells } = people;
    const reading = cells[at + READING] as number;
    if (reading === 0) return null;
    const paidUntil = cells[at + PAID_UNTIL] as number;
    const maxDevices = cells[at + MAX_DEVICES] as number;
    return {
      user: {
        id: cells[at + ID] as number,
        phone,
        isActive: maxDevices > 0,
        maxDevices: Math.abs(maxDevices),
        paidUntil: Number.isNaN(paidUntil) ? null : fromEpochMs(paidUntil),
      },
      deviceCount: cells[at + DEVICES] as number,
      paymentCount: cells[at + PAYMENTS] as number,
      see: (mac, now) => see(mac, reading, now),
    };
  }

  function see(mac: Mac, reading: number, now: Instant): ReturnType<Standing['see']> {
    const at = devices.find(macKey(mac));
    const { cells } = devices;
    if (at === -1 || cells[at + READING_OF_DEVICE] !== reading) return null;
    const nowMs = toEpochMs(now);
    const isDue = isNews(cells[at + LAST_SEEN] as number, nowMs);
    if (isDue) cells[at + LAST_SEEN] = nowMs;
    return { id: cells[at + ID] as number, isNews: isDue };
  }

  return {
    byPhone(phone) {
      const known = recall(phone);
      if (known !== null) return known;
      const found = find(phone);
      if (found === null) return null;
      remember(found);
      return recall(phone);
    },
    forget(phones) {
      for (const phone of phones) {
        const at = people.find(phoneKey(phone));
        if (at !== -1) people.cells[at + READING] = 0;
      }
    },
  };
}

/** E.164 has fifteen digits at most: a whole number that a double holds exactly. */
const phoneKey = (phone: Phone): number => Number(phone.slice(1));

/** The six bytes as one number. */
function macKey(mac: Mac): number {
  let key = 0;
  for (let at = 0; at < 17; at += 3) key = key * 256 + hexValue(mac, at) * 16 + hexValue(mac, at + 1);
  return key;
}

function hexValue(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code <= 57 ? code - 48 : code - 55;
}
