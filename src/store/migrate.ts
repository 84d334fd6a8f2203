/**
 * Brings a database file up to this program's shape. Forward only; `user_version` counts what has run, and
 * `migrations_run` keeps what it was, since two files that were made in different ways must not pass for the same.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type Database, storageError } from './database.ts';
import { copyBooks } from './files.ts';
import { type Migration, migrations } from './migrations/index.ts';

/**
 * Each migration runs in a transaction of its own, after a copy of the file was put beside it.
 * @throws LangoError STORAGE_UNAVAILABLE the file holds no books, was written by a newer program, or made by a
 *   migration that is not the one of this program
 */
export function migrate(db: Database, steps: readonly Migration[] = migrations): void {
  if (!isUpToDate(db, steps)) {
    const done = versionOf(db);
    recordEarlier(db, steps.slice(0, done));
    const kept = done > 0 && done < steps.length ? keepCopy(db, done) : null;
    try {
      runFrom(db, done, steps);
    } catch (error) {
      // Nothing has changed, and a start that is tried again and again must not fill the disk with copies.
      if (kept !== null && versionOf(db) === done) rmSync(kept);
      throw error;
    }
  }
  db.pragma('analysis_limit = 400');
  db.pragma('optimize = 0x10002');
}

function runFrom(db: Database, done: number, steps: readonly Migration[]): void {
  for (const [index, step] of steps.entries()) {
    if (index < done) continue;
    db.transaction(() => {
      db.exec(step.sql);
      record(db, index + 1, step);
      db.pragma(`user_version = ${index + 1}`);
    }).immediate();
  }
}

/** Whether the file has this program's shape. @throws LangoError STORAGE_UNAVAILABLE as `migrate` */
export function isUpToDate(db: Database, steps: readonly Migration[] = migrations): boolean {
  const done = versionOf(db);
  if (isForeign(db, done)) {
    throw storageError(
      `${db.name} is a database of another program. Move it away, or put a backup in its place with \`lango restore FILE\`.`,
    );
  }
  if (done > steps.length) {
    throw storageError(
      `The database was written by a newer Lango (its version ${done}, this program knows ${steps.length}). Install that version, or restore a backup.`,
    );
  }
  const changed = changedMigration(db, steps);
  if (changed !== null) {
    throw storageError(
      `The books were made by another "${changed}" than the one of this program. Install the Lango that made them, or restore a backup of this one.`,
    );
  }
  return done === steps.length && hasRecords(db);
}

/** The first of our migrations makes the ledger; before it there is nothing but, perhaps, the list of migrations. */
function isForeign(db: Database, done: number): boolean {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'")
    .pluck()
    .all();
  return done > 0 ? !tables.includes('grants') : tables.some(name => name !== 'migrations_run');
}

/** The first migration whose text has changed since it made this file; null: none has. */
export function changedMigration(db: Database, steps: readonly Migration[] = migrations): string | null {
  if (!hasRecords(db)) return null;
  const checksums = db
    .prepare<[], { version: number; checksum: string }>('SELECT version, checksum FROM migrations_run ORDER BY version')
    .all();
  for (const { version, checksum } of checksums) {
    const step = steps[version - 1];
    if (step !== undefined && checksumOf(step) !== checksum) return step.name;
  }
  return null;
}

const versionOf = (db: Database): number => db.pragma('user_version', { simple: true }) as number;

export const checksumOf = ({ sql }: Migration): string => createHash('sha256').update(sql).digest('hex');

function hasRecords(db: Database): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations_run'").get() !== undefined;
}

/** Files from before there were checksums get those of today. */
function recordEarlier(db: Database, steps: readonly Migration[]): void {
  if (hasRecords(db)) return;
  db.transaction(() => {
    db.exec(`CREATE TABLE migrations_run (
      version INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      checksum TEXT NOT NULL
    ) STRICT`);
    for (const [index, step] of steps.entries()) record(db, index + 1, step);
  }).immediate();
}

function record(db: Database, version: number, step: Migration): void {
  db.prepare('INSERT INTO migrations_run VALUES (?, ?, ?)').run(version, step.name, checksumOf(step));
}

/** @returns where it is */
function keepCopy(db: Database, version: number): string {
  const copy = `${db.name}.before-migration-${version + 1}-${process.pid}`;
  copyBooks(db, copy);
  return copy;
}
