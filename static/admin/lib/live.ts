/**
 * What changes by itself: people online, today's money, problems. Server-sent events, read with `fetch` because
 * `EventSource` cannot carry the token; where the stream does not come through, the status is asked for instead.
 */
import type { LiveNumbers, Status } from '../../../src/contract/system.ts';
import { get, request } from './api.ts';
import { session } from './session.ts';
import { createStore } from './store.ts';

export interface Live {
  /** How the values come; `lost`: they are old. */
  by: 'nothing' | 'stream' | 'polling' | 'lost';
  values: LiveNumbers | null;
  /** When Lango answered last, or the page was opened: by `performance.now()`, whatever this device's clock says. */
  heardAt: number;
}

export const live = createStore<Live>({ by: 'nothing', values: null, heardAt: performance.now() });

const hear = (by: Live['by'], values: LiveNumbers | null) => live.set({ by, values, heardAt: performance.now() });

const POLL_MS = 10_000;
/** Events come every five seconds. */
const SILENCE_MS = 12_000;
/** A reply begins within that. */
const REPLY_MS = 10_000;
/** Polls between two tries of the stream. */
const POLLS = 3;

let running: AbortController | null = null;

/** Follows the login: values come while somebody is logged in. */
export function startLive(): void {
  const follow = () => {
    const isIn = session.get() !== null;
    if (isIn && running === null) {
      running = new AbortController();
      void keepLive(running.signal);
    } else if (!isIn) {
      running?.abort();
      running = null;
      hear('nothing', null);
    }
  };
  session.watch(follow);
  follow();
}

async function keepLive(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await readStream(signal).catch(() => undefined);
    for (let poll = 0; poll < POLLS && !signal.aborted; poll += 1) {
      await readStatus(signal);
      await pause(POLL_MS, signal);
    }
  }
}

/** Returns, or throws, when the stream has ended or has fallen silent. */
async function readStream(signal: AbortSignal): Promise<void> {
  const quiet = new AbortController();
  const response = await request('/admin/events/', { signal: AbortSignal.any([signal, quiet.signal]) });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let timer = setTimeout(() => quiet.abort(), SILENCE_MS);
  try {
    for (let text = ''; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => quiet.abort(), SILENCE_MS);
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) applyEvent(event);
    }
  } finally {
    clearTimeout(timer);
  }
}

function applyEvent(event: string): void {
  const data = event
    .split('\n')
    .filter(line => line.startsWith('data:'))
    .map(line => line.slice(5).trimStart())
    .join('\n');
  if (data !== '') hear('stream', JSON.parse(data) as LiveNumbers);
}

async function readStatus(signal: AbortSignal): Promise<void> {
  try {
    const { status } = await get<{ status: Status }>(
      '/admin/status/',
      AbortSignal.any([signal, AbortSignal.timeout(REPLY_MS)]),
    );
    hear('polling', {
      active_users: status.active_users,
      online: status.online,
      pending_payments: status.pending_payments,
      payments_today: status.payments_today,
      revenue_today: String(status.revenue_today),
      refunds_today: String(status.refunds_today),
      router: status.router_status,
      problems: status.problems,
    });
  } catch {
    if (!signal.aborted) live.set({ ...live.get(), by: 'lost' });
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
