/**
 * The books: reads on a read-only connection of the main thread, writes as named commands in the writer thread. On a
 * disk that takes nothing they can still be read, and the writer follows once it does.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../domain/ports.ts';
import type { Instant } from '../domain/time.ts';
import type { Commit, Policy, Reads } from '../domain/transaction.ts';
import { type Database, isDamage, openExclusiveForReading, openForReading, storageError } from './database.ts';
import { DATABASE_FILE, holdFolder, refuseIfBooksAreMissing } from './folder.ts';
import { isUpToDate } from './migrate.ts';
import { openingError } from './opening.ts';
import { latestReads, type ReadConnection, readConnectionOf } from './read-connection.ts';
import { startWriter } from './writer.ts';
import { unpackError } from './writer-messages.ts';

export { DATABASE_FILE } from './folder.ts';

export interface Store {
  readonly file: string;
  readonly reads: Reads;
  /** Another number with every commit: what was made of the books is right for as long as it stays the same. */
  revision(): number;
  readonly commit: Commit;
  /** True while the file can be read and the writer is there. */
  isWorking(): boolean;
  /** False after a commit that failed or took too long, until one succeeds. */
  isSaving(): boolean;
  /** Refreshes the statistics that query plans are chosen by; meant for once a day. */
  optimize(): void;
  /** Finishes what was asked for, checkpoints, closes. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Made if it is not there. */
  dataDir: string;
  policy: Policy;
  /** The file of `writer-worker`, as `new Worker` wants it. */
  workerFile: string;
  /** The clock that commands go by. */
  now: () => Instant;
  log: Log;
  /** Called when the writer is gone for good: the process had better start again. */
  onWriterLost?: (cause: unknown) => void;
  /** For a command that works beside a running appliance; otherwise the folder is held for as long as the store is open. */
  isBeside?: boolean;
}

/** How soon a disk that takes nothing is tried again. */
const RETRY_MS = 3_000;

/**
 * Waits, for as long as it takes, for a disk that neither takes anything nor has books of this program's shape to read.
 * @throws LangoError STORAGE_UNAVAILABLE the folder is in use or not writable, the books are lost, damaged, or were
 *   written by a newer program
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { dataDir, isBeside = false } = options;
  const hold = isBeside ? null : holdFolder(dataDir);
  try {
    const file = join(dataDir, DATABASE_FILE);
    refuseIfBooksAreMissing(file);
    return await openBooks(file, options, () => hold?.release());
  } catch (error) {
    hold?.release();
    throw error;
  }
}

async function openBooks(file: string, options: StoreOptions, release: () => void): Promise<Store> {
  const { policy, workerFile, now, log, onWriterLost } = options;
  const closing = new AbortController();
  let connection: ReadConnection | null = null;
  let revision = 0;
  const writer = startWriter({
    start: { file, policy },
    workerFile,
    now,
    log,
    onCommit({ changedStandings }) {
      connection?.forget(changedStandings);
      revision += 1;
    },
    onLost: cause => onWriterLost?.(cause),
  });

  /** @returns whether the books can be written from now on; if not, whether they can be read is seen by `connection` */
  async function open(): Promise<boolean> {
    const { failure, mayPass } = await writer.open();
    if (failure !== null && !mayPass) throw unpackError(failure);
    if (failure === null) connection = readConnectionOf(openForReading(file));
    else {
      log.error({ problem: failure.message }, 'store.not_saving');
      const db = tryOpenExclusive(file);
      connection = db === null ? null : readConnectionOf(db);
    }
    return failure === null;
  }

  async function followUp(): Promise<void> {
    for (;;) {
      await delay(RETRY_MS, undefined, { signal: closing.signal, ref: false });
      if (!(await writer.probe()).hasRoom) continue;
      connection?.db.close();
      connection = null;
      if (await open()) break;
    }
    revision += 1;
    log.info({}, 'store.saving_again');
  }

  let isSaving: boolean;
  try {
    isSaving = await open();
    while (connection === null) {
      await delay(RETRY_MS);
      isSaving = await open();
    }
  } catch (error) {
    await writer.close();
    throw error;
  }
  if (!isSaving) {
    followUp().catch((error: unknown) => {
      if (closing.signal.aborted) return;
      log.error({ err: error }, 'store.lost');
      onWriterLost?.(error);
    });
  }

  const present = (): ReadConnection => {
    if (connection === null) throw storageError('The books are being opened. Please try again in a moment.');
    return connection;
  };
  const { reads } = present();
  return {
    file,
    reads: isSaving ? reads : latestReads(() => present().reads),
    revision: () => revision,
    commit: writer.commit,
    isWorking() {
      try {
        present().checkReadable();
        return writer.isThere();
      } catch {
        return false;
      }
    },
    isSaving: writer.isSaving,
    optimize: writer.optimize,
    async close() {
      closing.abort();
      connection?.db.close();
      await writer.close();
      release();
    },
  };
}

/** @returns null: they cannot be read without having been written before */
function tryOpenExclusive(file: string): Database | null {
  let db: Database | undefined;
  try {
    db = openExclusiveForReading(file);
    if (isUpToDate(db)) return db;
  } catch (error) {
    db?.close();
    if (isDamage(error)) throw openingError(file, error);
    return null;
  }
  db.close();
  return null;
}
