/** Chance that comes out the same each time: mulberry32. */
export interface Random {
  /** From 0 up to, but not with, 1. */
  next(): number;
  /** A whole number from `from` to `to`, both inclusive. */
  int(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** The place of one of the weights, each as likely as it is heavy. */
  weighted(weights: readonly number[]): number;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    pick<Item>(items: readonly Item[]): Item {
      return items[int(0, items.length - 1)] as Item;
    },
    weighted(weights) {
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0);
      const place = weights.findIndex(weight => {
        left -= weight;
        return left < 0;
      });
      return place === -1 ? weights.length - 1 : place;
    },
  };
}
