/**
 * The single writer: a thread of its own, so that nothing in the event loop ever waits for a disk.
 *
 * It takes whatever commands have arrived, runs them in one transaction, commits once with `synchronous=FULL`, and
 * only then answers them all. A command that throws undoes itself alone.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { runCommand } from '../domain/commands.ts';
import type { Policy } from '../domain/transaction.ts';
import {
  type Database,
  isDamage,
  isDiskFailure,
  isUnreachable,
  openForWriting,
  type Statement,
  storageError,
} from './database.ts';
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
  type WriterErrand,
  type WriterMessage,
  type WriterStart,
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

  function doErrand(errand: WriterErrand): void {
    if (errand === 'open') port.postMessage(open());
    else if (errand === 'probe') port.postMessage({ hasRoom: hasRoom(file) } satisfies ProbeReport);
    else if (errand === 'optimize' && opened !== null) optimize(opened.db);
    else if (errand === 'close') {
      if (opened !== null) close(opened.db);
      port.close();
    }
  }

  port.on('message', (first: WriterMessage) => {
    for (const { requests, afterwards } of groupsOf(port, first)) {
      if (requests.length > 0 && opened !== null) port.postMessage(opened.runGroup(requests));
      if (afterwards !== null) doErrand(afterwards);
    }
  });
}

interface Group {
  requests: CommandRequest[];
  afterwards: WriterErrand | null;
}

/** Everything that waits at the port by now, cut into groups. */
function groupsOf(port: MessagePort, first: WriterMessage): Group[] {
  const groups: Group[] = [];
  let group: Group = { requests: [], afterwards: null };
  const nextGroup = () => {
    groups.push(group);
    group = { requests: [], afterwards: null };
  };
  for (let message: WriterMessage | undefined = first; message !== undefined; message = next(port)) {
    if (typeof message === 'string') {
      group.afterwards = message;
      if (message === 'close') break;
      nextGroup();
      continue;
    }
    for (const request of message) {
      if (group.requests.length === LARGEST_GROUP) nextGroup();
      group.requests.push(request);
    }
  }
  return [...groups, group];
}

function next(port: MessagePort): WriterMessage | undefined {
  return receiveMessageOnPort(port)?.message;
}

/** All of a group in one transaction, told of only when the disk has it. */
function groupRunner(db: Database, policy: Policy): (requests: readonly CommandRequest[]) => CommitReport {
  const [begin, commit, rollback, savepoint, release, rollbackTo] = [
    'BEGIN IMMEDIATE',
    'COMMIT',
    'ROLLBACK',
    'SAVEPOINT command',
    'RELEASE command',
    'ROLLBACK TO command',
  ].map(sql => db.prepare(sql)) as [Statement, Statement, Statement, Statement, Statement, Statement];
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
    return !db.inTransaction || isDiskFailure(error) || isDamage(error) || isUnreachable(error);
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
  ifTheDiskLets(() => db.pragma('wal_checkpoint(TRUNCATE)'));
  db.close();
}

function optimize(db: Database): void {
  ifTheDiskLets(() => db.pragma('optimize'));
}

/** For work that may fail: it is done again later. */
function ifTheDiskLets(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!isDiskFailure(error) && !isDamage(error) && !isUnreachable(error)) throw error;
  }
}

if (parentPort !== null) start(parentPort);
