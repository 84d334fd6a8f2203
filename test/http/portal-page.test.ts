import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { BundleForSale } from '../../src/contract/bundles.ts';
import type { Portal, PortalFacts } from '../../src/contract/portal.ts';
import { createPages } from '../../src/http/pages.ts';
import { languages } from '../../static/portal/languages/index.ts';
import { PORTAL } from '../browser/support/appliance.ts';
import { recordingLog, serve } from './support.ts';

const page = (code: string) =>
  `<!doctype html><html lang="${code}"><style>p{color:red}<%colours%></style><script>early()</script>` +
  '<p title="<%business%>"><%business%></p><%#bundles%><b><%time%></b><i><%#paid%><%text%><%/paid%></i><%/bundles%>' +
  '<%#nothing%>nothing<%/nothing%><%#logo%><img src="<%address%>"><%/logo%><script>late()</script>';

const OFFER = { id: 1, name: 'Day', price: 500, duration_hours: 2, description: '', is_active: true };
const facts = (portal: Partial<Portal> = {}, bundles: BundleForSale[] = []): PortalFacts => ({
  portal: { ...PORTAL, ...portal },
  bundles,
});

async function servePortal(t: TestContext, language = 'en', now = () => facts()): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lango-portal-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const site of ['portal', 'admin']) mkdirSync(join(folder, site));
  writeFileSync(join(folder, 'admin/index.html'), '<!doctype html>');
  for (const [name, code] of [
    ['index', 'en'],
    ['en', 'en'],
    ['sw', 'sw'],
    ['ar', 'ar'],
  ] as const) {
    writeFileSync(join(folder, 'portal', `${name}.html`), page(code));
    writeFileSync(join(folder, 'portal', `${name}.json`), JSON.stringify(languages[code].live));
  }
  const options = { language, facts: now, answer: async () => ({}), formKeys: { keyFor: () => 'key' } };
  const { url } = await serve(t, () => {}, { mounts: createPages(folder, recordingLog(), options) });
  return url;
}

test('what a form brings back is covered by the policy of the page for everybody', async t => {
  const url = await servePortal(t);
  const policyOf = (reply: Response) => reply.headers.get('content-security-policy');
  const answered = await fetch(`${url}/`, { method: 'POST' });
  assert.equal(answered.headers.get('cache-control'), 'no-store');
  assert.equal(policyOf(answered), policyOf(await fetch(`${url}/`)));
});

async function languageOf(url: string, accept?: string): Promise<string | undefined> {
  const reply = await fetch(url, accept === undefined ? {} : { headers: { 'accept-language': accept } });
  return /lang="(\w+)"/.exec(await reply.text())?.[1];
}

test('the portal speaks what was chosen, else what the phone prefers, else what the business set', async t => {
  const url = await servePortal(t, 'sw');
  assert.equal(await languageOf(`${url}/?lang=ar`, 'en'), 'ar');
  assert.equal(await languageOf(`${url}/?mac=A4&lang=xx`, 'en'), 'en');
  assert.equal(await languageOf(`${url}/`, 'de-DE, AR;q=0.4, en-GB;q=0.9'), 'en');
  assert.equal(await languageOf(`${url}/`, 'de, en;q=0'), 'sw');
  assert.equal(await languageOf(`${url}/`, ', ;q=, ;;,'), 'sw');
  assert.equal(await languageOf(`${url}/?lang=%E0%A4%A`), 'sw');
});

test('a business language that there is no portal in falls back to the index', async t => {
  assert.equal(await languageOf(`${await servePortal(t, 'xx')}/`), 'en');
});

test('the policy allows the scripts and the style of the document itself, and nothing else inline', async t => {
  const reply = await fetch(`${await servePortal(t)}/?lang=sw`);
  const policy = reply.headers.get('content-security-policy') ?? '';
  const hash = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
  assert.match(policy, /default-src 'none'/);
  assert.ok(policy.includes(`script-src 'self' ${hash('early()')} ${hash('late()')};`), policy);
  const style = /<style>(.*?)<\/style>/.exec(await reply.text())?.[1] ?? '';
  assert.ok(policy.includes(`style-src 'self' ${hash(style)};`), policy);
  assert.doesNotMatch(policy, /unsafe/);
});

test('what is for sale now stands in the document, as text whatever it is', async t => {
  let price = 1_500;
  const evil = '"><script>alert(1)</script><%zone%>$&\'';
  const url = await servePortal(t, 'en', () => facts({ business_name: evil }, [{ ...OFFER, price, name: evil }]));
  const read = async (code: string) => (await fetch(`${url}/?lang=${code}`)).text();
  const html = await read('en');
  assert.equal(html.match(/<script>/g)?.length, 2);
  assert.ok(html.includes('<p title="&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;'), html);
  assert.ok(!html.includes('Africa/Dar_es_Salaam'), 'what somebody typed is no place to fill');
  assert.match(html, /<b>2 hours<\/b><i>TZS\s1,500<\/i>/);
  assert.match(await read('ar'), /<b>ساعتان<\/b>/);
  const { headers } = await fetch(`${url}/`);
  price = 700;
  assert.match(await read('en'), /TZS\s700/);
  const again = await fetch(`${url}/`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
  assert.equal(again.status, 200, 'a changed price is never answered with "not modified"');
});

test('the style of a document has the colour of the business, allowed by its hash, and readable on light and dark', async t => {
  const reply = await fetch(await servePortal(t, 'en', () => facts({ primary_color: '#ffe600' })));
  const style = /<style>(.*?)<\/style>/.exec(await reply.text())?.[1] ?? '';
  assert.match(style, /--brand:rgb\(255,230,0\);--on-brand:#000;--accent:rgb\(\d+,\d+,0\)/);
  assert.match(style, /prefers-color-scheme:dark/);
  const hash = createHash('sha256').update(style).digest('base64');
  assert.ok(reply.headers.get('content-security-policy')?.includes(`style-src 'self' 'sha256-${hash}';`));
});

test('a colour or a logo that is none is left out', async t => {
  const evil = { primary_color: 'red;}</style><script>', logo_url: 'javascript:alert(1)' };
  const html = await (await fetch(await servePortal(t, 'en', () => facts(evil)))).text();
  assert.match(html, /<style>p\{color:red\}<\/style>/);
  assert.doesNotMatch(html, /<img/);
});
