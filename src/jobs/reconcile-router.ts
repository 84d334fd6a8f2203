/**
 * Makes the router what the books say, again and again: at start, at each reconnect, after each change, and
 * every 15 seconds. It repairs whatever the router missed.
 */
import type { GuardedClock } from '../domain/clock-guard.ts';
import { LangoError } from '../domain/errors.ts';
import type { HostTable } from '../domain/host-table.ts';
import type { Mac } from '../domain/mac.ts';
import { routerUserName } from '../domain/phone.ts';
import type { HotspotCalls, HotspotPort, Log, RouterScope, RouterUser } from '../domain/ports.ts';
import type { Presence } from '../domain/presence.ts';
import { type Given, type Plan, planSteps, type Step } from '../domain/projection.ts';
import { newRouterKey, routerPassword } from '../domain/router-key.ts';
import type { Clock } from '../domain/time.ts';
import type { Reads } from '../domain/transaction.ts';
import type { Place, Reading } from '../domain/whereabouts.ts';

export interface Reconciler {
  /** Mends everything. Never throws. @returns false when the router could not be brought up to date */
  reconcileAll(): Promise<boolean>;
  /** The same, unless the last time was slow and just now: what is due every 15 seconds. */
  reconcileOnTime(): Promise<boolean>;
  /** Mends what concerns these devices. Never throws. @returns false when the router is not up to date yet */
  reconcile(macs: readonly Mac[]): Promise<boolean>;
}

/** Where devices are, as far as this router is concerned. */
export interface RouterWhereabouts {
  see(reading: Reading): void;
  placeOf(mac: Mac): Place;
}

export interface ReconcilerOptions {
  router: HotspotPort;
  reads: Reads;
  presence: Presence;
  hostTable: Pick<HostTable, 'askedFrom'>;
  whereabouts: RouterWhereabouts;
  clock: GuardedClock;
  /** Measures how long the router takes, in real time even where tests turn the appliance's clock. */
  pace: Pick<Clock, 'monotonic'>;
  log: Log;
}

/** Steps under way at once: a router is a small computer. One that is slow is given one command at a time. */
const CONCURRENCY = 4;
/** A pass over everything begins nothing after this, and in its second half nobody's end: others have come meanwhile. */
const LONGEST_PASS_MS = 30_000;
/** After a pass that took longer, the router is left alone for as long as that took. */
const QUICK_PASS_MS = 5_000;
/** One absent device's limit is updated in this time: some 500 writes a day, however many are absent. */
const BETWEEN_REFRESHES_MS = 180_000;
/** Every RouterOS hotspot has this profile. */
const FALLBACK_PROFILE = 'default';

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { router, reads, presence, hostTable, whereabouts, clock, pace, log } = options;
  /** Until the books have one, at a start on a disk that takes nothing. */
  const spareKey = newRouterKey();
  let restUntil = Number.NEGATIVE_INFINITY;
  let refreshAt = Number.NEGATIVE_INFINITY;
  /** Devices that are looked after by themselves at this moment, and those that were since the pass over all began. */
  let inHand: readonly Mac[] = [];
  let lookedAfter = new Set<Mac>();
  /** What the pass over all does for a device at this moment; never rejects. */
  const underWay = new Map<Mac, Promise<void>>();

  async function plan(calls: HotspotCalls, scope: RouterScope): Promise<Plan> {
    const readAt = clock.monotonic();
    const [users, sessions, hosts] = await Promise.all([calls.users(scope), calls.sessions(scope), calls.hosts(scope)]);
    const online = sessions.flatMap(session => session.mac ?? []);
    if (scope === 'all') presence.seeAll(online);
    else presence.seeSome(scope.macs, online);
    const { askedFrom } = hostTable;
    whereabouts.see({ scope, hosts, askedFrom, readAt });
    return planSteps({
      entitlements: entitlements(scope),
      view: { users, sessions, hosts },
      defaultProfile: router.settings?.profile ?? FALLBACK_PROFILE,
      // While the clock is not trusted, the time that is left stands still on the router too.
      now: clock.cutOffTime(),
      askedFrom,
      placeOf: whereabouts.placeOf,
    });
  }

  function entitlements(scope: RouterScope) {
    const now = clock.cutOffTime();
    return scope === 'all' ? reads.entitlements.all(now) : reads.entitlements.ofMacs(scope.macs, now);
  }

  /** Asked before each step: the books may have changed since the plan was made. */
  function isEntitled(name: string, mac: Mac | null): boolean {
    if (mac === null) return false;
    return entitlements({ macs: [mac] }).some(row => routerUserName(row.phone, row.slot) === name);
  }

  async function take(calls: HotspotCalls, { name, mac }: Pick<Given, 'name' | 'mac'>, step: Step): Promise<void> {
    const password = routerPassword(reads.settings.get('routerKey') ?? spareKey, name, mac);
    switch (step.do) {
      case 'add': {
        const { limitUptimeSeconds } = step;
        return withProfile(step.profile, profile =>
          calls.addUser({ name, mac, password, profile, limitUptimeSeconds }),
        );
      }
      case 'update': {
        const { do: _, user, profile, ...change } = step;
        if (profile === undefined) return calls.updateUser(user, change);
        return withProfile(profile, known => calls.updateUser(user, { ...change, profile: known }));
      }
      case 'end':
        await calls.endSessions({ user: name, mac });
        presence.seeSome([mac], []);
        return;
      case 'login': {
        // It may have walked on since the plan was made.
        if (whereabouts.placeOf(mac) !== 'here') return;
        const { address, ownAddress } = step.host;
        const login = { user: name, password, mac, address, ownAddress };
        await calls.login(login).catch(async error => {
          // A row that was made with another password: by an older version, with other books, by hand.
          const user = isRefusal(error, /password/) ? await ownUser(calls, name, mac) : undefined;
          if (user === undefined) throw error;
          await calls.updateUser(user, { password });
          await calls.login(login);
        });
        presence.seeSome([mac], [mac]);
      }
    }
  }

  async function ownUser(calls: HotspotCalls, name: string, mac: Mac): Promise<RouterUser | undefined> {
    return (await calls.users({ macs: [mac] })).find(user => user.ours && user.name === name);
  }

  /**
   * A cookie goes first, because it would open a new session at once; the row with our mark goes last: should this stop
   * half way, the next pass finds it and goes on.
   */
  async function revoke(calls: HotspotCalls, user: RouterUser): Promise<void> {
    await calls.removeCookies(user.mac === null ? { user: user.name } : { mac: user.mac });
    await calls.endSessions({ user: user.name });
    await calls.removeUser(user);
    if (user.mac !== null) presence.seeSome([user.mac], []);
  }

  /** A profile that the router does not have must not keep a paying person offline. */
  async function withProfile(profile: string, act: (profile: string) => Promise<void>): Promise<void> {
    try {
      await act(profile);
    } catch (error) {
      if (!isRefusal(error, /profile/) || profile === FALLBACK_PROFILE) throw error;
      log.warn({ profile }, 'router.profile_missing');
      await act(FALLBACK_PROFILE);
    }
  }

  /** @returns whether nothing is left to do */
  async function pass(scope: RouterScope): Promise<boolean> {
    const startedAt = pace.monotonic();
    const isAll = scope === 'all';
    const calls = isAll ? router.background : router;
    if (isAll) lookedAfter = new Set(inHand);
    const { revoked, given, overstated } = await plan(calls, scope);
    let isDone = true;

    async function attempt(what: string, mac: Mac | null, act: () => Promise<void>): Promise<void> {
      if (isAll && mac !== null && lookedAfter.has(mac)) return;
      const mostMs = what === 'revoke' ? LONGEST_PASS_MS / 2 : LONGEST_PASS_MS;
      if (isAll && pace.monotonic() - startedAt > mostMs) {
        isDone = false;
        return;
      }
      const acting = act();
      if (isAll && mac !== null)
        underWay.set(
          mac,
          acting.catch(() => {}),
        );
      try {
        await acting;
      } catch (error) {
        if (error instanceof LangoError && error.code === 'ROUTER_UNAVAILABLE') throw error;
        isDone = false;
        log.warn({ err: error, step: what }, 'router.step_failed');
      } finally {
        if (isAll && mac !== null) underWay.delete(mac);
      }
    }

    await inParallel(revoked, user =>
      attempt('revoke', user.mac, async () => {
        if (!isEntitled(user.name, user.mac)) await revoke(calls, user);
      }),
    );
    await inParallel(given, device =>
      attempt('give', device.mac, async () => {
        for (const step of device.steps) if (isEntitled(device.name, device.mac)) await take(calls, device, step);
      }),
    );
    if (isAll && overstated !== null && clock.monotonic() >= refreshAt) {
      refreshAt = clock.monotonic() + BETWEEN_REFRESHES_MS;
      const { do: _, user, ...change } = overstated;
      await attempt('refresh', user.mac, () => calls.updateUser(user, change));
    }
    return isDone;
  }

  async function run(scope: RouterScope): Promise<boolean> {
    if (router.settings === null) return false;
    try {
      return await pass(scope);
    } catch (error) {
      log.info({ err: error }, 'router.not_reconciled');
      return false;
    }
  }

  async function runAll(): Promise<boolean> {
    const startedAt = pace.monotonic();
    const isDone = await run('all');
    const endedAt = pace.monotonic();
    if (endedAt - startedAt > QUICK_PASS_MS) restUntil = endedAt + (endedAt - startedAt);
    return isDone;
  }

  async function runSome(macs: Mac[]): Promise<boolean> {
    inHand = macs;
    for (const mac of macs) lookedAfter.add(mac);
    for (const mac of macs) await underWay.get(mac);
    return run({ macs }).finally(() => {
      inHand = [];
    });
  }

  // Two lanes: somebody who has just paid does not wait behind a pass over everything, which leaves that device out.
  const reconcileAll = oneAtATime(runAll);
  const some = byMac(runSome);
  return {
    reconcileAll,
    reconcileOnTime: async () => pace.monotonic() < restUntil || (await reconcileAll()),
    reconcile: async macs => (macs.length === 0 ? true : some(macs)),
  };
}

function isRefusal(error: unknown, words: RegExp): boolean {
  return error instanceof LangoError && error.code === 'ROUTER_REFUSED' && words.test(error.message);
}

async function inParallel<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await act(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

/** A call during a run gets the next run, which is sure to see what the caller has just changed. */
function oneAtATime(run: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  let next: Promise<boolean> | null = null;
  const begin = (): Promise<boolean> => {
    running = run().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (running === null) return begin();
    next ??= running.then(() => {
      next = null;
      return begin();
    });
    return next;
  };
}

/** The same for sets of devices: calls during a run share the next one. */
function byMac(run: (macs: Mac[]) => Promise<boolean>): (macs: readonly Mac[]) => Promise<boolean> {
  const wanted = new Set<Mac>();
  const turn = oneAtATime(() => {
    const macs = [...wanted];
    wanted.clear();
    return run(macs);
  });
  return macs => {
    for (const mac of macs) wanted.add(mac);
    return turn();
  };
}
