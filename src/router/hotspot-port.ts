/** The hotspot of a RouterOS router, in the business's words. */
import { LangoError } from '../domain/errors.ts';
import type { Mac } from '../domain/mac.ts';
import type {
  HotspotPort,
  Log,
  NewRouterProfile,
  NewRouterUser,
  RouterHost,
  RouterProfile,
  RouterResources,
  RouterScope,
  RouterSession,
  RouterSettings,
  RouterState,
  RouterUser,
} from '../domain/ports.ts';
import { type Clock, systemClock } from '../domain/time.ts';
import { HostAddresses } from './addresses.ts';
import { RouterConnection, silenceMs } from './connection.ts';
import { isDuplicate, notConfigured } from './faults.ts';
import { type Caller, RouterLink } from './link.ts';
import { anyOf, both, type Menu, print, remove } from './menu.ts';
import { readResources } from './resources.ts';
import { COOKIES, HOST_ADDRESSES, HOSTS, OUR_MARK, PROFILES, SESSIONS, USERS } from './rows.ts';
import { formatBoolean, formatLimit } from './words.ts';

/** The interface promises an answer within 10 s; no deadline may be longer. */
const LONGEST_DEADLINE_MS = 10_000;
/** Above this many addresses, reading every row costs the router less than a query with a term for each. */
const MOST_QUERIED_MACS = 50;

export interface HotspotPortOptions {
  /** null: not configured, until configure() says otherwise. */
  settings: RouterSettings | null;
  log: Log;
  /** How long one call of the port may take in all, connecting included. At most 10 s. */
  deadlineMs?: number;
  /** The wait before a new attempt to connect; see `ConnectionOptions`. */
  backoffMs?: { first: number; longest: number };
  /** How often an idle connection is asked whether the router is still there. */
  livenessMs?: number;
  clock?: Clock;
}

/** @returns a port that connects when it is first asked for something, and on each configure(). */
export function createHotspotPort(options: HotspotPortOptions): HotspotPort {
  return new RouterOsHotspot(options);
}

type Match = { user?: string; mac?: Mac };

class RouterOsHotspot implements HotspotPort {
  readonly #options: Required<Omit<HotspotPortOptions, 'settings'>>;
  readonly #listeners = new Set<() => void>();
  #settings: RouterSettings | null;
  #addresses: HostAddresses | null;
  #connection: RouterConnection | null;
  #isClosed = false;

  constructor(options: HotspotPortOptions) {
    this.#options = {
      log: options.log,
      deadlineMs: Math.min(options.deadlineMs ?? 8_000, LONGEST_DEADLINE_MS),
      backoffMs: options.backoffMs ?? { first: 250, longest: 10_000 },
      livenessMs: options.livenessMs ?? 30_000,
      clock: options.clock ?? systemClock,
    };
    this.#settings = options.settings;
    this.#addresses = this.#addressesOf(options.settings);
    this.#connection = this.#connectionTo(options.settings);
  }

  get state(): RouterState {
    if (this.#connection === null) return 'not_configured';
    return this.#connection.isConnected ? 'connected' : 'disconnected';
  }

  get lastError(): string | null {
    return this.#connection?.lastError ?? null;
  }

  get settings(): Omit<RouterSettings, 'password'> | null {
    if (this.#settings === null) return null;
    const { password: _, ...shown } = this.#settings;
    return shown;
  }

  isAt(address: string): boolean {
    return this.#connection?.answeredFrom === address || (this.#addresses?.has(address) ?? false);
  }

  configure(settings: RouterSettings | null): void {
    if (this.#isClosed) return;
    this.#connection?.close();
    this.#settings = settings;
    this.#addresses = this.#addressesOf(settings);
    this.#connection = this.#connectionTo(settings);
    this.#connection?.start();
  }

  onConnected(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  sessions(scope: RouterScope = 'all'): Promise<RouterSession[]> {
    return this.#scoped(SESSIONS, scope, this.#settings?.hotspot ?? null);
  }

  hosts(scope: RouterScope = 'all'): Promise<RouterHost[]> {
    return this.#scoped(HOSTS, scope, this.#settings?.hotspot ?? null);
  }

  /**
   * A host reaches us under the address that the hotspot translates its own to. Where nothing is translated, a device
   * may give itself another one's address: one that two devices have is nobody's.
   */
  async macsByAddress(): Promise<Map<string, Mac>> {
    const rows = await print(this.#caller(), HOST_ADDRESSES, [], this.#deadline());
    const macs = new Map<string, Mac>();
    const shared = new Set<string>();
    for (const { mac, address, translated } of rows) {
      const reached = translated || address;
      if ((macs.get(reached) ?? mac) !== mac) shared.add(reached);
      macs.set(reached, mac);
    }
    for (const address of shared) macs.delete(address);
    return macs;
  }

  /** Of every server: a name that an operator gave out on another one is taken here too. */
  users(scope: RouterScope = 'all'): Promise<RouterUser[]> {
    return this.#scoped(USERS, scope, null);
  }

  async addUser(user: NewRouterUser): Promise<void> {
    const server = this.#settings?.hotspot ?? null;
    const words = [...userWords(user), `=comment=${OUR_MARK}`];
    await this.#run([`${USERS.path}/add`, ...words, ...(server === null ? [] : [`=server=${server}`])]);
  }

  async updateUser(user: RouterUser, change: Partial<NewRouterUser> & { disabled?: boolean }): Promise<void> {
    refuseForeign(user);
    const words = userWords(change);
    if (words.length > 0) await this.#run([`${USERS.path}/set`, `=.id=${user.id}`, ...words]);
  }

  async removeUser(user: RouterUser): Promise<void> {
    refuseForeign(user);
    await remove(this.#caller(), USERS, user.id, this.#deadline());
  }

  async login(login: { user: string; password: string; mac: Mac; address: string }): Promise<void> {
    await this.#run([
      `${SESSIONS.path}/login`,
      `=ip=${login.address}`,
      `=mac-address=${login.mac}`,
      `=user=${login.user}`,
      `=password=${login.password}`,
    ]);
  }

  async endSessions(match: Match): Promise<number> {
    const caller = this.#caller();
    const until = this.#deadline();
    const tried = new Set<string>();
    let ended = 0;
    for (;;) {
      const rows = await matching(caller, SESSIONS, match, until);
      const next = rows.find(row => !tried.has(row.id));
      if (next === undefined) return ended;
      tried.add(next.id);
      if (await remove(caller, SESSIONS, next.id, until)) ended += 1;
    }
  }

  async endAllSessions(): Promise<number> {
    const caller = this.#caller();
    const until = this.#deadline();
    const server = this.#settings?.hotspot ?? null;
    const sessions = await print(caller, SESSIONS, server === null ? [] : [`?server=${server}`], until);
    const ended = await Promise.all(sessions.map(session => remove(caller, SESSIONS, session.id, until)));
    return ended.filter(Boolean).length;
  }

  async removeCookies(match: Match): Promise<number> {
    const caller = this.#caller();
    const until = this.#deadline();
    const cookies = await matching(caller, COOKIES, match, until);
    const removed = await Promise.all(cookies.map(cookie => remove(caller, COOKIES, cookie.id, until)));
    return removed.filter(Boolean).length;
  }

  async profiles(): Promise<RouterProfile[]> {
    return print(this.#caller(), PROFILES, [], this.#deadline());
  }

  async createProfile(profile: NewRouterProfile): Promise<void> {
    const words = [`=name=${profile.name}`];
    if (profile.rateLimit !== undefined) words.push(`=rate-limit=${profile.rateLimit}`);
    if (profile.sessionTimeout !== undefined) words.push(`=session-timeout=${profile.sessionTimeout}`);
    if (profile.idleTimeout !== undefined) words.push(`=idle-timeout=${profile.idleTimeout}`);
    try {
      await this.#run([`${PROFILES.path}/add`, ...words]);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const { message, cause } = error as LangoError;
      throw new LangoError('ROUTER_REFUSED', `The router has a profile named "${profile.name}" already (${message}).`, {
        cause,
      });
    }
  }

  async resources(): Promise<RouterResources> {
    return readResources(this.#caller(), this.#deadline());
  }

  async reboot(): Promise<void> {
    const until = this.#deadline();
    await this.#caller().callUntilDeath(['/system/reboot'], until);
  }

  async test(settings: RouterSettings): Promise<RouterResources> {
    const until = this.#deadline();
    const { clock, deadlineMs } = this.#options;
    const link = new RouterLink(settings, { clock, silenceMs: silenceMs(deadlineMs) });
    try {
      await link.open(until);
      return await readResources(link, until);
    } finally {
      link.close();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#connection?.close();
  }

  #addressesOf(settings: RouterSettings | null): HostAddresses | null {
    return settings === null ? null : new HostAddresses(settings.host, this.#options.clock);
  }

  #connectionTo(settings: RouterSettings | null): RouterConnection | null {
    if (settings === null) return null;
    return new RouterConnection(settings, { ...this.#options, onConnected: () => this.#announce() });
  }

  #announce(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.#options.log.error({ err: error }, 'router listener failed');
      }
    }
  }

  #caller(): RouterConnection {
    if (this.#connection === null) throw notConfigured();
    return this.#connection;
  }

  #deadline(): number {
    return this.#options.clock.monotonic() + this.#options.deadlineMs;
  }

  async #run(words: readonly string[]): Promise<void> {
    await this.#caller().call(words, () => null, this.#deadline());
  }

  async #scoped<T extends { mac: Mac | null }>(
    menu: Menu<T & { server?: string }>,
    scope: RouterScope,
    server: string | null,
  ): Promise<T[]> {
    const caller = this.#caller();
    const until = this.#deadline();
    const onServer = server === null ? [] : [`?server=${server}`];
    if (scope === 'all') return print(caller, menu, onServer, until);
    if (scope.macs.length === 0) return [];
    if (scope.macs.length <= MOST_QUERIED_MACS) {
      return print(caller, menu, both(anyOf('mac-address', scope.macs), onServer), until);
    }
    const wanted = new Set(scope.macs);
    const rows = await print(caller, menu, onServer, until);
    return rows.filter(row => row.mac !== null && wanted.has(row.mac));
  }
}

/** The rows of exactly that user and MAC, whatever the router makes of the query. */
async function matching<T extends { id: string; user: string; mac: string | null }>(
  caller: Caller,
  menu: Menu<T>,
  match: Match,
  until: number,
): Promise<T[]> {
  const { user, mac } = match;
  // Matching nothing in particular would match everybody.
  if (user === undefined && mac === undefined) throw new LangoError('INTERNAL', 'Name a user or a MAC address.');
  const ofUser = user === undefined ? [] : [`?user=${user}`];
  const ofMac = mac === undefined ? [] : [`?mac-address=${mac}`];
  const rows = await print(caller, menu, both(ofUser, ofMac), until);
  return rows.filter(row => (user === undefined || row.user === user) && (mac === undefined || row.mac === mac));
}

function userWords(user: Partial<NewRouterUser> & { disabled?: boolean }): string[] {
  const words: string[] = [];
  if (user.name !== undefined) words.push(`=name=${user.name}`);
  if (user.password !== undefined) words.push(`=password=${user.password}`);
  if (user.mac !== undefined) words.push(`=mac-address=${user.mac}`);
  if (user.profile !== undefined) words.push(`=profile=${user.profile}`);
  if (user.limitUptimeSeconds !== undefined) words.push(`=limit-uptime=${formatLimit(user.limitUptimeSeconds)}`);
  if (user.disabled !== undefined) words.push(`=disabled=${formatBoolean(user.disabled)}`);
  return words;
}

function refuseForeign(user: RouterUser): void {
  if (user.ours) return;
  throw new LangoError('ROUTER_REFUSED', `"${user.name}" on the router was not made by Lango, which leaves it alone.`);
}
