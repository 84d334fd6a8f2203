/**
 * `scripts/run`: a whole paid hotspot on this machine. A simulated RouterOS router over its real protocol, a sandbox
 * checkout, bundles and vouchers, an admin, and three phones on the Wi-Fi. Nothing of it outlives the program.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type App, startApp } from '../src/app.ts';
import { stopSignal } from '../src/commands/serve.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { fromEpochMs, localClock } from '../src/domain/time.ts';
import { createLog } from '../src/log.ts';
import { type RouterSimulator, startRouterSimulator } from '../test/simulator/router.ts';

const PHONES = [
  { name: 'Asha', mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' },
  { name: 'Juma', mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' },
  { name: 'Neema', mac: '3C:5A:B4:0F:1E:2D', address: '10.5.50.13' },
] as const;

const BUNDLES = [
  { name: 'One hour', description: 'A quick look', price: 500, hours: 1 },
  { name: 'Day pass', description: 'Until this time tomorrow', price: 1_500, hours: 24 },
  { name: 'Week', description: 'Seven days, any time', price: 7_000, hours: 168 },
] as const;

async function demo(): Promise<void> {
  const { port: wanted } = readConfig({ LANGO_PORT: process.env['LANGO_PORT'] });
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-demo-'));
  const admin = { username: 'demo', password: randomBytes(9).toString('base64url') };
  const router = await startRouterSimulator({ username: 'lango', password: 'demo' });
  const port = await freePort(wanted);
  const config = readConfig({
    LANGO_DATA_DIR: dataDir,
    LANGO_HOST: '127.0.0.1',
    LANGO_PORT: String(port),
    LANGO_BASE_URL: `http://127.0.0.1:${port}`,
    LANGO_ADMIN_USERNAME: admin.username,
    LANGO_ADMIN_PASSWORD: admin.password,
    LANGO_PAYMENT_PROVIDER: 'sandbox',
    LANGO_ROUTER_HOST: '127.0.0.1',
    LANGO_ROUTER_PORT: String(router.port),
    LANGO_ROUTER_USERNAME: 'lango',
    LANGO_ROUTER_PASSWORD: 'demo',
  });
  const stopped = stopSignal();
  const app = await startApp(config, { log: createLog('warn') });
  try {
    const codes = await stockUp(app);
    for (const phone of PHONES) router.join(phone);
    watch(router, config.policy.timeZone);
    print(welcome(app.url, admin, codes));
    await stopped;
  } finally {
    await app.close();
    await router.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** @returns a few voucher codes */
async function stockUp({ context: { commit, policy } }: App): Promise<string[]> {
  const actor = { adminId: null, name: 'demo', ip: null };
  const made = [];
  for (const [displayOrder, { name, description, price, hours }] of BUNDLES.entries()) {
    const bundle = {
      name,
      description,
      price: { minor: price * 100, currency: policy.currency },
      durationSeconds: hours * 3_600,
      isActive: true,
      displayOrder,
      routerProfile: null,
    };
    made.push(await commit('createBundle', { bundle }, actor));
  }
  const dayPass = made[1] as (typeof made)[number];
  const input = { bundleId: dayPass.id, quantity: 5, expiryDays: 30, phone: null };
  return (await commit('generateVouchers', input, actor)).codes;
}

/** Says, live, what the router sees. */
function watch(router: RouterSimulator, zone: string): void {
  const time = (at: number) => localClock(fromEpochMs(at), zone).slice(11);
  router.on('login', ({ mac, name, endsAt }) => {
    print(`  router: ${mac} (${name}) online${endsAt === null ? '' : ` until ${time(endsAt)}`}`);
  });
  router.on('logout', ({ mac, name, cause, at }) =>
    print(`  router: ${mac} (${name}) offline at ${time(at)}: ${cause}`),
  );
}

function welcome(url: string, admin: { username: string; password: string }, codes: readonly string[]): string {
  const phones = PHONES.map(({ name, mac, address }) => {
    const query = new URLSearchParams({ mac, ip: address, 'link-orig': 'http://example.com/' });
    return `  ${name.padEnd(6)} ${url}/?${query.toString()}`;
  });
  return [
    'A paid hotspot is running on this machine. Open a phone’s portal in a browser:',
    ...phones,
    '',
    `Admin site  ${url}/api/admin/`,
    `  user name ${admin.username}   password ${admin.password}`,
    '',
    'Vouchers for a day, should you rather not pay:',
    ...codes.map(code => `  ${code}`),
    '',
    'What the router sees (Ctrl-C ends the demo):',
  ].join('\n');
}

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

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

demo().then(
  () => process.exit(0),
  (error: unknown) => {
    const isUsage = error instanceof ConfigError;
    process.stderr.write(`${isUsage ? error.message : inspect(error)}\n`);
    process.exit(isUsage ? 2 : 1);
  },
);
