/** The promise of the product, whole: `scripts/run`, a real browser, and a phone that is online without another tap. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, type TestContext, test } from 'node:test';
import { freePort } from '../support/ports.ts';
import { closeBrowser, takePhone } from './support/phone.ts';

after(closeBrowser);

const TIMEOUT_MS = 60_000;
const ASHA = 'A4:83:E7:12:34:56';

interface Demo {
  process: ChildProcess;
  portal: string;
  /** Resolves with the first line that the demo prints from now on and that says so. */
  says(what: RegExp): Promise<string>;
}

const program = join(import.meta.dirname, '../../scripts/demo/main.ts');

async function startDemo(t: TestContext): Promise<Demo> {
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
  const demo = await startDemo(t);
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

test('a port that is none is said to be the problem', () => {
  const { status, stderr } = spawnSync(process.execPath, [program], { env: { LANGO_PORT: 'many' }, encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /^LANGO_PORT .*\n$/);
});
