/** The writer thread, seen from the main thread: what was asked for, for how long, and what became of it. */
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { LangoError } from '../domain/errors.ts';
import type { Log } from '../domain/ports.ts';
import type { Instant } from '../domain/time.ts';
import type { Commit } from '../domain/transaction.ts';
import { storageError } from './database.ts';
import {
  type CommandRequest,
  type CommitReport,
  type OpenReport,
  type ProbeReport,
  unpackError,
  type WriterReport,
  type WriterStart,
  type WriterTask,
} from './writer-messages.ts';

export interface Writer {
  readonly commit: Commit;
  /** Opens the books for writing; until then every commit is refused. @throws LangoError the thread has stopped */
  open(): Promise<OpenReport>;
  /** Whether the disk takes anything, without opening the books. */
  probe(): Promise<ProbeReport>;
  /** False once the thread has stopped. */
  isThere(): boolean;
  /** False until the books are open, and after a commit that failed or took too long, until one succeeds. */
  isSaving(): boolean;
  optimize(): void;
  /** Finishes what was asked for, checkpoints, closes. */
  close(): Promise<void>;
}

export interface WriterOptions {
  start: WriterStart;
  /** As `new Worker` wants it. */
  workerFile: string;
  /** The clock that commands go by. */
  now: () => Instant;
  log: Log;
  /** Called with each commit, before its commands are answered. */
  onCommit: (report: CommitReport) => void;
  onLost: (cause: unknown) => void;
}

interface Waiting {
  /** Monotonic milliseconds. */
  since: number;
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

/** More waiting than this means the disk has stopped: better a clear refusal than an endless queue. */
const MOST_WAITING = 10_000;
/** A request is answered within 10 s: a disk that takes longer is as good as none. Looked at every second. */
const TIMEOUT_MS = 7_000;
const TOO_SLOW = 'This was not saved in time. It may be yet: please look again in a minute before you repeat it.';
const NOT_OPEN = 'The appliance cannot save anything now: its disk is full or broken. Please try again in a minute.';

export function startWriter({ start, workerFile, now, log, onCommit, onLost }: WriterOptions): Writer {
  const worker = new Worker(workerFile, { workerData: start });
  /** In the order of the commands and of their answers. One that was rejected for a timeout keeps its place. */
  const waiting: Waiting[] = [];
  let outgoing: CommandRequest[] = [];
  let isOpen = false;
  let lost: LangoError | null = null;
  let saving = true;
  /** True: one transaction has taken longer than requests wait. Its commands may still be saved. */
  let stuck = false;
  /** Who waits for the answer to a task; they are sent one at a time. */
  let task: { resolve(report: never): void; reject(error: LangoError): void } | null = null;

  const rejectAll = (error: LangoError) => {
    for (const { reject } of waiting) reject(error);
  };
  const lose = (cause: unknown) => {
    lost ??= storageError('The writer thread has stopped.', cause);
    rejectAll(lost);
    task?.reject(lost);
    task = null;
  };
  const answerAll = (report: CommitReport) => {
    const { replies } = report;
    onCommit(report);
    stuck = false;
    saving = !replies.some(reply => 'error' in reply && reply.error.code === 'STORAGE_UNAVAILABLE');
    for (const reply of replies) {
      const asked = waiting.shift();
      if ('error' in reply) asked?.reject(unpackError(reply.error));
      else asked?.resolve(reply.value as never);
    }
  };
  worker.on('message', (report: WriterReport) => {
    if ('replies' in report) return answerAll(report);
    if ('failure' in report) isOpen = report.failure === null;
    task?.resolve(report as never);
    task = null;
  });
  const stopped = (cause: unknown) => {
    if (lost !== null) return;
    log.error({ err: cause }, 'writer.lost');
    lose(cause);
    onLost(cause);
  };
  const exited = (code: number) => stopped(new Error(`The writer thread ended with ${code}.`));
  worker.on('error', stopped);
  worker.on('exit', exited);

  const watchdog = setInterval(() => {
    const [oldest] = waiting;
    if (stuck || oldest === undefined || performance.now() - oldest.since < TIMEOUT_MS) return;
    stuck = true;
    saving = false;
    rejectAll(storageError(TOO_SLOW));
  }, 1_000).unref();

  const send = (message: WriterTask) => worker.postMessage(message);
  const ask = <Report>(message: WriterTask) =>
    new Promise<Report>((resolve, reject) => {
      if (lost !== null) return reject(lost);
      task = { resolve, reject };
      send(message);
    });
  // Commands of one turn of the event loop go in one message, and so into one group commit.
  const flush = () => {
    worker.postMessage(outgoing);
    outgoing = [];
  };

  return {
    commit: (name: CommandRequest['name'], input: unknown, actor: CommandRequest['actor'] = null) =>
      new Promise((resolve, reject) => {
        if (lost !== null) return reject(lost);
        if (!isOpen) return reject(storageError(NOT_OPEN));
        if (stuck || waiting.length === MOST_WAITING) return reject(storageError('Too much is waiting for the disk.'));
        waiting.push({ since: performance.now(), resolve, reject });
        if (outgoing.push({ name, input, now: now(), actor }) === 1) setImmediate(flush);
      }),
    open: () => ask('open'),
    probe: () => ask('probe'),
    isThere: () => lost === null,
    isSaving: () => lost === null && isOpen && saving,
    optimize() {
      if (lost === null) send('optimize');
    },
    async close() {
      clearInterval(watchdog);
      if (lost !== null) return;
      worker.off('exit', exited);
      const ended = once(worker, 'exit');
      if (outgoing.length > 0) flush();
      send('close');
      await ended;
      lose('closed');
    },
  };
}
