/** A read-only connection, with its repositories. */
import type { Reads } from '../domain/transaction.ts';
import type { Database } from './database.ts';
import { readsOf } from './repositories.ts';
import { type RememberedStandings, rememberStandings } from './standings.ts';

export interface ReadConnection {
  db: Database;
  reads: Reads;
  forget: RememberedStandings['forget'];
  /** @throws when the books cannot be read */
  checkReadable(): void;
}

export function readConnectionOf(db: Database): ReadConnection {
  const row = db.prepare("SELECT value FROM settings WHERE name = 'heartbeat'");
  const standings = rememberStandings(db);
  return { db, reads: { ...readsOf(db), standings }, forget: standings.forget, checkReadable: () => void row.get() };
}

type Methods = Record<PropertyKey, (...input: unknown[]) => unknown>;

/** Reads through the current connection, which is replaced once a full disk has room again. */
export function latestReads(current: () => Reads): Reads {
  const repositoryOf = (name: keyof Reads) =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          (...input: unknown[]) =>
            (current()[name] as unknown as Methods)[method]?.(...input),
      },
    );
  const repositories = Object.keys(current()).map(name => [name, repositoryOf(name as keyof Reads)]);
  return Object.fromEntries(repositories) as Reads;
}
