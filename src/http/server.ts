/** The listening server: its timeouts for slow clients, its connections, its end. */
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import type { Log } from '../domain/ports.ts';
import { publicMounts, publicRoutes } from './admin-networks.ts';
import { createClientAddress, isOneOf } from './client-address.ts';
import { type ConnectionBounds, createConnections, isRunning } from './connections.ts';
import { createCors } from './cors.ts';
import type { Authenticate } from './credentials.ts';
import { createResponder } from './responder.ts';
import type { Api } from './route.ts';
import { createRouter, type Mount } from './router.ts';

export interface HttpServerOptions {
  api: Pick<Api, 'routes'>;
  /** Pages, static files, and whatever else is not of the API. */
  mounts: readonly Mount[];
  authenticate: Authenticate;
  log: Log;
  /** CORS origins. */
  frontendOrigins: readonly string[];
  /** Addresses or CIDRs whose `X-Forwarded-For` counts. */
  trustedProxies: readonly string[];
  /** Whether an address is a router that may speak for everybody behind it. */
  isGateway: (address: string) => boolean;
  /** Addresses or CIDRs that the admin API and site are there for; none: for all. */
  adminNetworks?: readonly string[];
  bounds?: Partial<Bounds>;
}

export interface Bounds extends ConnectionBounds {
  /** A request's head must be whole within this, from its first byte. */
  headersMs: number;
  /** A request must be whole within this, from its first byte. */
  requestMs: number;
  /** A connection between two requests. */
  keepAliveMs: number;
  /** A connection on which nothing moves, in either direction. */
  silenceMs: number;
  /** How often the first two are looked at. */
  checkEveryMs: number;
}

const DEFAULT_BOUNDS: Bounds = {
  connections: 1_024,
  connectionsPerAddress: 64,
  connectionsPerSharedAddress: 768,
  restingMs: 1_000,
  headersMs: 10_000,
  requestMs: 20_000,
  keepAliveMs: 10_000,
  silenceMs: 30_000,
  checkEveryMs: 1_000,
};

export interface HttpServer {
  /** @param port 0: any that is free */
  listen(host: string, port: number): Promise<AddressInfo>;
  /** Takes no more requests, finishes those that run, and cuts what is left when the grace is over. */
  close(graceMs: number): Promise<void>;
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const cors = createCors(options.frontendOrigins);
  const clientAddress = createClientAddress(options.trustedProxies);
  const isStaffs = staffAddresses(options.adminNetworks ?? []);
  const responder = createResponder({
    log: options.log,
    cors,
    clientAddress,
    isStaffs,
    authenticate: options.authenticate,
    newRequestId: createRequestIds(),
  });
  const { api, mounts } = options;
  const toStaff = createRouter({ routes: api.routes, mounts, responder, cors });
  const toOthers = createRouter({ routes: publicRoutes(api.routes), mounts: publicMounts(mounts), responder, cors });
  const isProxy = isOneOf(options.trustedProxies);
  const connections = createConnections(bounds, address => isProxy(address) || options.isGateway(address));
  let isClosing = false;

  const server = createServer({
    headersTimeout: bounds.headersMs,
    requestTimeout: bounds.requestMs,
    keepAliveTimeout: bounds.keepAliveMs,
    connectionsCheckingInterval: bounds.checkEveryMs,
  });
  server.timeout = bounds.silenceMs;

  server.on('connection', connections.open);

  server.on('request', (request, response) => {
    const { socket } = request;
    if (!connections.begin(socket, response)) return;
    if (isClosing) closeAfter(response, socket);
    const router = isStaffs(clientAddress(request)) ? toStaff : toOthers;
    router(request, response);
  });

  function closeAfter(response: ServerResponse, socket: Socket): void {
    response.shouldKeepAlive = false;
    response.once('close', () => socket.destroySoon());
  }

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = connections.of(socket as Socket)?.response;
    if ((isRunning(response) && response.headersSent) || !socket.writable || error.code === 'ECONNRESET')
      socket.destroy();
    else socket.end(rawReply(error.code ?? ''), () => socket.destroy());
  });

  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        const fail = (error: NodeJS.ErrnoException) => reject(cannotListen(host, port, error));
        server.once('error', fail);
        server.listen(port, host, () => {
          server.off('error', fail);
          resolve(server.address() as AddressInfo);
        });
      }),
    close: graceMs =>
      new Promise(resolve => {
        isClosing = true;
        const cut = () => {
          for (const { socket } of connections) socket.destroy();
        };
        const deadline = setTimeout(cut, graceMs);
        server.close(() => {
          clearTimeout(deadline);
          resolve();
        });
        for (const { socket, response } of connections) {
          if (isRunning(response)) closeAfter(response, socket);
          else socket.destroySoon();
        }
      }),
  };
}

function staffAddresses(networks: readonly string[]): (address: string) => boolean {
  return networks.length === 0 ? () => true : isOneOf(networks);
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): Error {
  const advice = CANNOT_LISTEN.get(cause.code ?? '') ?? cause.message;
  return new Error(`Lango cannot listen on ${host} port ${port}: ${advice}`, { cause });
}

const CANNOT_LISTEN = new Map([
  ['EADDRINUSE', 'another program does. Stop that one, or set another LANGO_PORT.'],
  ['EACCES', 'that takes more rights. Set a LANGO_PORT from 1024 up, or start it by its systemd unit.'],
  ['EADDRNOTAVAIL', 'the machine has no such address. Set another LANGO_HOST.'],
]);

/** What a client gets whose bytes are no request: there is no response object then. */
function rawReply(code: string): string {
  const [status, message] = RAW_REPLIES.get(code) ?? ['400 Bad Request', 'This is not an HTTP request.'];
  const body = JSON.stringify({ error: status.slice(4), message });
  return `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

const RAW_REPLIES = new Map<string, readonly [status: string, message: string]>([
  ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'Send shorter headers.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request did not arrive in time.']],
]);

/** Ids that tell requests of one run and of different runs apart. */
function createRequestIds(): () => string {
  const run = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${run}-${count.toString(36)}`;
  };
}
