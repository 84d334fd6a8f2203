/**
 * The one way a driver talks to its provider: plain `fetch` with a deadline over the whole call, bounded
 * replies, and one meaning for every fault. Nothing secret and no full phone number reaches the log.
 */
import { LangoError } from '../domain/errors.ts';
import type { Log } from '../domain/ports.ts';
import type { Clock } from '../domain/time.ts';
import { readBounded } from '../outbound/bounded.ts';
import { field, type Json, parseJson, textAt } from '../outbound/json.ts';
import { scrub } from '../outbound/scrub.ts';

/** What every driver is built with; the tests shorten the deadline. */
export interface DriverTools {
  log: Log;
  clock: Clock;
  /** Milliseconds for one call of the port, however many requests it needs; 8,000. */
  deadlineMs?: number;
}

interface RequestOptions {
  headers?: Record<string, string>;
  /** Statuses whose JSON the driver reads itself: 401 and 403 else mean refused keys, 5xx a failure. */
  reads?(status: number): boolean;
}

interface ProviderRequest extends RequestOptions {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
}

/** A reply that is JSON. */
export interface ProviderReply {
  status: number;
  json: Json;
}

/** One call of the port: all its requests share one deadline. */
export interface ProviderCall {
  /**
   * @param path starts with `/`; stands after the base URL
   * @throws LangoError PAYMENT_PROVIDER_UNAVAILABLE no reply in time, a redirect, not JSON, 401, 403, 429, or 5xx
   */
  get(path: string, options?: RequestOptions): Promise<ProviderReply>;
  /** The same. @param body sent as JSON, or form-encoded where it is URLSearchParams */
  post(path: string, body?: unknown, options?: RequestOptions): Promise<ProviderReply>;
  /** Logs an answer that is not what the provider's documents say. @throws always, PAYMENT_PROVIDER_UNAVAILABLE */
  unexpected(reply: ProviderReply, problem: string): never;
  /** Logs that the provider does not accept our keys. @throws always, PAYMENT_PROVIDER_UNAVAILABLE */
  keysRefused(reply: ProviderReply): never;
  /** Logs that the provider said no. @throws always, PAYMENT_FAILED with a message for the payer */
  refused(reply: ProviderReply): never;
}

interface ProviderAddress {
  provider: string;
  /** With or without a trailing slash; request paths are appended to it. */
  baseUrl: string;
  /** Of every request. */
  headers: Record<string, string>;
}

/** A request is answered within 10 s, and may have asked the router first, for a second and a half. */
const DEADLINE_MS = 8_000;
const LONGEST_REPLY = 512 * 1_024;
const DEFAULT_PAUSE_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 60;

/** @returns opens a call of the port, by its name in the log */
export function createProviderClient(
  { provider, baseUrl, headers }: ProviderAddress,
  tools: DriverTools,
): (operation: string) => ProviderCall {
  const { log, clock, deadlineMs = DEADLINE_MS } = tools;
  const base = baseUrl.replace(/\/+$/, '');
  let pausedUntil = 0;

  return operation => {
    const started = clock.monotonic();
    const signal = AbortSignal.timeout(deadlineMs);

    function unavailable(reason: string, facts: object = {}, retryAfterSeconds?: number, cause?: unknown): never {
      const ms = Math.round(clock.monotonic() - started);
      log.warn({ provider, operation, reason, ms, ...facts }, 'payment.provider_unavailable');
      throw new LangoError('PAYMENT_PROVIDER_UNAVAILABLE', UNAVAILABLE, {
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
        cause: cause ?? new Error(reason),
      });
    }

    async function send(request: ProviderRequest): Promise<ProviderReply> {
      const pause = Math.ceil((pausedUntil - clock.monotonic()) / 1_000);
      if (pause > 0) unavailable('waiting out a rate limit', {}, pause);

      let response: Response;
      let body: Buffer | null;
      try {
        response = await fetch(`${base}${request.path}`, { ...encode(request, headers), redirect: 'manual', signal });
        body = await readBounded(response.body ?? [], LONGEST_REPLY);
      } catch (fault) {
        unavailable(signal.aborted ? 'no reply in time' : faultOf(fault), {}, undefined, fault);
      }
      const { status } = response;
      if (status === 429) {
        const seconds = pauseOf(response.headers.get('retry-after'));
        pausedUntil = clock.monotonic() + seconds * 1_000;
        unavailable('rate limited', { status }, seconds);
      }
      if (body === null) unavailable('the reply is too long', { status });
      const json = parseJson(body.toString('utf8'));
      if (json === undefined) unavailable('the reply is not JSON', { status });
      const reply = { status, json };
      if (status >= 300 && status < 400) unavailable('the provider redirects', { status });
      if (request.reads?.(status)) return reply;
      if (status === 401 || status === 403) keysRefused(reply);
      if (status >= 500) unavailable('the provider failed', describe(reply));
      return reply;
    }

    function keysRefused(reply: ProviderReply): never {
      log.error({ provider, operation, ...describe(reply) }, 'payment.keys_refused');
      throw new LangoError('PAYMENT_PROVIDER_UNAVAILABLE', UNAVAILABLE, { cause: new Error('keys refused') });
    }

    return {
      get: (path, options) => send({ method: 'GET', path, ...options }),
      post: (path, body, options) => send({ method: 'POST', path, body, ...options }),
      unexpected: (reply, problem) => unavailable(problem, describe(reply)),
      keysRefused,
      refused(reply) {
        log.warn({ provider, operation, ...describe(reply) }, 'payment.refused');
        throw new LangoError('PAYMENT_FAILED', REFUSED, { cause: new Error(providerMessage(reply) ?? 'refused') });
      },
    };
  };
}

const UNAVAILABLE = 'The payment service cannot be reached right now. Please try again in a minute.';
const REFUSED = 'The payment service did not accept this payment. Please start again or choose another bundle.';

function encode({ method, body, ...request }: ProviderRequest, common: Record<string, string>): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json', ...common, ...request.headers };
  if (body === undefined) return { method, headers };
  if (body instanceof URLSearchParams) return { method, headers, body };
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function pauseOf(retryAfter: string | null): number {
  const seconds = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : DEFAULT_PAUSE_SECONDS;
  return Math.min(Math.max(seconds, 1), LONGEST_PAUSE_SECONDS);
}

/** `fetch failed` says nothing; the system's own code stands in its cause. */
function faultOf(fault: unknown): string {
  const cause = fault instanceof Error ? (fault.cause ?? fault) : fault;
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  return `no connection${code === undefined ? '' : ` (${code})`}`;
}

function describe(reply: ProviderReply): object {
  const words = providerMessage(reply);
  return words === null ? { status: reply.status } : { status: reply.status, words };
}

/** The provider's own message, wherever it keeps it, made safe for logs and staff. */
export function providerMessage(reply: ProviderReply): string | null {
  const message = field(reply.json, 'message');
  // Some list what is wrong with each field.
  const list = Array.isArray(message) ? message.filter(words => typeof words === 'string').join('; ') : '';
  const words =
    textAt(reply.json, 'message') ?? textAt(reply.json, 'error', 'message') ?? textAt(reply.json, 'error', 'code');
  return words === null && list === '' ? null : scrub(words ?? list);
}
