/** One request of one route: limit, credentials, schemas, handler, reply. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Actor } from '../domain/audit.ts';
import { LangoError } from '../domain/errors.ts';
import type { Log } from '../domain/ports.ts';
import { ClientGone, type Fields, readBytes, readFields, splitForm } from './body.ts';
import type { ClientAddress } from './client-address.ts';
import type { Cors } from './cors.ts';
import { type Authenticate, type Caller, presentedCredentials, requireRole } from './credentials.ts';
import { errorReply } from './errors.ts';
import { wantsJson } from './negotiate.ts';
import type { Reply } from './reply.ts';
import type { Input, Route } from './route.ts';
import {
  BARE_HEADERS,
  CAPTIVE_HEADERS,
  CSV_HEADERS,
  EVENTS_HEADERS,
  JSON_HEADERS,
  TEXT_HEADERS,
} from './security-headers.ts';
import { type Part, validate } from './validation.ts';

export interface ResponderOptions {
  log: Log;
  cors: Cors;
  clientAddress: ClientAddress;
  authenticate: Authenticate;
  /** Whether credentials count from that address. */
  isStaffs: (address: string) => boolean;
  newRequestId: () => string;
}

export interface Responder {
  /** Answers one request, whatever happens; never rejects. */
  answer(route: Route, request: IncomingMessage, response: ServerResponse, params: Fields): Promise<void>;
  send(request: IncomingMessage, response: ServerResponse, reply: Reply): void;
  /** Answers a failure outside any route. */
  fail(error: unknown, request: IncomingMessage, response: ServerResponse): void;
}

export function createResponder(options: ResponderOptions): Responder {
  const { log, cors, authenticate } = options;

  /** What is settled before the body is read. */
  function admit(route: Route, received: ReceivedRequest): void {
    route.limit?.take(received.clientIp);
    if (route.auth === 'none') return;
    received.caller = authenticate(received.headers);
    requireRole(received.caller, route.auth);
  }

  function reply(route: Route, received: ReceivedRequest, body: Fields | Buffer | undefined): Reply | Promise<Reply> {
    readInput(route, received, body);
    return route.handle(received as never);
  }

  function send(request: IncomingMessage, response: ServerResponse, made: Reply): void {
    if (response.headersSent || response.destroyed) return;
    const { status, type, body, pieces, headers } = made;
    const all = HEADERS[type ?? 'none'].concat(headers, cors.headers(request.headers));
    if (pieces !== undefined && request.method !== 'HEAD') {
      response.writeHead(status, all);
      pipeline(Readable.from(pieces, { highWaterMark: 1 }), response).catch(error => {
        if (error?.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error }, 'reply.cut_off');
      });
      return;
    }
    if (type !== null && pieces === undefined) all.push('Content-Length', String(Buffer.byteLength(body)));
    response.writeHead(status, all);
    response.end(body);
  }

  return {
    send,
    async answer(route, request, response, params) {
      const received = new ReceivedRequest(request, params, options);
      try {
        admit(route, received);
        const body = route.body === undefined ? undefined : await readBody(route, request);
        const made = reply(route, received, body);
        send(request, response, made instanceof Promise ? await made : made);
      } catch (error) {
        if (error instanceof ClientGone) return;
        const { errors: shape = 'api', plain = false } = route;
        const failed = { id: received.requestId, method: route.method, path: route.path };
        send(request, response, errorReply(error, failed, { shape, plain: plain && !received.wantsJson, log }));
      }
    },
    fail(error, request, response) {
      if (error instanceof ClientGone) return;
      const failed = { id: options.newRequestId(), method: request.method ?? '', path: '' };
      const failure = errorReply(error, failed, { shape: 'api', plain: false, log });
      if (response.headersSent) response.destroy();
      else send(request, response, failure);
    },
  };
}

const HEADERS = {
  json: JSON_HEADERS,
  captive: CAPTIVE_HEADERS,
  text: TEXT_HEADERS,
  csv: CSV_HEADERS,
  events: EVENTS_HEADERS,
  none: BARE_HEADERS,
};

function readBody({ body, accepts = 'json', bodyLimit }: Route, request: IncomingMessage): Promise<Fields | Buffer> {
  return body === 'bytes' ? readBytes(request, bodyLimit) : readFields(request, accepts, bodyLimit);
}

/** Fills in what the route's schemas read, reporting the problems of path, query and body together. */
function readInput(
  { body, query, params }: Route,
  received: ReceivedRequest,
  given: Fields | Buffer | undefined,
): void {
  received.body = given;
  const parts: Part[] = [];
  if (params !== undefined) parts.push([params, received.params as Fields]);
  if (query !== undefined) parts.push([query, splitForm(received.search.slice(1), 'query')]);
  if (body !== undefined && body !== 'bytes') parts.push([body, given as Fields]);
  if (parts.length === 0) return;
  const outputs = validate(parts).values();
  if (params !== undefined) received.params = outputs.next().value;
  if (query !== undefined) received.query = outputs.next().value;
  if (body !== undefined && body !== 'bytes') received.body = outputs.next().value;
}

/** A handler's input. What many handlers never ask for is worked out when it is first asked for. */
class ReceivedRequest implements Omit<Input, 'body' | 'query' | 'params'> {
  body: unknown;
  query: unknown;
  params: unknown;
  caller: Caller | null = null;
  readonly message: IncomingMessage;
  readonly #options: ResponderOptions;
  #clientIp: string | undefined;
  #requestId: string | undefined;

  constructor(message: IncomingMessage, params: Fields, options: ResponderOptions) {
    this.message = message;
    this.params = params;
    this.#options = options;
  }

  get clientIp(): string {
    this.#clientIp ??= this.#options.clientAddress(this.message);
    return this.#clientIp;
  }

  get requestId(): string {
    this.#requestId ??= this.#options.newRequestId();
    return this.#requestId;
  }

  /** The admin whose credentials came along to a public route; null: none did, or they are not valid. */
  #staff(): Caller | null {
    if (!this.#options.isStaffs(this.clientIp) || presentedCredentials(this.headers).kind === 'none') return null;
    try {
      return this.#options.authenticate(this.headers);
    } catch (error) {
      if (error instanceof LangoError && error.code === 'UNAUTHENTICATED') return null;
      throw error;
    }
  }

  get headers() {
    return this.message.headers;
  }

  get wantsJson(): boolean {
    return wantsJson(this.message.headers);
  }

  get search(): string {
    const url = this.message.url ?? '';
    const question = url.indexOf('?');
    return question === -1 ? '' : url.slice(question);
  }

  get actor(): Actor | null {
    const caller = this.caller ?? this.#staff();
    if (caller === null) return null;
    if (caller.kind === 'static-token') return { adminId: null, name: 'configured token', ip: this.clientIp };
    const { admin } = caller.session;
    return { adminId: admin.id, name: admin.username, ip: this.clientIp };
  }
}
