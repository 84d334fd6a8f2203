/** The data folder: locked by one process at a time. Missing books are never replaced by empty ones silently. */
import {
  accessSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { type LangoError, messageOf } from '../domain/errors.ts';
import { isDiskFailure, sqliteCode, storageError } from './database.ts';
import { createPrivate } from './files.ts';

export const DATABASE_FILE = 'lango.db';
const LOCK_FILE = 'lango.lock';

export interface FolderHold {
  release(): void;
}

/**
 * Until it is released or the process ends, however it ends: the lock is the operating system's, and the file that
 * bears it stays empty.
 * @throws LangoError STORAGE_UNAVAILABLE another process holds the folder, or it cannot be written
 */
export function holdFolder(dataDir: string): FolderHold {
  const file = join(dataDir, LOCK_FILE);
  let lock: SqliteDatabase.Database | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o750 });
    createPrivate(file);
    lock = new SqliteDatabase(file, { timeout: 0 });
    lock.pragma('locking_mode = EXCLUSIVE');
    // A journal beside it would need room on a disk that may have none.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    if (sqliteCode(error).startsWith('SQLITE_BUSY')) throw inUse(dataDir, error);
    throw isDiskFailure(error) ? diskUnwritable(dataDir, error) : notWritable(dataDir, error);
  }
  const held = lock;
  return { release: () => void held.close() };
}

export function inUse(dataDir: string, cause: unknown): LangoError {
  return storageError(
    `The books in ${dataDir} are in use by another Lango. Stop the appliance first (systemctl stop lango), or name another folder in LANGO_DATA_DIR.`,
    cause,
  );
}

export function diskUnwritable(path: string, cause: unknown): LangoError {
  return storageError(
    `The disk of ${path} does not take anything (${messageOf(cause)}): make room, or replace it. Until then nothing can be sold.`,
    cause,
  );
}

export function notWritable(path: string, cause: unknown): LangoError {
  return storageError(`${path} ${obstacle(path, cause)}`, cause);
}

function obstacle(path: string, cause: unknown): string {
  const code = codeOfWriting(path) || sqliteCode(cause);
  if (code === 'EROFS') {
    return 'is on a disk that takes no writing, as Linux makes one that fails: look at `dmesg`, and mend or replace the disk.';
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'is no folder: name one in LANGO_DATA_DIR.';
  return 'cannot be written by this user: give it to the user Lango runs as (chown), or name another folder in LANGO_DATA_DIR.';
}

/** SQLite does not tell a file of somebody else from a disk that may only be read. */
function codeOfWriting(path: string): string {
  try {
    accessSync(path, constants.W_OK);
    return '';
  } catch (error) {
    return sqliteCode(error);
  }
}

/** Files that a running appliance opens, rewrites or removes. */
const OURS = /^lango\.(db|lock)/;

/** @throws LangoError STORAGE_UNAVAILABLE a copy at that path would take the place of the books, or of what is beside them */
export function refuseToOverwriteBooks(file: string, target: string): void {
  const isBeside = realpathSync(dirname(target)) === realpathSync(dirname(file));
  if (!isBeside || !OURS.test(basename(target))) return;
  throw storageError(`${target} belongs to the books themselves. Name another file, best on another disk.`);
}

/**
 * Books that are missing or empty are new ones only where nothing says that there were others.
 * @throws LangoError STORAGE_UNAVAILABLE a log of changes, a backup or an earlier file is there
 */
export function refuseIfBooksAreMissing(file: string): void {
  if (sizeOf(file) > 0) return;
  const folder = dirname(file);
  const traces = readdirSync(folder).filter(name => isTrace(join(folder, name), name));
  if (traces.length === 0) return;
  throw storageError(
    `${file} is missing or empty, but ${traces.join(', ')} beside it show that there were books. Restore a backup with \`lango restore FILE\`, or move these files to another folder to begin anew.`,
  );
}

const BESIDE_BOOKS = /^lango\.db(-wal|-shm|\.replaced-.*|\.before-migration-.*|\.incoming)$/;
const SQLITE_BEGINS_WITH = Buffer.from('SQLite format 3\0');

function isTrace(path: string, name: string): boolean {
  if (name === DATABASE_FILE || name === LOCK_FILE) return false;
  return BESIDE_BOOKS.test(name) || isDatabaseFile(path);
}

/** False also where there is no such file, or it cannot be read. */
export function isDatabaseFile(path: string): boolean {
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
