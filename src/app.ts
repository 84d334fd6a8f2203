/** The composition root: builds everything from the configuration, starts it, stops it in reverse. */
import { staticFolder, workerFile } from './assets.ts';
import { type Config, localUrl } from './config.ts';
import { guardClock } from './domain/clock-guard.ts';
import { ROUTER_TIMEOUT_MS, withDeadline } from './domain/deadline.ts';
import type { Mac } from './domain/mac.ts';
import { reachOf } from './domain/outages.ts';
import type { Log, PaymentProvider } from './domain/ports.ts';
import { createProofCodes } from './domain/proof-codes.ts';
import { routerNeeds } from './domain/provisioning.ts';
import { createRefunder } from './domain/refunding.ts';
import { derivedKey, newRouterKey } from './domain/router-key.ts';
import { createSettler } from './domain/settlement.ts';
import { type Clock, SECONDS_PER_DAY, systemClock } from './domain/time.ts';
import { firstAdmin } from './first-admin.ts';
import { configuredFacts, healthOf, vitalsOf, warningsOf } from './health.ts';
import { adminSessions } from './http/admin-sessions.ts';
import { createClientAddress } from './http/client-address.ts';
import type { Context } from './http/context.ts';
import { createAuthenticate } from './http/credentials.ts';
import { createFormKeys } from './http/form-keys.ts';
import { memoizeUntilCommit } from './http/memoize-until-commit.ts';
import { openApiMount } from './http/openapi.ts';
import { createPages } from './http/pages.ts';
import { portalFacts } from './http/portal.ts';
import { createPortalForms } from './http/portal-forms.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { createResources } from './http/resources.ts';
import { createHttpServer } from './http/server.ts';
import { announceEndingJob, expireAccessJob } from './jobs/expire-access.ts';
import { followOutageJob } from './jobs/follow-outage.ts';
import { heartbeatJob, pruneJob } from './jobs/housekeeping.ts';
import { createLastSeen } from './jobs/last-seen.ts';
import { createSchedule, type Schedule } from './jobs/schedule.ts';
import { sendSmsJob } from './jobs/send-sms.ts';
import { settlePendingJob } from './jobs/settle-pending.ts';
import { createWake } from './jobs/wake-router.ts';
import { createPasswords } from './passwords.ts';
import { createPaymentProvider } from './payment/index.ts';
import { retryUntilSaved } from './retry-until-saved.ts';
import { createHotspotPort } from './router/hotspot-port.ts';
import { createProvisioner } from './router/provisioning/provisioner.ts';
import type { SandboxService } from './sandbox/service.ts';
import { mountSandbox } from './sandbox-mount.ts';
import { createSite } from './site.ts';
import { createSmsProvider } from './sms/index.ts';
import { openStore } from './store/store.ts';
import { createTimeSync, sleptMs } from './time-sync.ts';
import { VERSION } from './version.ts';

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
  const { policy } = config;
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
    sleptMs: machineClock === systemClock ? sleptMs : () => 0,
    onDistrust: () => log.error({}, 'clock.not_trusted'),
  });
  const proofCodes = createProofCodes({ clock });
  const startedAt = clock.monotonic();
  const stopping = new AbortController();
  const lastSeen = createLastSeen({ commit, clock });
  const site = createSite({
    reads,
    configured: config.router,
    clock,
    log,
    createPort: settings => createHotspotPort({ settings, log, clock }),
    createProvisioner: settings =>
      createProvisioner({ settings, needs: () => routerNeeds(config.baseUrl, walledGarden, settings()), clock }),
    onConnected: () => void schedule.run('follow outage'),
    onSeen(mac) {
      const device = reads.devices.byMac(mac);
      if (device !== null) lastSeen.record(device.id, null);
    },
  });
  const reconcile = (macs: readonly Mac[]) => withDeadline(site.reconcile(macs), ROUTER_TIMEOUT_MS, () => undefined);
  const applyAccess = async (userId: number) => {
    if (!site.isConfigured) return;
    await reconcile(reads.entitlements.macsOfUser(userId));
  };

  const sandbox = options.provider === undefined ? mountSandbox(config, log) : null;
  const provider = options.provider ?? createPaymentProvider(sandbox?.payment ?? config.payment, { log, clock });
  const { requestsPerMinute, walledGarden } = provider.capabilities;
  const settler = createSettler({
    provider,
    reads,
    commit,
    clock,
    log,
    onlineMacs: site.onlineMacs,
    onGranted: ({ userId }) => applyAccess(userId),
  });
  const refunder = createRefunder({ provider, reads, commit, clock, log, onSettled: applyAccess });
  const smsProvider = createSmsProvider(config.sms, { log });
  const messaging =
    smsProvider === null
      ? []
      : [announceEndingJob({ commit, clock }), sendSmsJob({ provider: smsProvider, commit, log, codes: proofCodes })];
  const schedule = createSchedule(
    [
      followOutageJob({ reach: () => reachOf(site), reads, commit, clock, reconcile: site.reconcile }),
      expireAccessJob({ reads, commit, clock, reconcile: site.reconcile }),
      settlePendingJob({ reads, commit, clock, settler, requestsPerMinute }),
      // Also those that a crash left without an answer.
      { name: 'settle refunds', periodSeconds: 60, run: refunder.followAll },
      ...messaging,
      lastSeen.job,
      heartbeatJob(commit),
      pruneJob(commit),
      // Plans are chosen by statistics, and the tables grow.
      { name: 'optimize', periodSeconds: SECONDS_PER_DAY, run: async () => store.optimize() },
    ],
    { clock, log },
  );
  const isRouter = (address: string) => site.routerAt(address) !== null;
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
    site,
    configuredRouter: config.router,
    provider,
    settler,
    refunder,
    passwords: createPasswords(),
    limits: createRateLimits({ clock, isRouter }),
    applyAccess,
    wake: createWake({ site, clock, reconcile }),
    recordSeen: lastSeen.record,
    proofCodes,
    health: () => healthOf(store, schedule, clock, warnings),
    configured: configuredFacts(config),
    vitals: () => vitalsOf(config.dataDir, (clock.monotonic() - startedAt) / 1_000),
    jobs: schedule.report,
    stopping: stopping.signal,
  };
  await retryUntilSaved(() => firstAdmin(config, context), context);
  const keptKey = reads.settings.get('routerKey');
  const routerKey = keptKey ?? newRouterKey();
  if (keptKey === null) await retryUntilSaved(() => commit('keepRouterKey', routerKey), context);
  const api = createResources(context);
  const clientAddress = createClientAddress(config.trustedProxies);
  const secret = derivedKey(routerKey, 'forms of the portal');
  const formKeys = createFormKeys({ secret, clientAddress, clock });
  const portal = {
    language: policy.language,
    facts: memoizeUntilCommit(store.revision, () => portalFacts(context)),
    answer: createPortalForms({ api, clientAddress, formKeys, timeZone: policy.timeZone, log }),
    formKeys,
  };
  const server = createHttpServer({
    api,
    mounts: [
      openApiMount(api.routes, VERSION),
      ...createPages(staticFolder(), log, portal),
      ...(sandbox === null ? [] : [sandbox.mount]),
    ],
    authenticate: createAuthenticate({ sessions: adminSessions(context), staticToken: config.simpleAdminToken }),
    log,
    frontendOrigins: config.frontendOrigins,
    trustedProxies: config.trustedProxies,
    isGateway: isRouter,
    adminNetworks: config.adminNetworks,
  });
  await server.listen(config.host, config.port);
  log.info({ host: config.host, port: config.port }, 'server.listening');

  // Orders may have been paid, and access may have ended, while the appliance was off.
  await retryUntilSaved(() => commit('recheckUnsettled', { requestsPerMinute }), context);
  site.start(schedule);
  if (startJobs) schedule.start();

  return {
    url: localUrl(config),
    context,
    schedule,
    sandbox: sandbox?.service ?? null,
    async close() {
      stopping.abort();
      await closeAll([
        () =>
          Promise.all([server.close(CLOSE_GRACE_MS), withDeadline(schedule.stop(), STOP_GRACE_MS, () => undefined)]),
        () => lastSeen.flush(),
        () => site.close(),
        () => sandbox?.service.close(),
        () => store.close(),
      ]);
      log.info({}, 'server.stopped');
    },
  };
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
