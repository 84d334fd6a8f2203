/** The port of the router: open or shut, with or without TLS, and always the same number. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Connection, type ConnectionOwner } from './connection.ts';

export interface TlsIdentity {
  /** PEM. */
  key: string | Buffer;
  /** PEM. */
  cert: string | Buffer;
}

export class Listener {
  readonly #owner: ConnectionOwner;
  readonly #tls: TlsIdentity | undefined;
  readonly #host: string;
  readonly #connections = new Set<Connection>();
  #port: number;
  #server: Server | null = null;

  constructor(owner: ConnectionOwner, options: { host: string; port: number; tls: TlsIdentity | undefined }) {
    this.#owner = owner;
    this.#host = options.host;
    this.#port = options.port;
    this.#tls = options.tls;
  }

  get port(): number {
    return this.#port;
  }

  get connections(): ReadonlySet<Connection> {
    return this.#connections;
  }

  async open(): Promise<void> {
    if (this.#server !== null) return;
    const server = createServer(socket => this.#accept(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, this.#host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  /** New connections are refused from here on; those that exist are reset. */
  async shut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const closed = server === null ? undefined : new Promise<void>(resolve => server.close(() => resolve()));
    for (const connection of this.#connections) connection.reset();
    await closed;
  }

  #accept(socket: Socket): void {
    const stream = this.#tls === undefined ? socket : new TLSSocket(socket, { isServer: true, ...this.#tls });
    const connection = new Connection(this.#owner, socket, stream);
    this.#connections.add(connection);
    stream.once('close', () => this.#connections.delete(connection));
  }
}
