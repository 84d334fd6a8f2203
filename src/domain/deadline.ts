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

/**
 * The results of all `works`, which never reject, in their order. Once one of them is good, the others have `ms` left;
 * `otherwise` stands for what takes longer.
 */
export async function soonAfterOne<Result>(
  works: readonly Promise<Result>[],
  isGood: (result: Result) => boolean,
  ms: number,
  otherwise: Result,
): Promise<Result[]> {
  const results = works.map(() => otherwise);
  const all = Promise.all(
    works.map(async (work, place) => {
      results[place] = await work;
    }),
  );
  const good = works.map(async work => {
    if (!isGood(await work)) await all;
  });
  await Promise.race([...good, all]);
  await withDeadline(all, ms, () => []);
  return results;
}
