/** What the portal costs a cheap phone on a slow link. Bars: issue "What people see". */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { parse } from 'acorn';
import type { CDPSession } from 'playwright-core';
import { buildPortalDocuments } from '../../build/portal.ts';
import { startAppliance } from './support/appliance.ts';
import { FROM_ROUTER, firstView, SLOW_3G, WATCH } from './support/first-view.ts';
import { closeBrowser, takePhone } from './support/phone.ts';

const FIRST_VIEW_BYTES = 14 * 1_024;

const documents = await buildPortalDocuments();

after(closeBrowser);

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

const PAINTED = 'new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(painted)))';

test('nothing jumps wherever in its header the document is cut on the way', async t => {
  const appliance = await startAppliance(t);
  const html = await (await fetch(appliance.origin)).text();
  const cuts = [...html.slice(0, html.indexOf('<main>')).matchAll(/<(?!\/|path|circle|g )[a-z]|English/g)]
    .map(({ index }) => index)
    .filter(index => index > html.indexOf('<header>'));
  assert.ok(cuts.length > 20);
  let sendRest = () => {};
  const server = createServer(({ url }, response) => {
    const cut = Number(url?.slice(1));
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).write(html.slice(0, cut));
    sendRest = () => void response.end(html.slice(cut));
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { page } = await takePhone(t, [origin], { slowdown: 1 });
  await page.addInitScript(WATCH);
  for (const cut of cuts) {
    await page.goto(`${origin}/${cut}`, { waitUntil: 'commit' });
    await page.evaluate(PAINTED);
    sendRest();
    await page.waitForLoadState();
    await page.evaluate(PAINTED);
    const moved = await page.evaluate<string>('window.moved.join()');
    assert.equal(moved, '', `cut before ${html.slice(cut, cut + 40)}`);
  }
});

test('on a slow 3G link and a slow phone nothing jumps until a bundle can be chosen', async t => {
  const { usableMs, shifted, moved } = await firstView(t);
  t.diagnostic(`usable after ${Math.round(usableMs)} ms`);
  assert.equal(shifted, 0, `what a person looks at must not jump, but ${moved} did`);
  assert.ok(usableMs > SLOW_3G.latency, `${usableMs} ms is too good to be true: was the link slowed down?`);
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
