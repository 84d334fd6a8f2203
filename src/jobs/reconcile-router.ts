/**
 * Makes the router what the books say, again and again: at start, at each reconnect, after each change, and
 * every 15 seconds. Whatever did not happen in the world is repaired here.
 */
import { randomBytes } from 'node:crypto';
import type { GuardedClock } from '../domain/clock-guard.ts';
import { LangoError } from '../domain/errors.ts';
import type { Mac } from '../domain/mac.ts';
import { routerUserName } from '../domain/phone.ts';
import type { HotspotPort, Log, RouterScope, RouterUser } from '../domain/ports.ts';
import type { Presence } from '../domain/presence.ts';
import { planSteps, type Step } from '../domain/projection.ts';
import type { Reads } from '../domain/transaction.ts';

export interface Reconciler {
  /** Mends everything. Never throws. @returns false when the router could not be brought up to date */
  reconcileAll(): Promise<boolean>;
  /** Mends what concerns these devices. Never throws. @returns false when the router is not up to date yet */
  reconcile(macs: readonly Mac[]): Promise<boolean>;
  /** Steps done since the start, for the health page and tests. */
  readonly stepsDone: number;
}

export interface ReconcilerOptions {
  router: HotspotPort;
  reads: Reads;
  presence: Presence;
  clock: GuardedClock;
  log: Log;
}

/** A pass that took something away is followed by another that proves it gone; three always suffice. */
const MOST_PASSES = 3;
/** Steps under way at once: a router is a small computer. */
const CONCURRENCY = 4;
/** Every RouterOS hotspot has this profile. */
const FALLBACK_PROFILE = 'default';

export function createReconciler({ router, reads, presence, clock, log }: ReconcilerOptions): Reconciler {
  let stepsDone = 0;

  async function plan(scope: RouterScope): Promise<Step[]> {
    const [users, sessions, hosts] = await Promise.all([
      router.users(scope),
      router.sessions(scope),
      router.hosts(scope),
    ]);
    if (scope === 'all') presence.seeAll(sessions);
    else presence.seeSome(scope.macs, sessions);
    return planSteps({
      entitlements: entitlements(scope),
      view: { users, sessions, hosts },
      defaultProfile: router.settings?.profile ?? FALLBACK_PROFILE,
      // While the clock is not trusted, the time that is left stands still on the router too.
      now: clock.cutOffTime(),
    });
  }

  function entitlements(scope: RouterScope) {
    const now = clock.cutOffTime();
    return scope === 'all' ? reads.entitlements.all(now) : reads.entitlements.ofMacs(scope.macs, now);
  }

  /** The books may have changed since the plan was made: somebody was blocked, somebody paid. */
  function stillWanted(step: Step): boolean {
    const name = step.do === 'revoke' || step.do === 'update' ? step.user.name : step.name;
    const mac = step.do === 'revoke' || step.do === 'update' ? step.user.mac : step.mac;
    const entitled =
      mac !== null && entitlements({ macs: [mac] }).some(row => routerUserName(row.phone, row.slot) === name);
    return entitled !== (step.do === 'revoke');
  }

  async function take(step: Step): Promise<void> {
    switch (step.do) {
      case 'revoke':
        return revoke(step.user);
      case 'add':
        return withProfile(step.profile, profile => router.addUser({ ...step, profile, password: newPassword() }));
      case 'update': {
        const { do: _, user, profile, ...change } = step;
        if (profile === undefined) return router.updateUser(user, change);
        return withProfile(profile, known => router.updateUser(user, { ...change, profile: known }));
      }
      case 'login':
        return login(step);
    }
  }

  /** The row with our mark goes last: should this stop half way, the next pass finds it and goes on. */
  async function revoke(user: RouterUser): Promise<void> {
    if (!user.disabled) await router.updateUser(user, { disabled: true });
    await router.removeCookies(user.mac === null ? { user: user.name } : { mac: user.mac });
    await router.endSessions({ user: user.name });
    await router.removeUser(user);
  }

  /** A profile that the router does not have must not keep a paying person offline. */
  async function withProfile(profile: string, act: (profile: string) => Promise<void>): Promise<void> {
    try {
      await act(profile);
    } catch (error) {
      const unknownProfile =
        error instanceof LangoError && error.code === 'ROUTER_REFUSED' && /profile/.test(error.message);
      if (!unknownProfile || profile === FALLBACK_PROFILE) throw error;
      log.warn({ profile }, 'router.profile_missing');
      await act(FALLBACK_PROFILE);
    }
  }

  /** Passwords are kept nowhere: each login sets a new one, and the time limit of this very moment with it. */
  async function login(step: Extract<Step, { do: 'login' }>): Promise<void> {
    const { name, mac, address, limitUptimeSeconds } = step;
    const user = (await router.users({ macs: [mac] })).find(row => row.ours && row.name === name);
    if (user === undefined) return;
    const password = newPassword();
    await router.updateUser(user, { password, limitUptimeSeconds });
    await router.login({ user: name, password, mac, address });
    presence.seeSome([mac], await router.sessions({ macs: [mac] }));
  }

  async function pass(scope: RouterScope): Promise<{ again: boolean; failed: boolean }> {
    const steps = await plan(scope);
    let failed = false;
    // Revocations free names and MACs that the other steps need.
    for (const wave of [steps.filter(step => step.do === 'revoke'), ...phases(steps)]) {
      await inParallel(wave.filter(stillWanted), async step => {
        try {
          await take(step);
          stepsDone += 1;
        } catch (error) {
          if (error instanceof LangoError && error.code === 'ROUTER_UNAVAILABLE') throw error;
          failed = true;
          log.warn({ err: error, step: step.do }, 'router.step_failed');
        }
      });
    }
    return { again: steps.length > 0, failed };
  }

  async function run(scope: RouterScope): Promise<boolean> {
    if (router.settings === null) return false;
    try {
      for (let done = 0; done < MOST_PASSES; done += 1) {
        const { again, failed } = await pass(scope);
        if (failed) return false;
        if (!again) return true;
      }
      return true;
    } catch (error) {
      log.info({ err: error }, 'router.not_reconciled');
      return false;
    }
  }

  // Two lanes: somebody who has just paid does not wait behind a pass over everything.
  const all = oneAtATime(() => run('all'));
  const some = byMac(macs => run({ macs }));
  return {
    reconcileAll: all,
    reconcile: async macs => (macs.length === 0 ? true : some(macs)),
    get stepsDone() {
      return stepsDone;
    },
  };
}

function phases(steps: readonly Step[]): Step[][] {
  return (['add', 'update', 'login'] as const).map(kind => steps.filter(step => step.do === kind));
}

function newPassword(): string {
  return randomBytes(12).toString('base64url');
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
