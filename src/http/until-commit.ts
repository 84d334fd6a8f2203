/**
 * Makes something of the books anew only when they have changed.
 * @param revision another number with every commit
 */
export function untilCommit<Made>(revision: () => number, make: () => Made): () => Made {
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
