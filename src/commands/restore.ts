/** `lango restore FILE`: puts a backup in the place of the books, and keeps what it replaces. */
import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { systemClock } from '../domain/time.ts';
import { restore } from '../store/backup.ts';
import { booksFile } from './books.ts';
import { onlyArgument, print } from './command.ts';

export async function run(args: readonly string[]): Promise<void> {
  const backup = resolve(onlyArgument(args, ['Give the backup to restore: lango restore FILE']));
  const stamp = systemClock.now().replace(/[:.]/g, '-');
  const kept = restore(backup, booksFile(readConfig(process.env)), stamp);
  print(`Restored.${kept === null ? '' : ` What was there before is kept in ${kept}.`}`);
}
