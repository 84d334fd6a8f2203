/** What the payment tests share: a local server that plays a provider, a log that remembers, a clock to turn. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { LangoError } from '../../src/domain/errors.ts';
import type { Phone } from '../../src/domain/phone.ts';
import type { CheckoutRequest, Log } from '../../src/domain/ports.ts';
import { type Clock, fromEpochMs, parseInstant } from '../../src/domain/time.ts';

export interface LogEntry {
  level: string;
  event: string;
  fields: Record<string, unknown>;
}

export function recordingLog(): Log & { entries: LogEntry[]; text(): string } {
  const entries: LogEntry[] = [];
  const at =
    (level: string) =>
    (fields: object, event: string): void => {
      entries.push({ level, event, fields: fields as Record<string, unknown> });
    };
  return {
    entries,
    text: () => JSON.stringify(entries),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}

export function manualClock(start = '2026-11-21T10:00:00.000Z'): Clock & { advance(seconds: number): void } {
  let ms = Date.parse(start);
  return {
    now: () => fromEpochMs(ms),
    monotonic: () => ms,
    advance(seconds) {
      ms += seconds * 1_000;
    },
  };
}

/** A server on a free loopback port, gone when the test ends. @returns its origin */
export async function listen(t: TestContext, handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise(resolve => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function bodyOf(req: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of req) body += String(chunk);
  return body;
}

export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Status and body of a reply; an object is sent as JSON, text as it is; `'hang'` never answers, `'endless'` never stops. */
export type Scripted = { status?: number; body: unknown; headers?: Record<string, string> } | 'hang' | 'endless';
export type Play = (request: SeenRequest) => Scripted | Promise<Scripted>;

export interface ProviderServer {
  url: string;
  requests: SeenRequest[];
  /** Replaces what the server answers from now on. */
  play: Play;
  /** Resolves once nobody takes an endless reply any more. */
  left(): Promise<unknown>;
}

/** A provider's API on a local port: answers what `play` says, and keeps every request. */
export async function startProvider(t: TestContext, play: Play): Promise<ProviderServer> {
  const endless: Promise<unknown>[] = [];
  const provider: ProviderServer = { url: '', requests: [], play, left: () => Promise.all(endless) };
  provider.url = await listen(t, async (req, res) => {
    const address = new URL(req.url ?? '/', 'http://provider');
    const seen = {
      method: req.method ?? '',
      path: address.pathname,
      query: address.searchParams,
      headers: req.headers,
      body: await bodyOf(req),
    };
    provider.requests.push(seen);
    const answer = await provider.play(seen);
    if (answer === 'hang') return;
    if (answer === 'endless') {
      endless.push(once(res, 'close'));
      return stream(res);
    }
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    const type = typeof answer.body === 'string' ? 'text/html' : 'application/json';
    res.writeHead(answer.status ?? 200, { 'content-type': type, ...answer.headers });
    res.end(text);
  });
  return provider;
}

/** Writes for as long as anybody listens. */
function stream(res: ServerResponse): void {
  const piece = ' '.repeat(65_536);
  const write = () => {
    while (!res.destroyed && res.write(piece));
  };
  res.on('drain', write);
  write();
}

export const PHONE = '+255712345678' as Phone;

export function checkoutRequest(change: Partial<CheckoutRequest> = {}): CheckoutRequest {
  return {
    orderReference: 'AB12CD34EF56GH78IJ90',
    amount: { minor: 100_000, currency: 'TZS' },
    phone: PHONE,
    description: 'Wi-Fi, 1 day',
    returnUrl: 'https://wifi.example/?order=AB12CD34EF56GH78IJ90',
    webhookUrl: 'https://wifi.example/api/payment-webhook/',
    expiresAt: parseInstant('2026-11-21T10:30:00.000Z'),
    ...change,
  };
}

/** Asserts that the call rejects with that code, and @returns the error. */
export async function rejectsWith(call: Promise<unknown>, code: string): Promise<LangoError> {
  const fault = await call.then(
    () => assert.fail(`expected ${code}`),
    (error: unknown) => error,
  );
  assert.ok(fault instanceof LangoError, String(fault));
  assert.equal(fault.code, code);
  return fault;
}

/** Asserts that a synchronous call throws that code. */
export function throwsCode(call: () => unknown, code: string): void {
  assert.throws(call, (fault: unknown) => fault instanceof LangoError && fault.code === code);
}
