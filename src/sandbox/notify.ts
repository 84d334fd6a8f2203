/** Delivers the sandbox's signed notifications: a few tries each, a bounded number at a time. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../domain/ports.ts';
import { hmacHex } from '../outbound/signature.ts';

export interface Notifier {
  /** Posts the text until it is answered with 200 or the tries are used up; never throws. */
  deliver(url: string, rawBody: string, delayMs: number): void;
  /** Abandons what is under way and resolves when nothing is. */
  close(): Promise<void>;
}

const MOST_AT_ONCE = 200;
const REPLY_WITHIN_MS = 10_000;

/** @param retryDelaysMs the pause before each further try, in milliseconds */
export function createNotifier(secret: string, retryDelaysMs: readonly number[], log: Log): Notifier {
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function post(url: string, rawBody: string): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-payment-signature': hmacHex('sha256', secret, rawBody) },
        body: rawBody,
        redirect: 'manual',
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(REPLY_WITHIN_MS)]),
      });
      await response.body?.cancel();
      return response.status === 200;
    } catch {
      return false;
    }
  }

  async function run(url: string, rawBody: string, delayMs: number): Promise<void> {
    for (const pause of [delayMs, ...retryDelaysMs]) {
      if (pause > 0) await wait(pause, undefined, { signal: closing.signal });
      if (await post(url, rawBody)) return;
    }
    log.warn({ tries: retryDelaysMs.length + 1 }, 'sandbox.notification_given_up');
  }

  return {
    deliver(url, rawBody, delayMs) {
      if (closing.signal.aborted || underWay.size >= MOST_AT_ONCE) return;
      // A notification may always be lost; the appliance asks by itself.
      const delivery = run(url, rawBody, delayMs).catch(() => undefined);
      underWay.add(delivery);
      void delivery.finally(() => underWay.delete(delivery));
    },
    async close() {
      closing.abort();
      await Promise.all(underWay);
    },
  };
}
