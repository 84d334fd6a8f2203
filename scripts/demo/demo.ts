/** A whole paid hotspot on this machine: an appliance with its books, a router, a payment service, and phones. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { fromEpochMs, type Instant } from '../../src/domain/time.ts';
import { createLog } from '../../src/log.ts';
import { createPasswords } from '../../src/passwords.ts';
import { type RouterSimulator, startRouterSimulator } from '../../test/simulator/router.ts';
import { writeBooks } from './books.ts';
import { SEED } from './cafe.ts';
import { demoClock } from './clock.ts';
import { type Phones, startPhones } from './phones.ts';
import { type Switch, switchesOf } from './switches.ts';

export interface DemoOptions {
  /** Any other one where it is taken. */
  port: number;
  /** A box as it comes: without books, and with a router that it does not know yet. */
  isEmpty?: boolean;
  /** Now, where it is left out. */
  startsAt?: Instant;
  /** Where messages to phones are sent, should anybody want to read them. */
  smsUrl?: string;
}

export interface Demo {
  app: App;
  router: RouterSimulator;
  phones: Phones;
  switches: readonly Switch[];
  /** Of everybody who works there. */
  password: string;
  /** Opens the set-up page of an empty box. */
  setupCode: string | null;
  /** Vouchers that nobody has used. */
  codes: readonly string[];
  stop(): Promise<void>;
}

export const ROUTER_ACCOUNT = { username: 'lango', password: 'demo' } as const;

export async function startDemo({ port: wanted, isEmpty = false, startsAt, smsUrl }: DemoOptions): Promise<Demo> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-demo-'));
  const password = randomBytes(9).toString('base64url');
  const clock = demoClock(startsAt);
  const router = await startRouterSimulator({ ...ROUTER_ACCOUNT, clock: clock.elsewhere });
  const port = await freePort(wanted);
  const config = readConfig({
    LANGO_DATA_DIR: dataDir,
    LANGO_HOST: '127.0.0.1',
    LANGO_PORT: String(port),
    LANGO_BASE_URL: `http://127.0.0.1:${port}`,
    LANGO_PAYMENT_PROVIDER: 'sandbox',
    ...(smsUrl === undefined ? {} : smsEnvironment(smsUrl)),
    ...(isEmpty ? {} : routerEnvironment(router.port)),
  });
  const { policy, baseUrl } = config;
  const books = { dataDir, policy, baseUrl, now: fromEpochMs(clock.elsewhere()), seed: SEED };
  const { customers, codes } = isEmpty
    ? { customers: [], codes: [] }
    : writeBooks({ ...books, passwordHash: await createPasswords().hash(password) });
  const phones = startPhones(router, customers, SEED);
  let setupCode: string | null = null;
  const write = (line: string) => {
    const opened = /"setupCode":"([^"]+)"/.exec(line)?.[1];
    if (opened === undefined) process.stderr.write(line);
    else setupCode = opened;
  };
  const app = await startApp(config, {
    log: createLog(isEmpty ? 'warn' : 'error', { write }),
    clock,
    isSynchronised: () => false,
  });
  if (app.sandbox === null) throw new Error('The demo sells with the sandbox.');
  return {
    app,
    router,
    phones,
    switches: switchesOf({ router, phones, sandbox: app.sandbox, clock }),
    password,
    setupCode,
    codes,
    async stop() {
      phones.stop();
      await app.close();
      await router.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const routerEnvironment = (port: number) => ({
  LANGO_ROUTER_HOST: '127.0.0.1',
  LANGO_ROUTER_PORT: String(port),
  LANGO_ROUTER_USERNAME: ROUTER_ACCOUNT.username,
  LANGO_ROUTER_PASSWORD: ROUTER_ACCOUNT.password,
});

const smsEnvironment = (url: string) => ({
  LANGO_SMS_PROVIDER: 'http',
  LANGO_SMS_API_URL: url,
  LANGO_SMS_API_BODY: '{"to":"{to}","text":"{text}"}',
});

/** The wanted port, or any that is free. */
function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', error => (wanted === 0 ? reject(error) : resolve(freePort(0))));
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
