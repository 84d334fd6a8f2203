/** Puts the routers of the site to work, and keeps them to what the books say of them. */
import type { GuardedClock } from './domain/clock-guard.ts';
import { createHostTable } from './domain/host-table.ts';
import type { Mac } from './domain/mac.ts';
import type { HotspotPort, Log, RouterSettings } from './domain/ports.ts';
import { createPresence } from './domain/presence.ts';
import type { RouterProvisioner } from './domain/provisioning.ts';
import { DEFAULT_ROUTER, type Router, routerIn, routersOf } from './domain/routers.ts';
import type { Site, SiteRouter } from './domain/site.ts';
import { systemClock } from './domain/time.ts';
import type { Reads } from './domain/transaction.ts';
import { createReconciler, type Reconciler } from './jobs/reconcile-router.ts';
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
  /** Mends what concerns these devices, on every router. Never throws. @returns false when one is not up to date yet */
  reconcile(macs: readonly Mac[]): Promise<boolean>;
  close(): Promise<void>;
}

const RECONCILE_SECONDS = 15;
const jobOf = (id: number) => (id === DEFAULT_ROUTER ? 'reconcile router' : `reconcile router ${id}`);

export function createSite(options: SiteOptions): WorkingSite {
  const { reads, configured } = options;
  let all: readonly WorkingRouter[] = [];
  let schedule: Pick<Schedule, 'add' | 'remove'> | null = null;

  function begin({ id, port, reconciler }: WorkingRouter): void {
    schedule?.add({ name: jobOf(id), periodSeconds: RECONCILE_SECONDS, run: reconciler.reconcileOnTime });
    port.onConnected(() => {
      options.onConnected();
      void reconciler.reconcileAll();
    });
  }

  function end({ id, port }: WorkingRouter): void {
    schedule?.remove(jobOf(id));
    void port.close();
  }

  /** The router at work, made now if there is none. */
  function workingOn(record: Router): WorkingRouter {
    const known = all.find(({ id }) => id === record.id);
    const router = known ?? createWorkingRouter(record, options);
    if (known === undefined && schedule !== null) begin(router);
    const isMoved = JSON.stringify(router.settings) !== JSON.stringify(record.settings);
    router.record = record;
    if (isMoved || (known === undefined && schedule !== null)) router.port.configure(record.settings);
    return router;
  }

  function refresh(): void {
    const records = routersOf(reads, configured);
    for (const router of all) if (!records.some(({ id }) => id === router.id)) end(router);
    all = records.map(workingOn);
  }

  const onlineMacs = () => [...new Set(all.flatMap(({ presence }) => presence.onlineMacs()))];

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
      return all.some(({ port }) => port.state === 'connected');
    },
    get onlineCount() {
      return onlineMacs().length;
    },
    router: (id = DEFAULT_ROUTER) => routerIn(all, id),
    routerAt: address => all.find(({ port }) => port.isAt(address)) ?? null,
    refresh,
    onlineMacs,
    isOnline: mac => all.some(({ presence }) => presence.isOnline(mac)),
    start(own) {
      schedule = own;
      for (const router of all) begin(router);
    },
    async reconcile(macs) {
      const done = await Promise.all(all.map(({ reconciler }) => reconciler.reconcile(macs)));
      return done.every(Boolean);
    },
    async close() {
      await Promise.all(all.map(({ port }) => port.close()));
    },
  };
}

function createWorkingRouter(record: Router, options: SiteOptions): WorkingRouter {
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
    reconciler: createReconciler({ router: port, reads, presence, hostTable, clock, pace, log }),
  };
  return router;
}
