/** A member of staff at a computer or with a phone, before the admin site: logged in, and watched. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { OWNER, type TestApp } from '../../support/app.ts';
import { sharedBrowser } from './browser.ts';

export { closeBrowser } from './browser.ts';

/** Where pictures of what was looked at go. */
export const SCREENS = join(import.meta.dirname, '../../../build/out/screens/admin');
mkdirSync(SCREENS, { recursive: true });

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export interface DeskOptions {
  scheme?: 'light' | 'dark';
  size?: { width: number; height: number };
  /** Of the browser. */
  locale?: string;
  /** Null: nobody is logged in. */
  login?: { username: string; password: string } | null;
}

export interface Desk {
  page: Page;
  /** Opens a page of the site: `users?search=0712`. */
  open(hash: string): Promise<void>;
}

/**
 * When the test ends, there was no exception, no console error but the browser's own note of a refusal by the API,
 * and no request to another origin.
 */
export async function takeDesk(t: TestContext, app: TestApp, options: DeskOptions = {}): Promise<Desk> {
  const { scheme = 'light', size = DESK, locale = 'en-GB', login = OWNER } = options;
  const context = await (await sharedBrowser()).newContext({
    viewport: size,
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale,
    timezoneId: 'America/New_York',
    acceptDownloads: true,
  });
  if (login !== null) {
    const { body } = await app.post('/api/auth/login/', login);
    assert.ok(body.token, body.message);
    const remembered = JSON.stringify({ token: body.token, user: body.user });
    // Once in a tab, as a login does: what the page removes stays removed.
    await context.addInitScript(`
      if (location.protocol === 'http:' && sessionStorage.getItem('tab is old') === null) {
        sessionStorage.setItem('tab is old', 'yes');
        sessionStorage.setItem('lango-admin', ${JSON.stringify(remembered)});
      }
    `);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const complain = (what: string) => {
    // The appliance of a test stops before its browser does.
    if (!app.context.stopping.aborted) complaints.push(what);
  };
  page.on('pageerror', error => complain(String(error)));
  page.on('console', message => {
    const refusal = /^Failed to load resource: the server responded with a status of (4\d\d|50[0-9])/;
    const address = message.location().url;
    if (address !== '' && new URL(address).pathname.startsWith('/api/') && refusal.test(message.text())) return;
    if (['error', 'warning'].includes(message.type())) complain(message.text());
  });
  page.on('request', request => {
    const { protocol, origin } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && origin !== new URL(app.url).origin) complain(request.url());
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });
  return {
    page,
    async open(hash) {
      await page.goto(`${app.url}/api/admin/#/${hash}`);
      await settled(page);
    },
  };
}

/** The first button of that name. */
export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
/** The button of a question. */
export const answer = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
export const says = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();

/** Nothing on the page waits for an answer any more, and the charts are drawn. */
export async function settled(page: Page): Promise<void> {
  // What was done just now has been drawn: a page that still shows what was there before is no settled one.
  await page.evaluate('new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn)))');
  await page.locator('h1').first().waitFor();
  const unsettled = '.skeleton, .list[aria-busy="true"], progress, .chart:not(:has(canvas))';
  await page.locator(unsettled).first().waitFor({ state: 'detached' });
}

/**
 * What is wider than the place it has: it sticks out of the page, is cut off, or has to be scrolled sideways.
 * Paper is as wide as it is printed, a field scrolls what is typed, and what only screen readers are told has no width.
 */
export async function overflowing(page: Page): Promise<string[]> {
  return (await page.evaluate(`
    [...document.querySelectorAll('body *')]
      .filter(element => {
        if (element.closest('.sheet-box, .unseen, .skip, thead, option, input, svg') !== null) return false;
        const { left, right, width } = element.getBoundingClientRect();
        const isCut = element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible';
        return width > 0 && (isCut || left < -0.5 || right > document.documentElement.clientWidth + 0.5);
      })
      .map(element => element.outerHTML.slice(0, 200))
  `)) as string[];
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with the page as it is. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(`window.axe ?? (() => { ${AXE} })()`);
  return (await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(node => id + ': ' + node.html + ' ' + node.failureSummary)))",
  )) as string[];
}

/** Takes a picture; axe-core finds nothing, and nothing is wider than the screen. */
export async function look(page: Page, name: string, { size, scheme }: Required<Pick<DeskOptions, 'size' | 'scheme'>>) {
  await settled(page);
  await page.screenshot({ path: join(SCREENS, `${name}-${size.width}-${scheme}.png`), fullPage: true });
  assert.deepEqual(await violations(page), [], name);
  assert.deepEqual(await overflowing(page), [], `${name} is wider than the screen`);
}
