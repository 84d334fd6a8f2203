import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';

import * as field from '../../src/contract/fields.ts';
import { LangoError } from '../../src/domain/errors.ts';
import { json, noContent, text } from '../../src/http/reply.ts';
import { type Api, createApi } from '../../src/http/route.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { until } from '../support/until.ts';
import { OPEN, PARSERS, postJson, rawClient, recordingLog, serve } from './support.ts';

const Person = v.object({ phone_number: field.phone });

function twoRoutes(api: Api): void {
  api.handle({ ...OPEN, method: 'GET', path: '/health/' }, () => ({ status: 'ok' }));
  api.handle({ ...OPEN, method: 'GET', path: '/user-status/:phone_number/', params: Person }, ({ params }) => ({
    phone: params.phone_number,
  }));
  api.handle({ ...OPEN, method: 'POST', path: '/devices/remove/', body: Person }, ({ body }) => body);
  api.handle({ ...OPEN, method: 'GET', path: '/devices/:phone_number/', params: Person }, ({ params }) => [
    params.phone_number,
  ]);
}

test('a path answers the same with and without its trailing slash, without a redirect', async t => {
  const { url } = await serve(t, twoRoutes);
  for (const path of ['/api/health', '/api/user-status/%2B255712345678', '/api/user-status/+255712345678']) {
    const bodies = [];
    for (const slash of ['', '/']) {
      const reply = await fetch(url + path + slash, { redirect: 'manual' });
      assert.equal(reply.status, 200, path + slash);
      bodies.push(await reply.text());
    }
    assert.equal(bodies[0], bodies[1]);
  }
});

test('the API answers under its root only, in its own case, and without empty segments', async t => {
  const { url } = await serve(t, twoRoutes);
  for (const path of [
    '/health/',
    '/API/health/',
    '/api/Health/',
    '/api//health/',
    '/api/user-status//',
    '/api/',
    '/',
  ]) {
    const reply = await fetch(url + path);
    assert.equal(reply.status, 404, path);
    assert.deepEqual(await reply.json(), { error: 'Not found', message: 'There is nothing at this path.' });
  }
});

test('a query does not hide a path, and a broken escape in a path is a field problem', async t => {
  const { url, port } = await serve(t, twoRoutes);
  assert.equal((await fetch(`${url}/api/health/?a=1&b`)).status, 200);
  const client = rawClient(t, port, 'GET /api/user-status/%E0%A4%A/ HTTP/1.1\r\nHost: x\r\n\r\n');
  const reply = await client.until('details');
  assert.match(reply, /^HTTP\/1\.1 400 .*"details":\{"phone_number":\[/s);
});

test('a target in absolute form, as proxies send it, is the path that it names', async t => {
  const { port } = await serve(t, twoRoutes);
  for (const [target, status, body] of [
    ['http://10.5.50.1/api/health/', 200, '"status":"ok"'],
    ['HTTP://wifi.example:8080/api/user-status/0712345678/?a=1', 200, '"phone":"+255712345678"'],
    ['http://wifi.example/api/nothing/', 404, 'Not found'],
    ['http://wifi.example', 404, 'Not found'],
    ['http://wifi.example?a=/api/health/', 404, 'Not found'],
  ] as const) {
    const client = rawClient(t, port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const reply = await client.closed;
    assert.ok(reply.startsWith(`HTTP/1.1 ${status} `) && reply.includes(body), `${target}: ${reply}`);
  }
});

test('HEAD answers wherever GET does, with the headers of GET and no body', async t => {
  const { url } = await serve(t, twoRoutes);
  for (const path of ['/api/health/', '/api/user-status/0712345678/']) {
    const [get, head] = await Promise.all([fetch(url + path), fetch(url + path, { method: 'HEAD' })]);
    assert.equal(head.status, 200);
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
    assert.equal(await head.text(), '');
  }
});

test('a known path with a wrong method is 405 with Allow, fixed path before pattern', async t => {
  const { url } = await serve(t, twoRoutes);
  const cases: [string, string, string][] = [
    ['POST', '/api/health/', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/api/health', 'GET, HEAD, OPTIONS'],
    ['PUT', '/api/user-status/0712345678/', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/devices/remove/', 'POST, OPTIONS'],
    ['HEAD', '/api/devices/remove/', 'POST, OPTIONS'],
    ['PATCH', '/api/devices/0712345678/', 'GET, HEAD, OPTIONS'],
  ];
  for (const [method, path, allow] of cases) {
    const reply = await fetch(url + path, { method });
    assert.equal(reply.status, 405, `${method} ${path}`);
    assert.equal(reply.headers.get('allow'), allow);
    if (method !== 'HEAD') assert.equal(((await reply.json()) as { error: string }).error, 'Method not allowed');
  }
});

test('OPTIONS names the methods of a known path and is 404 elsewhere', async t => {
  const { url } = await serve(t, twoRoutes);
  const reply = await fetch(`${url}/api/devices/remove/`, { method: 'OPTIONS' });
  assert.equal(reply.status, 204);
  assert.equal(reply.headers.get('allow'), 'POST, OPTIONS');
  assert.equal(reply.headers.get('access-control-allow-methods'), null);
  assert.equal((await fetch(`${url}/api/nothing/`, { method: 'OPTIONS' })).status, 404);
});

test('without configured origins no reply carries a CORS header', async t => {
  const { url } = await serve(t, twoRoutes);
  const reply = await fetch(`${url}/api/health/`, { headers: { origin: 'https://shop.example' } });
  assert.deepEqual(
    [...reply.headers.keys()].filter(name => name.startsWith('access-control') || name === 'vary'),
    [],
  );
});

test('a configured origin may read replies, errors too, and other origins may not', async t => {
  const frontendOrigins = ['https://shop.example', 'https://admin.example'];
  const { url } = await serve(t, twoRoutes, { frontendOrigins });
  for (const [path, status] of [
    ['/api/health/', 200],
    ['/api/user-status/x/', 400],
    ['/api/nothing/', 404],
  ] as const) {
    const reply = await fetch(url + path, { headers: { origin: 'https://admin.example' } });
    assert.equal(reply.status, status);
    assert.equal(reply.headers.get('access-control-allow-origin'), 'https://admin.example');
    assert.equal(reply.headers.get('access-control-allow-credentials'), 'true');
    assert.equal(reply.headers.get('access-control-expose-headers'), 'X-Total-Count, Link, Retry-After');
    assert.equal(reply.headers.get('vary'), 'Origin');
    const other = await fetch(url + path, { headers: { origin: 'https://evil.example' } });
    assert.equal(other.headers.get('access-control-allow-origin'), null);
    assert.equal(other.headers.get('access-control-allow-credentials'), null);
    assert.equal(other.headers.get('vary'), 'Origin');
  }
});

test('a preflight from a configured origin allows the methods of the path and the admin headers', async t => {
  const { url } = await serve(t, twoRoutes, { frontendOrigins: ['https://shop.example'] });
  const ask = (origin: string) =>
    fetch(`${url}/api/devices/remove/`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
  const granted = await ask('https://shop.example');
  assert.equal(granted.status, 204);
  assert.equal(granted.headers.get('access-control-allow-origin'), 'https://shop.example');
  assert.equal(granted.headers.get('access-control-allow-methods'), 'POST, OPTIONS');
  assert.equal(
    granted.headers.get('access-control-allow-headers'),
    'Authorization, Content-Type, X-Admin-Access, X-CSRFToken, X-Requested-With, If-Match',
  );
  assert.equal(granted.headers.get('access-control-allow-credentials'), 'true');
  const refused = await ask('https://evil.example');
  assert.equal(refused.headers.get('access-control-allow-origin'), null);
  assert.equal(refused.headers.get('access-control-allow-methods'), null);
});

test('replies of the API are kept by no cache and sniffed by no browser', async t => {
  const { url } = await serve(t, twoRoutes);
  for (const path of ['/api/health/', '/api/nothing/']) {
    const { headers } = await fetch(url + path);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('content-type'), 'application/json');
  }
});

test('an error nobody foresaw is a 500 with a request id, and only the log learns the cause', async t => {
  const cause = new Error('SELECT secret FROM users: no such table');
  const { url, log } = await serve(t, api => {
    api.handle({ ...OPEN, method: 'GET', path: '/sync/' }, () => {
      throw cause;
    });
    api.handle({ ...OPEN, method: 'GET', path: '/async/:phone_number/' }, async () => {
      throw cause;
    });
  });
  const ids = new Set();
  for (const path of ['/api/sync/', '/api/async/0712345678/']) {
    const reply = await fetch(url + path);
    assert.equal(reply.status, 500);
    const body = (await reply.json()) as Record<string, string>;
    assert.deepEqual(Object.keys(body), ['error', 'message', 'request_id']);
    assert.doesNotMatch(JSON.stringify(body), /SELECT|secret|\.ts/);
    const line = log.lines.find(({ fields }) => fields['requestId'] === body['request_id']);
    assert.equal(line?.level, 'error');
    assert.equal(line?.fields['err'], cause);
    assert.doesNotMatch(String(line?.fields['path']), /0712/);
    ids.add(body['request_id']);
  }
  assert.equal(ids.size, 2);
});

test('a bare reply and a text reply have the right type', async t => {
  const { url } = await serve(t, api => {
    api.handle({ ...OPEN, method: 'POST', path: '/nothing/' }, () => noContent());
    api.handle({ ...OPEN, method: 'POST', path: '/router/auth/' }, () => text(200, 'OK'));
  });
  assert.equal((await fetch(`${url}/api/nothing/`, { method: 'POST' })).status, 204);
  const reply = await fetch(`${url}/api/router/auth/`, { method: 'POST' });
  assert.equal(reply.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(await reply.text(), 'OK');
});

test('a misspelt or doubled route ends the start, not a request', () => {
  const api = createApi(PARSERS);
  const add = (...paths: string[]) => api.handle({ ...OPEN, method: 'GET', path: paths }, () => ({}));
  add('/admin/users/', '/users/');
  assert.deepEqual(
    api.routes.map(({ method, path, auth }) => [method, path, auth]),
    [
      ['GET', '/admin/users/', 'none'],
      ['GET', '/users/', 'none'],
    ],
  );
  assert.throws(() => add('/users/'), /registered twice/);
  assert.throws(() => add('/users'), /not of the form/);
  assert.throws(() => add('users/'), /not of the form/);
});

test('mounted paths are served beside the API, by whole path and by prefix', async t => {
  const { url } = await serve(t, twoRoutes, {
    mounts: [
      { path: '/', methods: ['GET'], handle: (_request, response) => void response.end('portal') },
      {
        path: '/sandbox/*',
        methods: 'any',
        handle: (request, response, notFound) =>
          request.url === '/sandbox/none' ? notFound() : void response.end(request.method),
      },
      {
        path: '/broken/',
        methods: ['GET'],
        handle: async () => {
          throw new LangoError('STORAGE_UNAVAILABLE', 'The disk is full.');
        },
      },
    ],
  });
  assert.equal(await (await fetch(`${url}/`)).text(), 'portal');
  assert.equal((await fetch(`${url}/`, { method: 'POST' })).status, 405);
  assert.equal(await (await fetch(`${url}/sandbox/pay`, { method: 'PUT' })).text(), 'PUT');
  assert.equal((await fetch(`${url}/sandbox/none`)).status, 404);
  assert.equal((await fetch(`${url}/broken/`)).status, 503);
});

// --------------------------------------------------------------------------------------- slow and many

test('a client that never finishes its headers is told 408 and cut', async t => {
  const { port, url } = await serve(t, twoRoutes, { bounds: { headersMs: 150, requestMs: 300, checkEveryMs: 25 } });
  const slow = rawClient(t, port, 'GET /api/health/ HTTP/1.1\r\nHost:');
  assert.match(await slow.closed, /^HTTP\/1\.1 408 .*"message":"The request did not arrive in time\."/s);
  assert.equal((await fetch(`${url}/api/health/`)).status, 200);
});

test('a client that never finishes its body is told 408 and cut', async t => {
  const { port, url, log } = await serve(t, twoRoutes, {
    bounds: { headersMs: 100, requestMs: 200, checkEveryMs: 25 },
  });
  const head = 'POST /api/devices/remove/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50';
  const slow = rawClient(t, port, `${head}\r\n\r\n{"phone`);
  assert.match(await slow.closed, /^HTTP\/1\.1 408 /);
  assert.equal((await fetch(`${url}/api/health/`)).status, 200);
  assert.deepEqual(log.lines, []);
});

test('a client that says nothing, or reads nothing, is cut', async t => {
  const big = json(200, 'x'.repeat(32 * 1_024 * 1_024));
  const { port } = await serve(t, api => api.handle({ ...OPEN, method: 'GET', path: '/big/' }, () => big), {
    bounds: { silenceMs: 150, headersMs: 100, checkEveryMs: 25 },
  });
  await rawClient(t, port, '').closed;
  const deaf = connect(port, '127.0.0.1');
  t.after(() => deaf.destroy());
  deaf.on('error', () => {});
  deaf.pause();
  await once(deaf, 'connect');
  deaf.write('GET /api/big/ HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => established(port) === 0);
  let length = 0;
  deaf.on('data', chunk => {
    length += chunk.length;
  });
  deaf.resume();
  await new Promise(resolve => deaf.once('close', resolve));
  assert.ok(length < big.body.length, `the whole reply came: ${length}`);
});

/** Connections of that port of ours that its server has not given up. */
function established(port: number): number {
  const local = port.toString(16).toUpperCase().padStart(4, '0');
  const row = new RegExp(`^ *\\d+: \\w{8}:${local} \\w{8}:\\w{4} 01 `, 'gm');
  return readFileSync('/proc/net/tcp', 'utf8').match(row)?.length ?? 0;
}

test('bytes that are no request, and headers too long, get a JSON refusal and are cut', async t => {
  const { port } = await serve(t, twoRoutes);
  assert.match(await rawClient(t, port, 'BREW /coffee\r\n\r\n').closed, /^HTTP\/1\.1 400 .*"error":"Bad Request"/s);
  const long = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`;
  assert.match(await rawClient(t, port, long).closed, /^HTTP\/1\.1 431 .*"message":"Send shorter headers\."/s);
});

test('when connections run out, the longest idle makes room and busy clients stay', async t => {
  const { port, url } = await serve(t, twoRoutes, { bounds: { connections: 10 } });
  const request = 'GET /api/health/ HTTP/1.1\r\nHost: x\r\n\r\n';
  const busy = rawClient(t, port, request);
  await busy.until('"ok"}');
  const clients = [];
  for (let stuck = 0; stuck < 40; stuck += 1) {
    const client = rawClient(t, port, 'GET /api/health/ HTTP/1.1\r\nHo');
    clients.push(client);
    await new Promise(resolve => client.socket.once('connect', resolve));
    if (stuck % 5 !== 0) continue;
    const before = busy.received().length;
    busy.socket.write(request);
    while (busy.received().length === before && !busy.socket.destroyed) await delay(1);
    assert.equal(busy.socket.destroyed, false);
  }
  await Promise.all(clients.slice(0, 31).map(client => client.closed));
  assert.equal((await fetch(`${url}/api/health/`)).status, 200);
});

// --------------------------------------------------------------------------------------- the end

function heldRoute() {
  let release = () => {};
  let started = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const hasStarted = new Promise<void>(resolve => {
    started = resolve;
  });
  const routes = (api: Api) => {
    twoRoutes(api);
    api.handle({ ...OPEN, method: 'GET', path: '/held/' }, async () => {
      started();
      await held;
      return { held: true };
    });
  };
  return { routes, hasStarted, release: () => release() };
}

test('closing finishes what runs, cuts what is idle at once, and takes nothing new', async t => {
  const { routes, hasStarted, release } = heldRoute();
  const { port, server, url } = await serve(t, routes);
  const idle = rawClient(t, port, 'GET /api/health/ HTTP/1.1\r\nHost: x\r\n\r\n');
  await idle.until('"ok"}');
  const silent = rawClient(t, port, '');
  const half = rawClient(t, port, 'GET /api/health/ HTTP/1.1\r\n');
  const running = rawClient(t, port, 'GET /api/held/ HTTP/1.1\r\nHost: x\r\n\r\n');
  await hasStarted;

  const closed = server.close(5_000);
  await Promise.all([idle.closed, silent.closed, half.closed]);
  assert.equal(running.received(), '');
  await assert.rejects(fetch(`${url}/api/health/`));
  release();
  assert.match(await running.closed, /^HTTP\/1\.1 200 OK.*Connection: close.*\{"held":true\}$/s);
  await closed;
});

test('closing waits no longer than its grace', async t => {
  const { routes, hasStarted, release } = heldRoute();
  const { port, server } = await serve(t, routes);
  const running = rawClient(t, port, 'GET /api/held/ HTTP/1.1\r\nHost: x\r\n\r\n');
  await hasStarted;
  const before = performance.now();
  await server.close(200);
  const took = performance.now() - before;
  assert.ok(took >= 190 && took < 60_000, `${took} ms`);
  assert.equal(await running.closed, '');
  release();
});

test('a port that is taken is said when listening starts', async t => {
  const { port } = await serve(t, twoRoutes);
  const second = createHttpServer({
    api: { routes: [] },
    mounts: [],
    authenticate: () => assert.fail('never asked'),
    log: recordingLog(),
    frontendOrigins: [],
    trustedProxies: [],
    isGateway: () => false,
  });
  await assert.rejects(
    second.listen('127.0.0.1', port),
    /cannot listen on 127\.0\.0\.1 port \d+: another program does.*LANGO_PORT/,
  );
});

test('requests sent in one go are answered in their order', async t => {
  const { port } = await serve(t, twoRoutes);
  const one = (phone: string) => `GET /api/user-status/${phone}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
  const client = rawClient(t, port, one('0712345671') + one('0712345672') + one('0712345673'));
  const reply = await client.until('5673"}');
  assert.ok(reply.indexOf('5671') < reply.indexOf('5672') && reply.indexOf('5672') < reply.indexOf('5673'));
});

test('a refusal of the world is a warning in the log, a failing disk an error', async t => {
  const { url, log } = await serve(t, api => {
    api.handle({ ...OPEN, method: 'POST', path: '/force-logout/' }, () => {
      throw new LangoError('ROUTER_UNAVAILABLE', 'The router does not answer.');
    });
    api.handle({ ...OPEN, method: 'POST', path: '/save/' }, () => {
      throw new LangoError('STORAGE_UNAVAILABLE', 'The disk is full.');
    });
  });
  const away = await postJson(`${url}/api/force-logout/`, {});
  assert.equal(away.status, 503);
  assert.equal(((await away.json()) as { success: boolean }).success, false);
  assert.equal((await postJson(`${url}/api/save/`, {})).status, 503);
  assert.deepEqual(
    log.lines.map(({ level }) => level),
    ['warn', 'error'],
  );
});
