/**
 * `scripts/pictures`: pictures of every page of the admin site and every state of the portal, on a phone and on a desk,
 * all with the demo's data, of one evening. All go to build/out/pictures; a few are kept in docs/pictures.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { print } from '../../src/commands/command.ts';
import { parseInstant } from '../../src/domain/time.ts';
import { closeBrowser, sharedBrowser } from '../../test/browser/support/browser.ts';
import { overflowing, settled } from '../../test/browser/support/desk.ts';
import type { Colleague } from './cafe.ts';
import { type Demo, startDemo } from './demo.ts';
import { startPage } from './page.ts';
import { type AdminView, adminViews, logIn, type PortalView, portalViews } from './views.ts';

/** A Friday evening, and always the same one: pictures change where Lango does. */
const EVENING = parseInstant('2026-11-20T16:40:00Z');

const root = join(import.meta.dirname, '../..');
const ALL = join(root, 'build/out/pictures');
const KEPT = join(root, 'docs/pictures');

const SIZES = { phone: { width: 360, height: 720 }, desk: { width: 1_280, height: 800 } } as const;
type Device = keyof typeof SIZES;

const WEBP = { type: 'webp', quality: 75 } as const;
/** It would lie over the middle of a long page. */
const NO_BAR = '.bottom { display: none; }';

/** What docs/pictures.md shows, as a screen shows it first. */
const CHOSEN = new Set(
  [...readFileSync(join(root, 'docs/pictures.md'), 'utf8').matchAll(/pictures\/([\w-]+)\.webp/g)].map(
    ([, name]) => name,
  ),
);

const contextOf = async (device: Device, language = 'en-GB'): Promise<BrowserContext> => {
  const context = await (await sharedBrowser()).newContext({
    viewport: SIZES[device],
    deviceScaleFactor: device === 'phone' ? 2 : 1,
    isMobile: device === 'phone',
    hasTouch: device === 'phone',
    reducedMotion: 'reduce',
    locale: language,
    timezoneId: 'Africa/Dar_es_Salaam',
  });
  await context.clock.install({ time: EVENING });
  context.setDefaultTimeout(15_000);
  return context;
};

async function take(context: BrowserContext, name: string, open: (page: Page) => Promise<void>): Promise<void> {
  const page = await context.newPage();
  try {
    await open(page);
    await page.locator('h1').first().waitFor();
    const wide = await overflowing(page);
    if (wide.length > 0) throw new Error(`It overflows: ${wide.join(' ')}`);
    if (CHOSEN.has(name)) await page.screenshot({ path: join(KEPT, `${name}.webp`), ...WEBP });
    await page.screenshot({ path: join(ALL, `${name}.webp`), ...WEBP, fullPage: true, style: NO_BAR });
  } catch (error) {
    print(`${name}: ${String(error).split('\n')[0]}`);
    failures += 1;
    await page.screenshot({ path: join(ALL, `${name}-failed.webp`), ...WEBP });
  }
  await page.close();
}

async function takeAdmin(demo: Demo, views: readonly AdminView[], device: Device, who: Colleague): Promise<void> {
  const context = await contextOf(device);
  await logIn(context, demo, who);
  for (const { name, hash, act } of views.filter(view => view.who === who)) {
    await take(context, `admin-${name}-${device}`, async page => {
      await page.goto(`${demo.app.url}/api/admin/#/${hash}`);
      await settled(page);
      await act?.(page);
      await settled(page);
    });
  }
  await context.close();
}

async function takePortal(
  demo: Demo,
  { name, address, fault, language, act }: PortalView,
  device: Device,
): Promise<void> {
  const broken = demo.switches.find(each => each.name === fault);
  await broken?.set(true);
  const context = await contextOf(device, language);
  // A phone takes the time from replies, and Node writes that of this machine.
  await context.route('**/api/**', async route => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      headers: { ...response.headers(), date: new Date(demo.app.context.clock.now()).toUTCString() },
    });
  });
  await take(context, `portal-${name}-${device}`, async page => {
    await page.goto(address);
    await page.locator('html:not(.resume) #bundles :is(input, b)').first().waitFor({ state: 'attached' });
    await act?.(page);
  });
  await context.close();
  await broken?.set(false);
}

async function main(): Promise<void> {
  for (const folder of [ALL, KEPT]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  for (const device of ['phone', 'desk'] as const) {
    const desk = await startPage();
    const demo = await startDemo({ port: 0, startsAt: EVENING, smsUrl: desk.smsUrl });
    try {
      // A portal is for phones; a laptop sees the same, wider.
      const states = portalViews(demo);
      for (const view of device === 'phone' ? states : states.slice(0, 1)) await takePortal(demo, view, device);
      const views = adminViews(demo);
      for (const who of ['mariam', 'zawadi'] as const) await takeAdmin(demo, views, device, who);
    } finally {
      await demo.stop();
      desk.stop();
    }
  }
  await closeBrowser();
  print(`${failures} pictures could not be taken.`);
  process.exitCode = failures === 0 ? 0 : 1;
}

let failures = 0;
await main();
