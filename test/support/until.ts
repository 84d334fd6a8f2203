import { setTimeout } from 'node:timers/promises';

const TIMEOUT_MS = 60_000;

/** Waits until something is so, on real time: for as long as the slowest machine needs, and no longer than it takes. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + TIMEOUT_MS; !(await isSo()); ) {
    if (performance.now() > end) throw new Error(`Not so within ${TIMEOUT_MS} ms: ${isSo.toString()}`);
    await setTimeout(10);
  }
}
