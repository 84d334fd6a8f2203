/**
 * A MikroTik hotspot router without the hardware: the real binary API over TCP or TLS, and a hotspot with
 * people behind it. Part of `lango demo`, and the other side of the wire in tests.
 */
import { EventEmitter } from 'node:events';
import { followedClock, manualClock, realClock, type SimulatorClock } from './clock.ts';
import { execute, type Menus, splitCommand } from './commands.ts';
import { accountsTable, configurationTables, groupsTable, POLICIES } from './configuration-menus.ts';
import type { Account } from './connection.ts';
import type { RouterEvents } from './events.ts';
import { Hotspot, type Session, userKey } from './hotspot.ts';
import {
  activeMenu,
  bindingsTable,
  cookieMenu,
  hostMenu,
  profilesTable,
  serverProfilesTable,
  serversTable,
  usersTable,
  walledGardenIpTable,
  walledGardenTable,
} from './hotspot-menus.ts';
import { DEFAULT_KNOBS, type RouterKnobs } from './knobs.ts';
import { Listener, type TlsIdentity } from './listener.ts';
import { runLoginScripts } from './login-scripts.ts';
import { describe, type Menu } from './menu.ts';
import type { Request } from './request.ts';
import {
  clockMenu,
  identityTable,
  type Machine,
  resourceMenu,
  routerboardMenu,
  timeClientTable,
} from './system-menus.ts';
import type { Table } from './table.ts';
import { noSuchCommandPrefix, type Trap } from './trap.ts';
import { formatAddress, formatDuration, formatMac, parseAddress, parseDuration } from './values.ts';

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
  /** A router that was never set up: no hotspot, no pool, no DHCP server. */
  blank?: boolean;
}

export interface SimulatedSession {
  id: string;
  user: string;
  mac: string;
  address: string;
  by: string;
  uptimeSeconds: number;
  /** Milliseconds since the epoch; null: the router sets no end. */
  endsAt: number | null;
  bytesIn: number;
  bytesOut: number;
}

export interface SimulatedUser {
  id: string;
  name: string;
  password: string;
  profile: string;
  mac: string | null;
  comment: string;
  disabled: boolean;
  uptimeSeconds: number;
  limitUptimeSeconds: number | null;
}

export interface SimulatedHost {
  id: string;
  mac: string;
  address: string;
  name: string;
  authorized: boolean;
  bypassed: boolean;
}

export interface SeedOptions {
  /** How many people; each has a user bound to the MAC of one device. */
  people: number;
  /** How many of them have a device on the Wi-Fi. Default: all. */
  hosts?: number;
  /** How many of those are online. Default: all who are on the Wi-Fi. */
  sessions?: number;
  comment?: string;
  profile?: string;
  limitUptimeSeconds?: number;
}

export interface Seeded {
  user: string;
  password: string;
  mac: string;
  address: string;
}

/** Devices without an address of their own get one from here upwards. */
const FIRST_ADDRESS = parseAddress('10.5.0.10') ?? 0;
const TICK_MS = 250;
const READING: ReadonlySet<string> = new Set(['read', 'sensitive', 'test', 'api']);

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
  readonly #menus: Menus;
  readonly #menusWithoutBoard: Menus;
  readonly #accounts = accountsTable();
  readonly #groups = groupsTable();
  readonly #users: Table;
  readonly #hotspot: Hotspot;
  readonly #listener: Listener;
  readonly #stopScripts: () => void;
  readonly #machine: Machine & { bootedAt: number };
  #ticking: NodeJS.Timeout | undefined;
  #booting: NodeJS.Timeout | undefined;
  #seeded = 0;

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
      identity,
      blank,
      ...knobs
    } = options;
    this.knobs = { ...DEFAULT_KNOBS, ...knobs };
    this.#clock =
      typeof clock === 'function'
        ? followedClock(clock)
        : clock === 'manual'
          ? manualClock(startAt ?? Date.now())
          : realClock;
    const now = () => this.#clock.now();
    this.#machine = { knobs: this.knobs, now, bootedAt: now() };

    const profiles = profilesTable();
    const servers = serversTable();
    const bindings = bindingsTable();
    this.#users = usersTable(profiles, servers, () => this.#hotspot);
    this.#hotspot = new Hotspot({
      clock: this.#clock,
      knobs: this.knobs,
      events: this,
      tables: { users: this.#users, profiles, servers, bindings },
    });
    const menus = new Map<string, Menu>([
      ['/ip/hotspot', servers],
      ['/ip/hotspot/profile', serverProfilesTable()],
      ['/ip/hotspot/active', activeMenu(this.#hotspot, now)],
      ['/ip/hotspot/host', hostMenu(this.#hotspot, now)],
      ['/ip/hotspot/user', this.#users],
      ['/ip/hotspot/user/profile', profiles],
      ['/ip/hotspot/cookie', cookieMenu(this.#hotspot, now)],
      ['/ip/hotspot/ip-binding', bindings],
      ['/ip/hotspot/walled-garden', walledGardenTable()],
      ['/ip/hotspot/walled-garden/ip', walledGardenIpTable()],
      ['/system/identity', identityTable(identity ?? 'MikroTik')],
      ['/system/resource', resourceMenu(this.#machine)],
      ['/system/clock', clockMenu(this.#machine)],
      ['/system/ntp/client', timeClientTable()],
      ['/user', this.#accounts],
      ['/user/group', this.#groups],
      ...configurationTables(now),
    ]);
    this.#menusWithoutBoard = menus;
    this.#menus = new Map([...menus, ['/system/routerboard', routerboardMenu(this.#machine)]]);
    this.#accounts.add(
      new Map([
        ['name', username],
        ['group', 'full'],
        ['password', password],
      ]),
    );
    if (blank !== true) this.#setUpHotspot();
    this.#stopScripts = runLoginScripts(this, this.#hotspot, this.knobs);

    this.#listener = new Listener(
      {
        knobs: this.knobs,
        menus: () => this.#visibleMenus(),
        account: name => this.#account(name),
        policies: account => this.#policies(account),
        settle: () => this.settle(),
        reboot: () => this.reboot(),
        carriedOut: (request, trap) => this.#carriedOut(request, trap),
      },
      { host, port, tls },
    );
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
    this.#stopScripts();
    await this.stopListening();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  // --------------------------------------------------------------------------- people and their phones

  /** A device joins the Wi-Fi; without an address it gets a free one. One that is there already stays as it is. */
  join(device: { mac: string; address?: string; name?: string }): SimulatedHost {
    const mac = formatMac(device.mac);
    const address = device.address ?? this.#hotspot.hostOf(mac)?.address ?? this.#freeAddress();
    this.settle();
    this.#hotspot.join({ mac, address, name: device.name ?? '' });
    return this.#hostAt(mac);
  }

  /** The device is out of reach. One that was never there is not an error. */
  leave(mac: string): void {
    const host = this.#hotspot.hostOf(formatMac(mac));
    if (host !== undefined) this.#hotspot.leave(host);
  }

  /** The person types name and password into the router's own page. @throws Trap with the router's words */
  login(device: { mac: string; user: string; password: string }): SimulatedSession {
    this.settle();
    const address = this.#hotspot.hostOf(formatMac(device.mac))?.address ?? '';
    const { user, password } = device;
    return this.#described(this.#hotspot.login({ user, password, address, by: 'http-pap' }));
  }

  /** The person presses "log out" on the router's page. */
  logout(mac: string): void {
    const host = this.#hotspot.hostOf(formatMac(mac));
    const session = host && this.#hotspot.sessionAt(host.address);
    if (session !== undefined) this.#hotspot.end(session, 'user request');
  }

  activeSessions(): SimulatedSession[] {
    this.settle();
    return [...this.#hotspot.sessions()].map(session => this.#described(session));
  }

  hosts(): SimulatedHost[] {
    this.settle();
    return [...this.#hotspot.hosts()].map(host => this.#hostAt(host.mac));
  }

  /** Without `default-trial`, which every router has. */
  users(): SimulatedUser[] {
    this.settle();
    return [...this.#users.items()]
      .filter(row => row['default'] !== 'true')
      .map(row => ({
        id: row['.id'] ?? '',
        name: row['name'] ?? '',
        password: row['password'] ?? '',
        profile: row['profile'] ?? '',
        mac: row['mac-address'] ?? null,
        comment: row['comment'] ?? '',
        disabled: row['disabled'] === 'true',
        uptimeSeconds: Math.floor(this.#hotspot.usedMs(row) / 1_000),
        limitUptimeSeconds: row['limit-uptime'] === undefined ? null : parseDuration(row['limit-uptime']),
      }));
  }

  cookies(): { id: string; user: string; mac: string; expiresAt: number }[] {
    this.settle();
    return [...this.#hotspot.cookies()].map(cookie => ({ ...cookie }));
  }

  // -------------------------------------------------------------------------------- somebody's WinBox

  /** Every row of a menu as `print` shows it to an administrator. */
  table(path: string): Record<string, string>[] {
    this.settle();
    const menu = this.#visibleMenus().get(path);
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
    const outcome = execute(this.#visibleMenus(), request, new Set(POLICIES));
    if (outcome.kind === 'reboot') this.reboot();
    return outcome.kind === 'done' ? (outcome.ret ?? '') : '';
  }

  /** Fills the router with people, quickly and without events. Call it again for more of them. */
  seed(options: SeedOptions): Seeded[] {
    const { people, hosts = people, sessions = hosts, comment, profile = 'default', limitUptimeSeconds } = options;
    return Array.from({ length: people }, (_, place) => {
      this.#seeded += 1;
      const serial = this.#seeded;
      const user = String(255_710_000_000 + serial);
      const mac = formatMac(`0200${serial.toString(16).padStart(8, '0')}`);
      const address = formatAddress((parseAddress('10.5.16.0') ?? 0) + serial);
      const password = `secret-${serial}`;
      const values = new Map([
        ['name', user],
        ['password', password],
        ['mac-address', mac],
        ['profile', profile],
      ]);
      if (comment !== undefined) values.set('comment', comment);
      if (limitUptimeSeconds !== undefined) values.set('limit-uptime', formatDuration(limitUptimeSeconds));
      this.#users.add(values);
      if (place < hosts) {
        const host = this.#hotspot.place({ mac, address, name: '' });
        const row = this.#users.byKey(userKey(user, 'all'));
        if (place < sessions && row !== undefined) this.#hotspot.open(host, row);
      }
      return { user, password, mac, address };
    });
  }

  // ------------------------------------------------------------------------------------------- inside

  #visibleMenus(): Menus {
    return this.knobs.routerboard ? this.#menus : this.#menusWithoutBoard;
  }

  #account(name: string): Account | undefined {
    const row = this.#accounts.byKey(name);
    if (row === undefined || row['disabled'] === 'true') return undefined;
    const account = { name, password: row['password'] ?? '' };
    return this.#policies(account).has('api') ? account : undefined;
  }

  #policies(account: Account): ReadonlySet<string> {
    if (this.knobs.readOnly) return READING;
    const group = this.#accounts.byKey(account.name)?.['group'] ?? '';
    return new Set(this.#groups.byKey(group)?.['policy']?.split(','));
  }

  #carriedOut(request: Request, trap: Trap | null): void {
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

  #setUpHotspot(): void {
    const setUp: [command: string, values: Record<string, string>][] = [
      ['/ip/address/add', { address: '10.5.0.1/16', interface: 'bridge' }],
      ['/ip/pool/add', { name: 'hs-pool-1', ranges: '10.5.0.10-10.5.255.254' }],
      ['/ip/dhcp-server/add', { name: 'dhcp1', interface: 'bridge', 'address-pool': 'hs-pool-1', 'lease-time': '1h' }],
      ['/ip/dhcp-server/network/add', { address: '10.5.0.0/16', gateway: '10.5.0.1' }],
      [
        '/ip/hotspot/profile/add',
        { name: 'hsprof1', 'hotspot-address': '10.5.0.1', 'login-by': 'cookie,http-chap,mac-cookie' },
      ],
      ['/ip/hotspot/add', { name: 'hotspot1', interface: 'bridge', 'address-pool': 'hs-pool-1', profile: 'hsprof1' }],
    ];
    for (const [command, values] of setUp)
      this.#menus.get(splitCommand(command).path)?.add?.(new Map(Object.entries(values)));
  }

  #freeAddress(): string {
    const taken = new Set([...this.#hotspot.hosts()].map(host => host.address));
    let candidate = FIRST_ADDRESS;
    while (taken.has(formatAddress(candidate))) candidate += 1;
    return formatAddress(candidate);
  }

  #hostAt(mac: string): SimulatedHost {
    const host = this.#hotspot.hostOf(mac);
    if (host === undefined) throw new Error(`No host has the MAC address ${mac}.`);
    const { id, address, name } = host;
    return {
      id,
      mac,
      address,
      name,
      authorized: this.#hotspot.sessionAt(address) !== undefined,
      bypassed: this.#hotspot.isBypassed(host),
    };
  }

  #described(session: Session): SimulatedSession {
    const { bytesIn, bytesOut } = this.#hotspot.traffic(session);
    return {
      id: session.id,
      user: session.user,
      mac: session.mac,
      address: session.address,
      by: session.by,
      uptimeSeconds: Math.floor(this.#hotspot.uptimeMs(session) / 1_000),
      endsAt: this.#hotspot.endsAt(session),
      bytesIn,
      bytesOut,
    };
  }
}

function isSecret(name: string): boolean {
  return name === 'password' || name === 'response';
}
