/**
 * Load over loopback: a fixed number of keep-alive connections, each with one request under way. The requests are
 * bytes made beforehand and only as much of the replies is read as tells them apart, so that the load costs less than
 * the server it is meant to measure.
 */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface LoadOptions {
  port: number;
  /** The n-th request as bytes. */
  request: (n: number) => Buffer;
  connections?: number;
  seconds: number;
  /** Requests a second in all; absent: as many as the server answers. */
  rate?: number;
  /** Statuses that count as right; others end the run. */
  accepts?: readonly number[];
}

export interface LoadResult {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  longest: number;
  requests: number;
}

/** The bytes of one request. */
export function requestBytes(
  method: string,
  path: string,
  body: string | Buffer | null = null,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === null ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}${length}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body ?? '')]);
}

export async function load(options: LoadOptions): Promise<LoadResult> {
  const { connections = 32, seconds, accepts = [200], rate } = options;
  // What was left lying about is cleared up now, not while time is being taken.
  globalThis.gc?.();
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(options.port)));
  const times: number[] = [];
  let sent = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const due = (n: number) => (rate === undefined ? 0 : startedAt + (n * 1_000) / rate);
  const stopSpinning = rate === undefined ? spin() : () => {};

  await Promise.all(
    sockets.map(
      socket =>
        new Promise<void>((resolve, reject) => {
          const replies = replyReader();
          let begunAt = 0;
          const next = () => {
            if (performance.now() >= endsAt) {
              socket.destroy();
              resolve();
              return;
            }
            const n = sent;
            sent += 1;
            const wait = due(n) - performance.now();
            // With a rate, time counts from when the request was due: a server that stalls is not let off.
            if (wait > 1) setTimeout(() => begin(n), wait);
            else begin(n);
          };
          const begin = (n: number) => {
            begunAt = rate === undefined ? performance.now() : Math.min(performance.now(), Math.max(due(n), startedAt));
            socket.write(options.request(n));
          };
          socket.on('data', chunk => {
            const status = replies.take(chunk);
            if (status === null) return;
            if (!accepts.includes(status)) {
              reject(new Error(`A reply with status ${status}: ${chunk.toString('latin1').slice(0, 400)}`));
              return;
            }
            times.push(performance.now() - begunAt);
            next();
          });
          socket.on('error', reject);
          next();
        }),
    ),
  ).finally(() => {
    stopSpinning();
    for (const socket of sockets) socket.destroy();
  });

  const elapsed = (performance.now() - startedAt) / 1_000;
  const sorted = Float64Array.from(times).toSorted();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99), longest: at(1), requests: times.length };
}

/**
 * Keeps this process awake: waking it would be the work of the server's core, and the more of it the slower the server,
 * which on virtual machines costs more than a whole request.
 */
function spin(): () => void {
  let spinning = true;
  const again = () => {
    if (spinning) setImmediate(again);
  };
  again();
  return () => {
    spinning = false;
  };
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Finds the end of each reply: by Content-Length, or the last chunk. */
function replyReader(): { take(chunk: Buffer): number | null } {
  let held: Buffer = Buffer.alloc(0);
  return {
    take(chunk) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const headEnd = held.indexOf('\r\n\r\n');
      if (headEnd === -1) return null;
      const head = held.toString('latin1', 0, headEnd);
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      const status = Number(head.slice(9, 12));
      const isWhole =
        length !== undefined
          ? held.length >= headEnd + 4 + Number(length)
          : status === 304 || status === 204 || held.toString('latin1').endsWith('0\r\n\r\n');
      if (!isWhole) return null;
      held = Buffer.alloc(0);
      return status;
    },
  };
}
