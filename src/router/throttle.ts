/** How many commands run at once on a router: no limit on a quick one, one at a time on a slow one. */
import type { Clock } from '../domain/time.ts';
import { tooSlow } from './faults.ts';

/** A reply that takes longer is a slow router's. */
const SLOW_MS = 1_000;
/** So long after a slow reply a router counts as slow: one command at a time makes its replies quick again. */
const SLOW_FOR_MS = 60_000;

interface Waiting {
  until: number;
  enter: () => void;
}

export class Throttle {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** The one that has least time first: people before passes. */
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #slowUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get isSlow(): boolean {
    return this.#clock.monotonic() < this.#slowUntil;
  }

  /** @throws LangoError ROUTER_UNAVAILABLE its turn did not come in time */
  async run<T>(until: number, act: () => Promise<T>): Promise<T> {
    if (this.isSlow && this.#running > 0) await this.#turn(until);
    else this.#running += 1;
    const startedAt = this.#clock.monotonic();
    try {
      return await act();
    } finally {
      this.#running -= 1;
      const now = this.#clock.monotonic();
      if (now - startedAt > SLOW_MS) this.#slowUntil = now + SLOW_FOR_MS;
      this.#next();
    }
  }

  /** Resolves with the place taken. */
  #turn(until: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        until,
        enter: () => {
          clearTimeout(timer);
          this.#running += 1;
          resolve();
        },
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(tooSlow());
      };
      const timer = setTimeout(giveUp, Math.max(0, until - this.#clock.monotonic()));
      const place = this.#waiting.findIndex(other => other.until > until);
      this.#waiting.splice(place === -1 ? this.#waiting.length : place, 0, waiting);
    });
  }

  #next(): void {
    const atOnce = this.isSlow ? Math.max(0, 1 - this.#running) : this.#waiting.length;
    for (const { enter } of this.#waiting.splice(0, atOnce)) enter();
  }
}
