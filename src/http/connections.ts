/**
 * The open connections: how many there may be, in all and from one address, and which one goes when there are more.
 *
 * One that rests between two requests goes before one that is sending or taking something in, and that one before one
 * that waits for our answer: somebody may be paying on it. Among equals, the address that holds most of them loses
 * one, and of its connections the one that has been without a new request for longest.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

import { peerAddress } from './client-address.ts';
import { networkOf } from './rate-limits.ts';

export interface ConnectionBounds {
  /** Connections in all. */
  connections: number;
  /** From one address. */
  connectionsPerAddress: number;
  /** From an address that many people share: a trusted proxy, the router. */
  connectionsPerSharedAddress: number;
  /** A connection without a request counts as resting after this. */
  restingMs: number;
}

export interface Connections extends Iterable<Connection> {
  /** Takes it in, and cuts whichever is missed least where that is one too many. */
  open(socket: Socket): void;
  /**
   * A request has arrived, and will be answered by that response.
   * @returns false: the connection has been cut, and nobody waits for the answer
   */
  begin(socket: Socket, response: ServerResponse): boolean;
  of(socket: Socket): Connection | undefined;
}

export interface Connection {
  readonly socket: Socket;
  /** An IPv4 address, or the network of an IPv6 one. */
  readonly address: string;
  /** Many people may sit behind it. */
  readonly isShared: boolean;
  /** What its latest request is to get, or got; null: there was none yet. */
  response: ServerResponse | null;
  /** What requests before that one are still to get: clients may send several at once (pipelining). */
  earlier: ServerResponse[];
  /** When that request came, or the connection itself; monotonic milliseconds. */
  since: number;
}

/** In the order in which they go. */
const RESTING = 0;
const MOVING = 1;
const WAITING = 2;

/**
 * Requests of one connection without their whole answer. Browsers send one at a time. Node takes in whatever a packet
 * holds, hundreds of requests, and keeps their answers in memory for a client that reads none.
 */
const MOST_AT_ONCE = 16;

/** @param isShared whether many people may sit behind an address */
export function createConnections(bounds: ConnectionBounds, isShared: (address: string) => boolean): Connections {
  // Changed by connections that come and go, never by requests: a table that changes with each request has V8 carry
  // the garbage of every request into the old generation, along the chain of the tables it has outgrown.
  const open = new Map<Socket, Connection>();
  const perAddress = new Map<string, number>();

  const held = (address: string) => perAddress.get(address) ?? 0;

  function close(connection: Connection): void {
    if (!open.delete(connection.socket)) return;
    const left = held(connection.address) - 1;
    if (left === 0) perAddress.delete(connection.address);
    else perAddress.set(connection.address, left);
  }

  function closeWorst(isOfConcern: (connection: Connection) => boolean): void {
    const now = performance.now();
    let worst: Candidate | null = null;
    for (const connection of open.values()) {
      if (!isOfConcern(connection)) continue;
      // A shared address is not to blame for how many it holds.
      const crowd = connection.isShared ? 1 : held(connection.address);
      const candidate = { connection, stage: stageOf(connection, now - bounds.restingMs), crowd };
      if (worst === null || isWorse(candidate, worst)) worst = candidate;
    }
    if (worst !== null) cut(worst.connection);
  }

  function cut(connection: Connection): void {
    close(connection);
    connection.socket.destroy();
  }

  return {
    open(socket) {
      const peer = peerAddress(socket);
      const address = networkOf(peer);
      const shared = isShared(peer);
      const since = performance.now();
      const connection: Connection = { socket, address, isShared: shared, response: null, earlier: [], since };
      open.set(socket, connection);
      perAddress.set(address, held(address) + 1);
      socket.once('close', () => close(connection));
      const ofOne = shared ? bounds.connectionsPerSharedAddress : bounds.connectionsPerAddress;
      if (held(address) > ofOne) closeWorst(other => other.address === address);
      else if (open.size > bounds.connections) closeWorst(() => true);
    },
    begin(socket, response) {
      const connection = open.get(socket);
      if (connection === undefined) return false;
      if (isRunning(connection.response))
        connection.earlier = [...connection.earlier, connection.response].filter(isRunning);
      else if (connection.earlier.length > 0) connection.earlier = [];
      connection.response = response;
      connection.since = performance.now();
      if (connection.earlier.length < MOST_AT_ONCE) return true;
      stopReading(socket);
      cut(connection);
      return false;
    },
    of: socket => open.get(socket),
    [Symbol.iterator]: () => open.values(),
  };
}

/**
 * Leaves the rest of a packet that is being read. Node would make requests of all of it, for a socket that is closed:
 * a thousand connections at one moment are a million requests. That a parser goes no further once `onIncoming`
 * answers 2 is Node's own way with CONNECT, and not in its documentation: a test holds it.
 */
function stopReading(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser');
  if (typeof parser === 'object' && parser !== null) Reflect.set(parser, 'onIncoming', () => 2);
}

interface Candidate {
  connection: Connection;
  stage: number;
  crowd: number;
}

function isWorse(one: Candidate, other: Candidate): boolean {
  if (one.stage !== other.stage) return one.stage < other.stage;
  if (one.crowd !== other.crowd) return one.crowd > other.crowd;
  return one.connection.since < other.connection.since;
}

/** @param restingSince what began before this and is over is resting; what is younger may be on its way yet */
function stageOf({ response, socket, since }: Connection, restingSince: number): number {
  if (isRunning(response)) return response.req.complete && !response.writableEnded ? WAITING : MOVING;
  const isSending = response === null && socket.bytesRead > 0;
  return isSending || since > restingSince ? MOVING : RESTING;
}

export function isRunning(response: ServerResponse | null | undefined): response is ServerResponse {
  return response !== null && response !== undefined && !response.writableFinished && !response.destroyed;
}
