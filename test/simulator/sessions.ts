/** Who is online, until when the router lets them be, and how much of its time each user has had. */
import type { SimulatorClock } from './clock.ts';
import type { LoginMethod, LogoutCause } from './events.ts';
import type { Host } from './hosts.ts';
import type { RouterKnobs } from './knobs.ts';
import type { Row } from './table.ts';
import { parseAddress, parseDuration } from './values.ts';

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
  /** As the profile words them; `none` where it sets none. */
  readonly keepaliveTimeout: string;
  readonly idleTimeout: string;
  readonly sessionTimeoutMs: number | null;
  /** Time online of the user before this session. */
  readonly usedBeforeMs: number;
  limitUptimeMs: number | null;
  comment: string | undefined;
}

/** Traffic of one session, in bytes per second: a person who reads and watches a little. */
const UPLOAD_RATE = 9_000;
const DOWNLOAD_RATE = 84_000;
const PACKET_BYTES = 870;

export interface Traffic {
  bytesIn: number;
  bytesOut: number;
  packetsIn: number;
  packetsOut: number;
}

export const NO_TRAFFIC: Traffic = { bytesIn: 0, bytesOut: 0, packetsIn: 0, packetsOut: 0 };

function trafficAfter(ms: number): Traffic {
  const bytesIn = Math.floor((ms / 1_000) * UPLOAD_RATE);
  const bytesOut = Math.floor((ms / 1_000) * DOWNLOAD_RATE);
  return {
    bytesIn,
    bytesOut,
    packetsIn: Math.ceil(bytesIn / PACKET_BYTES),
    packetsOut: Math.ceil(bytesOut / PACKET_BYTES),
  };
}

function sumOf(a: Traffic, b: Traffic): Traffic {
  return {
    bytesIn: a.bytesIn + b.bytesIn,
    bytesOut: a.bytesOut + b.bytesOut,
    packetsIn: a.packetsIn + b.packetsIn,
    packetsOut: a.packetsOut + b.packetsOut,
  };
}

export class Sessions {
  readonly #byAddress = new Map<string, Session>();
  readonly #byUser = new Map<string, Set<Session>>();
  /** Of the sessions that have ended, by the id of the user's row. */
  readonly #usedMs = new Map<string, number>();
  readonly #carried = new Map<string, Traffic>();
  readonly #clock: SimulatorClock;
  readonly #knobs: RouterKnobs;

  constructor(clock: SimulatorClock, knobs: RouterKnobs) {
    this.#clock = clock;
    this.#knobs = knobs;
  }

  all(): Iterable<Session> {
    return this.#byAddress.values();
  }

  at(address: string): Session | undefined {
    return this.#byAddress.get(address);
  }

  /** How many a user of that name has open. */
  count(userName: string): number {
    return this.#byUser.get(userName)?.size ?? 0;
  }

  open(host: Host, user: Row, profile: Row, by: LoginMethod): Session {
    const session: Session = {
      id: `*${(parseAddress(host.toAddress) ?? 0).toString(16).toUpperCase()}`,
      user: user['name'] ?? '',
      userId: idOf(user),
      mac: host.mac,
      address: host.toAddress,
      server: host.server,
      by,
      since: this.#clock.now(),
      keepaliveTimeout: profile['keepalive-timeout'] ?? 'none',
      idleTimeout: profile['idle-timeout'] ?? 'none',
      sessionTimeoutMs: limitMs(profile['session-timeout']),
      usedBeforeMs: this.totalMs(user),
      limitUptimeMs: limitMs(user['limit-uptime']),
      comment: user['comment'],
    };
    this.#byAddress.set(session.address, session);
    const siblings = this.#byUser.get(session.user);
    if (siblings === undefined) this.#byUser.set(session.user, new Set([session]));
    else siblings.add(session);
    return session;
  }

  close(session: Session): void {
    this.#byAddress.delete(session.address);
    const siblings = this.#byUser.get(session.user);
    siblings?.delete(session);
    if (siblings?.size === 0) this.#byUser.delete(session.user);
  }

  /** Adds the time of a session that ended to its user's. */
  book(session: Session, at: number): void {
    this.#usedMs.set(session.userId, (this.#usedMs.get(session.userId) ?? 0) + at - session.since);
    const before = this.#carried.get(session.userId) ?? NO_TRAFFIC;
    this.#carried.set(session.userId, sumOf(before, trafficAfter(at - session.since)));
  }

  uptimeMs(session: Session): number {
    return this.#clock.now() - session.since;
  }

  /** Bytes from and to the device since the login: they grow for as long as it is online. */
  traffic(session: Session): Traffic {
    return trafficAfter(this.uptimeMs(session));
  }

  /** What a user has sent and received, as `/ip/hotspot/user` shows it: booked when its `uptime` is. */
  carried(user: Row): Traffic {
    const ended = this.#carried.get(idOf(user)) ?? NO_TRAFFIC;
    if (this.#knobs.userUptime !== 'live') return ended;
    return [...this.#of(user)].map(session => this.traffic(session)).reduce(sumOf, ended);
  }

  /** Time online of a user over all sessions, as `uptime` of `/ip/hotspot/user` shows it. */
  usedMs(user: Row): number {
    return this.#knobs.userUptime === 'live' ? this.totalMs(user) : (this.#usedMs.get(idOf(user)) ?? 0);
  }

  /** The same with the sessions that are open, which is what limits count. */
  totalMs(user: Row): number {
    let total = this.#usedMs.get(idOf(user)) ?? 0;
    for (const session of this.#of(user)) total += this.uptimeMs(session);
    return total;
  }

  /** A new limit of a user reaches the sessions that are open. @param user as it was when they began */
  limit(user: Row, limitUptime: string | undefined): void {
    for (const session of this.#of(user)) session.limitUptimeMs = limitMs(limitUptime);
  }

  *#of(user: Row): Iterable<Session> {
    for (const session of this.#byUser.get(user['name'] ?? '') ?? []) if (session.userId === user['.id']) yield session;
  }
}

/** When the router itself ends a session, and why; infinity: never. */
export function dueAt(session: Session): { at: number; cause: LogoutCause } {
  const timeout =
    session.sessionTimeoutMs === null ? Number.POSITIVE_INFINITY : session.since + session.sessionTimeoutMs;
  const limit =
    session.limitUptimeMs === null
      ? Number.POSITIVE_INFINITY
      : session.since + session.limitUptimeMs - session.usedBeforeMs;
  return limit <= timeout ? { at: limit, cause: 'uptime limit reached' } : { at: timeout, cause: 'session timeout' };
}

/** @returns null for what RouterOS takes as "no limit": nothing, `none`, and zero. */
export function limitMs(duration: string | undefined): number | null {
  const seconds = duration === undefined ? null : parseDuration(duration);
  return seconds === null || seconds === 0 ? null : seconds * 1_000;
}

function idOf(row: Row): string {
  return row['.id'] ?? '';
}
