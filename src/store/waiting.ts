/**
 * The commands that wait for the writer, found by number. A ring that is written in place: in a Map that changes with
 * each command, V8 carries what waited once into the old generation, along the chain of the tables it has outgrown.
 */
export interface Waiting {
  /** Monotonic milliseconds. */
  since: number;
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

export class WaitingCommands {
  readonly #ring: (Waiting | undefined)[];
  #oldest = 1;
  #last = 0;
  #size = 0;

  constructor(capacity: number) {
    this.#ring = Array.from({ length: capacity }, () => undefined);
  }

  /** False: no more may wait. A slow one keeps its place, and all that came after it theirs. */
  get hasRoom(): boolean {
    return this.#last - this.#oldest + 1 < this.#ring.length;
  }

  /** @returns its number */
  add(waiting: Waiting): number {
    this.#last += 1;
    this.#size += 1;
    this.#ring[this.#last % this.#ring.length] = waiting;
    return this.#last;
  }

  take(number: number): Waiting | undefined {
    const place = number % this.#ring.length;
    const waiting = this.#ring[place];
    if (waiting === undefined) return undefined;
    this.#ring[place] = undefined;
    this.#size -= 1;
    while (this.#oldest <= this.#last && this.#ring[this.#oldest % this.#ring.length] === undefined) this.#oldest += 1;
    return waiting;
  }

  get oldest(): Waiting | undefined {
    return this.#size === 0 ? undefined : this.#ring[this.#oldest % this.#ring.length];
  }

  /** Tells all that wait; they go on waiting. */
  rejectAll(reason: unknown): void {
    for (const waiting of this.#ring) waiting?.reject(reason);
  }
}
