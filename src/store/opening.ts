/** Checks when the books are opened, and their errors as sentences that name the fix. */
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { LangoError, messageOf } from '../domain/errors.ts';
import { type Database, isDamage, isDiskFailure, isUnreachable, storageError } from './database.ts';
import { PRIVATE } from './files.ts';
import { diskUnwritable, notWritable } from './folder.ts';

/** A file of this size is looked through in a third of a second; of larger ones, `lango doctor` does it. */
const QUICK_CHECK_BYTES = 64 * 1024 * 1024;
/** Less than this is no room: it would be gone with the next sales. */
const PROBE_BYTES = 1024 * 1024;

/** @throws an error with SQLite's code for damage */
export function checkWhole(db: Database): void {
  if (statSync(db.name).size > QUICK_CHECK_BYTES) return;
  const found = db.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw Object.assign(new Error(String(found)), { code: 'SQLITE_CORRUPT' });
}

/** Whether the disk takes anything at present, found out beside the books. */
export function hasRoom(file: string): boolean {
  const probe = `${file}.probe`;
  try {
    const descriptor = openSync(probe, 'w', PRIVATE);
    try {
      writeSync(descriptor, Buffer.alloc(PROBE_BYTES));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** In words that say what to do. */
export function openingError(file: string, error: unknown): LangoError {
  if (error instanceof LangoError) return error;
  if (isUnreachable(error)) return notWritable(file, error);
  if (isDiskFailure(error)) return diskUnwritable(file, error);
  return storageError(sentence(file, error), error);
}

function sentence(file: string, error: unknown): string {
  const words = messageOf(error);
  if (isDamage(error)) {
    return `The books in ${file} are damaged (${words}). Put a backup in their place with \`lango restore FILE\`; what is there now is kept.`;
  }
  return `The books in ${file} cannot be opened: ${words}.`;
}
