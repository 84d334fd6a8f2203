/** Waiting for something outside, and for no longer than a request may take. */

/** How long a reply waits for the router before it does without it. */
export const ROUTER_TIMEOUT_MS = 2_000;

/**
 * The result of `work` or, after `ms`, what `otherwise` returns or throws. The work then goes on, and its result is
 * ignored.
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
