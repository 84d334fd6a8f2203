/** Opening the one SQLite file: one connection that writes, others that cannot. */
import SqliteDatabase from 'better-sqlite3';

export type Database = SqliteDatabase.Database;
export type Statement = SqliteDatabase.Statement;

const BUSY_TIMEOUT_MS = 5_000;
/** A long reader can make the WAL grow; after the next checkpoint the file is cut back to this. */
const LARGEST_IDLE_WAL_BYTES = 16 * 1024 * 1024;

/** Pages until the WAL is written back: as many as it is cut back to, since a page written twice meanwhile counts once. */
const CHECKPOINT_AFTER_PAGES = LARGEST_IDLE_WAL_BYTES / 4_096;
const WRITER_CACHE_KIB = 16 * 1024;

/** The one connection that writes. */
export function openForWriting(file: string): Database {
  const db = new SqliteDatabase(file, { timeout: BUSY_TIMEOUT_MS });
  db.pragma('journal_mode = WAL');
  // This build falls back to NORMAL in WAL mode, which may lose acknowledged commits when the power fails.
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  db.pragma(`journal_size_limit = ${LARGEST_IDLE_WAL_BYTES}`);
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_AFTER_PAGES}`);
  db.pragma(`cache_size = -${WRITER_CACHE_KIB}`);
  // Every savepoint keeps the pages it changes; in a file, which is the default, that is a second write of each.
  db.pragma('temp_store = MEMORY');
  return db;
}

/** A connection that cannot change anything. */
export function openForReading(file: string): Database {
  return new SqliteDatabase(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
}
