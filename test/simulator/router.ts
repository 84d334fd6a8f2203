/**
 * A MikroTik hotspot router without the hardware: the real binary API over TCP or TLS, and a hotspot with
 * people behind it. The other side of the wire, in tests and in the demo.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { POLICIES } from './accounts.ts';
import { CERTIFICATE, KEY } from './certificate.ts';
import { followedClock, manualClock, realClock, type SimulatorClock } from './clock.ts';
import { execute } from './commands.ts';
import { type Contents, createContents } from './contents.ts';
import type { RouterEvents } from './events.ts';
import type { Hotspot } from './hotspot.ts';
import { DEFAULT_KNOBS, type RouterKnobs } from './knobs.ts';
import { Listener, type TlsIdentity } from './listener.ts';
import { describe } from './menu.ts';
import type { Request } from './request.ts';
import { type Seeded, type SeedOptions, seed } from './seed.ts';
import {
  hostSeen,
  type SimulatedHost,
  type SimulatedSession,
  type SimulatedUser,
  sessionSeen,
  userSeen,
} from './seen.ts';
import { runSessionScripts } from './session-scripts.ts';
import type { Machine } from './system-menus.ts';
import { noSuchCommandPrefix, type Trap, unknownHost } from './trap.ts';
import { formatAddress, formatMac, parseAddress } from './values.ts';

export interface RouterSimulatorOptions extends Partial<RouterKnobs> {
  /** API account with every right. Default `admin` with an empty password. */
  username?: string;
  password?: string;
  /** Default 0: any free port. It stays the same when the router stops listening and starts again. */
  port?: number;
  /** Default `127.0.0.1`. */
  host?: string;
  /** The API over TLS with this certificate. */
  tls?: TlsIdentity;
  /** Default `real`. A function is somebody else's clock: milliseconds since the epoch. */
  clock?: 'real' | 'manual' | (() => number);
  /** Where a manual clock begins, in milliseconds since the epoch. Default: now. */
  startAt?: number;
  identity?: string;
  /** A router that was never set up: no hotspot. */
  blank?: boolean;
  /** How the hotspot lets people in. Default: as `/ip hotspot setup` leaves it, `cookie,http-chap`. */
  loginBy?: string;
}

export interface DeviceJoining {
  mac: string;
  address?: string;
  /** The hotspot gives it another address to go on with, as it does to one that brings its own from elsewhere. */
  toAddress?: string;
  /** Default: the first hotspot server. */
  server?: string;
  name?: string;
}

/** Devices without an address of their own get one from here upwards. */
const FIRST_ADDRESS = parseAddress('10.5.0.10') ?? 0;
const TICK_MS = 250;

/** Starts a router and waits until its port is open. */
export async function startRouterSimulator(options: RouterSimulatorOptions = {}): Promise<RouterSimulator> {
  const router = new RouterSimulator(options);
  await router.startListening();
  return router;
}

export class RouterSimulator extends EventEmitter<RouterEvents> {
  /** Change them at any time; each counts from the next command on. */
  readonly knobs: RouterKnobs;
  readonly #clock: SimulatorClock;
  readonly #contents: Contents;
  readonly #listener: Listener;
  readonly #machine: Machine & { bootedAt: number };
  #ticking: NodeJS.Timeout | undefined;
  #booting: NodeJS.Timeout | undefined;
  #seeded = 0;
  #busyUntil = 0;
  readonly #stopping = new AbortController();

  constructor(options: RouterSimulatorOptions = {}) {
    super();
    const {
      username = 'admin',
      password = '',
      port = 0,
      host = '127.0.0.1',
      tls,
      clock,
      startAt,
      identity = 'MikroTik',
      blank = false,
      loginBy = 'cookie,http-chap',
      ...knobs
    } = options;
    this.knobs = { ...DEFAULT_KNOBS, ...knobs };
    this.#clock =
      typeof clock === 'function'
        ? followedClock(clock)
        : clock === 'manual'
          ? manualClock(startAt ?? Date.now())
          : realClock;
    this.#machine = { knobs: this.knobs, now: () => this.now(), bootedAt: this.now() };
    this.#contents = createContents({
      clock: this.#clock,
      machine: this.#machine,
      events: this,
      account: { name: username, password },
      identity,
      blank,
      loginBy,
      logins: () => [...this.#listener.connections].flatMap(({ login }) => (login === null ? [] : [login])),
    });

    this.#listener = new Listener(
      {
        knobs: this.knobs,
        menus: () => this.#contents.menus(),
        account: name => this.#contents.accounts.find(name),
        policies: account => this.#contents.accounts.policies(account),
        settle: () => this.settle(),
        work: () => this.#work(),
        reboot: () => this.reboot(),
        now: () => this.now(),
        carriedOut: (request, trap, from) => this.#carriedOut(request, trap, from),
      },
      { host, port, tls, secure: { tls: { key: KEY, cert: CERTIFICATE }, isOn: () => this.#contents.isSecure() } },
    );
    runSessionScripts(this, this.#contents, this.knobs, this.#stopping.signal);
    if (this.#clock.runs) this.#ticking = setInterval(() => this.settle(), TICK_MS).unref();
  }

  // -------------------------------------------------------------------------------------- the machine

  get port(): number {
    return this.#listener.port;
  }

  /** How many API connections are open, logged in or not. */
  get connections(): number {
    return this.#listener.connections.size;
  }

  /** Milliseconds since the epoch on the simulator's clock. */
  now(): number {
    return this.#clock.now();
  }

  /** Lets time pass on a manual clock; what falls due on the way happens, at its own moment. */
  advance(ms: number): void {
    this.#clock.advance(ms);
    this.settle();
  }

  /** Lets what is due happen now, instead of at the next command or tick. */
  settle(): void {
    this.#hotspot.settle();
  }

  async startListening(): Promise<void> {
    clearTimeout(this.#booting);
    await this.#listener.open();
    this.#contents.placeSecureApi(this.#listener.securePort);
  }

  /** The port refuses, and every connection is reset: a cable pulled, a service switched off. */
  async stopListening(): Promise<void> {
    clearTimeout(this.#booting);
    await this.#listener.shut();
  }

  /** Ends every API connection while the port stays open. */
  dropConnections(how: 'reset' | 'close' = 'reset'): void {
    for (const connection of this.#listener.connections) {
      if (how === 'reset') connection.reset();
      else connection.close();
    }
  }

  /** Connections die without a word, the port stays shut for `knobs.rebootMs`, nobody is online or known. */
  reboot(): void {
    void this.#listener.shut();
    this.#hotspot.reboot();
    this.#machine.bootedAt = this.now();
    this.emit('reboot', { at: this.now() });
    clearTimeout(this.#booting);
    this.#booting = setTimeout(() => void this.#listener.open(), this.knobs.rebootMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticking);
    this.#stopping.abort();
    await this.stopListening();
  }

  // --------------------------------------------------------------------------- people and their phones

  /**
   * A device joins the Wi-Fi; without an address it gets a free one. One that is there already stays as it is. With
   * another address it has a second row, and the first one idles until its time is over.
   */
  join(device: DeviceJoining): SimulatedHost {
    const { address, toAddress, server, name = '' } = device;
    const mac = formatMac(device.mac);
    const known = address === undefined ? this.#hotspot.hosts.current(mac) : undefined;
    this.settle();
    const host = this.#hotspot.join({
      mac,
      name,
      address: address ?? known?.address ?? this.#freeAddress(),
      toAddress: toAddress ?? known?.toAddress,
      server,
    });
    return hostSeen(this.#hotspot, host);
  }

  /** The device is out of reach, and its rows go, at once or when their time is over. It need not have been there. */
  leave(mac: string, rows: 'at once' | 'in time' = 'at once'): void {
    this.#hotspot.leave(formatMac(mac), rows);
  }

  /** The person types name and password into the router's own page. @throws Trap with the router's words */
  login(device: { mac: string; user: string; password: string }): SimulatedSession {
    this.settle();
    const host = this.#hotspot.hosts.current(formatMac(device.mac));
    if (host === undefined) throw unknownHost('');
    const { user, password } = device;
    return sessionSeen(this.#hotspot, this.#hotspot.loginAt(host, { user, password, by: 'http-pap' }));
  }

  /** The person presses "log out" on the router's page. */
  logout(mac: string): void {
    const host = this.#hotspot.hosts.current(formatMac(mac));
    const session = host && this.#hotspot.sessions.at(host.toAddress);
    if (session !== undefined) this.#hotspot.end(session, 'user request');
  }

  activeSessions(): SimulatedSession[] {
    this.settle();
    return [...this.#hotspot.sessions.all()].map(session => sessionSeen(this.#hotspot, session));
  }

  hosts(): SimulatedHost[] {
    this.settle();
    return [...this.#hotspot.hosts.all()].map(host => hostSeen(this.#hotspot, host));
  }

  /** Without `default-trial`, which every router has. */
  users(): SimulatedUser[] {
    this.settle();
    return [...this.#contents.users.items()]
      .filter(row => row['default'] !== 'true')
      .map(row => userSeen(this.#hotspot, row));
  }

  cookies(): { id: string; user: string; mac: string; expiresAt: number }[] {
    this.settle();
    return [...this.#hotspot.cookies()].map(cookie => ({ ...cookie }));
  }

  // -------------------------------------------------------------------------------- somebody's WinBox

  /** The paths of all menus that this version and board have. */
  menus(): string[] {
    return [...this.#contents.menus().keys()];
  }

  /** What rows of a menu can have, by this version's names, and what can only be written. */
  properties(path: string): readonly string[] {
    const menu = this.#contents.menus().get(path);
    return [...(menu?.properties ?? []), ...(menu?.hidden ?? [])];
  }

  /** Every row of a menu as `print` shows it to an administrator. */
  table(path: string): Record<string, string>[] {
    this.settle();
    const menu = this.#contents.menus().get(path);
    if (menu === undefined) throw noSuchCommandPrefix();
    return [...menu.items()].map(item => describe(menu, item));
  }

  /**
   * Runs a command as an operator at the router's own console would, past every wire.
   * @returns `ret` of an `add`, otherwise an empty text @throws Trap with the router's words
   */
  run(command: string, attributes: Record<string, string> = {}): string {
    this.settle();
    const request: Request = { command, attributes: new Map(Object.entries(attributes)), queries: [], tag: undefined };
    const outcome = execute(this.#contents.menus(), request, new Set(POLICIES));
    if (outcome.kind === 'reboot') this.reboot();
    return outcome.kind === 'done' ? (outcome.ret ?? '') : '';
  }

  /** Fills the router with people, quickly and without events. Call it again for more of them. */
  seed(options: SeedOptions): Seeded[] {
    const first = this.#seeded + 1;
    this.#seeded += options.people;
    return seed(this.#contents, options, first);
  }

  // ------------------------------------------------------------------------------------------- inside

  get #hotspot(): Hotspot {
    return this.#contents.hotspot;
  }

  #carriedOut(request: Request, trap: Trap | null, from: string): void {
    if (request.command === '/login') {
      const name = request.attributes.get('name') ?? '';
      if (trap === null) this.#contents.log.add('system,info,account', `user ${name} logged in from ${from} via api`);
      else this.#contents.log.add('system,error,critical', `login failure for user ${name} from ${from} via api`);
    }
    if (this.listenerCount('command') === 0) return;
    const attributes = [...request.attributes].map(([name, value]) => [name, isSecret(name) ? '***' : value]);
    this.emit('command', {
      command: request.command,
      attributes: Object.fromEntries(attributes),
      queries: request.queries,
      tag: request.tag,
      trap: trap?.message ?? null,
      at: this.now(),
    });
  }

  #work(): Promise<void> | undefined {
    const { commandMs } = this.knobs;
    if (commandMs === 0) return undefined;
    const now = performance.now();
    this.#busyUntil = Math.max(now, this.#busyUntil) + commandMs;
    return delay(this.#busyUntil - now);
  }

  #freeAddress(): string {
    const taken = new Set([...this.#hotspot.hosts.all()].flatMap(host => [host.address, host.toAddress]));
    let candidate = FIRST_ADDRESS;
    while (taken.has(formatAddress(candidate))) candidate += 1;
    return formatAddress(candidate);
  }
}

function isSecret(name: string): boolean {
  return name === 'password' || name === 'response';
}
