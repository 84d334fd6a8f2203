/** Each state in each light: free of accessibility faults, no sideways scrolling, and a picture to look at. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { languages } from '../../static/portal/languages/index.ts';
import { startAppliance } from './support/appliance.ts';
import { closeBrowser, type PhoneOptions, takePhone } from './support/phone.ts';
import { openState, type PortalState, portalStates } from './support/portal-states.ts';

const SCREENS = join(import.meta.dirname, '../../build/out/screens/portal');
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
mkdirSync(SCREENS, { recursive: true });

after(closeBrowser);

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return (await page.evaluate(
    "axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(node => id + ': ' + node.html + ' ' + node.failureSummary)))",
  )) as string[];
}

async function look(
  t: TestContext,
  state: PortalState,
  file: string,
  options: PhoneOptions,
  query = '',
): Promise<void> {
  const appliance = await startAppliance(t, state.situation?.());
  const { page } = await takePhone(t, [appliance.origin], { slowdown: 1, ...options });
  await openState(page, appliance, state, query);
  await page.screenshot({ path: join(SCREENS, `${file}.png`), fullPage: true });
  assert.deepEqual(await violations(page), []);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, 'it scrolls sideways');
}

for (const state of portalStates) {
  for (const scheme of ['light', 'dark'] as const) {
    test(`${state.name}, ${scheme}: no accessibility fault`, t =>
      look(t, state, `${state.name}-${scheme}`, { scheme }));
  }
}

const shown = [
  'one-step',
  'not-now',
  'prices-incomplete',
  'closed',
  'waiting',
  'online-for-days',
  'router-down',
  'device-limit',
  'proof-wrong',
];
for (const code of Object.keys(languages).filter(other => other !== 'en')) {
  for (const state of portalStates.filter(({ name }) => shown.includes(name))) {
    test(`${state.name} in ${code}: no accessibility fault`, t =>
      look(t, state, `${code}-${state.name}`, { width: 320, height: 568 }, `&lang=${code}`));
  }
  test(`dark in ${code}: no accessibility fault`, t =>
    look(t, portalStates[1] as PortalState, `${code}-dark`, { scheme: 'dark' }, `&lang=${code}`));
}

test('a wide screen keeps one column', t =>
  look(t, portalStates[1] as PortalState, 'wide', { width: 1280, height: 800 }));
