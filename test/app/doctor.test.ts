/** `lango doctor` as a program of its own, beside an appliance that runs or does not. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openForReading, openForWriting } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { recount } from '../../src/store/recount.ts';
import { DATABASE_FILE } from '../../src/store/store.ts';
import { type ProviderServer, startProvider } from '../payment/support.ts';
import { startRouterSimulator } from '../simulator/router.ts';
import { startApp, until } from '../support/app.ts';
import { BARE_ENVIRONMENT } from '../support/environment.ts';
import { freePort } from '../support/ports.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const KEY = 'sk_test_0123456789abcdef0123456789abcdef';
const ROUTER_PASSWORD = 'the-password-of-the-router';

interface Ended {
  status: number;
  /** What was said in each area, one finding a line. */
  areas: Record<string, string>;
  stdout: string;
}

function lango(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // The path is among it: the doctor asks timedatectl, where there is one.
    const options = { env: { ...BARE_ENVIRONMENT, ...env }, timeout: 120_000 };
    execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(error);
      else if (stderr !== '') reject(new Error(stderr));
      else resolve({ status: Number(error?.code ?? 0), areas: areasOf(stdout), stdout });
    });
  });
}

function areasOf(stdout: string): Record<string, string> {
  const areas: Record<string, string> = {};
  let area = '';
  for (const line of stdout.split('\n')) {
    if (!line.startsWith('  ')) area = line;
    else areas[area] = `${areas[area] ?? ''}${line}\n`;
  }
  return areas;
}

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lango-doctor-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An appliance that never ran, without anybody to talk to. */
async function alone(t: TestContext, change: Record<string, string> = {}): Promise<Record<string, string>> {
  return { LANGO_DATA_DIR: newFolder(t), LANGO_PORT: String(await freePort()), ...change };
}

function playPaystack(t: TestContext): Promise<ProviderServer> {
  return startProvider(t, ({ headers }) =>
    headers.authorization === `Bearer ${KEY}`
      ? { status: 404, body: { status: false, message: 'Transaction reference not found.' } }
      : { status: 401, body: { status: false, message: `Invalid key ${KEY}` } },
  );
}

const sells = (apiUrl: string) => ({
  LANGO_BASE_URL: 'https://wifi.example',
  LANGO_PAYMENT_PROVIDER: 'paystack',
  LANGO_PAYMENT_API_URL: apiUrl,
  LANGO_PAYMENT_API_KEY: KEY,
  LANGO_PAYMENT_EMAIL_DOMAIN: 'wifi.example',
  LANGO_CURRENCY: 'KES',
});

test('beside a running appliance, with router, provider and messages in order, nothing is wrong', async t => {
  const router = await startRouterSimulator({ username: 'lango', password: ROUTER_PASSWORD });
  t.after(() => router.stop());
  const paystack = await playPaystack(t);
  const gateway = await startProvider(t, () => ({ body: 'OK' }));
  const environment = {
    ...sells(paystack.url),
    LANGO_ROUTER_HOST: '127.0.0.1',
    LANGO_ROUTER_PORT: String(router.port),
    LANGO_ROUTER_USERNAME: 'lango',
    LANGO_ROUTER_PASSWORD: ROUTER_PASSWORD,
    LANGO_SMS_PROVIDER: 'http',
    LANGO_SMS_API_URL: `${gateway.url}/?to={to}&text={text}`,
  };
  const now = new Date().toISOString();
  const app = await startApp(t, { now, environment });
  const settings = { LANGO_DATA_DIR: app.dataDir, LANGO_PORT: new URL(app.url).port, ...environment };
  await lango(['router', 'apply'], settings);
  const [code] = (await app.issueVouchers()) as [string];
  await app.redeem(code, '0712345678');
  await app.schedule.run('send sms');
  await app.schedule.run('heartbeat');
  await app.post('/api/payment-webhook/', { event: 'charge.success', data: { id: 1, reference: 'X'.repeat(20) } });

  const { areas, stdout, status } = await lango(['doctor'], settings);
  assert.doesNotMatch(stdout, /✗/);
  assert.equal(status, 0);
  assert.match(areas['Appliance'] ?? '', /✓ The appliance runs, version \d/);
  assert.match(areas['Disk'] ?? '', /GB are free/);
  assert.match(areas['Disk'] ?? '', /ms to make a write safe/);
  assert.match(areas['Clock'] ?? '', /✓ The clock says 20/);
  assert.match(areas['Books'] ?? '', /✓ The file of the books is sound\.\n.*✓ Counted again, ledger, access and daily/);
  assert.match(areas['Router'] ?? '', /✓ The router at 127\.0\.0\.1 lets us in: .*RouterOS \d/);
  assert.match(areas['Router'] ?? '', /✓ Hotspot, profile, walled garden and login page/);
  assert.match(areas['Payments'] ?? '', /✓ paystack answers and accepts the keys \(sandbox\)/);
  assert.match(
    areas['Notifications'] ?? '',
    /✓ Register https:\/\/wifi\.example\/api\/payment-webhook\/ with paystack/,
  );
  assert.match(areas['Notifications'] ?? '', /The last one came on 20.*\(invalid, refused\)/);
  assert.match(areas['Messages'] ?? '', /✓ Messages go through http\. Of the latest 1, 1 were sent/);
  for (const secret of [KEY, ROUTER_PASSWORD, code]) assert.ok(!stdout.includes(secret));
});

test('a box that was just unpacked hears what comes next, and nothing of it is wrong', async t => {
  const { areas, stdout, status } = await lango(['doctor'], await alone(t));
  assert.equal(status, 0, stdout);
  assert.match(areas['Appliance'] ?? '', /! The appliance does not answer/);
  assert.match(areas['Books'] ?? '', /! There are no books yet/);
  assert.match(areas['Router'] ?? '', /! No router is configured.*LANGO_ROUTER_HOST/);
  assert.match(areas['Payments'] ?? '', /✓ Vouchers and cash only/);
  assert.match(areas['Notifications'] ?? '', /✓ No provider is set/);
  assert.match(stdout, /Nothing is wrong\./);
});

test('a wrong configuration is told whole, and nothing else is looked at', async t => {
  const { stdout, status } = await lango(
    ['doctor'],
    await alone(t, { LANGO_CURRENCY: 'x', LANGO_SMS_PROVIDER: 'twilio' }),
  );
  assert.equal(status, 1);
  assert.match(stdout, /✗ LANGO_CURRENCY is "x"/);
  assert.match(stdout, /✗ LANGO_SMS_USERNAME is missing/);
  assert.doesNotMatch(stdout, /Books/);
});

test('a provider that does not take the keys, and one that cannot be reached, are told apart', async t => {
  const paystack = await playPaystack(t);
  const wrongKey = { ...sells(paystack.url), LANGO_PAYMENT_API_KEY: 'sk_test_another' };
  const refused = await lango(['doctor'], await alone(t, wrongKey));
  assert.equal(refused.status, 1);
  assert.match(refused.areas['Payments'] ?? '', /✗ paystack does not accept the keys: compare LANGO_PAYMENT_API_KEY/);
  assert.ok(!refused.stdout.includes('sk_test_another'));

  const unreachable = await lango(['doctor'], await alone(t, sells('http://127.0.0.1:1')));
  assert.equal(unreachable.status, 1);
  assert.match(unreachable.areas['Payments'] ?? '', /✗ paystack cannot be asked: no connection/);
});

test('a base address that notifications cannot reach is told, and what to do', async t => {
  const paystack = await playPaystack(t);
  const at = async (LANGO_BASE_URL: string) =>
    (await lango(['doctor'], await alone(t, { ...sells(paystack.url), LANGO_BASE_URL }))).areas['Notifications'] ?? '';
  assert.match(
    await at('http://localhost:8080'),
    /✗ paystack cannot reach http:\/\/localhost:8080\/api\/payment-webhook\/: set/,
  );
  assert.match(await at('http://192.168.88.10:8080'), /! Register .* of your own network.*webhooks\.md/);
  assert.match(await at('http://wifi.example'), /! Register .* not https/);
  assert.match(await at('https://wifi.example'), /! Register https:.* None has arrived yet/);
});

test('that Pesapal takes no order without a public address is told by doctor, at start and by health', async t => {
  const environment = {
    LANGO_PAYMENT_PROVIDER: 'pesapal',
    LANGO_PAYMENT_ENVIRONMENT: 'live',
    LANGO_PAYMENT_API_URL: 'http://127.0.0.1:1',
    LANGO_PAYMENT_CLIENT_ID: 'key',
    LANGO_PAYMENT_API_KEY: KEY,
    LANGO_BASE_URL: 'http://192.168.88.10:8080',
  };
  const words = /pesapal takes no order without a public address .*LANGO_BASE_URL is http:\/\/192\.168\.88\.10:8080/;
  const { areas } = await lango(['doctor'], await alone(t, environment));
  assert.match(areas['Notifications'] ?? '', new RegExp(`✗ ${words.source}`));

  const app = await startApp(t, { environment });
  assert.match((await app.get('/api/health/')).body.warnings.join(), words);
  assert.ok(app.logged.some(line => words.test(line)));
  const inPublic = await startApp(t, { environment: { ...environment, LANGO_BASE_URL: 'https://wifi.example' } });
  assert.deepEqual((await inPublic.get('/api/health/')).body.warnings, []);
});

test('a router that refuses us is told in its own words', async t => {
  const router = await startRouterSimulator({ username: 'lango', password: ROUTER_PASSWORD });
  t.after(() => router.stop());
  const environment = {
    LANGO_ROUTER_HOST: '127.0.0.1',
    LANGO_ROUTER_PORT: String(router.port),
    LANGO_ROUTER_USERNAME: 'lango',
    LANGO_ROUTER_PASSWORD: 'a guess',
  };
  const refused = await lango(['doctor'], await alone(t, environment));
  assert.equal(refused.status, 1);
  assert.match(refused.areas['Router'] ?? '', /✗ The router at 127\.0\.0\.1:\d+ cannot be used: .*password/i);

  const lacking = await lango(['doctor'], await alone(t, { ...environment, LANGO_ROUTER_PASSWORD: ROUTER_PASSWORD }));
  assert.equal(lacking.status, 1);
  assert.match(lacking.areas['Router'] ?? '', /✓ The router at 127\.0\.0\.1 lets us in/);
  assert.match(lacking.areas['Router'] ?? '', /✗ .*LANGO_BASE_URL is http:\/\/localhost/);
});

test('every router of the list is looked at, though the one before it does not answer', async t => {
  const garden = await startRouterSimulator({ username: 'lango', password: ROUTER_PASSWORD });
  t.after(() => garden.stop());
  const gone = { LANGO_ROUTER_HOST: '127.0.0.1', LANGO_ROUTER_PORT: '1', LANGO_ROUTER_USERNAME: 'lango' };
  const environment = await alone(t, gone);
  const app = await startApp(t, { dataDir: environment['LANGO_DATA_DIR'] ?? '' });
  const account = { username: 'lango', password: ROUTER_PASSWORD };
  const entry = { name: 'The garden', router_ip: '127.0.0.1', api_port: garden.port, ...account };
  assert.equal((await app.post('/api/admin/routers/', entry, app.admin)).status, 201);
  await app.close();
  const { status, areas, stdout } = await lango(['doctor'], environment);
  assert.equal(status, 1);
  assert.match(areas['Router: Main router'] ?? '', /✗ The router at 127\.0\.0\.1:1 cannot be used/);
  assert.match(areas['Router: The garden'] ?? '', /✓ The router at 127\.0\.0\.1 lets us in/);
  assert.match(areas['Router: The garden'] ?? '', /`lango router apply --router 2` does it/);
  assert.ok(!stdout.includes(ROUTER_PASSWORD));
});

/** Books that have been written once, changed by hand since. */
async function spoiled(t: TestContext, sql: string): Promise<Ended> {
  const environment = await alone(t);
  const db = openForWriting(join(environment['LANGO_DATA_DIR'] ?? '', DATABASE_FILE));
  migrate(db);
  db.exec(sql);
  db.close();
  return lango(['doctor'], environment);
}

const A_USER = `INSERT INTO users (id, phone, max_devices, paid_until, created_at)
  VALUES (1, '+255712345678', 1, '2026-11-22T10:00:00.000Z', '2026-11-21T10:00:00.000Z');`;
const A_GRANT = `INSERT INTO grants (user_id, source, seconds, starts_at, ends_at, by, at)
  VALUES (1, 'admin', 86400, '2026-11-21T10:00:00.000Z', '2026-11-22T10:00:00.000Z', 'test', '2026-11-21T10:00:00.000Z');`;

test('figures that no longer say what the rows say are found', async t => {
  const sound = await spoiled(t, A_USER + A_GRANT);
  assert.equal(sound.status, 0, sound.stdout);
  const noGrant = await spoiled(t, A_USER);
  assert.equal(noGrant.status, 1);
  assert.match(noGrant.areas['Books'] ?? '', /✗ paid_until of 1 user is not what the grants ledger says/);
  const wrongDay = await spoiled(
    t,
    "INSERT INTO daily_sales VALUES ('2026-11-21', 1, 'cash', 'test', 3, 300000, 0, 0)",
  );
  assert.match(
    wrongDay.areas['Books'] ?? '',
    /✗ daily_sales does not say what the rows themselves say \(rows that differ: 1\)/,
  );
  const wrongOrders = await spoiled(
    t,
    "INSERT INTO daily_orders VALUES ('2026-11-21', 1, 'online', 'pending', 3, 300000)",
  );
  assert.match(wrongOrders.areas['Books'] ?? '', /✗ daily_orders/);
});

test('a clock behind the last heartbeat, newer books, older books and no books at all are told', async t => {
  const beat = `INSERT INTO settings VALUES ('heartbeat', '{"at":"2199-01-01T00:00:00.000Z"}', '2199-01-01T00:00:00.000Z')`;
  const slow = await spoiled(t, beat);
  assert.equal(slow.status, 1);
  assert.match(slow.areas['Clock'] ?? '', /✗ The clock says 20.*already lived through 2199-01-01.*set the clock/);
  const past = `INSERT INTO settings VALUES ('heartbeat', '{"at":"2020-01-01T00:00:00.000Z"}', '2020-01-01T00:00:00.000Z')`;
  const ahead = await spoiled(t, past);
  assert.match(ahead.areas['Clock'] ?? '', /✗ The clock says 20.*last ran at 2020-01-01.*confirm/);
  const newer = await spoiled(t, 'PRAGMA user_version = 99');
  assert.equal(newer.status, 1);
  assert.match(newer.areas['Books'] ?? '', /✗ The books were written by a newer Lango/);
  const older = await spoiled(t, 'PRAGMA user_version = 1');
  assert.match(older.areas['Books'] ?? '', /! The books are of an older Lango/);

  const environment = await alone(t);
  writeFileSync(join(environment['LANGO_DATA_DIR'] ?? '', DATABASE_FILE), 'This is no database. '.repeat(400));
  const garbage = await lango(['doctor'], environment);
  assert.equal(garbage.status, 1);
  assert.match(garbage.areas['Books'] ?? '', /✗ The books cannot be read.*lango restore/);
});

test('the doctor changes nothing, and arguments are refused', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const { body } = await app.pay({ phone: '0712345678', bundle });
  await until(
    async () => (await app.get(`/api/payment-status/${body.order_reference}/`)).body.payment_status === 'COMPLETED',
  );
  const file = join(app.dataDir, DATABASE_FILE);
  const contents = () => {
    const db = openForReading(file);
    try {
      assert.deepEqual(recount(db), []);
      return db.prepare('SELECT * FROM payments').all();
    } finally {
      db.close();
    }
  };
  const before = contents();
  await lango(['doctor'], { LANGO_DATA_DIR: app.dataDir, LANGO_PORT: new URL(app.url).port });
  assert.deepEqual(contents(), before);
  await assert.rejects(lango(['doctor', 'now'], {}), /Unexpected argument: now/);
});
