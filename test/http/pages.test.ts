import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

import { createPages } from '../../src/http/pages.ts';
import { keysInForms } from '../../src/http/portal-page.ts';
import { PORTAL as PORTAL_FACTS } from '../browser/support/appliance.ts';
import { until } from '../support/until.ts';
import { rawClient, recordingLog, serve } from './support.ts';

const PORTAL = `<!doctype html><title>Wi-Fi</title>${'<p>Karibu</p>'.repeat(50)}`;
const SENT_PORTAL = PORTAL + keysInForms('key');
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2_000))});`;
const BIG = Buffer.alloc(4 * 1_024 * 1_024, 0x61);

function site(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lango-pages-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const files: Record<string, string | Buffer> = {
    'portal/index.html': PORTAL,
    'portal/index.json': '{}',
    'portal/app-4F2K7QXA.js': SCRIPT,
    'portal/app-4F2K7QXA.js.br': brotliCompressSync(SCRIPT),
    'portal/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'admin/index.html': '<!doctype html><title>Admin</title>',
    'shared/big.bin': BIG,
    'portal/.secret': 'hidden',
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

const NOTHING = {
  language: 'en',
  facts: () => ({ portal: PORTAL_FACTS, bundles: [] }),
  answer: async () => ({}),
  formKeys: { keyFor: () => 'key' },
};

async function serveSite(t: TestContext, folder = site(t)) {
  const pagesLog = recordingLog();
  return { folder, pagesLog, ...(await serve(t, () => {}, { mounts: createPages(folder, pagesLog, NOTHING) })) };
}

/** Paths of the files that this process has open. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

test('the portal is at the root and the admin site at its one path', async t => {
  const { url } = await serveSite(t);
  assert.equal(await (await fetch(`${url}/`)).text(), SENT_PORTAL);
  assert.equal(await (await fetch(`${url}/?mac=A4:83:E7:12:34:56&link-orig=http%3A%2F%2Fx`)).text(), SENT_PORTAL);
  for (const path of ['/api/admin/', '/api/admin']) assert.match(await (await fetch(url + path)).text(), /Admin/);
  for (const path of ['/index.html', '/api/admin/index.html', '/portal/', '/api/admin/users-page/']) {
    assert.equal((await fetch(url + path)).status, 404, path);
  }
  assert.equal((await fetch(`${url}/`, { method: 'PUT' })).status, 405);
});

test('pages allow nothing inline, nothing foreign and no frame', async t => {
  const { url } = await serveSite(t);
  for (const path of ['/', '/api/admin/']) {
    const { headers } = await fetch(url + path);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /script-src 'self'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cache-control'), 'no-cache');
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  }
});

test('a page comes compressed to those who can read it', async t => {
  const { url } = await serveSite(t);
  const cases: [accept: string, encoding: string | null][] = [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
    ['brotli-like', null],
  ];
  for (const [accept, encoding] of cases) {
    for (const path of ['/', '/api/static/portal/app-4F2K7QXA.js']) {
      if (path !== '/' && encoding === 'gzip') continue;
      const reply = await fetch(url + path, { headers: { 'accept-encoding': accept } });
      assert.equal(reply.headers.get('content-encoding'), encoding, `${path} ${accept}`);
      assert.equal(reply.headers.get('vary'), path === '/' ? 'Accept-Language, Accept-Encoding' : 'Accept-Encoding');
      assert.equal(await reply.text(), path === '/' ? SENT_PORTAL : SCRIPT);
    }
  }
});

test('what a client has already is not sent again, and ETags follow content, not time', async t => {
  const { url, folder } = await serveSite(t);
  const paths = ['/', '/api/admin/', '/api/static/portal/logo.svg', '/api/static/portal/app-4F2K7QXA.js'];
  const etags = new Map<string, string>();
  for (const path of paths) {
    const etag = (await fetch(url + path)).headers.get('etag') ?? assert.fail(`${path} has no ETag`);
    etags.set(path, etag);
    for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const again = await fetch(url + path, { headers: { 'if-none-match': known } });
      assert.equal(again.status, 304, `${path} ${known}`);
      assert.equal(again.headers.get('etag'), etag);
      assert.equal(await again.text(), '');
    }
    assert.equal((await fetch(url + path, { headers: { 'if-none-match': 'W/"other"' } })).status, 200);
  }
  utimesSync(join(folder, 'portal/logo.svg'), 1, 1);
  writeFileSync(join(folder, 'portal/index.html'), `${PORTAL}<p>new</p>`);
  const restarted = await serveSite(t, folder);
  for (const path of paths) {
    const etag = (await fetch(restarted.url + path)).headers.get('etag');
    if (path === '/') assert.notEqual(etag, etags.get(path));
    else assert.equal(etag, etags.get(path), path);
  }
});

test('names with a hash are kept for ever, others asked about each time', async t => {
  const { url } = await serveSite(t);
  const control = async (path: string) => (await fetch(`${url}/api/static/${path}`)).headers.get('cache-control');
  assert.equal(await control('portal/app-4F2K7QXA.js'), 'public, max-age=31536000, immutable');
  assert.equal(await control('portal/logo.svg'), 'no-cache');
  const { headers } = await fetch(`${url}/api/static/portal/app-4F2K7QXA.js`);
  assert.match(headers.get('content-type') ?? '', /^text\/javascript/);
});

test('nothing outside the folder and nothing hidden is served', async t => {
  const { port, url, folder } = await serveSite(t);
  writeFileSync(join(folder, '..', 'lango-outside.txt'), 'outside');
  t.after(() => rmSync(join(folder, '..', 'lango-outside.txt')));
  for (const path of [
    '../lango-outside.txt',
    '..%2flango-outside.txt',
    '%2e%2e/lango-outside.txt',
    'portal/../../lango-outside.txt',
    'portal/..%5c..%5clango-outside.txt',
    '/etc/passwd',
    '%00',
    '%ff',
    'portal/.secret',
    'portal',
    'portal/app-00000000.js',
    '',
  ]) {
    const client = rawClient(t, port, `GET /api/static/${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const reply = await client.until('}');
    assert.match(reply, /^HTTP\/1\.1 404 .*"message":"There is nothing at this path\."/s, path);
  }
  assert.equal((await fetch(`${url}/api/static/portal/logo.svg`, { method: 'DELETE' })).status, 405);
  assert.equal((await fetch(`${url}/api/static/portal/logo.svg`, { method: 'HEAD' })).status, 200);
});

test('good ranges of large files are honoured, and odd ones get the whole file instead of an error', async t => {
  const { url } = await serveSite(t);
  const get = (range: string, path = 'shared/big.bin') =>
    fetch(`${url}/api/static/${path}`, { headers: { range, 'accept-encoding': 'identity' } });
  const part = await get('bytes=8-11');
  assert.equal(part.status, 206);
  assert.equal(await part.text(), 'aaaa');
  for (const odd of ['bytes=5-2', 'bytes=-5', 'bytes=a-b', 'bytes=0-1,4-5', 'items=0-1', 'bytes=']) {
    const reply = await get(odd);
    assert.equal(reply.status, 200, odd);
    assert.equal((await reply.arrayBuffer()).byteLength, BIG.length);
  }
  assert.equal((await get('bytes=99999999-')).status, 416);
  const small = await get('bytes=8-11', 'portal/app-4F2K7QXA.js');
  assert.deepEqual([small.status, await small.text()], [200, SCRIPT]);
});

test('small files are served from memory, whatever part of them is asked for: a flood opens none', async t => {
  const { url, folder } = await serveSite(t);
  rmSync(join(folder, 'portal'), { recursive: true });
  rmSync(join(folder, 'admin'), { recursive: true });
  for (const path of ['portal/index.html', 'portal/logo.svg', 'admin/index.html', 'portal/app-4F2K7QXA.js']) {
    for (const headers of [{}, { range: 'bytes=0-' }]) {
      assert.equal((await fetch(`${url}/api/static/${path}`, { headers })).status, 200, path);
    }
  }
});

test('a client that leaves in the middle of a file leaves no open file behind', async t => {
  const { port, folder } = await serveSite(t);
  for (let i = 0; i < 20; i += 1) {
    const client = rawClient(t, port, 'GET /api/static/shared/big.bin HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until('HTTP/1.1 200');
    client.socket.resetAndDestroy();
  }
  const open = () => openFiles().filter(path => path.startsWith(folder)).length;
  await until(() => open() === 0);
});

test('a file that vanishes breaks off one reply, not the process', async t => {
  const { url, folder, pagesLog } = await serveSite(t);
  rmSync(join(folder, 'shared/big.bin'));
  await assert.rejects(fetch(`${url}/api/static/shared/big.bin`).then(reply => reply.arrayBuffer()));
  assert.equal(pagesLog.lines[0]?.event, 'static file unreadable');
  assert.equal((await fetch(`${url}/`)).status, 200);
});

test('a missing page is said at the start', t => {
  const folder = site(t);
  rmSync(join(folder, 'admin'), { recursive: true });
  assert.throws(
    () => createPages(folder, recordingLog(), NOTHING),
    /admin\/index\.html is missing; build the pages first/,
  );
});
