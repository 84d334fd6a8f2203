/** `lango router …` as a program of its own, and the same from the admin pages. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FINGERPRINT } from '../simulator/certificate.ts';
import { type RouterSimulator, startRouterSimulator } from '../simulator/router.ts';
import { startApp, type TestApp, until } from '../support/app.ts';
import { BARE_ENVIRONMENT } from '../support/environment.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const PORTAL = 'http://10.5.0.2:8080';
const PLAN = '/api/admin/router/plan/';
const APPLY = '/api/admin/router/plan/apply/';
const CONFIRMED = { confirm: 'APPLY_ROUTER_PLAN' };

interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

/** @param started is told the process, so that it can be interrupted; it runs in its data folder */
function lango(
  args: readonly string[],
  env: Record<string, string>,
  started: (program: ChildProcess) => void = () => {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...BARE_ENVIRONMENT, ...env }, cwd: env['LANGO_DATA_DIR'], timeout: 120_000 };
    const program = execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(error);
      else resolve({ status: Number(error?.code ?? 0), stdout, stderr });
    });
    started(program);
  });
}

async function startRouter(t: TestContext): Promise<RouterSimulator> {
  const router = await startRouterSimulator({ username: 'lango', password: 'secret' });
  t.after(() => router.stop());
  return router;
}

function environment(t: TestContext, router: RouterSimulator | null): Record<string, string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-router-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  return {
    LANGO_DATA_DIR: dataDir,
    LANGO_BASE_URL: PORTAL,
    LANGO_PAYMENT_PROVIDER: 'clickpesa',
    LANGO_PAYMENT_ENVIRONMENT: 'live',
    LANGO_PAYMENT_API_KEY: 'key',
    LANGO_PAYMENT_CLIENT_ID: 'client',
    ...(router === null
      ? {}
      : {
          LANGO_ROUTER_HOST: '127.0.0.1',
          LANGO_ROUTER_PORT: String(router.port),
          LANGO_ROUTER_USERNAME: 'lango',
          LANGO_ROUTER_PASSWORD: 'secret',
          LANGO_ROUTER_PROFILE: 'guests',
        }),
  };
}

test('check ends with 1 until apply has made what plan shows', async t => {
  const router = await startRouter(t);
  const settings = environment(t, router);
  const before = await lango(['router', 'check'], settings);
  assert.equal(before.status, 1);
  assert.match(before.stdout, /^The router is not ready for Lango:\n- Add the user profile "guests"\. /);

  const plan = await lango(['router', 'plan'], settings);
  assert.equal(plan.status, 0);
  const commands = plan.stdout.split('\n').filter(line => line.startsWith('/'));
  assert.equal(commands.length, 9);
  assert.match(commands.join('\n'), /^\/ip hotspot walled-garden ip add .*dst-host=checkout\.clickpesa\.com /m);

  const apply = await lango(['router', 'apply'], settings);
  assert.equal(apply.status, 0, apply.stdout);
  assert.equal(apply.stdout.match(/^Done: /gm)?.length, 9);
  assert.match(apply.stdout, /^The router has everything that Lango needs\.$/m);

  assert.equal((await lango(['router', 'check'], settings)).status, 0);
  assert.match((await lango(['router', 'plan'], settings)).stdout, /^There is nothing that Lango would change\.\n/);
  assert.match((await lango(['router', 'apply'], settings)).stdout, /^There was nothing to change\.\n/);
});

test('apply says in the router’s words what it refused, and ends with 1', async t => {
  const router = await startRouter(t);
  router.knobs.readOnly = true;
  const { status, stdout } = await lango(['router', 'apply'], environment(t, router));
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^Refused: Add the user profile "guests"\. The router says: not enough permissions \(9\)\. Add the policy/,
  );
  assert.doesNotMatch(stdout, /^Done:/m);
});

test('the settings of the admin pages count before those of the environment', async t => {
  const router = await startRouter(t);
  const app = await startApp(t, { environment: { LANGO_BASE_URL: PORTAL } });
  const chosen = { router_ip: '127.0.0.1', api_port: router.port, username: 'lango', password: 'secret' };
  assert.equal((await app.post('/api/admin/router/config/', chosen, app.admin)).status, 200);
  const stale = { LANGO_ROUTER_HOST: '127.0.0.1', LANGO_ROUTER_PORT: '1', LANGO_ROUTER_USERNAME: 'gone' };
  const { status, stdout } = await lango(['router', 'check'], {
    LANGO_DATA_DIR: app.dataDir,
    LANGO_BASE_URL: PORTAL,
    ...stale,
  });
  assert.equal(status, 1);
  assert.match(stdout, /^The router is not ready for Lango:/);
});

test('a router that does not answer ends it with 1 and a sentence', async t => {
  const router = await startRouter(t);
  await router.stopListening();
  const { status, stdout, stderr } = await lango(['router', 'check'], environment(t, router));
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^The router at 127\.0\.0\.1:\d+ refused the connection\. .*\n$/);
});

test('the script needs no router', async t => {
  const router = await startRouter(t);
  await router.stopListening();
  const { status, stdout, stderr } = await lango(['router', 'script'], environment(t, router));
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^# Sets a router up for Lango/);
  assert.match(stdout, /do=\{ \/user add name=lango group=lango password=secret address=10\.5\.0\.2\/32 \}$/m);
  assert.equal((await lango(['router', 'script'], environment(t, null))).status, 0);
});

test('remove takes back what apply made, and says what it cannot', async t => {
  const router = await startRouter(t);
  const settings = environment(t, router);
  const files = router.table('/file');
  await lango(['router', 'apply'], settings);
  const { status, stdout } = await lango(['router', 'remove'], settings);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^Done: Take back: \/ip service set \[find name="api-ssl"\] certificate=none disabled=no$/m);
  assert.deepEqual(router.table('/file'), files);
  assert.deepEqual(router.table('/system/script'), []);
  assert.match((await lango(['router', 'remove'], settings)).stdout, /^The router holds nothing of Lango\.$/m);
});

test('remove waits for the appliance to be stopped, which would put everybody back', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_BASE_URL: PORTAL } });
  await app.post(APPLY, CONFIRMED, app.admin);
  const settings = { ...environment(t, app.router), LANGO_DATA_DIR: app.dataDir };
  const { status, stderr } = await lango(['router', 'remove'], settings);
  assert.deepEqual([status, app.router.table('/ip/hotspot/walled-garden/ip').length], [1, 1]);
  assert.match(stderr, /in use by another Lango\. Stop the appliance first/);
});

test('each router of the list is looked at, set up and cleared by name or number, and the others stay as they are', async t => {
  const [main, garden] = [await startRouter(t), await startRouter(t)];
  const settings = environment(t, main);
  const folder = settings['LANGO_DATA_DIR'] ?? '';
  const app = await startApp(t, { dataDir: folder });
  const entry = { router_ip: '127.0.0.1', api_port: garden.port, username: 'lango', password: 'secret' };
  const added = await app.post('/api/admin/routers/', { name: 'The garden', ...entry }, app.admin);
  assert.deepEqual([added.status, added.body.router.router_id], [201, 2]);
  await app.close();
  const on = (action: string, ...more: string[]) => lango(['router', action, '--router', ...more], settings);

  const check = await on('check', 'the garden');
  assert.equal(check.status, 1);
  assert.match(check.stdout, /`lango router plan --router 2` shows the commands, `lango router apply --router 2` runs/);
  assert.deepEqual((await on('plan', '2')).stdout, (await on('plan', 'The garden')).stdout);
  const applied = await on('apply', '2');
  assert.equal(applied.status, 0, applied.stdout);
  assert.match(applied.stdout, /encrypted API is ready/);
  assert.doesNotMatch(applied.stdout, /LANGO_ROUTER_/, 'the variables are of another router');
  assert.equal((await on('check', 'The garden')).status, 0);
  const gates = [main, garden].map(router => router.table('/ip/hotspot/walled-garden/ip').length > 0);
  assert.deepEqual(gates, [false, true]);
  assert.equal((await lango(['router', 'check'], settings)).status, 1, 'the default one without a name');
  assert.match(
    (await on('script', '2', '--interface', 'guests')).stdout,
    /\/ip hotspot add name=lango interface=guests /,
  );

  garden.join({ mac: 'A4:83:E7:00:00:01' });
  const unnamed = await on('prove', '2');
  assert.match(unnamed.stderr, /lango router prove --router 2 MAC\n.*\n {2}A4:83:E7:00:00:01 /);
  assert.equal((await on('prove', '2', 'A4:83:E7:00:00:01')).status, 0);

  await lango(['router', 'apply'], settings);
  assert.equal((await on('remove', 'The garden')).status, 0);
  const left = [main, garden].map(router => router.table('/ip/hotspot/walled-garden/ip').length > 0);
  assert.deepEqual(left, [true, false]);

  const lost = await on('check', 'The roof');
  assert.equal(lost.status, 2);
  assert.match(lost.stderr, /^There is no router "The roof"\. .*:\n {2}1 {2}Main router\n {2}2 {2}The garden\n$/);
});

test('a hotspot is set up on the interface that is named', async t => {
  const router = await startRouterSimulator({ username: 'lango', password: 'secret', blank: true });
  t.after(() => router.stop());
  const settings = environment(t, router);
  assert.match((await lango(['router', 'check'], settings)).stdout, /lango router apply --interface NAME/);
  const { status, stdout } = await lango(['router', 'apply', '--interface', 'guests'], settings);
  assert.equal(status, 0, stdout);
  assert.equal(router.table('/ip/hotspot')[0]?.['interface'], 'guests');
  const script = await lango(['router', 'script', '--interface', 'guests'], environment(t, null));
  assert.match(script.stdout, /\/ip hotspot add name=lango interface=guests /);
});

test('prove asks with the phone that is named, writes what it found to a file, and tidies up when interrupted', async t => {
  const router = await startRouter(t);
  const settings = environment(t, router);
  const folder = settings['LANGO_DATA_DIR'] ?? '';
  router.join({ mac: 'A4:83:E7:00:00:01' });
  const unnamed = await lango(['router', 'prove'], settings);
  assert.equal(unnamed.status, 2);
  assert.match(unnamed.stderr, /^ {2}A4:83:E7:00:00:01 {2}10\.5\./m);
  const users = router.users();

  const { status, stdout } = await lango(['router', 'prove', 'a4-83-e7-00-00-01'], settings);
  assert.equal(status, 0);
  assert.match(stdout, /^RouterOS 7\.16 \(stable\) on hAP ax\^2, asked by Lango /);
  assert.deepEqual(readdirSync(folder), ['lango-prove-7.16-stable-hAP-ax-2.txt']);
  const table = readFileSync(join(folder, 'lango-prove-7.16-stable-hAP-ax-2.txt'), 'utf8');
  assert.ok(stdout.startsWith(table));
  assert.match(table, /^Whether it bakes a mac-cookie +(yes|no)$/m);

  let program: ChildProcess | undefined;
  router.on('command', ({ command }) => {
    if (command === '/ip/hotspot/user/add') program?.kill('SIGINT');
  });
  const interrupted = await lango(['router', 'prove', 'A4:83:E7:00:00:01'], settings, it => {
    program = it;
  });
  assert.deepEqual([interrupted.status, interrupted.stdout], [1, '']);
  assert.match(interrupted.stderr, /^Interrupted: what was put on the router has been taken away again\.$/m);
  assert.deepEqual(router.users(), users);
  assert.ok(router.table('/ip/hotspot/user/profile').every(({ name }) => name === 'default'));
});

test('wrong usage, no router and a portal that phones cannot reach end with 2', async t => {
  const settings = environment(t, null);
  const wrong = ['chekc', 'toString', 'plan now', 'apply --interface', 'check --router', 'prove a b', 'check --fast'];
  for (const line of ['', ...wrong]) {
    const { status, stderr } = await lango(['router', ...line.split(' ').filter(Boolean)], settings);
    assert.equal(status, 2, line);
    assert.match(stderr, /^Say what to do:\nlango router check\|plan\|/, line);
  }
  const unset = await lango(['router', 'check'], settings);
  assert.equal(unset.status, 2);
  assert.match(unset.stderr, /^LANGO_ROUTER_HOST is missing/);
  const lost = await lango(['router', 'script'], { ...settings, LANGO_BASE_URL: '' });
  assert.equal(lost.status, 2);
  assert.match(lost.stderr, /^LANGO_BASE_URL is http:\/\/localhost:8080, which leads a phone to itself/);
});

test('the owner sees the plan and applies it, and the audit log holds the commands', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_BASE_URL: PORTAL } });
  const plan = await app.get(PLAN, app.admin);
  assert.equal(plan.status, 200);
  assert.deepEqual(Object.keys(plan.body), ['success', 'steps', 'missing', 'notes']);
  assert.deepEqual(
    plan.body.steps.map((step: object) => Object.keys(step)),
    Array.from({ length: 6 }, () => ['what', 'why', 'command']),
  );

  for (const confirm of [undefined, 'apply_router_plan', true]) {
    const refused = await app.post(APPLY, { confirm }, app.admin);
    assert.equal(refused.status, 400);
    assert.match(refused.body.message, /APPLY_ROUTER_PLAN/);
  }
  assert.deepEqual(app.router.table('/ip/hotspot/walled-garden/ip'), []);

  const applied = await app.post(APPLY, CONFIRMED, app.admin);
  assert.equal(applied.status, 200);
  const { success, message, changes, steps } = applied.body;
  assert.deepEqual([success, message, steps], [true, '7 changes made.', []]);
  assert.deepEqual(
    changes.slice(0, 6),
    plan.body.steps.map((step: object) => ({ ...step, refusal: null })),
  );
  assert.match(changes[6].what, /^Let Lango use the router’s encrypted API/);
  assert.deepEqual(await lineOf(app), [true, FINGERPRINT]);
  await until(() => app.router.connections === 1);
  assert.equal(app.router.table('/ip/hotspot/walled-garden/ip').length, 1);

  const again = await app.post(APPLY, CONFIRMED, app.admin);
  assert.deepEqual([again.status, again.body.changes], [200, []]);
  const entries = await auditOf(app);
  assert.equal(entries.length, 1);
  assert.deepEqual(entries[0].after, {
    changes: changes.map(({ command }: { command: string }) => ({ command, refusal: null })),
  });
});

test('an encrypted line that does not work is not used, and is tried again', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_BASE_URL: PORTAL } });
  app.router.on('command', ({ command }) => {
    if (command === '/ip/service/set') Object.assign(app.router.knobs, { faultPath: '/system/identity', fatal: 'no' });
  });
  const failed = await app.post(APPLY, CONFIRMED, app.admin);
  assert.equal(failed.status, 500);
  const last = failed.body.changes.at(-1);
  assert.match(last.refusal, /was lost \(no\)/);
  assert.deepEqual(await lineOf(app), [false, null]);
  assert.deepEqual(
    failed.body.steps.map(({ what }: { what: string }) => what),
    [last.what],
  );

  app.router.knobs.fatal = null;
  const done = await app.post(APPLY, CONFIRMED, app.admin);
  assert.deepEqual([done.status, done.body.changes.length, done.body.steps], [200, 1, []]);
  assert.deepEqual(await lineOf(app), [true, FINGERPRINT]);
});

/** Whether the line is encrypted, and the one certificate that it takes. */
async function lineOf(app: TestApp): Promise<[boolean, string | null]> {
  const { configuration } = (await app.get('/api/admin/router/config/', app.admin)).body;
  return [configuration.use_ssl, configuration.ssl_fingerprint];
}

test('a router that refuses is answered with its words, one that is away with 503', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_BASE_URL: PORTAL } });
  app.router.knobs.readOnly = true;
  const refused = await app.post(APPLY, CONFIRMED, app.admin);
  assert.deepEqual([refused.status, refused.body.success], [500, false]);
  assert.match(refused.body.message, /The router says: not enough permissions \(9\)\./);
  await app.router.stopListening();
  for (const away of [await app.get(PLAN, app.admin), await app.post(APPLY, CONFIRMED, app.admin)]) {
    assert.deepEqual([away.status, away.body.success], [503, false]);
    assert.match(away.body.message, /refused the connection/);
  }
});

test('what was changed before the router was lost is in the audit log', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_BASE_URL: PORTAL } });
  app.router.on('command', ({ command }) => {
    if (command === '/ip/hotspot/profile/set') app.router.knobs.fatal = 'rebooting';
  });
  const lost = await app.post(APPLY, CONFIRMED, app.admin);
  assert.deepEqual([lost.status, lost.body.success], [503, false]);
  const [entry] = await auditOf(app);
  assert.equal(entry.after.changes.length, 1);
});

test('a profile with which the router would refuse every login is refused itself', async t => {
  const app = await startApp(t, { router: true });
  const create = (rate: string) =>
    app.post('/api/admin/router/profiles/create/', { name: 'gold', rate_limit: rate }, app.admin);
  const refused = await create('4M/8M 2M/16M');
  assert.equal(refused.status, 400);
  assert.match(JSON.stringify(refused.body), /rate_limit.*refuse every login with it: raise the burst rate/);
  assert.equal((await create('4M/8M 8M/16M')).status, 200);
  assert.equal(app.router.table('/ip/hotspot/user/profile').filter(({ name }) => name === 'gold').length, 1);
});

test('nobody but an owner may see or apply the plan', async t => {
  const app = await startApp(t, { router: true });
  for (const answer of [await app.get(PLAN), await app.post(APPLY, CONFIRMED)]) assert.equal(answer.status, 403);
});

test('the page that is put on the router opens the portal', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_BASE_URL: PORTAL } });
  await app.post(APPLY, CONFIRMED, app.admin);
  const page = app.router.table('/file').find(({ name }) => name === 'hotspot/login.html')?.['contents'] ?? '';
  const link = /content="0; url=([^"]+)"/.exec(page)?.[1] ?? '';
  const shown = link
    .replaceAll('&amp;', '&')
    .replace('$(mac-esc)', 'A4%3A83%3AE7%3A12%3A34%3A56')
    .replace('$(ip)', '10.5.0.11');
  const { status, body } = await app.get(shown.replace(PORTAL, '').replace(/\$\([a-z-]+\)/g, ''));
  assert.equal(status, 200);
  assert.match(body, /<!doctype html>/i);
});

async function auditOf(app: TestApp) {
  return (await app.get('/api/admin/audit-log/?action=router.apply_plan', app.admin)).body.entries;
}
