/**
 * Live numbers for the admin site, as server-sent events: at once, on each change, and every five seconds. All
 * streams share one look at the books a second.
 */
import { followEvents } from '../../contract/system.ts';
import { LangoError } from '../../domain/errors.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../credentials.ts';
import { streamed } from '../reply.ts';
import type { Api } from '../route.ts';
import { liveNumbers, sellerOf } from '../views/numbers.ts';

const MOST_STREAMS = 32;
const LOOK_MS = 1_000;
/** Looks without a change after which the same is said again. */
const QUIET_LOOKS = 5;

export function eventRoutes(api: Api, context: Context): void {
  const streams = new Set<EventStream>();
  let timer: NodeJS.Timeout | undefined;
  let said = '';
  let quietLooks = 0;

  const numbers = (seller?: number) => JSON.stringify(liveNumbers(context, seller));
  const isLoggedIn = (caller: Caller) =>
    caller.kind === 'static-token' || context.reads.admins.liveSession(caller.session.id, context.clock.now()) !== null;

  function look(): void {
    for (const stream of streams) if (!isLoggedIn(stream.caller)) stream.end();
    const seen = numbers();
    quietLooks = seen === said ? quietLooks + 1 : 0;
    if (quietLooks % QUIET_LOOKS !== 0) return;
    said = seen;
    for (const stream of streams) {
      // What a cashier sold is a part of what is earned: theirs never changes alone.
      const seller = sellerOf(stream.caller);
      stream.say(seller === undefined ? seen : numbers(seller));
    }
  }

  function open(stream: EventStream): void {
    streams.add(stream);
    stream.say(numbers(sellerOf(stream.caller)));
    timer ??= setInterval(look, LOOK_MS).unref();
  }

  function close(stream: EventStream): void {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  context.stopping.addEventListener('abort', () => {
    for (const stream of streams) stream.end();
  });

  api.handle(followEvents, ({ caller }) => {
    if (streams.size >= MOST_STREAMS) {
      const message = 'Too many pages follow the numbers live. Ask /admin/status/ now and then instead.';
      throw new LangoError('RATE_LIMITED', message, { retryAfterSeconds: 30 });
    }
    return streamed('events', new EventStream(caller, { open, close }));
  });
}

/** One reader. A slow one gets the latest numbers, not a backlog. */
class EventStream implements AsyncIterable<string>, AsyncIterator<string> {
  readonly caller: Caller;
  readonly #hub: { open(stream: EventStream): void; close(stream: EventStream): void };
  #latest: string | null = null;
  #isOver = false;
  #wake: () => void = () => {};

  constructor(caller: Caller, hub: { open(stream: EventStream): void; close(stream: EventStream): void }) {
    this.caller = caller;
    this.#hub = hub;
  }

  say(data: string): void {
    this.#latest = data;
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#hub.close(this);
    this.#wake();
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    this.#hub.open(this);
    return this;
  }

  async next(): Promise<IteratorResult<string>> {
    while (this.#latest === null && !this.#isOver) {
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
    if (this.#isOver || this.#latest === null) return { done: true, value: undefined };
    const value = `data: ${this.#latest}\n\n`;
    this.#latest = null;
    return { done: false, value };
  }

  /** The reader has left. */
  async return(): Promise<IteratorResult<string>> {
    this.end();
    return { done: true, value: undefined };
  }
}
