/**
 * The hotspot itself: who is on the Wi-Fi, who is online and until when.
 * Source: MikroTik manual, "HotSpot – Captive portal"; refusals as the router's own `errors.txt` words them.
 */
import type { EventEmitter } from 'node:events';
import type { SimulatorClock } from './clock.ts';
import type { LoginMethod, LogoutCause, RouterEvents } from './events.ts';
import type { RouterKnobs } from './knobs.ts';
import type { Row, Table } from './table.ts';
import { Trap } from './trap.ts';
import { parseAddress, parseDuration } from './values.ts';

export interface Host {
  readonly id: string;
  readonly mac: string;
  readonly address: string;
  readonly name: string;
  readonly server: string;
  readonly since: number;
  /** When it went silent; null while it is on the Wi-Fi. */
  silentSince: number | null;
}

export interface Session {
  /** Derived from the address, so a stale id may one day be somebody else's. */
  readonly id: string;
  readonly user: string;
  /** Id of the user row it logged in as; a user of the same name added later is another. */
  readonly userId: string;
  readonly mac: string;
  readonly address: string;
  readonly server: string;
  readonly by: LoginMethod;
  readonly since: number;
  readonly keepaliveMs: number | null;
  readonly idleTimeout: string;
  readonly sessionTimeoutMs: number | null;
  /** Time online of the user before this session. */
  readonly usedBeforeMs: number;
  limitUptimeMs: number | null;
  readonly comment: string | undefined;
}

export interface Cookie {
  readonly id: string;
  readonly user: string;
  readonly mac: string;
  readonly expiresAt: number;
}

/** Traffic of one session, in bytes per second: a person who reads and watches a little. */
const UPLOAD_RATE = 9_000;
const DOWNLOAD_RATE = 84_000;
const PACKET_BYTES = 870;

export interface HotspotTables {
  users: Table;
  profiles: Table;
  servers: Table;
  bindings: Table;
}

export class Hotspot {
  readonly #hosts = new Map<string, Host>();
  readonly #hostByMac = new Map<string, Host>();
  readonly #sessions = new Map<string, Session>();
  readonly #sessionsByUser = new Map<string, Set<Session>>();
  readonly #cookies = new Map<string, Cookie>();
  readonly #usedMs = new Map<string, number>();
  #lastId = 0;
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
  }

  // ------------------------------------------------------------------------------------ what there is

  hosts(): Iterable<Host> {
    return this.#hosts.values();
  }

  sessions(): Iterable<Session> {
    return this.#sessions.values();
  }

  cookies(): Iterable<Cookie> {
    return this.#cookies.values();
  }

  host(id: string): Host | undefined {
    return find(this.#hosts.values(), host => host.id === id);
  }

  hostOf(mac: string): Host | undefined {
    return this.#hostByMac.get(mac);
  }

  session(id: string): Session | undefined {
    return find(this.#sessions.values(), session => session.id === id);
  }

  sessionAt(address: string): Session | undefined {
    return this.#sessions.get(address);
  }

  cookie(id: string): Cookie | undefined {
    return find(this.#cookies.values(), cookie => cookie.id === id);
  }

  isBypassed(host: Host): boolean {
    return (
      find(this.#tables.bindings.items(), row => row['mac-address'] === host.mac && row['disabled'] !== 'true')?.[
        'type'
      ] === 'bypassed'
    );
  }

  uptimeMs(session: Session): number {
    return this.#clock.now() - session.since;
  }

  idleMs(host: Host | undefined): number {
    return host?.silentSince == null ? 0 : this.#clock.now() - host.silentSince;
  }

  /** Bytes from and to the device since the login: they grow for as long as it is on the Wi-Fi. */
  traffic(session: Session): { bytesIn: number; bytesOut: number; packetsIn: number; packetsOut: number } {
    const seconds = Math.max(0, this.uptimeMs(session) - this.idleMs(this.#hosts.get(session.address))) / 1_000;
    const bytesIn = Math.floor(seconds * UPLOAD_RATE);
    const bytesOut = Math.floor(seconds * DOWNLOAD_RATE);
    return {
      bytesIn,
      bytesOut,
      packetsIn: Math.ceil(bytesIn / PACKET_BYTES),
      packetsOut: Math.ceil(bytesOut / PACKET_BYTES),
    };
  }

  /** Time online of a user over all sessions, as `uptime` of `/ip/hotspot/user` shows it. */
  usedMs(user: Row): number {
    let total = this.#usedMs.get(idOf(user)) ?? 0;
    if (this.#knobs.userUptime === 'live')
      for (const session of this.#sessionsOf(user)) total += this.uptimeMs(session);
    return total;
  }

  resetCounters(user: Row): void {
    this.#usedMs.delete(idOf(user));
  }

  /** When the router itself will end the session; null: never. */
  endsAt(session: Session): number | null {
    const end = dueAt(session).at;
    return end === Number.POSITIVE_INFINITY ? null : end;
  }

  // ------------------------------------------------------------------------------- hosts come and go

  /**
   * A device joins the Wi-Fi. An address that somebody else held is taken from him. A returning host
   * with a cookie is online at once.
   */
  join(device: { mac: string; address: string; name: string }): Host {
    const known = this.#hostByMac.get(device.mac);
    if (known?.address === device.address) {
      known.silentSince = null;
      this.#loginByCookie(known);
      return known;
    }
    for (const stale of [known, this.#hosts.get(device.address)])
      if (stale !== undefined) this.#forget(stale, 'keepalive timeout');
    const host = this.place(device);
    this.#events.emit('join', { ...device, at: this.#clock.now() });
    this.#loginByCookie(host);
    return host;
  }

  /** Puts a host there without telling anybody: for seeding. */
  place(device: { mac: string; address: string; name: string }): Host {
    const server = find(this.#tables.servers.items(), row => row['disabled'] !== 'true')?.['name'];
    if (server === undefined) throw new Error('This router has no hotspot server; add one to /ip/hotspot first.');
    const host: Host = { ...device, id: this.#newId(), server, since: this.#clock.now(), silentSince: null };
    this.#hosts.set(host.address, host);
    this.#hostByMac.set(host.mac, host);
    return host;
  }

  leave(host: Host): void {
    if (!this.#knobs.slowToNotice) {
      this.#forget(host, 'keepalive timeout');
      return;
    }
    host.silentSince = this.#clock.now();
    this.#nextDue = 0;
  }

  /** Takes a host off the list, as removing its row does; its session ends with it. */
  removeHost(host: Host): void {
    this.#forget(host, 'admin reset');
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
    const host = this.#hosts.get(request.address);
    if (host === undefined || (request.mac !== undefined && request.mac !== host.mac)) {
      throw new Trap(`unknown host IP ${request.address}`);
    }
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
    const profile = this.#profileOf(user);
    const session: Session = {
      id: `*${(parseAddress(host.address) ?? 0).toString(16).toUpperCase()}`,
      user: user['name'] ?? '',
      userId: idOf(user),
      mac: host.mac,
      address: host.address,
      server: host.server,
      by,
      since: this.#clock.now(),
      keepaliveMs: limitMs(profile['keepalive-timeout']),
      idleTimeout: profile['idle-timeout'] ?? 'none',
      sessionTimeoutMs: limitMs(profile['session-timeout']),
      usedBeforeMs: this.#totalMs(user),
      limitUptimeMs: limitMs(user['limit-uptime']),
      comment: user['comment'],
    };
    this.#sessions.set(session.address, session);
    const siblings = this.#sessionsByUser.get(session.user);
    if (siblings === undefined) this.#sessionsByUser.set(session.user, new Set([session]));
    else siblings.add(session);
    this.#nextDue = Math.min(this.#nextDue, dueAt(session).at);
    return session;
  }

  end(session: Session, cause: LogoutCause, at = this.#clock.now()): void {
    if (this.#sessions.get(session.address) !== session) return;
    this.#sessions.delete(session.address);
    const siblings = this.#sessionsByUser.get(session.user);
    siblings?.delete(session);
    if (siblings?.size === 0) this.#sessionsByUser.delete(session.user);
    const countersSurvive = cause !== 'nas reboot' || this.#knobs.rebootKeepsCounters;
    if (countersSurvive && this.#tables.users.find(session.userId) !== undefined) {
      this.#usedMs.set(session.userId, (this.#usedMs.get(session.userId) ?? 0) + at - session.since);
    }
    const host = this.#hosts.get(session.address);
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
    const isStillHere = host !== undefined && host.silentSince === null && cause !== 'nas reboot';
    if (isStillHere && this.#knobs.cookieRevivesSession) this.#loginByCookie(host);
  }

  removeCookie(cookie: Cookie): void {
    if (this.#cookies.get(cookie.mac) === cookie) this.#cookies.delete(cookie.mac);
  }

  /** A user's row was changed: its new limit may reach sessions that are open. */
  userChanged(user: Row, before: Row): void {
    if (user['limit-uptime'] === before['limit-uptime'] || !this.#knobs.limitReachesLiveSessions) return;
    for (const session of this.#sessionsByUser.get(before['name'] ?? '') ?? []) {
      if (session.userId === user['.id']) session.limitUptimeMs = limitMs(user['limit-uptime']);
    }
    this.#nextDue = 0;
    this.settle();
  }

  /** Ends what is due by now: sessions at their limits, hosts that went silent, cookies that expired. */
  settle(): void {
    const now = this.#clock.now();
    if (now < this.#nextDue) return;
    const due = [...this.#sessions.values()]
      .map(session => ({ session, ...dueAt(session) }))
      .filter(({ at }) => at <= now);
    for (const { session, cause, at } of due.toSorted((a, b) => a.at - b.at)) this.end(session, cause, at);
    for (const host of this.#hosts.values()) if (this.#goneAt(host) <= now) this.#forget(host, 'keepalive timeout');
    for (const cookie of this.#cookies.values()) if (cookie.expiresAt <= now) this.#cookies.delete(cookie.mac);
    this.#nextDue = this.#earliestDue();
  }

  /** What a reboot does: nobody is online, nobody is known; users stay. */
  reboot(): void {
    for (const session of this.#sessions.values()) this.end(session, 'nas reboot');
    this.#hosts.clear();
    this.#hostByMac.clear();
    if (!this.#knobs.rebootKeepsCookies) this.#cookies.clear();
  }

  // ------------------------------------------------------------------------------------------ inside

  #admit(host: Host, user: Row, by: LoginMethod): Session {
    const name = user['name'] ?? '';
    if (this.#sessions.has(host.address)) throw new Trap(`IP ${host.address} is already logged in`);
    if (user['mac-address'] !== undefined && user['mac-address'] !== host.mac) {
      throw new Trap(`user ${name} is not allowed to log in from this MAC address`);
    }
    const limit = limitMs(user['limit-uptime']);
    if (limit !== null && this.#totalMs(user) >= limit) throw new Trap(`user ${name} has reached uptime limit`);
    const shared = this.#profileOf(user)['shared-users'] ?? '1';
    if (shared !== 'unlimited' && (this.#sessionsByUser.get(name)?.size ?? 0) >= Number(shared)) {
      throw new Trap(`no more sessions are allowed for user ${name}`);
    }
    const session = this.open(host, user, by);
    this.#events.emit('login', {
      user: name,
      mac: host.mac,
      address: host.address,
      name: host.name,
      by,
      endsAt: this.endsAt(session),
      at: session.since,
    });
    return session;
  }

  #loginByCookie(host: Host): void {
    const cookie = this.#cookies.get(host.mac);
    if (cookie === undefined || cookie.expiresAt <= this.#clock.now() || this.#sessions.has(host.address)) return;
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
    if (profile['add-mac-cookie'] !== 'true') return;
    const expiresAt = this.#clock.now() + (limitMs(profile['mac-cookie-timeout']) ?? 0);
    this.#cookies.set(session.mac, { id: this.#newId(), user: session.user, mac: session.mac, expiresAt });
    this.#nextDue = Math.min(this.#nextDue, expiresAt);
  }

  #forget(host: Host, cause: LogoutCause): void {
    this.#hosts.delete(host.address);
    this.#hostByMac.delete(host.mac);
    const session = this.#sessions.get(host.address);
    if (session !== undefined) this.end(session, cause);
    this.#events.emit('leave', { mac: host.mac, address: host.address, name: host.name, at: this.#clock.now() });
  }

  #userNamed(name: string, server: string): Row | undefined {
    return this.#tables.users.byKey(userKey(name, server)) ?? this.#tables.users.byKey(userKey(name, 'all'));
  }

  #profileOf(user: Row): Row {
    return this.#tables.profiles.find(user['profile'] ?? 'default') ?? {};
  }

  *#sessionsOf(user: Row): Iterable<Session> {
    for (const session of this.#sessionsByUser.get(user['name'] ?? '') ?? []) {
      if (session.userId === user['.id']) yield session;
    }
  }

  #totalMs(user: Row): number {
    let total = this.#usedMs.get(idOf(user)) ?? 0;
    for (const session of this.#sessionsOf(user)) total += this.uptimeMs(session);
    return total;
  }

  #goneAt(host: Host): number {
    if (host.silentSince === null) return Number.POSITIVE_INFINITY;
    const keepaliveMs = this.#sessions.get(host.address)?.keepaliveMs ?? DEFAULT_KEEPALIVE_MS;
    return host.silentSince + keepaliveMs;
  }

  #earliestDue(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const session of this.#sessions.values()) earliest = Math.min(earliest, dueAt(session).at);
    for (const host of this.#hosts.values()) earliest = Math.min(earliest, this.#goneAt(host));
    for (const cookie of this.#cookies.values()) earliest = Math.min(earliest, cookie.expiresAt);
    return earliest;
  }

  #newId(): string {
    this.#lastId += 1;
    return `*${this.#lastId.toString(16).toUpperCase()}`;
  }
}

const DEFAULT_KEEPALIVE_MS = 120_000;

/** One user name may stand once for each server, and once for `all`. */
export function userKey(name: string, server: string): string {
  return `${name} on ${server}`;
}

function dueAt(session: Session): { at: number; cause: LogoutCause } {
  const timeout =
    session.sessionTimeoutMs === null ? Number.POSITIVE_INFINITY : session.since + session.sessionTimeoutMs;
  const limit =
    session.limitUptimeMs === null
      ? Number.POSITIVE_INFINITY
      : session.since + session.limitUptimeMs - session.usedBeforeMs;
  return limit <= timeout ? { at: limit, cause: 'uptime limit reached' } : { at: timeout, cause: 'session timeout' };
}

/** @returns null for what RouterOS takes as "no limit": nothing, `none`, and zero. */
function limitMs(duration: string | undefined): number | null {
  const seconds = duration === undefined ? null : parseDuration(duration);
  return seconds === null || seconds === 0 ? null : seconds * 1_000;
}

function idOf(row: Row): string {
  return row['.id'] ?? '';
}

function find<T>(items: Iterable<T>, test: (item: T) => boolean): T | undefined {
  for (const item of items) if (test(item)) return item;
  return undefined;
}
