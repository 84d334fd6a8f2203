/** Files of the books: they hold phone numbers and secrets, so nobody but their owner may read them. */
import { chownSync, closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from './database.ts';

export const PRIVATE = 0o600;

/**
 * Makes an empty file that only its owner may read, unless there is one. That one is not opened at all: to
 * close it again would end the locks that this process has on it.
 */
export function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', PRIVATE));
    giveToFolderOwner(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A whole copy of the books at a new file, on the disk when this returns; none when it throws. */
export function copyBooks(db: Database, target: string): void {
  rmSync(target, { force: true });
  try {
    createPrivate(target);
    db.prepare('VACUUM INTO ?').run(target);
    flush(target);
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  }
}

/** @param path a file or a folder */
export function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** What root makes with a command, the appliance must be able to use under its own user. */
function giveToFolderOwner(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  if (uid !== 0) chownSync(file, uid, gid);
}
