import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../src/config.ts';
import { createResources } from '../../src/http/resources.ts';
import { OWNER, startApp } from '../support/app.ts';

const INSIDE = { 'x-forwarded-for': '10.20.0.7' };
const OUTSIDE = { 'x-forwarded-for': '10.5.50.7' };
const ENVIRONMENT = { LANGO_TRUSTED_PROXIES: '127.0.0.1', LANGO_ADMIN_NETWORKS: '10.20.0.0/16, fd00:20::/64' };

test('outside the admin networks every admin path answers as a path at which there is nothing', async t => {
  const app = await startApp(t, { environment: ENVIRONMENT });
  const nothing = await app.get('/api/no-such-thing/', OUTSIDE);
  assert.equal(nothing.status, 404);
  const { routes } = createResources(app.context);
  const paths = new Set(
    routes
      .filter(({ auth, path }) => auth !== 'none' || path.startsWith('/auth/'))
      .map(({ path }) => `/api${path.replaceAll(/:[a-z_]+/g, '1')}`),
  );
  // Some are public paths under another method.
  for (const { auth, path } of routes) if (auth === 'none' && !path.startsWith('/auth/')) paths.delete(`/api${path}`);
  for (const path of [...paths, '/api/admin/', '/api/admin', '/api/static/admin/admin.css']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
      const body = method === 'POST' || method === 'PUT' ? OWNER : undefined;
      const answer = await app.send(method, path, body, { ...OUTSIDE, ...app.admin });
      assert.equal(answer.status, 404, `${method} ${path}`);
      if (method !== 'HEAD') assert.deepEqual(answer.body, nothing.body, `${method} ${path}`);
      assert.equal(answer.headers.get('allow'), null, `${method} ${path}`);
    }
  }
  assert.ok(paths.size > 50, `${paths.size} paths`);
});

test('no other spelling of a path leads to what is staff’s', async t => {
  const app = await startApp(t, { environment: ENVIRONMENT });
  const inside = await app.get('/api/static/admin/index.html', INSIDE);
  assert.equal(inside.status, 200);
  const spellings = ['/api/static/%61dmin/index.html', '/api/static/portal/%2e%2e/admin/index.html', '/api//admin/'];
  for (const path of [...spellings, '/API/ADMIN/', '/api/%61dmin/', '/api/admin/%2e', '/api/admin/./users/']) {
    for (const method of ['GET', 'HEAD']) {
      assert.equal((await app.send(method, path, undefined, OUTSIDE)).status, 404, `${method} ${path}`);
    }
  }
});

test('inside them staff log in and work, and outside them people go on buying', async t => {
  const app = await startApp(t, { environment: ENVIRONMENT });
  assert.equal((await app.post('/api/auth/login/', OWNER, INSIDE)).status, 200);
  assert.equal((await app.get('/api/admin/users/', { ...INSIDE, ...app.admin })).status, 200);
  assert.equal((await app.get('/api/admin/', { ...INSIDE })).status, 200);
  assert.equal((await app.get('/api/admin/users/', { 'x-forwarded-for': 'fd00:20::9', ...app.admin })).status, 200);
  assert.equal((await app.get('/api/bundles/', OUTSIDE)).status, 200);
  assert.equal((await app.get('/', OUTSIDE)).status, 200);
  const verify = await app.post('/api/verify/', { phone_number: '0712345678' }, OUTSIDE);
  assert.equal(verify.status, 200);
});

test('without admin networks every address is inside', async t => {
  const app = await startApp(t, { environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  assert.equal((await app.get('/api/admin/users/', { ...OUTSIDE, ...app.admin })).status, 200);
});

test('an admin network that is none is refused at the start, by the name of its variable', () => {
  assert.throws(
    () => readConfig({ LANGO_ADMIN_NETWORKS: '10.0.0.0/8, office' }),
    (error: unknown) =>
      error instanceof ConfigError &&
      error.problems.some(problem => problem.startsWith('LANGO_ADMIN_NETWORKS has "office"')),
  );
});
