/** Statements that answer with less than rows. */
import type { Database } from './database.ts';

/** A count, a sum, an id. */
export function numberOf(db: Database, sql: string): (...params: unknown[]) => number {
  const statement = db.prepare<unknown[], number>(sql).pluck();
  return (...params) => statement.get(...params) as number;
}

/** Whether there is such a row. */
export function exists(db: Database, sql: string): (...params: unknown[]) => boolean {
  const statement = db.prepare(sql);
  return (...params) => statement.get(...params) !== undefined;
}

/** @returns how many rows it changes */
export function changes(db: Database, sql: string): (...params: unknown[]) => number {
  const statement = db.prepare(sql);
  return (...params) => statement.run(...params).changes;
}
