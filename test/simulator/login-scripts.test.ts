import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { ASHA, startRouter } from './support.ts';

interface Call {
  url: string | undefined;
  type: string | undefined;
  form: Record<string, string>;
}

/** An appliance that answers every question with one status and keeps what it was asked. */
async function startAppliance(t: TestContext, status: number): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    calls.push({ url: request.url, type: request.headers['content-type'], form });
    response.writeHead(status).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

async function withAsha(t: TestContext, hookUrl: string | null) {
  const router = await startRouter(t, { hookUrl });
  router.run('/ip/hotspot/user/add', { name: 'asha', password: 'p' });
  router.join({ mac: ASHA, address: '10.5.50.2' });
  const hooked = () => new Promise(resolve => router.once('hook', resolve));
  return { router, hooked, login: () => router.login({ mac: ASHA, user: 'asha', password: 'p' }) };
}

test('logins and logouts are posted to the appliance as forms', async t => {
  const appliance = await startAppliance(t, 200);
  const { router, hooked, login } = await withAsha(t, appliance.url);
  const reported = hooked();
  login();
  assert.deepEqual(await reported, { call: 'auth', user: 'asha', mac: ASHA, status: 200 });
  assert.equal(router.activeSessions().length, 1);
  const ended = hooked();
  router.logout(ASHA);
  await ended;
  const form = { username: 'asha', password: '', mac: ASHA, ip: '10.5.50.2' };
  const type = 'application/x-www-form-urlencoded;charset=UTF-8';
  assert.deepEqual(appliance.calls, [
    { url: '/api/router/auth/', type, form },
    { url: '/api/router/logout/', type, form },
  ]);
});

test('a session that the appliance refuses is ended', async t => {
  const appliance = await startAppliance(t, 403);
  const { router, login } = await withAsha(t, appliance.url);
  const ended = new Promise(resolve => router.once('logout', resolve));
  login();
  assert.partialDeepStrictEqual(await ended, { user: 'asha', cause: 'refused' });
  assert.deepEqual(router.activeSessions(), []);
});

test('an appliance that does not answer counts as a refusal, because the script cannot tell', async t => {
  const { router, hooked, login } = await withAsha(t, 'http://127.0.0.1:1');
  const reported = hooked();
  const ended = new Promise(resolve => router.once('logout', resolve));
  login();
  assert.partialDeepStrictEqual(await reported, { call: 'auth', status: null });
  assert.partialDeepStrictEqual(await ended, { cause: 'refused' });
  assert.deepEqual(router.activeSessions(), []);
});

test('without a hook nobody is called', async t => {
  const appliance = await startAppliance(t, 403);
  const { router, login } = await withAsha(t, null);
  login();
  router.knobs.hookUrl = appliance.url;
  const ended = new Promise(resolve => router.once('hook', resolve));
  router.logout(ASHA);
  await ended;
  assert.deepEqual(
    appliance.calls.map(call => call.url),
    ['/api/router/logout/'],
  );
});
