/** The scripts that tell Lango who came and went, run by the simulated router on both readings of its quotes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { consoleLine } from '../../src/router/provisioning/commands.ts';
import { sessionScripts } from '../../src/router/provisioning/session-scripts.ts';
import { runScript } from '../simulator/console.ts';
import type { RouterSimulator } from '../simulator/router.ts';
import { ASHA, startRouter } from '../simulator/support.ts';
import { until } from '../support/until.ts';

interface Told {
  path: string;
  type: string | undefined;
  fields: Record<string, string>;
}

/** Somebody who hears what the router posts, and answers with that status. */
async function startListener(t: TestContext, status: () => number): Promise<{ url: string; told: Told[] }> {
  const told: Told[] = [];
  const server = createServer(async (request, reply) => {
    const fields = Object.fromEntries(new URLSearchParams(await text(request)));
    told.push({ path: `${request.method} ${request.url}`, type: request.headers['content-type'], fields });
    reply.writeHead(status()).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, told };
}

function setScripts(router: RouterSimulator, scripts: Record<string, string>): void {
  router.run('/ip/hotspot/user/profile/set', { '.id': 'default', ...scripts });
  router.run('/ip/hotspot/user/add', { name: '255712345678', password: 'p' });
}

const comeAndGo = (router: RouterSimulator) => {
  router.join({ mac: ASHA, address: '10.5.50.11' });
  router.login({ mac: ASHA, user: '255712345678', password: 'p' });
  router.logout(ASHA);
};
const logged = (router: RouterSimulator) =>
  router
    .table('/log')
    .filter(({ topics }) => topics?.startsWith('script'))
    .map(({ topics, message }) => [topics, message]);

for (const quotedNames of ['within-text', 'end-text'] as const) {
  test(`the scripts tell who came and went, where $" is read as ${quotedNames}`, async t => {
    const { url, told } = await startListener(t, () => 200);
    const router = await startRouter(t, { quotedNames });
    setScripts(router, sessionScripts({ url }));
    comeAndGo(router);
    await until(() => told.length === 2);
    const person = { username: '255712345678', ip: '10.5.50.11' };
    const type = 'application/x-www-form-urlencoded';
    assert.deepEqual(
      told.toSorted((a, b) => a.path.localeCompare(b.path)),
      [
        { path: 'POST /api/router/auth/', type, fields: { ...person, mac: ASHA } },
        { path: 'POST /api/router/logout/', type, fields: person },
      ],
    );
    assert.deepEqual(logged(router), []);
  });
}

test('a refusal, and nobody who answers, end in a line of the log', async t => {
  const { url } = await startListener(t, () => 403);
  const router = await startRouter(t);
  const scripts = sessionScripts({ url });
  setScripts(router, { ...scripts, 'on-logout': sessionScripts({ url: 'http://127.0.0.1:1/' })['on-logout'] });
  comeAndGo(router);
  await until(() => logged(router).length === 2);
  assert.deepEqual(
    new Set(logged(router).map(([, message]) => message)),
    new Set(['lango: no answer, or not allowed', 'lango: no answer']),
  );
});

test('what stood in the README before, a name in quotes within a text, fails on one of the readings', async t => {
  const { url, told } = await startListener(t, () => 200);
  const before = `:do { /tool fetch url="${url}" http-method=post http-data="username=$user&mac=$"mac-address"&ip=$address" output=none } on-error={ :log info "lango: no answer" }`;
  const router = await startRouter(t, { quotedNames: 'end-text' });
  setScripts(router, { 'on-login': before });
  comeAndGo(router);
  await until(() => logged(router).length === 1);
  assert.match(logged(router)[0]?.[1] ?? '', /on-login of default: syntax error/);
  router.knobs.quotedNames = 'within-text';
  comeAndGo(router);
  await until(() => told.length === 1);
  assert.equal(told[0]?.fields['mac'], ASHA);
});

test('a login over the API runs the script or does not, as the knob says', async t => {
  const { url, told } = await startListener(t, () => 200);
  const router = await startRouter(t, { apiLoginRunsScript: false });
  setScripts(router, { 'on-login': sessionScripts({ url })['on-login'] });
  const { address } = router.join({ mac: ASHA });
  const login = { user: '255712345678', password: 'p', ip: address };
  router.run('/ip/hotspot/active/login', login);
  router.logout(ASHA);
  router.knobs.apiLoginRunsScript = true;
  router.run('/ip/hotspot/active/login', login);
  await until(() => told.length === 1);
});

test('the README’s lines are these scripts, and set them in the router’s terminal', async t => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const scripts = sessionScripts({ url: 'http://10.5.50.2:8080/' });
  const router = await startRouter(t);
  router.run('/ip/hotspot/user/profile/add', { name: 'lango' });
  for (const [name, script] of Object.entries(scripts)) {
    const set = { menu: '/ip/hotspot/user/profile', verb: 'set', id: 'lango', values: { [name]: script } } as const;
    const line = readme.split('\n').find(one => one.startsWith(`/ip hotspot user profile set lango ${name}=`));
    assert.equal(line, consoleLine(set));
    runScript(router, line);
    const [profile] = router.table('/ip/hotspot/user/profile').filter(row => row['name'] === 'lango');
    assert.equal(profile?.[name], script);
  }
});
