/** A listening server with the routes of one test, and ways to talk to it that `fetch` does not offer. */
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import * as v from 'valibot';

import type { Log } from '../../src/domain/ports.ts';
import type { Instant } from '../../src/domain/time.ts';
import { type AdminSession, type AdminSessions, createAuthenticate, tokenHash } from '../../src/http/credentials.ts';
import { parsersAt } from '../../src/http/parsers.ts';
import { type Api, createApi } from '../../src/http/route.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../src/http/server.ts';

export interface LogLine {
  level: string;
  event: string;
  fields: Record<string, unknown>;
}

export function recordingLog(): Log & { lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: string) => (fields: object, event: string) => {
    lines.push({ level, event, fields: fields as Record<string, unknown> });
  };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export const STATIC_TOKEN = 'a-static-token-of-24-characters';

/** Two live sessions, of an owner and of a cashier, with tokens named after them. */
export const sessions: AdminSessions = {
  byTokenHash: hash => ADMINS.find(({ admin }) => tokenHash(`${admin.username}-token`) === hash) ?? null,
  byAccessTokenHash: hash => ADMINS.find(({ admin }) => tokenHash(`${admin.username}-access`) === hash) ?? null,
};

const LOGIN = '2026-11-21T10:00:00.000Z' as Instant;

const ADMINS: AdminSession[] = [
  { id: 1, confirmedAt: LOGIN, admin: { id: 11, username: 'olive', role: 'owner' } },
  { id: 2, confirmedAt: LOGIN, admin: { id: 12, username: 'carl', role: 'cashier' } },
];

/** A small contract, but for its method and path: public, and whatever is answered. */
export const OPEN = { summary: 'For a test', auth: 'none', reply: v.unknown() } as const;

export const PARSERS = parsersAt({ country: 'TZ', currency: 'TZS', timeZone: 'Africa/Dar_es_Salaam' });

export interface Running {
  url: string;
  port: number;
  server: HttpServer;
  log: ReturnType<typeof recordingLog>;
}

export async function serve(
  t: TestContext,
  routes: (api: Api) => void,
  options: Partial<HttpServerOptions> = {},
): Promise<Running> {
  const api = createApi(PARSERS);
  routes(api);
  const log = recordingLog();
  const server = createHttpServer({
    api,
    mounts: [],
    authenticate: createAuthenticate({ sessions, staticToken: STATIC_TOKEN }),
    log,
    frontendOrigins: [],
    trustedProxies: [],
    isGateway: () => false,
    ...options,
  });
  const { port } = await server.listen('127.0.0.1', 0);
  t.after(() => server.close(0));
  return { url: `http://127.0.0.1:${port}`, port, server, log };
}

export interface RawClient {
  socket: Socket;
  /** Everything received so far. */
  received(): string;
  /** Resolves with everything received once the text has come. */
  until(text: string): Promise<string>;
  /** Resolves with everything received once the server has closed the connection. */
  closed: Promise<string>;
}

/** A client that sends exactly these bytes. */
export function rawClient(t: TestContext, port: number, bytes: string | Buffer): RawClient {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  t.after(() => socket.destroy());
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', text => {
    received += text;
  });
  socket.on('error', () => {});
  const closed = new Promise<string>(resolve => socket.once('close', () => resolve(received)));
  const until = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => received.includes(text) && resolve(received);
      socket.on('data', look);
      socket.once('close', () => reject(new Error(`closed without ${JSON.stringify(text)}: ${received}`)));
      look();
    });
  return { socket, received: () => received, until, closed };
}

export function postJson(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  });
}
