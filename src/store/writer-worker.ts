/**
 * The single writer: a thread of its own, so that nothing in the event loop ever waits for a disk.
 *
 * It takes whatever commands have arrived, runs them in one transaction, commits once with `synchronous=FULL`, and
 * only then answers them all. A command that throws undoes itself alone.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { runCommand } from '../domain/commands.ts';
import type { Policy } from '../domain/transaction.ts';
import { type Database, isDamage, isDiskFailure, isUnreachable, openForWriting, storageError } from './database.ts';
import { migrate } from './migrate.ts';
import { checkWhole, hasRoom, openingError } from './opening.ts';
import { transactionsOf } from './repositories.ts';
import { watchStandings } from './standings.ts';
import {
  type CommandReply,
  type CommandRequest,
  type CommitReport,
  type OpenReport,
  type ProbeReport,
  packError,
  type WriterMessage,
  type WriterStart,
  type WriterTask,
} from './writer-messages.ts';

/** What one transaction takes at most, so that the first to ask does not wait for hundreds. */
const LARGEST_GROUP = 128;

interface Opened {
  db: Database;
  runGroup: (requests: readonly CommandRequest[]) => CommitReport;
}

function start(port: MessagePort): void {
  const { file, policy } = workerData as WriterStart;
  let opened: Opened | null = null;

  function open(): OpenReport {
    let db: Database | undefined;
    try {
      db = openForWriting(file);
      checkWhole(db);
      migrate(db);
      opened = { db, runGroup: groupRunner(db, policy) };
      return { failure: null, mayPass: false };
    } catch (error) {
      db?.close();
      return { failure: packError(openingError(file, error)), mayPass: isDiskFailure(error) };
    }
  }

  function doTask(task: WriterTask): void {
    if (task === 'open') port.postMessage(open());
    else if (task === 'probe') port.postMessage({ hasRoom: hasRoom(file) } satisfies ProbeReport);
    else if (task === 'optimize' && opened !== null) optimize(opened.db);
    else if (task === 'close') {
      if (opened !== null) close(opened.db);
      port.close();
    }
  }

  port.on('message', (first: WriterMessage) => {
    for (const turn of turnsOf(port, first)) {
      if (typeof turn === 'string') doTask(turn);
      else if (opened !== null) port.postMessage(opened.runGroup(turn));
    }
  });
}

/** Everything that waits at the port, in its order: groups of commands, and tasks. */
function* turnsOf(port: MessagePort, first: WriterMessage): Generator<CommandRequest[] | WriterTask> {
  let group: CommandRequest[] = [];
  for (let message: WriterMessage | undefined = first; message !== undefined; message = next(port)) {
    const requests = typeof message === 'string' ? [] : message;
    for (const request of requests) {
      if (group.push(request) < LARGEST_GROUP) continue;
      yield group;
      group = [];
    }
    if (typeof message !== 'string') continue;
    if (group.length > 0) yield group;
    group = [];
    yield message;
    if (message === 'close') return;
  }
  if (group.length > 0) yield group;
}

function next(port: MessagePort): WriterMessage | undefined {
  return receiveMessageOnPort(port)?.message;
}

/** Runs a group in one transaction; its report is sent once the disk has it. */
function groupRunner(db: Database, policy: Policy): (requests: readonly CommandRequest[]) => CommitReport {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const savepoint = db.prepare('SAVEPOINT command');
  const release = db.prepare('RELEASE command');
  const rollbackTo = db.prepare('ROLLBACK TO command');
  const transaction = transactionsOf(db, policy);
  const changedStandings = watchStandings(db);

  function run({ name, input, now, actor }: CommandRequest): CommandReply {
    return { value: runCommand(transaction(now, actor), name, input) };
  }

  /** @throws when the transaction as a whole is lost (disk full, I/O error) */
  function runApart(request: CommandRequest): CommandReply {
    savepoint.run();
    try {
      const reply = run(request);
      release.run();
      return reply;
    } catch (error) {
      if (isLost(error)) throw error;
      rollbackTo.run();
      release.run();
      return { error: packError(error) };
    }
  }

  /**
   * A savepoint copies each page that is changed after it. Few commands refuse, so they run without; should one, all
   * start again, each apart.
   */
  function runAll(requests: readonly CommandRequest[]): CommandReply[] {
    try {
      return requests.map(run);
    } catch (error) {
      if (isLost(error)) throw error;
      rollback.run();
      begin.run();
      return requests.map(runApart);
    }
  }

  /** SQLite itself ends the transaction on some failures; then nothing of the group can be kept. */
  function isLost(error: unknown): boolean {
    return !db.inTransaction || isOfTheDisk(error);
  }

  return requests => {
    try {
      begin.run();
      const report = { replies: runAll(requests), changedStandings: changedStandings() };
      commit.run();
      return report;
    } catch (error) {
      if (db.inTransaction) rollback.run();
      const message = 'The appliance could not save this. Please try again in a minute.';
      const failed = packError(storageError(message, error));
      return { replies: requests.map(() => ({ error: failed })), changedStandings: [] };
    }
  };
}

function close(db: Database): void {
  optimize(db);
  ignoringDiskFailures(() => db.pragma('wal_checkpoint(TRUNCATE)'));
  db.close();
}

function optimize(db: Database): void {
  ignoringDiskFailures(() => db.pragma('optimize'));
}

const isOfTheDisk = (error: unknown): boolean => isDiskFailure(error) || isDamage(error) || isUnreachable(error);

/** For work that may fail: it is done again later. */
function ignoringDiskFailures(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!isOfTheDisk(error)) throw error;
  }
}

if (parentPort !== null) start(parentPort);
