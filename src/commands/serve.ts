/** `lango serve`: runs the appliance until it is told to stop. */
import { setFlagsFromString } from 'node:v8';
import { type App, startApp } from '../app.ts';
import { readConfig } from '../config.ts';
import type { Log } from '../domain/ports.ts';
import { createLog } from '../log.ts';
import { takesNoArguments } from './command.ts';

export async function run(args: readonly string[]): Promise<void> {
  takesNoArguments(args);
  limitHeapGrowth();
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const stopped = stopSignal();
  let app: App | null = null;
  // A start that waits for its disk is ended at once; one that is done, in order.
  void stopped.then(() => app ?? process.exit(0));
  app = await startApp(config, { log, onFatal: () => process.exit(1) });
  await stopped;
  setTimeout(() => killed(log), CLOSE_MS).unref();
  await app.close();
  process.exit(0);
}

/** An orderly shutdown takes less than this; the documents promise 10 s. */
const CLOSE_MS = 9_000;

/** A disk that hangs in a flush holds up `process.exit` too, which waits for the writer thread. */
function killed(log: Log): void {
  log.error({ problem: 'The disk does not come back. What was acknowledged is on it.' }, 'server.killed');
  process.kill(process.pid, 'SIGKILL');
}

/**
 * V8 answers a burst of short-lived objects (an export of everything) with a nursery of 48 MB that it never gives
 * back, and lets the old generation grow fourfold before it looks through it: a flood of strangers' requests, each with
 * a connection and a body that live for seconds, then takes 90 MB more than is alive. On a small machine beside a
 * router that memory is better left to the disk cache.
 */
function limitHeapGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=40');
}

export function stopSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}
