/**
 * Copies of the books: a backup while the appliance runs, and the way back. Meant for a process of its own: `VACUUM
 * INTO` takes seconds on a large file, and holds up whoever calls it.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { LangoError } from '../domain/errors.ts';
import { openForReading } from './database.ts';
import { migrations } from './migrations/index.ts';

/**
 * Writes a verified copy of the books. What is at the target already stays until the copy is whole and on the disk.
 * @throws LangoError STORAGE_UNAVAILABLE no books there, or the copy cannot be written or is not sound
 */
export function backUp(file: string, target: string): void {
  const unfinished = `${target}.unfinished`;
  try {
    rmSync(unfinished, { force: true });
    const db = openForReading(file);
    try {
      db.prepare('VACUUM INTO ?').run(unfinished);
    } finally {
      db.close();
    }
    verify(unfinished);
    flush(unfinished);
    renameSync(unfinished, target);
    flush(dirname(target));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw storageError(`The backup could not be written: ${messageOf(error)}`, error);
  }
}

/**
 * Puts a backup in the place of the books. The appliance must be stopped.
 * @param stamp becomes part of the name under which the replaced file is kept
 * @returns where the replaced file is; null: there was none
 * @throws LangoError STORAGE_UNAVAILABLE the backup is not sound, or the books are in use
 */
export function restore(source: string, file: string, stamp: string): string | null {
  try {
    verify(source);
  } catch (error) {
    throw storageError(`${source} is no sound backup: ${messageOf(error)}`, error);
  }
  const kept = existsSync(file) ? `${file}.replaced-${stamp}` : null;
  if (kept !== null) takeOut(file);
  const incoming = `${file}.incoming`;
  rmSync(incoming, { force: true });
  const db = openForReading(source);
  try {
    db.prepare('VACUUM INTO ?').run(incoming);
  } finally {
    db.close();
  }
  flush(incoming);
  if (kept !== null) renameSync(file, kept);
  renameSync(incoming, file);
  flush(dirname(file));
  return kept;
}

/** Folds the WAL into the file, which needs nobody else to have it open. */
function takeOut(file: string): void {
  const db = new SqliteDatabase(file, { timeout: 0 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE; COMMIT');
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.pragma('journal_mode = DELETE');
  } catch (error) {
    throw storageError('The books are in use. Stop the appliance first: systemctl stop lango', error);
  } finally {
    db.close();
  }
}

function verify(file: string): void {
  const db = new SqliteDatabase(file, { readonly: true, fileMustExist: true });
  try {
    const found = db.pragma('integrity_check', { simple: true });
    if (found !== 'ok') throw new Error(String(found));
    const version = db.pragma('user_version', { simple: true }) as number;
    if (version === 0) throw new Error('it does not hold the books of Lango');
    if (version > migrations.length) throw new Error('it was written by a newer Lango');
  } finally {
    db.close();
  }
}

/** @param path a file or a folder */
function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function storageError(message: string, cause: unknown): LangoError {
  return cause instanceof LangoError ? cause : new LangoError('STORAGE_UNAVAILABLE', message, { cause });
}
