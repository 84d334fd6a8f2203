/**
 * The whole appliance for one test: a listening server, a database file of its own in a temporary folder, a clock
 * that the test turns, and, where it is asked for, a simulated router on the other end of a real connection.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type App, startApp as startRealApp } from '../../src/app.ts';
import { type Environment, readConfig } from '../../src/config.ts';
import type { Bundle } from '../../src/domain/bundles.ts';
import type { PaymentProvider } from '../../src/domain/ports.ts';
import { createLog } from '../../src/log.ts';
import { type RouterSimulator, type RouterSimulatorOptions, startRouterSimulator } from '../simulator/router.ts';
import { ACTOR, DAY_BUNDLE } from './books.ts';
import { type ManualClock, manualClock } from './clock.ts';
import { assertDeclared } from './contract.ts';
import { pagesAreBuilt } from './pages.ts';
import { freePort } from './ports.ts';

export { until } from './until.ts';

export const ADMIN_TOKEN = 'a-configured-token-for-tests-only';
export const OWNER = { username: 'owner', password: 'correct horse battery' };

export interface AppOptions {
  /** Where the clock begins; `2026-11-21T10:00:00.000Z`. */
  now?: string;
  /** True or options: with a simulated router, reachable and configured. */
  router?: boolean | RouterSimulatorOptions;
  environment?: Environment;
  /** Kept when given; a fresh temporary folder otherwise. */
  dataDir?: string;
  /** Jobs run by themselves, on real time; otherwise the test runs them by name. */
  jobs?: boolean;
  clock?: ManualClock;
  /** In place of the configured one. */
  provider?: PaymentProvider;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed where it is JSON, else the text. What a reply holds is what the test finds out. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface TestApp extends App {
  clock: ManualClock;
  /** @throws when the test asked for no router */
  router: RouterSimulator;
  dataDir: string;
  /** Every line that was logged. */
  logged: string[];
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Sends JSON. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Sends a form, as RouterOS does. */
  form(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Credentials of the configured token. */
  admin: Record<string, string>;
  createBundle(bundle?: { name?: string; price?: number; hours?: number }): Promise<Bundle>;
  issueVouchers(batch?: { hours?: number; quantity?: number; expiryDays?: number }): Promise<string[]>;
  redeem(code: string, phone: string, mac?: string): Promise<Answer>;
  /** Starts an order and pays it on the sandbox's page; does not wait for the notification. */
  pay(order: { phone: string; bundle: Bundle; mac?: string; outcome?: string; webhook?: string }): Promise<Answer>;
  /** Time passes on the appliance and the router, and the jobs that care run once. */
  passTime(milliseconds: number): Promise<void>;
}

export async function startApp(t: TestContext, options: AppOptions = {}): Promise<TestApp> {
  await pagesAreBuilt();
  const clock = options.clock ?? manualClock(options.now ?? '2026-11-21T10:00:00.000Z');
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'lango-test-'));
  const router = options.router ? await startSimulator(options.router, clock) : null;
  const port = await freePort();
  const config = readConfig({
    LANGO_DATA_DIR: dataDir,
    LANGO_HOST: '127.0.0.1',
    LANGO_PORT: String(port),
    LANGO_BASE_URL: `http://127.0.0.1:${port}`,
    SIMPLE_ADMIN_TOKEN: ADMIN_TOKEN,
    LANGO_PAYMENT_PROVIDER: 'sandbox',
    LANGO_ADMIN_USERNAME: OWNER.username,
    LANGO_ADMIN_PASSWORD: OWNER.password,
    ...(router === null ? {} : routerEnvironment(router)),
    ...options.environment,
  });
  const logged: string[] = [];
  const log = createLog('debug', { write: line => void logged.push(line) });
  const provider = options.provider === undefined ? {} : { provider: options.provider };
  const app = await startRealApp(config, {
    log,
    clock,
    isSynchronised: () => false,
    startJobs: options.jobs ?? false,
    ...provider,
  });
  t.after(async () => {
    await app.close();
    await router?.stop();
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  });
  return withHelpers(app, { clock, router, dataDir, logged });
}

async function startSimulator(options: true | RouterSimulatorOptions, clock: ManualClock): Promise<RouterSimulator> {
  const given = options === true ? {} : options;
  return startRouterSimulator({
    port: await freePort(),
    username: 'lango',
    password: 'secret',
    clock: clock.elsewhere,
    ...given,
  });
}

function routerEnvironment(router: RouterSimulator): Environment {
  return {
    LANGO_ROUTER_HOST: '127.0.0.1',
    LANGO_ROUTER_PORT: String(router.port),
    LANGO_ROUTER_USERNAME: 'lango',
    LANGO_ROUTER_PASSWORD: 'secret',
  };
}

interface Parts {
  clock: ManualClock;
  router: RouterSimulator | null;
  dataDir: string;
  logged: string[];
}

function withHelpers(app: App, { clock, router, dataDir, logged }: Parts): TestApp {
  const { commit, policy } = app.context;
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    request(app.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const createBundle: TestApp['createBundle'] = ({ name = 'Day', price = 1_000, hours = 24 } = {}) => {
    const money = { minor: price * 100, currency: policy.currency };
    const bundle = { ...DAY_BUNDLE, name, price: money, durationSeconds: hours * 3_600 };
    return commit('createBundle', { bundle }, ACTOR);
  };

  const helpers: Omit<TestApp, keyof App> = {
    clock,
    dataDir,
    logged,
    get router(): RouterSimulator {
      if (router === null) throw new Error('This test has no router: ask for one with `router: true`.');
      return router;
    },
    send,
    get: (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers),
    post: (path: string, body: unknown = {}, headers?: Record<string, string>) => send('POST', path, body, headers),
    form: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      request(app.url + path, { method: 'POST', body: new URLSearchParams(fields), headers }),
    admin: { authorization: `Bearer ${ADMIN_TOKEN}` },
    createBundle,
    async issueVouchers({ hours = 24, quantity = 1, expiryDays = 30 } = {}) {
      const bundle = await createBundle({ hours });
      const input = { bundleId: bundle.id, quantity, expiryDays, phone: null };
      return (await commit('generateVouchers', input, ACTOR)).codes;
    },
    redeem: (code: string, phone: string, mac?: string) =>
      send('POST', '/api/vouchers/redeem/', {
        voucher_code: code,
        phone_number: phone,
        ...(mac === undefined ? {} : { mac_address: mac }),
      }),
    async pay({ phone, bundle, mac, outcome = 'completed', webhook = 'once' }) {
      const order = { phone_number: phone, bundle_id: bundle.id, ...(mac === undefined ? {} : { mac_address: mac }) };
      const started = await send('POST', '/api/initiate-payment/', order);
      if (started.status === 200) {
        const body = new URLSearchParams({ outcome, webhook });
        await fetch(started.body.redirect_url, { method: 'POST', body, redirect: 'manual' });
      }
      return started;
    },
    async passTime(milliseconds: number) {
      clock.advance(milliseconds);
      await app.schedule.run('expire access');
      await app.schedule.run('settle pending');
      await app.schedule.run('reconcile router');
    },
  };
  return Object.create(app, Object.getOwnPropertyDescriptors(helpers)) as TestApp;
}

async function request(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson && text !== '' ? JSON.parse(text) : text;
  assertDeclared(init.method ?? 'GET', url, { status: response.status, body });
  return { status: response.status, headers: response.headers, body };
}
