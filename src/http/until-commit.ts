import type { Reads } from '../domain/transaction.ts';

/** Makes something of the books anew only when they have changed. */
export function untilCommit<Made>({ revision }: Pick<Reads, 'revision'>, make: () => Made): () => Made {
  let madeAt = Number.NaN;
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
