/** Puts the routers of the site to work, and keeps them to what the books say of them. */
import type { GuardedClock } from './domain/clock-guard.ts';
import { withDeadline } from './domain/deadline.ts';
import { createHostTable } from './domain/host-table.ts';
import type { Mac } from './domain/mac.ts';
import type { HotspotPort, Log, RouterSettings } from './domain/ports.ts';
import { createPresence } from './domain/presence.ts';
import type { RouterProvisioner } from './domain/provisioning.ts';
import { DEFAULT_ROUTER, type Router, routerIn, routersOf } from './domain/routers.ts';
import type { Site, SiteRouter } from './domain/site.ts';
import { systemClock } from './domain/time.ts';
import type { Reads } from './domain/transaction.ts';
import { createWhereabouts, type News } from './domain/whereabouts.ts';
import { createReconciler, type Reconciler, type RouterWhereabouts } from './jobs/reconcile-router.ts';
import type { Schedule } from './jobs/schedule.ts';

interface SiteOptions {
  reads: Reads;
  /** The default router's settings by the environment. */
  configured: RouterSettings | null;
  clock: GuardedClock;
  log: Log;
  createPort: (settings: RouterSettings | null) => HotspotPort;
  createProvisioner: (settings: () => RouterSettings | null) => RouterProvisioner;
  /** Called after each connection of a router that is at work. */
  onConnected: () => void;
  /** Called with each device that comes online or goes offline. */
  onSeen: (mac: Mac) => void;
}

/** A router with what keeps it in line with the books. */
interface WorkingRouter extends SiteRouter {
  reconciler: Reconciler;
  /** What the books say of it. */
  record: Router;
}

export interface WorkingSite extends Site {
  /** Brings every router in line with the books from now on: as the schedule says, and when it connects. */
  start(schedule: Pick<Schedule, 'add' | 'remove'>): void;
  /**
   * Mends what concerns these devices on every router, and waits for those that they are at; for all, where nobody
   * knows. Never throws, and waits 10 s at most. @returns false when one of them is not up to date yet
   */
  reconcile(macs: readonly Mac[]): Promise<boolean>;
  close(): Promise<void>;
}

const RECONCILE_SECONDS = 15;
const LONGEST_WAIT_MS = 10_000;
const jobOf = (id: number) => (id === DEFAULT_ROUTER ? 'reconcile router' : `reconcile router ${id}`);

export function createSite(options: SiteOptions): WorkingSite {
  const { reads, configured, clock } = options;
  let all: readonly WorkingRouter[] = [];
  let schedule: Pick<Schedule, 'add' | 'remove'> | null = null;

  const withId = (id: number | null) => all.find(router => router.id === id) ?? null;
  const isConnected = (router: SiteRouter | null) => router?.port.state === 'connected';
  const whereabouts = createWhereabouts({ clock, isConnected: id => isConnected(withId(id)) });
  const routerOf = (mac: Mac) => withId(whereabouts.routerOf(mac));
  const onlineMacs = () => [...new Set(all.flatMap(({ presence }) => presence.onlineMacs()))];

  /** Routers look at once at what has come, or gone, or may have. */
  function follow(news: News): void {
    for (const [id, macs] of news) void withId(id)?.reconciler.reconcile(macs);
  }

  function whereaboutsFor(id: number): RouterWhereabouts {
    return {
      see(reading) {
        if (all.length > 1) follow(whereabouts.see(id, reading));
      },
      placeOf: mac => whereabouts.placeFor(id, mac),
    };
  }

  function begin({ id, port, reconciler }: WorkingRouter): void {
    schedule?.add({ name: jobOf(id), periodSeconds: RECONCILE_SECONDS, run: reconciler.reconcileOnTime });
    port.onConnected(() => {
      options.onConnected();
      void reconciler.reconcileAll();
    });
  }

  function end({ id, port }: WorkingRouter): void {
    schedule?.remove(jobOf(id));
    whereabouts.forget(id);
    void port.close();
  }

  /** The router at work, made now if there is none. */
  function workingOn(record: Router): WorkingRouter {
    const known = withId(record.id);
    const router = known ?? createWorkingRouter(record, whereaboutsFor(record.id), options);
    const isNew = known === null && schedule !== null;
    if (isNew) begin(router);
    const hasMoved = JSON.stringify(router.settings) !== JSON.stringify(record.settings);
    router.record = record;
    if (isNew || hasMoved) router.port.configure(record.settings);
    return router;
  }

  function refresh(): void {
    const records = routersOf(reads, configured);
    for (const router of all) if (!records.some(({ id }) => id === router.id)) end(router);
    all = records.map(workingOn);
  }

  refresh();
  return {
    get routers() {
      return all;
    },
    get defaultRouter() {
      return routerIn(all, DEFAULT_ROUTER);
    },
    get isConfigured() {
      return all.some(({ settings }) => settings !== null);
    },
    get isConnected() {
      return all.some(isConnected);
    },
    get onlineCount() {
      return onlineMacs().length;
    },
    router: (id = DEFAULT_ROUTER) => routerIn(all, id),
    routerAt: address => all.find(({ port }) => port.isAt(address)) ?? null,
    routerOf,
    refresh,
    hear: ({ id }, mac) => follow(whereabouts.hear(id, mac)),
    onlineMacs,
    isOnline(mac) {
      const at = routerOf(mac);
      return (at === null ? all : [at]).some(({ presence }) => presence.isOnline(mac));
    },
    start(own) {
      schedule = own;
      for (const router of all) begin(router);
    },
    async reconcile(macs) {
      const works = all.map(router => ({ router, isDone: router.reconciler.reconcile(macs) }));
      const isMeant = (router: WorkingRouter) =>
        macs.some(mac => routerOf(mac) === router || router.presence.isOnline(mac));
      const meant = works.filter(({ router }) => isMeant(router));
      const done = Promise.all((meant.length > 0 ? meant : works).map(({ isDone }) => isDone));
      return (await withDeadline(done, LONGEST_WAIT_MS, () => [false])).every(Boolean);
    },
    async close() {
      await Promise.all(all.map(({ port }) => port.close()));
    },
  };
}

function createWorkingRouter(record: Router, whereabouts: RouterWhereabouts, options: SiteOptions): WorkingRouter {
  const { reads, clock, log, createPort, createProvisioner, onSeen } = options;
  const port = createPort(record.settings);
  const presence = createPresence(onSeen);
  const hostTable = createHostTable(port, clock);
  const pace = systemClock;
  const router: WorkingRouter = {
    record,
    id: record.id,
    get name() {
      return router.record.name;
    },
    get settings() {
      return router.record.settings;
    },
    port,
    hostTable,
    presence,
    provisioner: createProvisioner(() => router.record.settings),
    reconciler: createReconciler({ router: port, reads, presence, hostTable, whereabouts, clock, pace, log }),
  };
  return router;
}
