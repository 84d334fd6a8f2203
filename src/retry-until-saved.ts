/** For what a start writes, while the disk may not take it yet. */
import { LangoError } from './domain/errors.ts';
import type { Log } from './domain/ports.ts';

const RETRY_MS = 3_000;

/**
 * Does it now. While the disk takes nothing it resolves all the same, and tries again until it succeeds.
 * @throws what the first try fails with for another reason
 */
export async function retryUntilSaved(
  act: () => Promise<unknown>,
  context: { log: Log; stopping: AbortSignal },
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof LangoError && error.code === 'STORAGE_UNAVAILABLE')) throw error;
    const { log, stopping } = context;
    setTimeout(() => {
      if (stopping.aborted) return;
      retryUntilSaved(act, context).catch((cause: unknown) => log.error({ err: cause }, 'start.not_done'));
    }, RETRY_MS).unref();
  }
}
