/** A hash table of numbers alone: a few bytes a cell, and nothing that the garbage collector has to look at. */
import { randomInt } from 'node:crypto';

/** No key; keys are whole numbers above it. */
const EMPTY = 0;
const FIRST_SLOTS = 1_024;

/**
 * Rows of numbers, found by a whole number from 1 to 2^53. A row is a place in `cells`: its key, then its columns.
 * Rows are never taken out one by one; a caller that has no use for one any more marks it in a column of its own.
 */
export class NumberTable {
  cells: Float64Array;
  readonly #width: number;
  readonly #mostSlots: number;
  /** Strangers choose keys; they shall not choose where these meet. */
  readonly #seed = randomInt(2 ** 32 - 1);
  #slots = FIRST_SLOTS;
  #rows = 0;

  /** @param mostSlots a power of two, at `8 * (1 + columns)` bytes each */
  constructor(columns: number, mostSlots: number) {
    this.#width = 1 + columns;
    this.#mostSlots = mostSlots;
    this.cells = new Float64Array(this.#slots * this.#width);
  }

  /** Time to clear it: three quarters are taken, of a table that may not grow. The rest is room for what is under way. */
  get isFull(): boolean {
    return this.#slots === this.#mostSlots && this.#isCrowded;
  }

  get #isCrowded(): boolean {
    return this.#rows >= this.#slots * 0.75;
  }

  /** @returns where the row is, good until the next `place`; -1 when there is none */
  find(key: number): number {
    const at = this.#probe(key);
    return this.cells[at] === key ? at : -1;
  }

  /** @returns where the row is; a new one holds zeros. Others may have moved. */
  place(key: number): number {
    let at = this.#probe(key);
    if (this.cells[at] === key) return at;
    if (this.#isCrowded && this.#slots < this.#mostSlots) {
      this.#grow();
      at = this.#probe(key);
    }
    this.cells[at] = key;
    this.#rows += 1;
    return at;
  }

  clear(): void {
    this.cells.fill(EMPTY);
    this.#rows = 0;
  }

  /** Where the key is, or would be put. */
  #probe(key: number): number {
    const { cells } = this;
    let slot = this.#hash(key);
    for (;;) {
      const at = slot * this.#width;
      const found = cells[at];
      if (found === key || found === EMPTY) return at;
      slot = (slot + 1) & (this.#slots - 1);
    }
  }

  #hash(key: number): number {
    const high = Math.floor(key / 2 ** 32);
    let hash = Math.imul((key ^ this.#seed) + Math.imul(high, 0x9e3779b1), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
    return (hash ^ (hash >>> 13)) & (this.#slots - 1);
  }

  #grow(): void {
    const before = this.cells;
    this.#slots *= 2;
    this.cells = new Float64Array(this.#slots * this.#width);
    for (let from = 0; from < before.length; from += this.#width) {
      const key = before[from] ?? EMPTY;
      if (key !== EMPTY) this.cells.set(before.subarray(from, from + this.#width), this.#probe(key));
    }
  }
}
