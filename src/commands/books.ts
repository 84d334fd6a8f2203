import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { DATABASE_FILE } from '../store/store.ts';

/** For the commands that work on the file itself. Absolute; there may be no such file. */
export const booksFile = ({ dataDir }: Config): string => join(resolve(dataDir), DATABASE_FILE);
