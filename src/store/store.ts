/**
 * The books: reads on a read-only connection of the main thread, writes as named commands in the writer thread.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { LangoError } from '../domain/errors.ts';
import type { Log } from '../domain/ports.ts';
import type { Commit, Policy, Reads } from '../domain/transaction.ts';
import { openForReading } from './database.ts';
import { rememberStandings } from './remembered-standings.ts';
import { readsOf } from './repositories.ts';
import { WaitingCommands } from './waiting.ts';
import {
  type CommandRequest,
  type CommitReport,
  unpackError,
  type WriterMessage,
  type WriterStart,
} from './writer-messages.ts';

export interface Store {
  readonly file: string;
  readonly reads: Reads;
  readonly commit: Commit;
  /** True while the file can be read and the writer is there. */
  isWorking(): boolean;
  /** False from a commit that the disk did not take, or not in time, until one that it did. */
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
  log: Log;
  /** Called when the writer is gone for good: the process had better start again. */
  onWriterLost?: (cause: unknown) => void;
}

export const DATABASE_FILE = 'lango.db';

/** More waiting than this means the disk has stopped: better a clear refusal than an endless queue. */
const MOST_WAITING = 10_000;
/** A request is answered within 10 s: a disk that takes longer is as good as none. Looked at every second. */
const PATIENCE_MS = 7_000;
const TOO_SLOW = 'This was not saved in time. It may be yet: please look again in a minute before you repeat it.';

/** @throws LangoError STORAGE_UNAVAILABLE the file cannot be opened, or was written by a newer program */
export async function openStore({ dataDir, policy, workerFile, log, onWriterLost }: StoreOptions): Promise<Store> {
  mkdirSync(dataDir, { recursive: true, mode: 0o750 });
  const file = join(dataDir, DATABASE_FILE);
  const worker = new Worker(workerFile, { workerData: { file, policy } satisfies WriterStart });
  await writerReady(worker);

  const reader = openForReading(file);
  const reads = readsOf(reader);
  const aRow = reader.prepare("SELECT value FROM settings WHERE name = 'heartbeat'");
  const standings = rememberStandings(reader);
  let revision = 0;

  const waiting = new WaitingCommands(MOST_WAITING);
  let outgoing: CommandRequest[] = [];
  let lost: LangoError | null = null;
  let saving = true;
  /** The writer has been at one transaction for longer than anybody waits; what it was given, it still has. */
  let stuck = false;

  const loseWriter = (cause: unknown) => {
    lost ??= storageError('The writer thread has stopped.', cause);
    waiting.rejectAll(lost);
  };
  worker.on('message', ({ replies, changedStandings }: CommitReport) => {
    standings.forget(changedStandings);
    revision += 1;
    stuck = false;
    saving = !replies.some(reply => 'error' in reply && reply.error.code === 'STORAGE_UNAVAILABLE');
    for (const reply of replies) {
      const asked = waiting.take(reply.id);
      if ('error' in reply) asked?.reject(unpackError(reply.error));
      else asked?.resolve(reply.value as never);
    }
  });
  worker.on('error', cause => {
    log.error({ err: cause }, 'writer.lost');
    loseWriter(cause);
    onWriterLost?.(cause);
  });

  const patience = setInterval(() => {
    const { oldest } = waiting;
    if (stuck || oldest === undefined || performance.now() - oldest.since < PATIENCE_MS) return;
    stuck = true;
    saving = false;
    waiting.rejectAll(storageError(TOO_SLOW));
  }, 1_000).unref();

  // What one turn of the event loop asks for leaves in one message, and so meets in one group commit.
  const flush = () => {
    worker.postMessage(outgoing);
    outgoing = [];
  };
  const commit = ((name: CommandRequest['name'], input: unknown) =>
    new Promise((resolve, reject) => {
      if (lost !== null) return reject(lost);
      if (stuck || !waiting.hasRoom) return reject(storageError('Too much is waiting for the disk.'));
      const id = waiting.add({ since: performance.now(), resolve, reject });
      if (outgoing.push({ id, name, input }) === 1) setImmediate(flush);
    })) as Commit;

  return {
    file,
    reads: { ...reads, standings, revision: () => revision },
    commit,
    isWorking() {
      try {
        return lost === null && aRow.all() !== undefined;
      } catch {
        return false;
      }
    },
    isSaving: () => lost === null && saving,
    optimize() {
      if (lost === null) worker.postMessage('optimize' satisfies WriterMessage);
    },
    async close() {
      clearInterval(patience);
      reader.close();
      if (lost !== null) return;
      const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()));
      if (outgoing.length > 0) flush();
      worker.postMessage('close');
      await ended;
      loseWriter('closed');
    },
  };
}

function writerReady(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown) => {
      reject(cause instanceof LangoError ? cause : storageError(messageOf(cause), cause));
    };
    worker.once('error', failed);
    worker.once('message', () => {
      worker.off('error', failed);
      resolve();
    });
  });
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function storageError(message: string, cause?: unknown): LangoError {
  return new LangoError('STORAGE_UNAVAILABLE', message, { cause });
}
