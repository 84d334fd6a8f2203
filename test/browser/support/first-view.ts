/** How long a cheap phone on a slow link takes until a person can choose a bundle, and whether anything jumps till then. */
import type { TestContext } from 'node:test';
import { until } from '../../support/until.ts';
import { startAppliance } from './appliance.ts';
import { takePhone } from './phone.ts';

/** The slow end of what people call 3G: 400 kbit/s, with 400 ms to the answer's first byte. */
export const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

export const FROM_ROUTER = 'mac=A4:11:22:33:44:55&ip=10.5.50.7&link-orig=http%3A%2F%2Fnews.example%2Ftoday';

/** Notes when a person can choose a bundle, and how much what they look at has jumped by then. */
export const WATCH = `
  window.shifted = 0;
  window.moved = [];
  new PerformanceObserver(list => {
    for (const { value, sources } of list.getEntries()) {
      window.shifted += value;
      for (const { node } of sources) window.moved.push(node && (node.id || node.className || node.nodeName));
    }
  })
    .observe({ type: 'layout-shift', buffered: true });
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.bundle input')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.usable = performance.now(); }));
  }).observe(document, { childList: true, subtree: true });
`;

export interface FirstView {
  usableMs: number;
  /** Layout shift, as browsers count it; 0: nothing jumped. */
  shifted: number;
  /** What jumped. */
  moved: string;
}

export async function firstView(t: TestContext): Promise<FirstView> {
  const appliance = await startAppliance(t);
  const { page } = await takePhone(t, [appliance.origin]);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW_3G);
  await page.addInitScript(WATCH);
  await page.goto(`${appliance.origin}/?${FROM_ROUTER}`);
  await until(() => page.evaluate('window.usable !== undefined'));
  const seen = await page.evaluate<FirstView>(
    '({ usableMs: window.usable, shifted: window.shifted, moved: window.moved.join() })',
  );
  await page.close();
  return seen;
}
