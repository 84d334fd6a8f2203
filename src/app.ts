/** The composition root: builds everything from the configuration, starts it, stops it in reverse. */
import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { staticFolder, workerFile } from './assets.ts';
import { type Config, localUrl } from './config.ts';
import { setupCodeHash } from './domain/admins.ts';
import { type GuardedClock, guardClock } from './domain/clock-guard.ts';
import { ROUTER_PATIENCE_MS, withDeadline } from './domain/deadline.ts';
import { createHostTable } from './domain/host-table.ts';
import type { Mac } from './domain/mac.ts';
import type { Log, PaymentProvider } from './domain/ports.ts';
import { createPresence } from './domain/presence.ts';
import { createProofCodes } from './domain/proof-codes.ts';
import { routerNeeds } from './domain/provisioning.ts';
import { createRefunder } from './domain/refunding.ts';
import { createSettler } from './domain/settlement.ts';
import { type Clock, secondsBetween, systemClock } from './domain/time.ts';
import type { Policy } from './domain/transaction.ts';
import type { ConfiguredFacts, Context, Health, Vitals } from './http/context.ts';
import { type AdminSessions, createAuthenticate } from './http/credentials.ts';
import { openApiMount } from './http/openapi/document.ts';
import { createPages } from './http/pages.ts';
import { portalFacts } from './http/portal.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { createResources } from './http/resources.ts';
import { createHttpServer } from './http/server.ts';
import { untilCommit } from './http/until-commit.ts';
import { announceEndingJob } from './jobs/announce-ending.ts';
import { expireAccessJob } from './jobs/expire-access.ts';
import { heartbeatJob, optimizeJob, pruneJob } from './jobs/housekeeping.ts';
import { createLastSeen } from './jobs/last-seen.ts';
import { createReconciler } from './jobs/reconcile-router.ts';
import { createSchedule, type Schedule } from './jobs/schedule.ts';
import { sendSmsJob } from './jobs/send-sms.ts';
import { settlePendingJob } from './jobs/settle-pending.ts';
import { settleRefundsJob } from './jobs/settle-refunds.ts';
import { createWake } from './jobs/wake-router.ts';
import { createPasswords } from './passwords.ts';
import { addressWarning, createPaymentProvider, isBuiltIn, isPractice } from './payment/index.ts';
import { createHotspotPort } from './router/hotspot-port.ts';
import { createProvisioner } from './router/provisioning/provisioner.ts';
import type { SandboxService } from './sandbox/service.ts';
import { playsSandbox, sandboxMount, sandboxPayment, startSandbox } from './sandbox-mount.ts';
import { createSmsProvider } from './sms/index.ts';
import { openStore, type Store } from './store/store.ts';
import { asleep, createTimeSync } from './time-sync.ts';
import { VERSION } from './version.ts';
import { whenSaved } from './when-saved.ts';

export interface App {
  readonly url: string;
  readonly context: Context;
  readonly schedule: Schedule;
  /** The third party of payments, where the provider is the sandbox. */
  readonly sandbox: SandboxService | null;
  /**
   * Stops taking requests, finishes what runs, writes what is collected, checkpoints. Within 10 s.
   * @throws AggregateError with what could not be closed; all else is
   */
  close(): Promise<void>;
}

export interface AppOptions {
  log: Log;
  /** The machine's clock, before it is guarded. */
  clock?: Clock;
  /** Whether a time server has set that clock. */
  isSynchronised?: () => boolean;
  /** Overridden by tests that watch the jobs themselves. */
  startJobs?: boolean;
  onFatal?: (cause: unknown) => void;
  /** Takes the place of the configured one: a third party that a test plays itself. */
  provider?: PaymentProvider;
  /** Takes the place of the writer thread: another way to commit, to measure it against. */
  openStore?: typeof openStore;
}

/** How long a stop waits for replies under way, and for jobs. */
const CLOSE_GRACE_MS = 6_000;
const STOP_GRACE_MS = 2_000;

export async function startApp(config: Config, options: AppOptions): Promise<App> {
  const { log, clock: machineClock = systemClock, startJobs = true, onFatal = () => {} } = options;
  const policy = policyOf(config);
  const store = await (options.openStore ?? openStore)({
    dataDir: config.dataDir,
    policy,
    workerFile: workerFile('store/writer-worker'),
    now: () => clock.now(),
    log,
    onWriterLost: onFatal,
  });
  const { reads, commit } = store;
  const clock = guardClock(machineClock, {
    lastKnown: reads.settings.get('heartbeat')?.at ?? null,
    isSynchronised: options.isSynchronised ?? createTimeSync(),
    asleep: machineClock === systemClock ? asleep : () => 0,
    onDistrust: () => log.error({}, 'clock.not_trusted'),
  });
  const presence = createPresence(mac => {
    const device = reads.devices.byMac(mac);
    if (device !== null) lastSeen.note(device.id, null);
  });
  const proofCodes = createProofCodes({ clock });
  const startedAt = clock.monotonic();
  const stopping = new AbortController();
  const routerSettings = () => reads.settings.get('router') ?? config.router;
  const router = createHotspotPort({ settings: routerSettings(), log, clock });
  const reconciler = createReconciler({ router, reads, presence, clock, log });
  const reconcile = (macs: readonly Mac[]) =>
    withDeadline(reconciler.reconcile(macs), ROUTER_PATIENCE_MS, () => undefined);
  const applyAccess = async (userId: number) => {
    if (router.settings === null) return;
    await reconcile(reads.entitlements.macsOfUser(userId));
  };

  const sandbox = options.provider === undefined && playsSandbox(config) ? startSandbox(config, log) : null;
  const payment = sandbox === null ? config.payment : sandboxPayment(config, sandbox);
  const provider = options.provider ?? createPaymentProvider(payment, { log, clock });
  const settler = createSettler({
    provider,
    reads,
    commit,
    clock,
    log,
    onlineMacs: presence.onlineMacs,
    onGranted: ({ userId }) => applyAccess(userId),
  });
  const refunder = createRefunder({ provider, reads, commit, clock, log, onSettled: applyAccess });
  const smsProvider = createSmsProvider(config.sms, { log });
  const messaging =
    smsProvider === null
      ? []
      : [announceEndingJob({ commit, clock }), sendSmsJob({ provider: smsProvider, commit, log, codes: proofCodes })];
  const lastSeen = createLastSeen({ commit, clock });
  const schedule = createSchedule(
    [
      { name: 'reconcile router', cron: '*/15 * * * * *', periodSeconds: 15, run: reconciler.reconcileAll },
      expireAccessJob({ reads, commit, clock, reconcile: reconciler.reconcile }),
      settlePendingJob({ reads, commit, clock, settler, requestsPerMinute: provider.capabilities.requestsPerMinute }),
      settleRefundsJob(refunder),
      ...messaging,
      lastSeen.job,
      heartbeatJob({ commit }),
      pruneJob({ commit, clock }),
      optimizeJob(store.optimize),
    ],
    { clock, log },
  );
  const warnings = warningsOf(config);
  for (const warning of warnings) log.warn({ warning }, 'configuration.warning');
  const context: Context = {
    policy,
    defaultCountry: config.defaultCountry,
    baseUrl: config.baseUrl,
    version: VERSION,
    reads,
    revision: store.revision,
    commit,
    clock,
    log,
    router,
    hostTable: createHostTable(router, clock),
    presence,
    provider,
    settler,
    refunder,
    passwords: createPasswords(),
    limits: createRateLimits({ clock, isRouter: address => router.isAt(address) }),
    applyAccess,
    wake: createWake({ router, presence, clock, reconcile }),
    noteSeen: lastSeen.note,
    proofCodes,
    health: () => healthOf(store, schedule, clock, warnings),
    routerSettings,
    provisioner: createProvisioner({
      settings: routerSettings,
      needs: () => routerNeeds(config.baseUrl, provider.capabilities.walledGarden, routerSettings()),
      clock,
    }),
    configured: configuredFacts(config),
    vitals: () => vitalsOf(config.dataDir, (clock.monotonic() - startedAt) / 1_000),
    jobs: schedule.report,
    stopping: stopping.signal,
  };
  await whenSaved(() => firstAdmin(config, context), context);
  const portal = { language: config.language, facts: untilCommit(store.revision, () => portalFacts(context)) };
  const api = createResources(context);
  const server = createHttpServer({
    api,
    mounts: [
      openApiMount(api.routes, VERSION),
      ...createPages(staticFolder(), log, portal),
      ...(sandbox === null ? [] : [sandboxMount(sandbox)]),
    ],
    authenticate: createAuthenticate({ sessions: adminSessions(context), staticToken: config.simpleAdminToken }),
    log,
    frontendOrigins: config.frontendOrigins,
    trustedProxies: config.trustedProxies,
    isGateway: address => router.isAt(address),
    adminNetworks: config.adminNetworks,
  });
  await server.listen(config.host, config.port);
  log.info({ host: config.host, port: config.port }, 'server.listening');

  // The world may have moved on while the appliance was off: orders were paid, access ran out.
  const { requestsPerMinute } = provider.capabilities;
  await whenSaved(() => commit('recheckUnsettled', { requestsPerMinute }), context);
  router.onConnected(() => void reconciler.reconcileAll());
  if (startJobs) schedule.start();

  return {
    url: localUrl(config),
    context,
    schedule,
    sandbox,
    async close() {
      stopping.abort();
      await closeAll([
        () =>
          Promise.all([server.close(CLOSE_GRACE_MS), withDeadline(schedule.stop(), STOP_GRACE_MS, () => undefined)]),
        () => lastSeen.flush(),
        () => router.close(),
        () => sandbox?.close(),
        () => store.close(),
      ]);
      log.info({}, 'server.stopped');
    },
  };
}

function configuredFacts({ payment, sms, logLevel, baseUrl, frontendOrigins }: Config): ConfiguredFacts {
  return {
    paymentEnvironment: payment.environment,
    practicePayments: isPractice(payment),
    paymentKey: payment.apiKey !== null || isBuiltIn(payment),
    smsProvider: sms.provider,
    smsKey: sms.apiKey !== null,
    smsSenderId: sms.senderId,
    debug: logLevel === 'debug' || logLevel === 'trace',
    hosts: [...new Set([baseUrl, ...frontendOrigins].map(url => new URL(url).hostname))],
  };
}

function warningsOf({ payment, baseUrl }: Config): string[] {
  const address = addressWarning(payment, baseUrl);
  const warnings = address === null ? [] : [address];
  if (!isPractice(payment)) return warnings;
  return [
    ...warnings,
    `Payments are for practice (${payment.provider}, LANGO_PAYMENT_ENVIRONMENT=sandbox): no money moves, and anybody gets access for nothing.`,
  ];
}

async function vitalsOf(folder: string, uptimeSeconds: number): Promise<Vitals> {
  const memoryBytes = process.memoryUsage.rss();
  try {
    const { bsize, blocks, bavail } = await statfs(folder);
    const disk = { usedBytes: (blocks - bavail) * bsize, totalBytes: blocks * bsize };
    return { uptimeSeconds, memoryBytes, disk };
  } catch {
    return { uptimeSeconds, memoryBytes, disk: null };
  }
}

function policyOf(config: Config): Policy {
  return {
    currency: config.currency,
    timeZone: config.timeZone,
    language: config.language,
    defaultMaxDevices: config.defaultMaxDevices,
    orderExpirySeconds: config.orderExpiryMinutes * 60,
    paymentProvider: config.payment.provider,
    smsEnabled: config.sms.provider !== 'none',
  };
}

function adminSessions({ reads, commit, clock, log }: Context): AdminSessions {
  const inUse = (found: ReturnType<typeof reads.admins.sessionByToken>) => {
    if (found === null) return null;
    const { session, admin } = found;
    const now = clock.now();
    if (secondsBetween(session.lastUsedAt, now) >= SESSION_TOUCH_SECONDS) {
      commit('touchSession', { session }).catch(error => log.warn({ err: error }, 'session.not_touched'));
    }
    return { id: session.id, confirmedAt: session.confirmedAt, admin };
  };
  return {
    byTokenHash: hash => inUse(reads.admins.sessionByToken(hash, clock.now())),
    byAccessTokenHash: hash => inUse(reads.admins.sessionByAccess(hash, clock.now())),
  };
}

/** The sliding end of a session is as exact as this; a write for every request would buy nothing. */
const SESSION_TOUCH_SECONDS = 60;

/** With no admin yet: the configured one, or a one-time code in the log that opens the set-up page. */
async function firstAdmin(config: Config, { reads, commit, log, passwords }: Context): Promise<void> {
  if (reads.admins.count() > 0) return;
  const actor = { adminId: null, name: 'first start', ip: null };
  if (config.firstAdmin !== null) {
    const { username, password } = config.firstAdmin;
    const passwordHash = await passwords.hash(password);
    await commit('createAdmin', { username, passwordHash, email: '', role: 'owner', onlyFirst: true }, actor);
    return;
  }
  const setupCode = randomBytes(9)
    .toString('hex')
    .replace(/(.{6})(?=.)/g, '$1-');
  await commit('openSetup', { codeHash: setupCodeHash(setupCode) });
  log.warn(
    { setupCode, open: `${config.baseUrl}/api/admin/` },
    'setup.open: no admin yet; this code opens the set-up page',
  );
}

function healthOf(store: Store, schedule: Schedule, clock: GuardedClock, warnings: string[]): Health {
  const problems = schedule
    .report()
    .filter(job => job.late)
    .map(job => `The job "${job.name}" has not run for three periods.`);
  if (!clock.trusted)
    problems.push('The clock jumped: nobody is cut off for a day, until it is right again or an operator confirms it.');
  const databaseConnected = store.isWorking();
  if (!databaseConnected) problems.push('The database does not answer.');
  if (!store.isSaving())
    problems.push('The disk does not take what is to be saved: it is full, broken, or much too slow.');
  return { databaseConnected, problems, warnings };
}

/** One after another, each whatever became of those before it. @throws AggregateError with all that failed */
async function closeAll(parts: readonly (() => Promise<unknown> | undefined)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of parts) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be closed.');
}
