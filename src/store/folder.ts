/** The data folder: held by one process at a time, and never silently begun anew where there were books. */
import { closeSync, mkdirSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { LangoError } from '../domain/errors.ts';
import { sqliteCode } from './database.ts';
import { createPrivate } from './files.ts';

export const DATABASE_FILE = 'lango.db';
const LOCK_FILE = 'lango.lock';

export interface FolderHold {
  release(): void;
}

/**
 * Until it is released or the process ends, however it ends: the lock is the operating system's, and the file that
 * bears it stays empty.
 * @throws LangoError STORAGE_UNAVAILABLE another process holds the folder, or this user may not write there
 */
export function holdFolder(dataDir: string): FolderHold {
  const file = join(dataDir, LOCK_FILE);
  let lock: SqliteDatabase.Database | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o750 });
    createPrivate(file);
    lock = new SqliteDatabase(file, { timeout: 0 });
    lock.pragma('locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    throw sqliteCode(error).startsWith('SQLITE_BUSY') ? inUse(dataDir, error) : notWritable(dataDir, error);
  }
  const held = lock;
  return { release: () => void held.close() };
}

export function inUse(dataDir: string, cause: unknown): LangoError {
  return new LangoError(
    'STORAGE_UNAVAILABLE',
    `The books in ${dataDir} are in use by another Lango. Stop the appliance first (systemctl stop lango), or name another folder in LANGO_DATA_DIR.`,
    { cause },
  );
}

export function notWritable(path: string, cause: unknown): LangoError {
  return new LangoError(
    'STORAGE_UNAVAILABLE',
    `${path} cannot be written by this user: give it to the user Lango runs as (chown), or name another folder in LANGO_DATA_DIR.`,
    { cause },
  );
}

/**
 * Books that are missing or empty are new ones only where nothing says that there were others.
 * @throws LangoError STORAGE_UNAVAILABLE a log of changes, a backup or an earlier file is there
 */
export function refuseToBeginAnew(file: string): void {
  if (sizeOf(file) > 0) return;
  const folder = dirname(file);
  const traces = readdirSync(folder).filter(name => isTrace(join(folder, name), name));
  if (traces.length === 0) return;
  throw new LangoError(
    'STORAGE_UNAVAILABLE',
    `${file} is missing or empty, but ${traces.join(', ')} beside it show that there were books. Restore a backup with \`lango restore FILE\`, or move these files to another folder to begin anew.`,
  );
}

const BESIDE_BOOKS = /^lango\.db(-wal|-shm|\.replaced-.*|\.before-migration-.*|\.incoming)$/;
const SQLITE_BEGINS_WITH = Buffer.from('SQLite format 3\0');

function isTrace(path: string, name: string): boolean {
  if (name === DATABASE_FILE || name === LOCK_FILE) return false;
  return BESIDE_BOOKS.test(name) || beginsAsDatabase(path);
}

/** False also where there is no such file, or it cannot be read. */
export function beginsAsDatabase(path: string): boolean {
  try {
    return statSync(path).isFile() && firstBytes(path, SQLITE_BEGINS_WITH.length).equals(SQLITE_BEGINS_WITH);
  } catch {
    return false;
  }
}

function firstBytes(path: string, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, bytes, 0, count, 0);
  } finally {
    closeSync(descriptor);
  }
  return bytes;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
