/** What every path has in common: slashes, HEAD, 405, 404, CORS, caches. See docs/rules.md: Reading requests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createResources } from '../../src/http/resources.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { assertShape, errors } from '../support/shape.ts';

const FRONTEND = 'https://shop.example';
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];

/** Every path of the API with the methods that it takes. */
function pathsOf(app: TestApp): Map<string, Set<string>> {
  const paths = new Map<string, Set<string>>();
  for (const { method, path } of createResources(app.context).routes) {
    const whole = `/api${path.replace(':phone_number', '+255712345678').replaceAll(/:[a-z_]+/g, '1')}`;
    paths.set(whole, (paths.get(whole) ?? new Set()).add(method));
  }
  return paths;
}

/** The status alone: some replies never end. */
async function statusOf(app: TestApp, method: string, path: string, headers = {}): Promise<Response> {
  app.clock.advance(601_000);
  const response = await fetch(app.url + path, { method, headers, signal: AbortSignal.timeout(15_000) });
  await response.body?.cancel();
  return response;
}

test('every path there is answers with and without its slash, to HEAD as to GET, and OPTIONS', async t => {
  const app = await startApp(t);
  for (const [path, methods] of pathsOf(app)) {
    const allowed = [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted();
    const options = await statusOf(app, 'OPTIONS', path);
    assert.equal(options.status, 204, path);
    assert.deepEqual((options.headers.get('allow') ?? '').split(', ').toSorted(), allowed, path);
    for (const method of METHODS.filter(each => !methods.has(each))) {
      for (const either of [path, path.slice(0, -1)]) {
        const refused = await statusOf(app, method, either, app.admin);
        assert.equal(refused.status, 405, `${method} ${either}`);
        assert.deepEqual((refused.headers.get('allow') ?? '').split(', ').toSorted(), allowed, `${method} ${either}`);
      }
    }
    if (!methods.has('GET')) continue;
    for (const credentials of [{}, app.admin]) {
      const got = await statusOf(app, 'GET', path, credentials);
      const bare = await statusOf(app, 'GET', path.slice(0, -1), credentials);
      const head = await statusOf(app, 'HEAD', path, credentials);
      assert.deepEqual([bare.status, head.status], [got.status, got.status], path);
      assert.equal(head.headers.get('content-type'), got.headers.get('content-type'), path);
      assert.ok(got.status < 500 || got.status === 503, `${got.status} ${path}`);
    }
  }
});

test('every path has the manners of the interface', async t => {
  const app = await startApp(t, { environment: { LANGO_FRONTEND_ORIGIN: FRONTEND } });
  await app.createBundle();

  await t.test('paths work with and without the trailing slash, same reply, no redirect', async () => {
    for (const path of ['/api/health', '/api/bundles', '/api/user-status/0712345678', '/api/admin/bundles/1']) {
      const bare = await app.get(path, app.admin);
      const slashed = await app.get(`${path}/`, app.admin);
      assert.equal(bare.status, slashed.status, path);
      assert.deepEqual(bare.body, slashed.body, path);
      assert.ok(bare.status === 200 || bare.status === 404, path);
    }
    const redeem = { voucher_code: '2222-2222-2222', phone_number: '0712345678' };
    const bare = await app.post('/api/vouchers/redeem', redeem);
    assert.equal(bare.status, 404);
    assert.deepEqual(bare.body, (await app.post('/api/vouchers/redeem/', redeem)).body);
  });

  await t.test('HEAD answers wherever GET does, with the headers and without the body', async () => {
    for (const path of [
      '/api/health/',
      '/api/bundles',
      '/api/admin/bundles/',
      '/api/vouchers/list/',
      '/api/webhook-logs/',
    ]) {
      const got = await app.get(path, app.admin);
      const head = await app.send('HEAD', path, undefined, app.admin);
      assert.equal(head.status, got.status, path);
      assert.equal(head.headers.get('content-type'), got.headers.get('content-type'), path);
      assert.equal(head.headers.get('content-length'), got.headers.get('content-length'), path);
    }
    const head = await fetch(`${app.url}/api/health/`, { method: 'HEAD' });
    assert.equal(await head.text(), '');
  });

  await t.test('a known path with a wrong method is 405, and Allow names the right ones', async () => {
    for (const [method, path, allowed] of [
      ['POST', '/api/health/', ['GET', 'HEAD', 'OPTIONS']],
      ['GET', '/api/auth/login/', ['POST', 'OPTIONS']],
      ['DELETE', '/api/bundles', ['GET', 'HEAD', 'OPTIONS']],
      ['PUT', '/api/router/user-status/', ['GET', 'HEAD', 'POST', 'OPTIONS']],
      ['DELETE', '/api/user-status/0712345678/', ['GET', 'HEAD', 'OPTIONS']],
      ['POST', '/api/admin/bundles/1/', ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']],
      ['GET', '/api/payment-webhook/', ['POST', 'OPTIONS']],
    ] as const) {
      const { status, headers, body } = await app.send(method, path);
      assert.equal(status, 405, `${method} ${path}`);
      const named = (headers.get('allow') ?? '').split(', ').toSorted();
      assert.deepEqual(named, allowed.toSorted(), `${method} ${path}`);
      assertShape(body, errors.api);
    }
  });

  await t.test('an unknown path under the API root is 404 in the not-found shape, whatever the method', async () => {
    for (const [method, path] of [
      ['GET', '/api/nothing/'],
      ['POST', '/api/nothing'],
      ['GET', '/api/'],
      ['GET', '/api/vouchers/'],
      ['GET', '/api/admin/nothing/'],
      ['GET', '/api/admin/bundles/1/nothing/'],
      ['GET', '/api//health/'],
    ] as const) {
      const { status, body } = await app.send(method, path);
      assert.equal(status, 404, `${method} ${path}`);
      assertShape(body, errors.api);
    }
  });

  await t.test('CORS headers are returned for the frontend origin, and for no other', async () => {
    const own = await app.get('/api/bundles/', { origin: FRONTEND });
    assert.equal(own.headers.get('access-control-allow-origin'), FRONTEND);
    const other = await app.get('/api/bundles/', { origin: 'https://elsewhere.example' });
    assert.equal(other.headers.get('access-control-allow-origin'), null);
    assert.match(other.headers.get('vary') ?? '', /origin/i);
    const refused = await app.get('/api/user-status/nobody/', { origin: FRONTEND });
    assert.equal(refused.status, 400);
    assert.equal(refused.headers.get('access-control-allow-origin'), FRONTEND, 'a browser may read refusals too');
  });

  await t.test('a CORS preflight is answered without credentials and names methods and headers', async () => {
    const preflight = { origin: FRONTEND, 'access-control-request-method': 'PUT' };
    const { status, headers } = await app.send('OPTIONS', '/api/admin/bundles/1/', undefined, preflight);
    assert.equal(status, 204);
    assert.equal(headers.get('access-control-allow-origin'), FRONTEND);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      assert.ok(headers.get('access-control-allow-methods')?.includes(method), method);
    }
    for (const header of ['authorization', 'content-type', 'x-admin-access']) {
      assert.ok(headers.get('access-control-allow-headers')?.toLowerCase().includes(header), header);
    }
    const elsewhere = { ...preflight, origin: 'https://elsewhere.example' };
    const refused = await app.send('OPTIONS', '/api/admin/bundles/1/', undefined, elsewhere);
    assert.equal(refused.headers.get('access-control-allow-methods'), null);
  });

  await t.test('replies of the API are kept by no cache and sniffed by no browser', async () => {
    const { headers } = await app.get('/api/bundles/');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
  });

  await t.test('the admin web site, the static files and the portal are where the interface puts them', async () => {
    for (const path of ['/api/admin/', '/']) {
      const page = await app.get(path);
      assert.equal(page.status, 200, path);
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/, path);
      assert.ok(page.headers.get('content-security-policy'), path);
    }
    assert.equal((await app.get('/api/static/admin/index.html')).status, 200);
    assert.equal((await app.get('/api/static/no-such-file.js')).status, 404);
  });
});
