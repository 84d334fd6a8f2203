/** The addresses that a router's host stands for. A name is looked up beside the requests that ask, never for them. */
import { lookup } from 'node:dns/promises';
import { parseIp } from '../domain/mac.ts';
import type { Clock } from '../domain/time.ts';

const LOOK_UP_AGAIN_MS = 60_000;

export class HostAddresses {
  readonly #host: string;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** What the name stood for when it was last found. */
  #addresses: ReadonlySet<string>;
  #lookedUpAt: number;

  constructor(host: string, clock: Pick<Clock, 'monotonic'>) {
    const address = parseIp(host);
    this.#host = host;
    this.#clock = clock;
    this.#addresses = new Set(address === null ? [] : [address]);
    this.#lookedUpAt = address === null ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }

  /** Answers by what is known now; what is older than a minute is looked up again. */
  has(address: string): boolean {
    if (this.#clock.monotonic() - this.#lookedUpAt >= LOOK_UP_AGAIN_MS) void this.#lookUp();
    return this.#addresses.has(address);
  }

  async #lookUp(): Promise<void> {
    this.#lookedUpAt = this.#clock.monotonic();
    try {
      const found = await lookup(this.#host, { all: true });
      this.#addresses = new Set(found.map(({ address }) => parseIp(address) ?? address));
    } catch {
      // A name server that is away takes nothing from what is known.
    }
  }
}
