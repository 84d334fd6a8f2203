/** The one shared connection to one router: opened when first needed, and opened again for as long as it is wanted. */
import { withDeadline } from '../domain/deadline.ts';
import type { LangoError } from '../domain/errors.ts';
import type { Log, RouterSettings } from '../domain/ports.ts';
import type { Clock } from '../domain/time.ts';
import { closed, tooSlow } from './faults.ts';
import { type Caller, RouterLink, type Row } from './link.ts';
import { Throttle } from './throttle.ts';

export interface ConnectionOptions {
  log: Log;
  clock: Clock;
  /** How long dialling and logging in may take. */
  deadlineMs: number;
  /** The wait before a new attempt: from `first`, doubled by each failure, to `longest`; then shortened by up to half. */
  backoffMs: { first: number; longest: number };
  /** How often an idle connection is asked whether the router is still there. */
  livenessMs: number;
  onConnected: () => void;
}

/** A router that is known to be slow may be silent for so long, and is not dead. */
const SLOW_SILENCE_MS = 30_000;

export class RouterConnection implements Caller {
  readonly #settings: RouterSettings;
  readonly #options: ConnectionOptions;
  #link: RouterLink | null = null;
  #opening: { link: RouterLink; opened: Promise<RouterLink> } | null = null;
  #retry: NodeJS.Timeout | null = null;
  #liveness: NodeJS.Timeout | null = null;
  #failures = 0;
  #lastFailure: LangoError | null = null;
  #isClosed = false;
  #answeredFrom: string | null = null;
  readonly #throttle: Throttle;

  constructor(settings: RouterSettings, options: ConnectionOptions) {
    this.#settings = settings;
    this.#options = options;
    this.#throttle = new Throttle(options.clock);
  }

  get isConnected(): boolean {
    return this.#link !== null;
  }

  /** The address that the router answered from last; null: it has not answered yet. */
  get answeredFrom(): string | null {
    return this.#answeredFrom;
  }

  /** What went wrong last; null while connected. */
  get lastError(): string | null {
    return this.#lastFailure?.message ?? null;
  }

  /** Starts to connect, unless it is connected or waits for its next attempt. Failures show in `lastError`. */
  start(): void {
    if (this.#link === null && this.#retry === null) this.#open().catch(() => {});
  }

  async call<T>(words: readonly string[], read: (row: Row) => T, until: number): Promise<T[]> {
    const link = await this.#linkBefore(until);
    return this.#throttle.run(until, () => link.call(words, read, until));
  }

  /** Sends a command that the router answers by dying. */
  async callUntilDeath(words: readonly string[], until: number): Promise<void> {
    const link = await this.#linkBefore(until);
    return link.callUntilDeath(words, until);
  }

  /** Never throws. Calls that wait reject, and nothing is opened any more. */
  close(): void {
    this.#isClosed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    if (this.#liveness !== null) clearInterval(this.#liveness);
    this.#opening?.link.close();
    this.#link?.close();
    this.#link = null;
    this.#lastFailure = closed();
  }

  async #linkBefore(until: number): Promise<RouterLink> {
    if (this.#link !== null) return this.#link;
    // While it waits for its next attempt the last failure is the answer: a dead router must not cost each caller 8 s.
    if (this.#lastFailure !== null && (this.#isClosed || this.#retry !== null)) throw this.#lastFailure;
    return withDeadline(this.#open(), until - this.#options.clock.monotonic(), () => {
      throw tooSlow();
    });
  }

  #open(): Promise<RouterLink> {
    if (this.#opening === null) {
      const link = new RouterLink(this.#settings, {
        clock: this.#options.clock,
        silenceMs: () => (this.#throttle.isSlow ? SLOW_SILENCE_MS : silenceMs(this.#options.deadlineMs)),
        onDeath: error => this.#lost(link, error),
      });
      this.#opening = { link, opened: this.#opened(link) };
    }
    return this.#opening.opened;
  }

  async #opened(link: RouterLink): Promise<RouterLink> {
    const { log, clock, deadlineMs, onConnected } = this.#options;
    const { host, port } = this.#settings;
    try {
      await link.open(clock.monotonic() + deadlineMs);
      // It may have died between its opening and our hearing of it.
      if (link.death !== null) throw link.death;
    } catch (error) {
      this.#opening = null;
      this.#failed(error as LangoError);
      throw error;
    }
    this.#opening = null;
    this.#link = link;
    this.#answeredFrom = link.remoteAddress;
    this.#failures = 0;
    this.#lastFailure = null;
    this.#watch(link);
    log.info({ host, port }, 'router connected');
    onConnected();
    return link;
  }

  #lost(link: RouterLink, error: LangoError): void {
    // A link that fails while it is being opened rejects its opening, which is handled there.
    if (link !== this.#link) return;
    this.#link = null;
    if (this.#liveness !== null) clearInterval(this.#liveness);
    this.#failed(error);
  }

  #failed(error: LangoError): void {
    if (this.#isClosed) return;
    const { log, backoffMs } = this.#options;
    const isNews = error.message !== this.#lastFailure?.message;
    this.#lastFailure = error;
    const wait = Math.min(backoffMs.longest, backoffMs.first * 2 ** this.#failures) * (1 - Math.random() / 2);
    this.#failures += 1;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.start();
    }, wait).unref();
    const { host, port } = this.#settings;
    log[isNews ? 'warn' : 'debug'](
      { host, port, reason: error.message, retryMs: Math.round(wait) },
      'router not connected',
    );
  }

  /** A regular call detects a router that is gone without closing the connection: without a reply, the link ends. */
  #watch(link: RouterLink): void {
    const { clock, deadlineMs, livenessMs } = this.#options;
    this.#liveness = setInterval(() => {
      if (!link.isIdle) return;
      link
        .call(['/system/identity/print', '=.proplist=name'], () => null, clock.monotonic() + deadlineMs)
        .catch(() => {});
    }, livenessMs).unref();
  }
}

/** Half of a call's time, so that what its other commands have used of it is not held against the line. */
export function silenceMs(deadlineMs: number): number {
  return deadlineMs / 2;
}
