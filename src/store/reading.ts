/** A connection that reads, and what is read through it. */
import type { Reads } from '../domain/transaction.ts';
import type { Database } from './database.ts';
import { readsOf } from './repositories.ts';
import { type RememberedStandings, rememberStandings } from './standings.ts';

export interface Reading {
  db: Database;
  reads: Reads;
  forget: RememberedStandings['forget'];
  /** @throws when the books cannot be read */
  readARow(): void;
}

export function readingOf(db: Database): Reading {
  const row = db.prepare("SELECT value FROM settings WHERE name = 'heartbeat'");
  const standings = rememberStandings(db);
  return { db, reads: { ...readsOf(db), standings }, forget: standings.forget, readARow: () => void row.get() };
}

type Methods = Record<PropertyKey, (...input: unknown[]) => unknown>;

/** Reads through whichever connection there is by then: it is another one once a full disk has room again. */
export function readsOfWhichever(current: () => Reads): Reads {
  const nounOf = (name: keyof Reads) =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          (...input: unknown[]) =>
            (current()[name] as unknown as Methods)[method]?.(...input),
      },
    );
  const nouns = Object.keys(current()).map(name => [name, nounOf(name as keyof Reads)]);
  return Object.fromEntries(nouns) as Reads;
}
