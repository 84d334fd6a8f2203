/** The promise of the product, whole: `scripts/run`, a real browser, and a phone that is online without another tap. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, type TestContext, test } from 'node:test';
import { GATE, NEEMA } from '../../scripts/demo/cafe.ts';
import { type Demo, startDemo } from '../../scripts/demo/demo.ts';
import { type DemoPage, startPage } from '../../scripts/demo/page.ts';
import { adminViews, logIn } from '../../scripts/demo/views.ts';
import type { Health } from '../../src/contract/health.ts';
import type { Answer } from '../support/app.ts';
import { pagesAreBuilt } from '../support/pages.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';
import { sharedBrowser } from './support/browser.ts';
import { overflowing, settled } from './support/desk.ts';
import { closeBrowser, takePhone } from './support/phone.ts';

after(closeBrowser);

const TIMEOUT_MS = 60_000;
const ASHA = 'A4:83:E7:12:34:56';

interface Program {
  process: ChildProcess;
  portal: string;
  /** Resolves with the first line that the demo prints from now on and that says so. */
  says(what: RegExp): Promise<string>;
}

const program = join(import.meta.dirname, '../../scripts/demo/main.ts');

async function runDemo(t: TestContext): Promise<Program> {
  const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], LANGO_PORT: String(await freePort()) };
  const child = spawn(process.execPath, [program], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  const lines = createInterface({ input: child.stdout });
  const says = (what: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const tooLate = setTimeout(() => reject(new Error(`The demo did not say ${what.source}.`)), TIMEOUT_MS);
      lines.on('line', line => {
        if (!what.test(line)) return;
        clearTimeout(tooLate);
        resolve(line);
      });
    });
  const portal = (await says(/^ +Asha +http/)).trim().split(/\s+/)[1] as string;
  return { process: child, portal, says };
}

test('a phone is online within 10 s of payment, though its browser is gone before the notification comes', async t => {
  const demo = await runDemo(t);
  const origin = new URL(demo.portal).origin;
  const { page } = await takePhone(t, [origin]);
  await page.goto(demo.portal);
  await page.getByRole('radio', { name: /Day pass/ }).tap();
  await page.locator('#pay-phone').fill('0712 345 678');
  await page.locator('#pay').tap();
  await page.getByText('SANDBOX').first().waitFor();
  await page.locator('select[name=webhook]').selectOption('late');
  // The little browser closes in the moment of payment: the portal learns nothing from it any more.
  await page.route(/\/api\/(payment-status|verify)\//, route => route.abort('internetdisconnected'));
  const online = demo.says(new RegExp(`${ASHA}.* online until \\d\\d:\\d\\d`));
  const sentBack = page.waitForRequest(/[?&]order=/);
  const pressedAt = performance.now();
  await page.getByRole('button', { name: 'Pay now' }).tap({ noWaitAfter: true });
  await sentBack;
  const paidAt = performance.now();
  await page.context().close();
  await online;
  const onlineAt = performance.now();
  assert.ok(onlineAt - pressedAt >= 4_000, 'online before the notification was sent');
  assert.ok(onlineAt - paidAt <= 10_000, `online after ${onlineAt - paidAt} ms`);
});

/** The switches are pressed one after another: one demo will do for all. */
let running: Promise<{ demo: Demo; page: DemoPage }> | undefined;
after(async () => {
  const { demo, page } = (await running) ?? {};
  await demo?.stop();
  page?.stop();
});

function theDemo(): Promise<{ demo: Demo; page: DemoPage }> {
  running ??= (async () => {
    await pagesAreBuilt();
    const page = await startPage();
    const demo = await startDemo({ port: await freePort(), smsUrl: page.smsUrl });
    page.show(demo);
    return { demo, page };
  })();
  return running;
}

/** On the page beside the demo, as who tries it does. */
async function press(t: TestContext, name: string, isOn: boolean): Promise<Demo> {
  const { demo, page } = await theDemo();
  const { page: browser } = await takePhone(t, [new URL(page.url).origin], { slowdown: 1 });
  await browser.goto(page.url);
  await browser.getByRole('button', { name, pressed: !isOn }).tap();
  await browser.getByRole('button', { name, pressed: isOn }).waitFor();
  await browser.context().close();
  return demo;
}

async function post(demo: Demo, path: string, body: object): Promise<Answer['body']> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${demo.app.url}/api/${path}/`, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

const onlinePhones = ({ router }: Demo) => router.activeSessions().map(({ mac }) => mac);
const entitled = ({ phones }: Demo) =>
  phones.all.filter(({ isHere, mac }) => isHere && !GATE.some(each => each.mac === mac)).map(({ mac }) => mac);
const everybodyIsOnline = (demo: Demo) => {
  const online = new Set(onlinePhones(demo));
  return entitled(demo).every(mac => online.has(mac));
};

test('fifteen phones are on the Wi-Fi or away; those who paid are online, and the two at the gate are not', async () => {
  const { demo } = await theDemo();
  assert.equal(demo.phones.all.length, 15);
  await until(() => everybodyIsOnline(demo));
  for (const { mac } of GATE)
    assert.ok(demo.router.hosts().some(host => host.mac === mac) && !onlinePhones(demo).includes(mac));
});

test('with 90 days of books no page of the admin site is wider than a phone of 320 or 360 px', async () => {
  const { demo } = await theDemo();
  const wide: string[] = [];
  const views = adminViews(demo);
  for (const who of ['mariam', 'zawadi'] as const) {
    const context = await (await sharedBrowser()).newContext({ viewport: { width: 320, height: 640 } });
    await logIn(context, demo, who);
    const page = await context.newPage();
    for (const { name, hash, act } of views.filter(view => view.who === who)) {
      await page.setViewportSize({ width: 320, height: 640 });
      await page.goto('about:blank');
      await page.goto(`${demo.app.url}/api/admin/#/${hash}`);
      await settled(page);
      await act?.(page);
      for (const width of [320, 360]) {
        await page.setViewportSize({ width, height: 640 });
        await settled(page);
        wide.push(...(await overflowing(page)).map(element => `${name} at ${width} px: ${element}`));
      }
    }
    await context.close();
  }
  assert.deepEqual(wide, []);
});

test('the switch of the router takes everybody offline, and brings them back', async t => {
  const demo = await press(t, 'Router off', true);
  assert.deepEqual(onlinePhones(demo), []);
  await until(() => demo.app.context.site.defaultRouter.port.state === 'disconnected');
  const neema = { phone_number: NEEMA.phone, mac_address: NEEMA.mac };
  const { router_connected: connected, online } = await post(demo, 'verify', neema);
  assert.deepEqual({ connected, online }, { connected: false, online: false });
  await press(t, 'Router off', false);
  await until(() => everybodyIsOnline(demo));
});

test('the switch of the provider stops phone money, and vouchers go on', async t => {
  const demo = await press(t, 'Provider down', true);
  const [asha] = GATE;
  const { id } = demo.app.context.reads.bundles.listActive()[0] as { id: number };
  const order = { phone_number: asha.phone, bundle_id: id };
  assert.equal((await post(demo, 'initiate-payment', order)).code, 'PAYMENT_PROVIDER_UNAVAILABLE');
  const redeemed = await post(demo, 'vouchers/redeem', { phone_number: asha.phone, voucher_code: demo.codes[0] });
  assert.equal(redeemed.access_granted, true);
  await press(t, 'Provider down', false);
  assert.equal((await post(demo, 'initiate-payment', order)).success, true);
});

test('the switch of the uplink makes the provider slow, not wrong', async t => {
  const demo = await press(t, 'Slow uplink', true);
  const { id } = demo.app.context.reads.bundles.listActive()[0] as { id: number };
  const askedAt = performance.now();
  const { success } = await post(demo, 'initiate-payment', { phone_number: '0783000999', bundle_id: id });
  assert.equal(success, true);
  assert.ok(performance.now() - askedAt >= 5_900);
  await press(t, 'Slow uplink', false);
});

test('the switch of the clock makes it jump, which is not believed: nobody is cut off', async t => {
  const demo = await press(t, 'Clock jump', true);
  assert.equal(demo.app.context.clock.trusted, false);
  const health = await fetch(`${demo.app.url}/api/health/`);
  const { timestamp, problems } = (await health.json()) as Health;
  assert.ok(Date.parse(timestamp) - Date.now() < 60_000);
  assert.match(String(problems), /The clock jumped/);
  const cutOff: string[] = [];
  demo.router.on('logout', ({ mac, cause }) => cause !== 'keepalive timeout' && cutOff.push(mac));
  await demo.app.schedule.run('expire access');
  await demo.app.schedule.run('reconcile router');
  assert.deepEqual(cutOff, []);
  await press(t, 'Clock jump', false);
  assert.equal(demo.app.context.clock.trusted, true);
});

test('an empty box is set up with the code that is printed, and has no bundle, no person and no router', async t => {
  await pagesAreBuilt();
  const box = await startDemo({ port: await freePort(), isEmpty: true });
  t.after(box.stop);
  const { reads, site } = box.app.context;
  assert.deepEqual([reads.admins.count(), reads.users.lastId(), reads.bundles.list().length], [0, 0, 0]);
  assert.equal(site.isConfigured, false);
  const owner = { setup_code: box.setupCode, username: 'mariam', password: 'a password of mariam' };
  assert.equal((await post(box, 'auth/setup', owner)).user.username, 'mariam');
});

test('an option that is none is said to be the problem', () => {
  const { status, stderr } = spawnSync(process.execPath, [program, '--full'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /^scripts\/run takes --empty.*\n$/);
});

test('a port that is none is said to be the problem', () => {
  const { status, stderr } = spawnSync(process.execPath, [program], { env: { LANGO_PORT: 'many' }, encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /^LANGO_PORT .*\n$/);
});
