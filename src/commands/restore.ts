/** `lango restore FILE`: puts a backup in the place of the books, and keeps what it replaces. */
import { resolve } from 'node:path';
import { systemClock } from '../domain/time.ts';
import { restore } from '../store/backup.ts';
import { databaseFile } from './books.ts';
import { UsageError } from './command.ts';

export async function run(args: readonly string[]): Promise<void> {
  const [file, ...rest] = args;
  if (file === undefined || rest.length > 0) throw new UsageError(['Give the backup to restore: lango restore FILE']);
  const stamp = systemClock.now().replace(/[:.]/g, '-');
  const kept = restore(resolve(file), databaseFile(), stamp);
  process.stdout.write(`Restored.${kept === null ? '' : ` What was there before is kept in ${kept}.`}\n`);
}
