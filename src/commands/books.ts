/** Where the books are, for the commands that work on the file itself. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DATABASE_FILE } from '../store/store.ts';
import { configuration } from './serve.ts';

/** Its folder is there, the file perhaps not. @throws UsageError the configuration is wrong */
export function databaseFile(): string {
  const { dataDir } = configuration();
  mkdirSync(dataDir, { recursive: true, mode: 0o750 });
  return join(resolve(dataDir), DATABASE_FILE);
}
