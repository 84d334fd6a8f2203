/** `GET /health/`, and the manners that every path has. Interface: "Health"; decisions: 1, 14. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { assertShape, errors, instant, string } from '../support/shape.ts';

const packageVersion = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
const FRONTEND = 'https://shop.example';

test('health has every field that any listing names, and the semantic version of the package', async t => {
  const app = await startApp(t);
  const { status, body } = await app.get('/api/health/');
  assert.equal(status, 200);
  assertShape(body, {
    status: 'healthy',
    timestamp: instant,
    version: packageVersion,
    service: string,
    database: 'connected',
    database_connected: true,
    problems: [string],
  });
  assert.equal(body.timestamp, app.clock.now());
  assert.match(body.version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(body.problems, []);
});

test('health turns degraded when a job has not run for three periods, and healthy again when it has', async t => {
  const app = await startApp(t);
  const runAll = async () => {
    for (const { name } of app.schedule.report()) await app.schedule.run(name);
  };
  await runAll();
  app.clock.advance(3 * 5_000 + 1_000);
  const late = await app.get('/api/health/');
  assert.equal(late.status, 200, 'the appliance still answers');
  assert.equal(late.body.status, 'degraded');
  assert.ok(
    late.body.problems.some((problem: string) => problem.includes('settle pending')),
    'it says which job',
  );
  await runAll();
  assert.equal((await app.get('/api/health/')).body.status, 'healthy');
});

test('health says so when the clock cannot be believed', async t => {
  const app = await startApp(t);
  app.clock.jump(-40 * 365 * 86_400_000);
  const { body } = await app.get('/api/health/');
  assert.equal(body.status, 'degraded');
  assert.match(body.problems.join(' '), /clock/);
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
