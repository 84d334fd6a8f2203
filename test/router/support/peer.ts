/** A router reduced to its socket: says exactly the bytes a test wants, when it wants. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { Log, RouterSettings } from '../../../src/domain/ports.ts';
import { type Clock, systemClock } from '../../../src/domain/time.ts';
import { freePort } from '../../support/ports.ts';

/** One command as it arrived, and the ways to answer it. */
export interface Command {
  path: string;
  words: string[];
  tag: string;
  socket: Socket;
  /** Sends sentences, each with this command's tag at its end. */
  reply(...sentences: string[][]): void;
}

export type Behaviour = (command: Command) => void;

export interface Peer {
  port: number;
  settings: RouterSettings;
  /** Every command so far, logins included. */
  commands: Command[];
  connections: Set<Socket>;
  /** How many connections were ever made. */
  accepted: number;
  stop(): Promise<void>;
}

/** Accepts the new-style login and leaves the rest to `behaviour`. */
export function afterLogin(behaviour: Behaviour): Behaviour {
  return command => (command.path === '/login' ? command.reply(['!done']) : behaviour(command));
}

export async function startPeer(
  t: TestContext,
  behaviour: Behaviour,
  options: { tls?: TlsOptions; port?: number; onConnection?: (socket: Socket) => void } = {},
): Promise<Peer> {
  const peer: Peer = {
    port: 0,
    settings: {
      host: '127.0.0.1',
      port: 0,
      username: 'lango',
      password: 'säkret',
      ssl: options.tls !== undefined,
      sslFingerprint: null,
      hotspot: null,
      profile: 'default',
    },
    commands: [],
    connections: new Set(),
    accepted: 0,
    stop: () => stop(server, peer),
  };
  const accept = (socket: Socket): void => {
    peer.accepted += 1;
    peer.connections.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => peer.connections.delete(socket));
    options.onConnection?.(socket);
    readCommands(socket, command => {
      peer.commands.push(command);
      behaviour(command);
    });
  };
  const server = options.tls === undefined ? createServer(accept) : createTlsServer(options.tls, accept);
  server.on('tlsClientError', () => {});
  server.listen(options.port ?? (await freePort()), '127.0.0.1');
  await once(server, 'listening');
  peer.port = (server.address() as AddressInfo).port;
  peer.settings.port = peer.port;
  t.after(() => peer.stop());
  return peer;
}

async function stop(server: Server, peer: Peer): Promise<void> {
  for (const socket of peer.connections) socket.destroy();
  if (!server.listening) return;
  server.close();
  await once(server, 'close');
}

/** Written apart from the code under test, so that one misreading of the manual does not hide the other. */
export function sentence(...words: string[]): Buffer {
  const parts: Buffer[] = [];
  for (const word of words) {
    const text = Buffer.from(word, 'utf8');
    if (text.length >= 0x4000) throw new Error('the peer speaks short words only');
    parts.push(Buffer.from(text.length < 0x80 ? [text.length] : [0x80 | (text.length >> 8), text.length & 0xff]), text);
  }
  return Buffer.concat([...parts, Buffer.of(0)]);
}

function readCommands(socket: Socket, onCommand: (command: Command) => void): void {
  let bytes = Buffer.alloc(0);
  let words: string[] = [];
  socket.on('data', (data: Buffer) => {
    bytes = Buffer.concat([bytes, data]);
    for (;;) {
      const first = bytes[0];
      if (first === undefined) return;
      const long = first >= 0x80;
      if (long && bytes.length < 2) return;
      const start = long ? 2 : 1;
      const length = long ? ((first & 0x3f) << 8) | (bytes[1] ?? 0) : first;
      if (bytes.length < start + length) return;
      const word = bytes.toString('utf8', start, start + length);
      bytes = bytes.subarray(start + length);
      if (length > 0) words.push(word);
      else {
        onCommand(commandOf(words, socket));
        words = [];
      }
    }
  });
}

function commandOf(words: string[], socket: Socket): Command {
  const tagWord = words.find(word => word.startsWith('.tag=')) ?? '';
  return {
    path: words[0] ?? '',
    words: words.slice(1).filter(word => word !== tagWord),
    tag: tagWord.slice('.tag='.length),
    socket,
    reply: (...sentences) => {
      if (socket.writable) socket.write(Buffer.concat(sentences.map(each => sentence(...each, tagWord))));
    },
  };
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

export function inMs(milliseconds: number): number {
  return (systemClock satisfies Clock).monotonic() + milliseconds;
}
