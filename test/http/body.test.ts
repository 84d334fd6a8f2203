import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';

import * as field from '../../src/contract/fields.ts';
import type { Api } from '../../src/http/route.ts';
import { OPEN, postJson, rawClient, serve } from './support.ts';

const Note = v.object({ note: field.optional(field.text(200_000)) });
const LIMIT = 64 * 1_024;

function echoes(calls: unknown[] = []): (api: Api) => void {
  return api => {
    api.handle({ ...OPEN, method: 'POST', path: '/json/', body: Note }, ({ body }) => {
      calls.push(body);
      return body;
    });
    const both = { ...OPEN, method: 'POST', path: '/both/', body: Note, accepts: 'json-or-form' } as const;
    api.handle(both, ({ body }) => body);
    api.handle({ ...OPEN, method: 'POST', path: '/bytes/', body: 'bytes' }, ({ body, search, headers }) => ({
      hex: body.toString('hex'),
      search,
      type: headers['content-type'],
    }));
  };
}

async function details(reply: Response): Promise<Record<string, string[]>> {
  assert.equal(reply.status, 400);
  const body = (await reply.json()) as { error: string; details: Record<string, string[]> };
  assert.equal(typeof body.error, 'string');
  return body.details;
}

test('JSON and form bodies become fields, in any script, whole or byte by byte', async t => {
  const { url, port } = await serve(t, echoes());
  const note = 'Karibu, 12 € — добро пожаловать 🎉';
  assert.deepEqual(await (await postJson(`${url}/api/json/`, { note })).json(), { note });
  const form = new URLSearchParams({ note });
  assert.deepEqual(await (await fetch(`${url}/api/both/`, { method: 'POST', body: form })).json(), { note });

  const body = Buffer.from(JSON.stringify({ note: '€🎉é' }));
  const head = `POST /api/json/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const client = rawClient(t, port, `${head}\r\n\r\n`);
  for (const byte of body) {
    client.socket.write(Buffer.of(byte));
    await delay(2);
  }
  const reply = Buffer.from(await client.until('"}'), 'latin1').toString('utf8');
  assert.ok(reply.endsWith('{"note":"€🎉é"}'), reply);
});

test('an empty body is an object without fields, whatever its type', async t => {
  const { url, port } = await serve(t, echoes());
  assert.deepEqual(await (await fetch(`${url}/api/json/`, { method: 'POST' })).json(), {});
  assert.deepEqual(await (await postJson(`${url}/api/json/`, '')).json(), {});
  const chunked = 'POST /api/json/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';
  assert.match(await rawClient(t, port, `${chunked}\r\n\r\n0\r\n\r\n`).until('{}'), /200 OK/);
});

test('malformed JSON, null, lists and bare values are refused under details.body', async t => {
  const { url } = await serve(t, echoes());
  for (const body of [
    '{',
    '{"a":}',
    'note=1',
    'null',
    '[]',
    '[{"note":"x"}]',
    '"text"',
    '7',
    'true',
    '\u0000',
    'NaN',
  ]) {
    const problems = await details(await postJson(`${url}/api/json/`, body));
    assert.deepEqual(Object.keys(problems), ['body'], body);
    assert.match(problems['body']?.[0] ?? '', /^Send /);
  }
  const nested = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  assert.deepEqual(Object.keys(await details(await postJson(`${url}/api/json/`, nested))), ['body']);
});

test('bytes that are not UTF-8 are refused, in JSON and in forms', async t => {
  const { url } = await serve(t, echoes());
  const bad = Buffer.concat([Buffer.from('{"note":"'), Buffer.of(0xc3, 0x28, 0xff), Buffer.from('"}')]);
  assert.deepEqual(await details(await postJson(`${url}/api/json/`, bad)), { body: ['Send text in UTF-8.'] });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  assert.deepEqual(Object.keys(await details(await postJson(`${url}/api/both/`, Buffer.of(0xff), form))), ['body']);
  for (const text of ['note=%', 'note=%ff', '%c3%28=1']) {
    assert.deepEqual(Object.keys(await details(await postJson(`${url}/api/both/`, text, form))), ['body'], text);
  }
});

test('a body of another type is refused, never taken for an empty one', async t => {
  const { url } = await serve(t, echoes());
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/jsonp',
    'text/html, application/json',
  ];
  for (const type of types) {
    const reply = await postJson(`${url}/api/json/`, '{}', { 'content-type': type });
    assert.equal(reply.status, 415, type);
    assert.match(((await reply.json()) as { message: string }).message, /application\/json/);
  }
  const squeezed = await postJson(`${url}/api/json/`, '{}', { 'content-encoding': 'gzip' });
  assert.equal(squeezed.status, 415);
  for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"']) {
    assert.equal((await postJson(`${url}/api/json/`, '{}', { 'content-type': type })).status, 200, type);
  }
});

test('where forms are taken, a body without a type is a form', async t => {
  const { port } = await serve(t, echoes());
  const request = (path: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nnote=a+b`;
  assert.match(await rawClient(t, port, request('/api/both/')).until('}'), /\{"note":"a b"\}/);
  assert.match(await rawClient(t, port, request('/api/json/')).until('}'), /^HTTP\/1\.1 415 /);
});

test('a body of exactly the limit passes, one byte more is 413, declared or chunked', async t => {
  const { url } = await serve(t, echoes());
  const fitting = (length: number) => JSON.stringify({ note: 'x'.repeat(length - '{"note":""}'.length) });
  assert.equal((await postJson(`${url}/api/json/`, fitting(LIMIT))).status, 200);
  assert.equal((await postJson(`${url}/api/json/`, fitting(LIMIT + 1))).status, 413);
  // Two bytes a character: what counts is bytes, however the collector measures them.
  const accented = JSON.stringify({ note: 'é'.repeat((LIMIT - 12) / 2) });
  assert.equal(Buffer.byteLength(accented) <= LIMIT, true);
  assert.equal((await postJson(`${url}/api/json/`, accented)).status, 200);

  const chunked = (bytes: number, path: string) => {
    const body = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < bytes; sent += 1_024) controller.enqueue(new Uint8Array(1_024).fill(0x20));
        controller.close();
      },
    });
    const headers = { 'content-type': 'application/json' };
    return fetch(url + path, { method: 'POST', headers, body, duplex: 'half' });
  };
  assert.equal((await chunked(LIMIT + 1_024, '/api/json/')).status, 413);
  assert.equal((await chunked(LIMIT + 1_024, '/api/bytes/')).status, 413);
  assert.equal((await chunked(LIMIT, '/api/bytes/')).status, 200);
});

test('a body over the limit is answered once, runs no handler, and leaves the connection usable', async t => {
  const calls: unknown[] = [];
  const { port } = await serve(t, echoes(calls));
  const chunk = `1000\r\n${'x'.repeat(4_096)}\r\n`;
  const head = 'POST /api/json/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';
  const client = rawClient(t, port, `${head}\r\n\r\n`);
  for (let sent = 0; sent < 100; sent += 1) {
    client.socket.write(chunk);
    if (sent % 10 === 0) await delay(1);
  }
  client.socket.write('0\r\n\r\n');
  await client.until('413');
  client.socket.write('GET /api/none/ HTTP/1.1\r\nHost: x\r\n\r\n');
  const all = await client.until('404');
  assert.equal(all.match(/HTTP\/1\.1 /g)?.length, 2);
  assert.deepEqual(calls, []);
});

test('a client that goes on sending what was refused is cut', async t => {
  const { port, url } = await serve(t, echoes());
  for (const path of ['/api/json/', '/api/bytes/']) {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000000`;
    const client = rawClient(t, port, `${head}\r\n\r\n`);
    const megabyte = Buffer.alloc(1_024 * 1_024, 0x20);
    client.socket.write(megabyte);
    client.socket.write(megabyte);
    assert.match(await client.closed, /^HTTP\/1\.1 413 /);
  }
  assert.deepEqual(await (await postJson(`${url}/api/json/`, {})).json(), {});
});

test('an upload that breaks off neither hangs nor reaches the handler nor is logged', async t => {
  const calls: unknown[] = [];
  const { port, url, log, server } = await serve(t, echoes(calls));
  for (const path of ['/api/json/', '/api/both/', '/api/bytes/']) {
    for (const framing of ['Content-Length: 100\r\n\r\n{"note"', 'Transfer-Encoding: chunked\r\n\r\n7\r\n{"note"']) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
      const client = rawClient(t, port, head + framing);
      await delay(20);
      client.socket.resetAndDestroy();
    }
  }
  await delay(20);
  assert.equal((await postJson(`${url}/api/json/`, {})).status, 200);
  assert.deepEqual(calls, [{}]);
  assert.deepEqual(log.lines, []);
  const before = performance.now();
  await server.close(120_000);
  assert.ok(performance.now() - before < 60_000, 'a broken upload kept the server from closing');
});

test('raw bytes come as they were sent, of any type, with query and headers', async t => {
  const { url } = await serve(t, echoes());
  const bytes = Buffer.of(0x7b, 0xff, 0x00, 0xc3, 0x28, 0x7d);
  const reply = await postJson(`${url}/api/bytes/?provider=x`, bytes, { 'content-type': 'text/weird' });
  assert.deepEqual(await reply.json(), { hex: bytes.toString('hex'), search: '?provider=x', type: 'text/weird' });
  const empty = await fetch(`${url}/api/bytes/`, { method: 'POST' });
  assert.deepEqual(await empty.json(), { hex: '', search: '' });
});

test('names such as __proto__ and constructor are fields like any other: unknown and harmless', async t => {
  const { url } = await serve(t, echoes());
  const json1 =
    '{"__proto__":{"note":"polluted","isAdmin":true},"constructor":{"prototype":{"note":"x"}},"toString":1}';
  assert.deepEqual(await (await postJson(`${url}/api/json/`, json1)).json(), {});
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const text = '__proto__=polluted&__proto__[note]=x&constructor=y&hasOwnProperty=z';
  assert.deepEqual(await (await postJson(`${url}/api/both/`, text, form)).json(), {});
  assert.equal(Reflect.get({}, 'note'), undefined);
  assert.equal(Reflect.get({}, 'isAdmin'), undefined);
});

test('forms with odd separators are read without complaint, the last of a repeated name counting', async t => {
  const { url } = await serve(t, echoes());
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const [text, note] of [
    ['note=a&note=b', 'b'],
    ['&&note=a=b&', 'a=b'],
    ['=x&note=%2B1', '+1'],
    ['note&x=1', undefined],
    ['a=1&note', undefined],
  ] as const) {
    const body = await (await postJson(`${url}/api/both/`, text, form)).json();
    assert.deepEqual(body, note === undefined ? {} : { note }, text);
  }
});
