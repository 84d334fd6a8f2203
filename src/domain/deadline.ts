/** Waiting for the world, and for no longer than somebody can be kept waiting. */

/** How long a reply waits for the router before it does without it. */
export const ROUTER_PATIENCE_MS = 2_000;

/**
 * What `work` comes to or, after `ms`, what `otherwise` returns or throws: the work then goes on by itself, and nobody
 * hears how it ends.
 */
export async function withDeadline<Result>(
  work: Promise<Result>,
  ms: number,
  otherwise: () => Result,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<void>(resolve => {
    timer = setTimeout(resolve, Math.max(0, ms)).unref();
  });
  try {
    return await Promise.race([work, timeUp.then(otherwise)]);
  } finally {
    clearTimeout(timer);
  }
}
