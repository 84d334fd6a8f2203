/** What stands in the database file of a running appliance, read past it. */
import { join } from 'node:path';
import { openForReading } from '../../src/store/database.ts';
import { DATABASE_FILE } from '../../src/store/store.ts';

export type Row = Record<string, string | number | null>;

/** @param app anything with the folder of its data */
export function rows(app: { dataDir: string }, sql: string, ...parameters: (string | number)[]): Row[] {
  const db = openForReading(join(app.dataDir, DATABASE_FILE));
  try {
    return db.prepare<(string | number)[], Row>(sql).all(...parameters);
  } finally {
    db.close();
  }
}

/** How many rows a table has, or those of it that meet a condition. */
export function count(app: { dataDir: string }, table: string, condition = 'TRUE'): number {
  return Number(rows(app, `SELECT count(*) AS n FROM ${table} WHERE ${condition}`)[0]?.['n']);
}

/** Every row of every table, but of those left out: equal before and after means that nothing was changed. */
export function dump(app: { dataDir: string }, without: readonly string[] = []): Record<string, Row[]> {
  const tables = rows(app, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  const names = tables.map(table => String(table['name'])).filter(name => !without.includes(name));
  return Object.fromEntries(names.map(name => [name, rows(app, `SELECT * FROM ${name}`)]));
}
