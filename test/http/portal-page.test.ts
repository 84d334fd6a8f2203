import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createPages } from '../../src/http/pages.ts';
import { recordingLog, serve } from './support.ts';

const page = (code: string) =>
  `<!doctype html><html lang="${code}"><style>p{color:red}</style><script>early()</script>` +
  '<script type="application/json" id="facts">null</script><script>late()</script>';

const NOTHING = () => ({ portal: {}, bundles: [] as object[] });

async function servePortal(t: TestContext, language = 'en', facts = NOTHING): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lango-portal-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const site of ['portal', 'admin']) mkdirSync(join(folder, site));
  writeFileSync(join(folder, 'admin/index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'portal/index.html'), page('en'));
  for (const code of ['en', 'sw', 'ar']) writeFileSync(join(folder, 'portal', `${code}.html`), page(code));
  const { url } = await serve(t, () => {}, { mounts: createPages(folder, recordingLog(), { language, facts }) });
  return url;
}

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
  assert.ok(policy.includes(`style-src 'self' ${hash('p{color:red}')};`), policy);
  assert.doesNotMatch(policy, /unsafe/);
});

test('the document brings what is for sale now, as data that cannot end its element', async t => {
  let price = 500;
  const evil = '</script><script>alert(1)</script>$&';
  const url = await servePortal(t, 'en', () => ({ portal: { business_name: evil }, bundles: [{ price }] }));
  const facts = async () => {
    const html = await (await fetch(`${url}/`)).text();
    assert.equal(html.match(/<script>/g)?.length, 2);
    return JSON.parse(/id="facts">(.*?)<\/script>/.exec(html)?.[1] ?? '');
  };
  assert.deepEqual(await facts(), { portal: { business_name: evil }, bundles: [{ price: 500 }] });
  const { headers } = await fetch(`${url}/`);
  price = 700;
  assert.deepEqual((await facts()).bundles, [{ price: 700 }]);
  const again = await fetch(`${url}/`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
  assert.equal(again.status, 200, 'a changed price is never answered with "not modified"');
});
