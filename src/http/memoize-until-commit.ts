/**
 * Caches what is made from the books until they change.
 * @param revision another number with every commit
 */
export function memoizeUntilCommit<Made>(revision: () => number, make: () => Made): () => Made {
  let madeAt: number | null = null;
  let made: Made;
  return () => {
    const now = revision();
    if (madeAt !== now) {
      made = make();
      madeAt = now;
    }
    return made;
  };
}
