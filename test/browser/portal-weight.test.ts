/** What the portal costs a cheap phone on a slow link. Bars: issue "What people see". */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { parse } from 'acorn';
import type { CDPSession } from 'playwright-core';
import { buildPortalDocuments } from '../../build/portal.ts';
import { startAppliance } from './support/appliance.ts';
import { closeBrowser, takePhone } from './support/phone.ts';

const FIRST_VIEW_BYTES = 14 * 1_024;
const USABLE_MS = 1_000;
/** The slow end of what people call 3G: 400 kbit/s, with 400 ms to the answer's first byte. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
/** A machine that does other things as well only adds to a round: the page's own time is that of the best. */
const MOST_ROUNDS = 12;
const FROM_ROUTER = 'mac=A4:11:22:33:44:55&ip=10.5.50.7&link-orig=http%3A%2F%2Fnews.example%2Ftoday';

const documents = await buildPortalDocuments();

after(closeBrowser);

/** Notes when a person can choose a bundle, and how much what they look at has jumped by then. */
const WATCH = `
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

async function countBytes(devtools: CDPSession): Promise<() => number> {
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await devtools.send('Network.enable');
  return () => bytes;
}

for (const { code, html } of documents) {
  test(`${code}: the first view, all in and with the API's replies, is at most 14 KB on the wire`, async t => {
    const appliance = await startAppliance(t);
    const { page } = await takePhone(t, [appliance.origin], { slowdown: 1 });
    const bytes = await countBytes(await page.context().newCDPSession(page));
    await page.goto(`${appliance.origin}/?${FROM_ROUTER}&lang=${code}`, { waitUntil: 'networkidle' });
    t.diagnostic(`${bytes()} bytes with headers and replies; the document ${brotliCompressSync(html).length}`);
    assert.ok(bytes() > 5_000 && bytes() <= FIRST_VIEW_BYTES, `${bytes()} bytes`);
  });
}

test('on a slow 3G link and a slow phone a bundle can be chosen within a second, and nothing jumps', async t => {
  const times: number[] = [];
  while (times.length < MOST_ROUNDS && !times.some(time => time <= USABLE_MS)) {
    const appliance = await startAppliance(t);
    const { page } = await takePhone(t, [appliance.origin]);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_3G);
    await page.addInitScript(WATCH);
    await page.goto(`${appliance.origin}/?${FROM_ROUTER}`);
    await page.locator('.bundle input').first().waitFor();
    await setTimeout(300);
    times.push((await page.evaluate('window.usable')) as number);
    const moved = await page.evaluate<string>('window.moved.join()');
    assert.equal(await page.evaluate('window.shifted'), 0, `what a person looks at must not jump, but ${moved} did`);
    await page.close();
  }
  t.diagnostic(`usable after ${times.map(Math.round).join(', ')} ms`);
  const best = Math.min(...times);
  assert.ok(best > SLOW_3G.latency, `${best} ms is too good to be true: was the link slowed down?`);
  assert.ok(best <= USABLE_MS, `${best} ms`);
});

test('every script of every document is ES2017', () => {
  for (const { code, html } of documents) {
    const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => script ?? '');
    assert.equal(scripts.length, 2, code);
    for (const script of scripts) {
      assert.ok(script.length > 100);
      parse(script, { ecmaVersion: 2017 });
    }
  }
});

test('one policy fits all: script and style are the same in every language', () => {
  const code = (html: string) => [...html.matchAll(/<(script|style)>.*?<\/\1>/gs)].map(([whole]) => whole).join('');
  assert.equal(new Set(documents.map(({ html }) => code(html))).size, 1);
});

test('nothing in a document asks for anything outside the box, or runs from an attribute', () => {
  for (const { html } of documents) {
    assert.doesNotMatch(html, /\son\w+=|\sstyle=|javascript:|<link rel="stylesheet"|@import|url\((?!#)/);
    assert.doesNotMatch(html.replaceAll('http://www.w3.org/2000/svg', ''), /(src|href|action)="(https?:)?\/\//);
    assert.doesNotMatch(html, /localStorage|sessionStorage|document\.cookie|window\.open|alert\(|innerHTML|\{\{/);
  }
});
