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

interface ListenerOptions {
  host: string;
  port: number;
  tls: TlsIdentity | undefined;
  /** The service `api-ssl`, at a port of its own; it refuses while it is off. */
  secure: { tls: TlsIdentity; isOn: () => boolean };
}

export class Listener {
  readonly #owner: ConnectionOwner;
  readonly #options: ListenerOptions;
  readonly #connections = new Set<Connection>();
  #port: number;
  #securePort = 0;
  #servers: Server[] = [];

  constructor(owner: ConnectionOwner, options: ListenerOptions) {
    this.#owner = owner;
    this.#options = options;
    this.#port = options.port;
  }

  get port(): number {
    return this.#port;
  }

  get securePort(): number {
    return this.#securePort;
  }

  get connections(): ReadonlySet<Connection> {
    return this.#connections;
  }

  async open(): Promise<void> {
    if (this.#servers.length > 0) return;
    const { tls, secure } = this.#options;
    const servers = [
      createServer(socket => this.#accept(socket, tls)),
      createServer(socket => {
        if (secure.isOn()) this.#accept(socket, secure.tls);
        else socket.resetAndDestroy();
      }),
    ] as const;
    this.#servers = [...servers];
    this.#port = await this.#listen(servers[0], this.#port);
    this.#securePort = await this.#listen(servers[1], this.#securePort);
  }

  /** @returns the port, which was free where none is wanted */
  async #listen(server: Server, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, this.#options.host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    return (server.address() as AddressInfo).port;
  }

  /** New connections are refused from here on; those that exist are reset. */
  async shut(): Promise<void> {
    const servers = this.#servers;
    this.#servers = [];
    const closed = servers.map(server => new Promise<void>(resolve => server.close(() => resolve())));
    for (const connection of this.#connections) connection.reset();
    await Promise.all(closed);
  }

  #accept(socket: Socket, tls: TlsIdentity | undefined): void {
    const stream = tls === undefined ? socket : new TLSSocket(socket, { isServer: true, ...tls });
    const connection = new Connection(this.#owner, socket, stream);
    this.#connections.add(connection);
    stream.once('close', () => this.#connections.delete(connection));
  }
}
