/** `lango backup FILE`: a verified copy of the books, while the appliance runs. */
import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { backUp } from '../store/backup.ts';
import { booksFile } from './books.ts';
import { onlyArgument, print } from './command.ts';

export async function run(args: readonly string[]): Promise<void> {
  const target = resolve(onlyArgument(args, ['Give the file to write: lango backup FILE']));
  backUp(booksFile(readConfig(process.env)), target);
  print(`The backup is in ${target}, and verified.`);
}
