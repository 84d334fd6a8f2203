/** A cheap phone with a captive-network window, played by Chromium: slow, forgetful, and watched. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { sharedBrowser } from './browser.ts';

export { closeBrowser } from './browser.ts';

/** Storage, cookies and windows throw here, as they do or nearly do in the little browser that phones open. */
const FORGETFUL = `
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(window, name, { get() { throw new DOMException(name, 'SecurityError'); } });
  Object.defineProperty(Document.prototype, 'cookie', {
    get() { throw new DOMException('cookie', 'SecurityError'); },
    set() { throw new DOMException('cookie', 'SecurityError'); },
  });
  for (const name of ['open', 'alert', 'confirm', 'prompt'])
    window[name] = () => { throw new DOMException(name, 'SecurityError'); };
`;

export interface PhoneOptions {
  scheme?: 'light' | 'dark';
  language?: string;
  /** How many times slower than this machine; 1 where only the picture counts. */
  slowdown?: number;
  script?: boolean;
  width?: number;
  height?: number;
  /** The browser's name for itself; this machine's when it is not given. */
  userAgent?: string;
}

export interface Phone {
  page: Page;
  /** Addresses of every request, in order. */
  requests: string[];
}

/**
 * A phone on which nothing may go wrong unnoticed: when the test ends, there was no exception, no console error but
 * the browser's own note of a refusal by the API, and no request to any origin but those given.
 */
export async function takePhone(t: TestContext, origins: string[], options: PhoneOptions = {}): Promise<Phone> {
  const {
    scheme = 'light',
    language = 'en-GB',
    slowdown = 6,
    script = true,
    width = 360,
    height = 640,
    userAgent,
  } = options;
  const settings: BrowserContextOptions = {
    viewport: { width, height },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    colorScheme: scheme,
    reducedMotion: slowdown === 1 ? 'reduce' : 'no-preference',
    locale: language,
    timezoneId: 'Africa/Dar_es_Salaam',
    javaScriptEnabled: script,
    ...(userAgent === undefined ? {} : { userAgent }),
  };
  const context = await (await sharedBrowser()).newContext(settings);
  await context.addInitScript(FORGETFUL);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('console', message => {
    const refusal = /^Failed to load resource: the server responded with a status of (40[0-9]|410|429|50[0-9])/;
    const dropped = /^Failed to load resource: net::ERR_(EMPTY_RESPONSE|CONNECTION_RESET|INTERNET_DISCONNECTED)/;
    const ofApi = new URL(message.location().url || 'about:blank').pathname.startsWith('/api/');
    if (ofApi && (refusal.test(message.text()) || dropped.test(message.text()))) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', request => requests.push(request.url()));
  if (slowdown > 1) {
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  }
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
    assert.deepEqual(
      requests.filter(url => !url.startsWith('data:') && !origins.includes(new URL(url).origin)),
      [],
    );
  });
  return { page, requests };
}
