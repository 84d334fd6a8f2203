/**
 * Copies of the books: a backup while the appliance runs, and the way back. Meant for a process of its own: `VACUUM
 * INTO` takes seconds on a large file, and blocks its thread.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { LangoError, messageOf } from '../domain/errors.ts';
import { openForReading, sqliteCode, storageError } from './database.ts';
import { copyBooks, flush } from './files.ts';
import { holdFolder, inUse, isDatabaseFile, refuseToOverwriteBooks } from './folder.ts';
import { isUpToDate } from './migrate.ts';

/**
 * Writes a verified copy of the books. What is at the target already stays until the copy is whole and on the disk.
 * @throws LangoError STORAGE_UNAVAILABLE no books there, the copy would overwrite them, cannot be written or is not sound
 */
export function backUp(file: string, target: string): void {
  const unfinished = `${target}.unfinished`;
  try {
    refuseToOverwriteBooks(file, target);
    copy(file, unfinished);
    verify(unfinished);
    renameSync(unfinished, target);
    flush(dirname(target));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw failure('The backup could not be written', error);
  }
}

/** What SQLite keeps beside a file, and the file itself first: without its log it must not pass for whole. */
const PARTS = ['', '-wal', '-shm', '-journal'];

/**
 * Puts a backup in the place of the books, whatever is left of them. The appliance must be stopped.
 * @param stamp becomes part of the name under which the replaced file is kept, with what lay beside it
 * @returns where the replaced file is; null: there was none
 * @throws LangoError STORAGE_UNAVAILABLE the backup is not sound, or the books are in use
 */
export function restore(source: string, file: string, stamp: string): string | null {
  const hold = holdFolder(dirname(file));
  try {
    verifyBackup(source, file);
    const incoming = `${file}.incoming`;
    copy(source, incoming);
    verify(incoming);
    refuseIfOpen(file);
    const kept = `${file}.replaced-${stamp}`;
    const parts = PARTS.filter(end => existsSync(file + end));
    for (const end of parts) renameSync(file + end, kept + end);
    renameSync(incoming, file);
    flush(dirname(file));
    verify(file);
    return parts.length === 0 ? null : kept;
  } catch (error) {
    rmSync(`${file}.incoming`, { force: true });
    throw failure(`${source} was not restored`, error);
  } finally {
    hold.release();
  }
}

function verifyBackup(source: string, file: string): void {
  try {
    if (resolve(source) === resolve(file)) throw new Error('these are the books themselves');
    verify(source);
  } catch (error) {
    throw storageError(`${source} is no sound backup: ${messageOf(error)}`, error);
  }
}

/** A command beside the appliance may have them open, without holding the folder. */
function refuseIfOpen(file: string): void {
  // Beside what is no database, SQLite would delete the log.
  if (!isDatabaseFile(file)) return;
  const db = new SqliteDatabase(file, { timeout: 0 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE; COMMIT');
  } catch (error) {
    // What cannot be opened for another reason is just what is to be replaced.
    if (sqliteCode(error).startsWith('SQLITE_BUSY')) throw inUse(dirname(file), error);
  } finally {
    db.close();
  }
}

function copy(source: string, target: string): void {
  const db = openForReading(source);
  try {
    copyBooks(db, target);
  } finally {
    db.close();
  }
}

function verify(file: string): void {
  const db = new SqliteDatabase(file, { readonly: true, fileMustExist: true });
  try {
    const found = db.pragma('integrity_check', { simple: true });
    if (found !== 'ok') throw new Error(String(found));
    if (db.pragma('user_version', { simple: true }) === 0) throw new Error('it does not hold the books of Lango');
    // Else the appliance would refuse, at its next start, what has just been put in place.
    isUpToDate(db);
  } finally {
    db.close();
  }
}

/** What went wrong in words for people already stays as it is. */
function failure(what: string, error: unknown): LangoError {
  return error instanceof LangoError ? error : storageError(`${what}: ${messageOf(error)}`, error);
}
