/**
 * The one way a driver hands a message to its provider. A message costs money and cannot be called back, so what
 * counts is whether a byte of it can have left: a fault before the connection stood is safe to try again, every
 * fault after that is `uncertain` and never tried again. That is why each request has a connection of its own.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { Log, SmsAnswer } from '../domain/ports.ts';
import { readBounded } from '../outbound/bounded.ts';
import { type Json, parseJson } from '../outbound/json.ts';
import { scrub } from '../outbound/scrub.ts';

/** What every driver is built with; the tests shorten the deadline. */
export interface SmsTools {
  log: Log;
  /** Milliseconds for one message; 10,000. */
  deadlineMs?: number;
}

export interface SmsRequest {
  url: string;
  headers?: Record<string, string>;
  /** Absent: GET, else POST. */
  body?: RequestBody;
}

export interface RequestBody {
  /** Its media type. */
  type: string;
  text: string;
}

export interface SmsReply {
  status: number;
  /** undefined: the body is not JSON. */
  json: Json | undefined;
  text: string;
}

const DEADLINE_MS = 10_000;
const LONGEST_REPLY = 64 * 1_024;

/** @returns an answer, or a reply that is neither a refusal of our keys, nor a limit, nor a breakdown */
export async function transmit(
  provider: string,
  request: SmsRequest,
  { log, deadlineMs = DEADLINE_MS }: SmsTools,
): Promise<SmsAnswer | SmsReply> {
  const outcome = await exchange(request, deadlineMs);
  if ('fault' in outcome) return answer(outcome.sent ? 'uncertain' : 'retry', outcome.fault);
  const { status } = outcome;
  if (status === 401 || status === 403) {
    // Its words are left out: some quote the key.
    log.error({ provider, status }, 'sms.keys_refused');
    return answer('retry', `The provider does not accept our keys (${status}).`);
  }
  if (status === 429) return answer('retry', 'The provider asks us to slow down.');
  if (status >= 500) return answer('uncertain', `The provider failed (${status}).`);
  if (status >= 300 && status < 400) return answer('refused', `The provider's address redirects (${status}).`);
  return outcome;
}

export function answer(outcome: SmsAnswer['outcome'], message: string | null): SmsAnswer {
  return { outcome, reference: null, message: message === null ? null : scrub(message) };
}

export function accepted(reference: string | null): SmsAnswer {
  return { outcome: 'accepted', reference, message: null };
}

/** A reply of success that does not say what the documents promise: the message may be on its way. */
export function unclear(reply: SmsReply): SmsAnswer {
  return answer('uncertain', `The provider's reply makes no sense (${reply.status}).`);
}

export function formBody(fields: Record<string, string>): RequestBody {
  return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(fields).toString() };
}

export function jsonBody(value: unknown): RequestBody {
  return { type: 'application/json', text: JSON.stringify(value) };
}

/** Basic where there is a user name, Bearer where there is none. */
export function authorization(username: string | null, key: string): string {
  return username === null ? `Bearer ${key}` : basicAuth(username, key);
}

export function basicAuth(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

type Outcome = SmsReply | { fault: string; sent: boolean };

function exchange({ url, headers, body }: SmsRequest, deadlineMs: number): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const isSecure = url.startsWith('https:');
  const signal = AbortSignal.timeout(deadlineMs);
  let connected = false;
  const failed = (error: Error): void =>
    resolve({ fault: signal.aborted ? 'No reply in time.' : messageOf(error), sent: connected });

  const outgoing = (isSecure ? httpsRequest : httpRequest)(url, {
    method: body === undefined ? 'GET' : 'POST',
    agent: false,
    signal,
    headers: {
      accept: 'application/json',
      ...(body && { 'content-type': body.type, 'content-length': String(Buffer.byteLength(body.text)) }),
      ...headers,
    },
  });
  outgoing.once('socket', (socket: TLSSocket) =>
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      connected = true;
    }),
  );
  outgoing.once('error', failed);
  outgoing.once('response', reply => void readReply(reply).then(resolve, failed));
  outgoing.end(body?.text);
  return promise;
}

async function readReply(reply: IncomingMessage): Promise<SmsReply> {
  const body = await readBounded(reply, LONGEST_REPLY);
  if (body === null) throw new Error('The reply is too long.');
  const text = body.toString('utf8');
  return { status: reply.statusCode ?? 0, json: parseJson(text), text };
}

function messageOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `No connection (${code}).`;
}
