/** What a start writes, on a disk that may not take it yet. */
import { LangoError } from './domain/errors.ts';
import type { Log } from './domain/ports.ts';

const RETRY_MS = 3_000;

/**
 * Does it now or, while the disk takes nothing, resolves and does it as soon as the disk does.
 * @throws what it fails with at first for another reason
 */
export async function whenSaved(
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
      whenSaved(act, context).catch((cause: unknown) => log.error({ err: cause }, 'start.not_done'));
    }, RETRY_MS).unref();
  }
}
