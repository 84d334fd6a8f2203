/** What can be asked of a RouterOS hotspot, as words for its API. */
import { LangoError } from '../domain/errors.ts';
import type { Mac } from '../domain/mac.ts';
import type {
  HotspotCalls,
  NewRouterProfile,
  NewRouterUser,
  RouterHost,
  RouterProfile,
  RouterResources,
  RouterScope,
  RouterSession,
  RouterSettings,
  RouterUser,
} from '../domain/ports.ts';
import type { Clock } from '../domain/time.ts';
import { isDuplicate, isUnknownHost } from './faults.ts';
import type { Caller } from './link.ts';
import { anyOf, both, type Menu, print, remove } from './menu.ts';
import type { HotspotNetworks } from './networks.ts';
import { readResources } from './resources.ts';
import { COOKIES, HOST_ADDRESSES, HOSTS, OUR_MARK, PROFILES, SESSIONS, USERS } from './rows.ts';
import { contains } from './subnets.ts';
import { formatBoolean, formatLimit } from './words.ts';

/** Above this many addresses, reading every row costs the router less than a query with a term for each. */
const MOST_QUERIED_MACS = 50;

/** The router that is asked. */
export interface Asked {
  readonly clock: Clock;
  readonly settings: Pick<RouterSettings, 'hotspot'> | null;
  /** @throws LangoError ROUTER_UNAVAILABLE not configured */
  caller(): Caller;
  networks(until: number): Promise<HotspotNetworks>;
}

type Match = { user?: string; mac?: Mac };

export class RouterOsCalls implements HotspotCalls {
  readonly #router: Asked;
  readonly #deadlineMs: number;

  /** @param deadlineMs how long one call may take in all, connecting included */
  constructor(router: Asked, deadlineMs: number) {
    this.#router = router;
    this.#deadlineMs = deadlineMs;
  }

  sessions(scope: RouterScope = 'all'): Promise<RouterSession[]> {
    return this.#scoped(SESSIONS, scope, this.#server);
  }

  /** Which network an address belongs to matters only where a device has several, so only then the router is asked. */
  async hosts(scope: RouterScope = 'all'): Promise<RouterHost[]> {
    const until = this.#deadline();
    const hosts = await this.#scoped(HOSTS, scope, this.#server, until);
    if (new Set(hosts.map(host => host.mac)).size === hosts.length) return hosts;
    const networks = await this.#router.networks(until);
    return hosts.map(host => {
      const known = networks.get(host.server);
      const isOnNetwork = known?.some(network => contains(network, host.address)) ?? host.isOnNetwork;
      return { ...host, isOnNetwork };
    });
  }

  /** A device may give itself another one's address: one that two devices have is nobody's. */
  async macsByAddress(): Promise<Map<string, Mac>> {
    const rows = await print(this.#caller(), HOST_ADDRESSES, [], this.#deadline());
    const macs = new Map<string, Mac>();
    const shared = new Set<string>();
    for (const { mac, address } of rows) {
      if ((macs.get(address) ?? mac) !== mac) shared.add(address);
      macs.set(address, mac);
    }
    for (const address of shared) macs.delete(address);
    return macs;
  }

  /** Of every server: a name that an operator gave out on another one is taken here too. */
  users(scope: RouterScope = 'all'): Promise<RouterUser[]> {
    return this.#scoped(USERS, scope, null);
  }

  async addUser(user: NewRouterUser): Promise<void> {
    const server = this.#server;
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

  async login(login: {
    user: string;
    password: string;
    mac: Mac;
    address: string;
    ownAddress?: string;
  }): Promise<void> {
    const { user, password, mac, address, ownAddress = address } = login;
    const words = [`=mac-address=${mac}`, `=user=${user}`, `=password=${password}`];
    try {
      await this.#run([`${SESSIONS.path}/login`, `=ip=${address}`, ...words]);
    } catch (error) {
      if (!isUnknownHost(error) || ownAddress === address) throw error;
      await this.#run([`${SESSIONS.path}/login`, `=ip=${ownAddress}`, ...words]);
    }
  }

  async endSessions(match: Match): Promise<number> {
    const caller = this.#caller();
    const until = this.#deadline();
    const tried = new Set<string>();
    let ended = 0;
    for (;;) {
      const rows = await matching(caller, SESSIONS, match, until);
      const [next, ...others] = rows.filter(row => !tried.has(row.id));
      if (next === undefined) return ended;
      tried.add(next.id);
      if (await remove(caller, SESSIONS, next.id, until)) ended += 1;
      if (others.length === 0) return ended;
    }
  }

  async endAllSessions(): Promise<number> {
    const caller = this.#caller();
    const until = this.#deadline();
    const server = this.#server;
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

  #caller(): Caller {
    return this.#router.caller();
  }

  get #server(): string | null {
    return this.#router.settings?.hotspot ?? null;
  }

  #deadline(): number {
    return this.#router.clock.monotonic() + this.#deadlineMs;
  }

  async #run(words: readonly string[]): Promise<void> {
    await this.#caller().call(words, () => null, this.#deadline());
  }

  async #scoped<T extends { mac: Mac | null }>(
    menu: Menu<T & { server?: string }>,
    scope: RouterScope,
    server: string | null,
    until = this.#deadline(),
  ): Promise<T[]> {
    const caller = this.#caller();
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
