/** Opening the one SQLite file: one connection that writes, others that cannot. */
import { chmodSync, statSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import { LangoError } from '../domain/errors.ts';
import { createPrivate, PRIVATE } from './files.ts';

export type Database = SqliteDatabase.Database;
export type Statement = SqliteDatabase.Statement;

const BUSY_TIMEOUT_MS = 5_000;
/** A long reader can make the WAL grow; after the next checkpoint the file is cut back to this. */
const LARGEST_IDLE_WAL_BYTES = 8 * 1024 * 1024;

/** Pages until the WAL is written back: as many as it is cut back to, since a page written twice meanwhile counts once. */
const CHECKPOINT_AFTER_PAGES = LARGEST_IDLE_WAL_BYTES / 4_096;
const WRITER_CACHE_KIB = 16 * 1024;

/** The one connection that writes. */
export function openForWriting(file: string): Database {
  createPrivate(file);
  for (const end of ['', '-wal', '-shm']) makePrivate(`${file}${end}`);
  const db = new SqliteDatabase(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    setUp(db);
    return db;
  } catch (error) {
    // Left to the garbage collector, it would keep its locks until then.
    db.close();
    throw error;
  }
}

function setUp(db: Database): void {
  db.pragma('journal_mode = WAL');
  // This build falls back to NORMAL in WAL mode, which may lose acknowledged commits when the power fails.
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  db.pragma(`journal_size_limit = ${LARGEST_IDLE_WAL_BYTES}`);
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_AFTER_PAGES}`);
  db.pragma(`cache_size = -${WRITER_CACHE_KIB}`);
  // Every savepoint keeps the pages it changes; in a file, which is the default, that is a second write of each.
  db.pragma('temp_store = MEMORY');
}

/** A connection that cannot change anything. */
export function openForReading(file: string): Database {
  return new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
}

/**
 * The one connection there is, for a disk that takes nothing: it needs no file for what connections share, and no
 * other can be opened beside it.
 */
export function openExclusiveForReading(file: string): Database {
  const db = new SqliteDatabase(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('query_only = ON');
  return db;
}

/** @param message what is wrong with the books or their disk, and what to do about it */
export function storageError(message: string, cause?: unknown): LangoError {
  return new LangoError('STORAGE_UNAVAILABLE', message, { cause });
}

/** SQLite's own name of what went wrong, or Node's; empty where it is neither. */
export function sqliteCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The disk is full or does not answer well: later it may. */
export const isDiskFailure = (error: unknown): boolean =>
  /^(SQLITE_(FULL|IOERR)|ENOSPC|EDQUOT|EIO)/.test(sqliteCode(error));

/** What the file holds is no database, or no longer a whole one. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode(error));

/** The file may not be written, or not be opened at all. */
export const isUnreachable = (error: unknown): boolean =>
  /^(SQLITE_(READONLY|CANTOPEN)|EACCES|EPERM|EROFS)/.test(sqliteCode(error));

/** Files from before they were made private. Whose file it is not cannot, and need not. */
function makePrivate(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? PRIVATE;
  if ((mode & 0o077) === 0) return;
  try {
    chmodSync(file, PRIVATE);
  } catch (error) {
    if (sqliteCode(error) !== 'EPERM') throw error;
  }
}
