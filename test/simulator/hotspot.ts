/**
 * The hotspot itself: who is on the Wi-Fi, who is online and until when.
 * Source: MikroTik manual, "HotSpot – Captive portal"; refusals as the router's own `errors.txt` words them.
 */
import type { EventEmitter } from 'node:events';
import type { SimulatorClock } from './clock.ts';
import type { LoginMethod, LogoutCause, RouterEvents } from './events.ts';
import { type Host, Hosts, isWithin, type Joining } from './hosts.ts';
import type { RouterKnobs } from './knobs.ts';
import { dueAt, limitMs, type Session, Sessions } from './sessions.ts';
import type { Row, Table } from './table.ts';
import { Trap, unknownHost } from './trap.ts';
import { parseDuration } from './values.ts';

export interface Cookie {
  readonly id: string;
  readonly user: string;
  readonly mac: string;
  readonly expiresAt: number;
}

export interface HotspotTables {
  users: Table;
  profiles: Table;
  servers: Table;
  serverProfiles: Table;
  bindings: Table;
}

export class Hotspot {
  readonly sessions: Sessions;
  readonly hosts: Hosts;
  readonly #cookies = new Map<string, Cookie>();
  #lastCookieId = 0;
  #nextDue = Number.POSITIVE_INFINITY;

  readonly #clock: SimulatorClock;
  readonly #knobs: RouterKnobs;
  readonly #events: EventEmitter<RouterEvents>;
  readonly #tables: HotspotTables;

  constructor(parts: {
    clock: SimulatorClock;
    knobs: RouterKnobs;
    events: EventEmitter<RouterEvents>;
    tables: HotspotTables;
  }) {
    this.#clock = parts.clock;
    this.#knobs = parts.knobs;
    this.#events = parts.events;
    this.#tables = parts.tables;
    this.sessions = new Sessions(parts.clock, parts.knobs);
    this.hosts = new Hosts(() => parts.clock.now());
  }

  // ------------------------------------------------------------------------------------ what there is

  cookies(): Iterable<Cookie> {
    return this.#cookies.values();
  }

  /** `regular`, `bypassed` or `blocked`: the first binding that names the host's MAC, its address, or both, decides. */
  bindingOf(host: Host): string {
    const binding = find(this.#tables.bindings.items(), row => {
      const { 'mac-address': mac, address, disabled } = row;
      if (disabled === 'true' || (mac === undefined && address === undefined)) return false;
      return (mac === undefined || mac === host.mac) && (address === undefined || isWithin(host.address, address));
    });
    return binding?.['type'] ?? 'regular';
  }

  /** When the router itself will end the session; null: never. */
  endsAt(session: Session): number | null {
    const end = dueAt(session).at;
    return end === Number.POSITIVE_INFINITY ? null : end;
  }

  // ------------------------------------------------------------------------------- hosts come and go

  /**
   * A device joins the Wi-Fi. An address that somebody else held is taken from him; a row that it had itself stays, as
   * long as the server lets one MAC have so many. A host with a cookie is online at once.
   */
  join(device: Joining & { server?: string | undefined }): Host {
    const at = this.hosts.at(device.toAddress ?? device.address);
    const isThere = at?.mac === device.mac && (device.server ?? at.server) === at.server;
    if (at !== undefined && !isThere) this.forget(at, 'keepalive timeout');
    const host = isThere && at !== undefined ? at : this.place(device, device.server);
    this.hosts.arrive(host);
    const allowed = Number(this.#tables.servers.find(host.server)?.['addresses-per-mac']);
    for (const row of this.hosts.of(host.mac).slice(0, -allowed)) this.forget(row, 'keepalive timeout');
    this.#nextDue = 0;
    this.#loginByCookie(host);
    return host;
  }

  /** Puts a host there without telling anybody: for seeding. */
  place(device: Joining, server?: string): Host {
    const enabled = find(this.#tables.servers.items(), row => row['disabled'] !== 'true');
    const name = server ?? enabled?.['name'];
    if (name === undefined) throw new Error('This router has no hotspot server; add one to /ip/hotspot first.');
    return this.hosts.add(device, name);
  }

  /** The device is out of reach. */
  leave(mac: string, rows: 'at once' | 'in time'): void {
    this.#nextDue = 0;
    if (rows === 'in time') return this.hosts.abandon(mac);
    for (const host of this.hosts.of(mac)) this.forget(host, 'keepalive timeout');
  }

  /** Takes a host off the list; its session ends with it. */
  forget(host: Host, cause: LogoutCause, at = this.#clock.now()): void {
    this.hosts.remove(host);
    const session = this.sessions.at(host.toAddress);
    if (session !== undefined) this.end(session, cause, at);
  }

  // ----------------------------------------------------------------------------------------- sessions

  /** @throws Trap with the router's own words */
  login(request: {
    user: string;
    password: string;
    address: string;
    mac?: string | undefined;
    by: LoginMethod;
  }): Session {
    const host =
      this.#knobs.loginAddress === 'to-address'
        ? this.hosts.at(request.address)
        : this.hosts.withOwnAddress(request.address);
    if (host === undefined || (request.mac !== undefined && request.mac !== host.mac)) {
      throw unknownHost(request.address);
    }
    return this.loginAt(host, request);
  }

  /** @throws Trap with the router's own words */
  loginAt(host: Host, request: { user: string; password: string; by: LoginMethod }): Session {
    const user = this.#userNamed(request.user, host.server);
    if (user === undefined || user['disabled'] === 'true' || (user['password'] ?? '') !== request.password) {
      throw new Trap('invalid username or password');
    }
    const session = this.#admit(host, user, request.by);
    if (request.by !== 'admin' || this.#knobs.apiLoginMakesCookie) this.#bakeCookie(session, user);
    return session;
  }

  /** Opens a session past every check and without telling anybody: for seeding. */
  open(host: Host, user: Row, by: LoginMethod = 'admin'): Session {
    const session = this.sessions.open(host, user, this.#profileOf(user), by);
    this.#nextDue = Math.min(this.#nextDue, dueAt(session).at);
    return session;
  }

  end(session: Session, cause: LogoutCause, at = this.#clock.now()): void {
    if (this.sessions.at(session.address) !== session) return;
    this.sessions.close(session);
    if (this.#tables.users.find(session.userId) !== undefined) this.sessions.book(session, at);
    const host = this.hosts.at(session.address);
    this.#events.emit('logout', {
      user: session.user,
      mac: session.mac,
      address: session.address,
      name: host?.name ?? '',
      cause,
      uptimeSeconds: Math.floor((at - session.since) / 1_000),
      at,
    });
    if (cause === 'user request') this.#cookies.delete(session.mac);
  }

  removeCookie(cookie: Cookie): void {
    if (this.#cookies.get(cookie.mac) === cookie) this.#cookies.delete(cookie.mac);
  }

  /** A user's row was changed: where the knob says so, its new limit reaches sessions that are open. */
  userChanged(user: Row, before: Row): void {
    if (!this.#knobs.limitReachesSession || user['limit-uptime'] === before['limit-uptime']) return;
    this.sessions.limit(before, user['limit-uptime']);
    this.#nextDue = 0;
    this.settle();
  }

  /** Ends what is due by now: sessions at their limits, cookies that expired. */
  settle(): void {
    const now = this.#clock.now();
    if (now < this.#nextDue) return;
    const due = [...this.sessions.all()].map(session => ({ session, ...dueAt(session) })).filter(({ at }) => at <= now);
    for (const { session, cause, at } of due.toSorted((a, b) => a.at - b.at)) this.end(session, cause, at);
    for (const cookie of this.#cookies.values()) if (cookie.expiresAt <= now) this.#cookies.delete(cookie.mac);
    for (const [host, at] of this.#hostsDue()) if (at <= now) this.forget(host, 'keepalive timeout', at);
    this.#nextDue = this.#earliestDue();
  }

  /** What a reboot does: nobody is online, nobody is known; users, their counters and cookies stay. */
  reboot(): void {
    for (const session of this.sessions.all()) this.end(session, 'nas reboot');
    this.hosts.clear();
  }

  // ------------------------------------------------------------------------------------------ inside

  #admit(host: Host, user: Row, by: LoginMethod): Session {
    const name = user['name'] ?? '';
    if (this.sessions.at(host.toAddress) !== undefined) throw new Trap(`IP ${host.toAddress} is already logged in`);
    if (user['mac-address'] !== undefined && user['mac-address'] !== host.mac) {
      throw new Trap(`user ${name} is not allowed to log in from this MAC address`);
    }
    const limit = limitMs(user['limit-uptime']);
    if (limit !== null && this.sessions.totalMs(user) >= limit) throw new Trap('your uptime limit is reached');
    const shared = this.#profileOf(user)['shared-users'] ?? '1';
    if (shared !== 'unlimited' && this.sessions.count(name) >= Number(shared)) {
      throw new Trap(`no more sessions are allowed for user ${name}`);
    }
    const session = this.open(host, user, by);
    this.#events.emit('login', {
      user: name,
      mac: host.mac,
      address: host.toAddress,
      name: host.name,
      by,
      endsAt: this.endsAt(session),
      at: session.since,
    });
    return session;
  }

  #loginByCookie(host: Host): void {
    const cookie = this.#cookies.get(host.mac);
    if (cookie === undefined || cookie.expiresAt <= this.#clock.now()) return;
    if (this.sessions.at(host.toAddress) !== undefined || !this.#takesCookies(host.server)) return;
    if (this.bindingOf(host) === 'blocked') return;
    const user = this.#userNamed(cookie.user, host.server);
    if (user === undefined || user['disabled'] === 'true') return;
    try {
      this.#bakeCookie(this.#admit(host, user, 'mac-cookie'), user);
    } catch (error) {
      // The host simply stays unauthorized: nobody asked, so there is nobody to tell.
      if (!(error instanceof Trap)) throw error;
    }
  }

  #bakeCookie(session: Session, user: Row): void {
    const profile = this.#profileOf(user);
    if (profile['add-mac-cookie'] !== 'true' || !this.#takesCookies(session.server)) return;
    const expiresAt = this.#clock.now() + (limitMs(profile['mac-cookie-timeout']) ?? 0);
    this.#cookies.set(session.mac, { id: this.#newCookieId(), user: session.user, mac: session.mac, expiresAt });
    this.#nextDue = Math.min(this.#nextDue, expiresAt);
  }

  #userNamed(name: string, server: string): Row | undefined {
    return this.#tables.users.byKey(userKey(name, server)) ?? this.#tables.users.byKey(userKey(name, 'all'));
  }

  #profileOf(user: Row): Row {
    return this.#tables.profiles.find(user['profile'] ?? 'default') ?? {};
  }

  #earliestDue(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const session of this.sessions.all()) earliest = Math.min(earliest, dueAt(session).at);
    for (const cookie of this.#cookies.values()) earliest = Math.min(earliest, cookie.expiresAt);
    for (const [, at] of this.#hostsDue()) earliest = Math.min(earliest, at);
    return earliest;
  }

  /** A profile's `add-mac-cookie` does nothing unless the server's `login-by` has `mac-cookie`. */
  #takesCookies(server: string): boolean {
    const profile = this.#tables.servers.find(server)?.['profile'] ?? '';
    return this.#tables.serverProfiles.find(profile)?.['login-by']?.split(',').includes('mac-cookie') ?? false;
  }

  /** When a row that its device has left goes: with its session, or as the server says. */
  *#hostsDue(): Iterable<[Host, number]> {
    for (const [host, leftAt] of this.hosts.left()) {
      const session = this.sessions.at(host.toAddress);
      const timeout = session?.keepaliveTimeout ?? this.#tables.servers.find(host.server)?.['idle-timeout'];
      const seconds = parseDuration(timeout ?? '');
      yield [host, seconds === null ? Number.POSITIVE_INFINITY : leftAt + seconds * 1_000];
    }
  }

  #newCookieId(): string {
    this.#lastCookieId += 1;
    return `*${this.#lastCookieId.toString(16).toUpperCase()}`;
  }
}

/** One user name may stand once for each server, and once for `all`. */
export function userKey(name: string, server: string): string {
  return `${name} on ${server}`;
}

function find<T>(items: Iterable<T>, test: (item: T) => boolean): T | undefined {
  for (const item of items) if (test(item)) return item;
  return undefined;
}
