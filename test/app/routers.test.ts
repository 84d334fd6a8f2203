/** The list of the site's routers: kept, changed, and at work without a restart. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { RouterState, SiteRouter } from '../../src/contract/routers.ts';
import { type RouterSimulator, type RouterSimulatorOptions, startRouterSimulator } from '../simulator/router.ts';
import { startApp, type TestApp, until } from '../support/app.ts';
import { hire } from '../support/staff.ts';

const ROUTERS = '/api/admin/routers/';
const PASSWORD = 'a secret of the garden';

async function startRouter(t: TestContext, options: RouterSimulatorOptions = {}): Promise<RouterSimulator> {
  const router = await startRouterSimulator({ username: 'gate', password: PASSWORD, ...options });
  t.after(() => router.stop());
  return router;
}

const entryOf = (name: string, router: RouterSimulator) => ({
  name,
  router_ip: '127.0.0.1',
  api_port: router.port,
  username: 'gate',
  password: PASSWORD,
});

async function add(app: TestApp, name: string, router: RouterSimulator): Promise<number> {
  const { status, body } = await app.post(ROUTERS, entryOf(name, router), app.admin);
  assert.equal(status, 201, JSON.stringify(body));
  return body.router.router_id;
}

const list = async (app: TestApp): Promise<SiteRouter[]> => (await app.get(ROUTERS, app.admin)).body.routers;

test('a router that is added is at work at once and after a restart, and its password is told nowhere', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-test-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const garden = await startRouter(t, { identity: 'Garden gate' });
  const first = await startApp(t, { router: true, dataDir });
  const id = await add(first, 'Garden', garden);
  assert.equal(id, 2);
  await first.schedule.run('reconcile router');
  await until(async () => (await list(first)).every(router => router.connection_status === 'connected'));
  const [standard, added] = await list(first);
  assert.deepEqual([standard?.router_id, standard?.api_port], [1, first.router.port]);
  assert.deepEqual(added, {
    router_id: 2,
    name: 'Garden',
    router_ip: '127.0.0.1',
    username: 'gate',
    password_configured: true,
    api_port: garden.port,
    use_ssl: false,
    ssl_fingerprint: null,
    hotspot: null,
    default_profile: 'default',
    connection_status: 'connected',
    problem: null,
    online: 0,
  });
  const { routers } = (await first.get('/api/admin/status/', first.admin)).body.status;
  assert.deepEqual(
    routers.map((state: RouterState) => [state.router_id, state.name, state.connection_status]),
    [
      [1, 'Main router', 'connected'],
      [2, 'Garden', 'connected'],
    ],
  );
  const audit = await first.get('/api/admin/audit-log/', first.admin);
  assert.equal(audit.body.entries[0].action, 'router.add');
  assert.doesNotMatch(JSON.stringify([audit.body, first.logged]), /secret of the garden/);

  await first.close();
  const again = await startApp(t, { dataDir });
  const { body } = await again.get(`/api/router/status/?router_id=${id}`, again.admin);
  assert.equal(body.connection_details.router_info.identity, 'Garden gate', 'with the password that was kept');
});

test('what is asked of one router is asked of the default one, unless another is named', async t => {
  const app = await startApp(t, { router: { identity: 'Front' } });
  const garden = await startRouter(t, { identity: 'Back' });
  const router_id = await add(app, 'Garden', garden);
  const identityOf = async (search: string) =>
    (await app.get(`/api/router/status/${search}`, app.admin)).body.connection_details.router_info.identity;
  assert.deepEqual([await identityOf(''), await identityOf('?router_id=2')], ['Front', 'Back']);
  const admin = (path: string, body?: object) =>
    body === undefined
      ? app.get(`/api/admin/router/${path}`, app.admin)
      : app.post(`/api/admin/router/${path}`, body, app.admin);
  assert.equal((await admin('profiles/create/', { router_id, name: 'gold' })).status, 200);
  const names = (router: RouterSimulator) => router.table('/ip/hotspot/user/profile').map(({ name }) => name);
  assert.deepEqual([names(app.router).includes('gold'), names(garden).includes('gold')], [false, true]);
  assert.match(JSON.stringify((await admin('profiles/?router_id=2')).body), /gold/);
  assert.doesNotMatch(JSON.stringify((await admin('profiles/')).body), /gold/);

  garden.run('/ip/hotspot/user/add', { name: 'guest', password: 'guest' });
  garden.join({ mac: 'A4:83:E7:00:00:01' });
  garden.login({ mac: 'A4:83:E7:00:00:01', user: 'guest', password: 'guest' });
  const sessions = (await admin('active-users/?router_id=2')).body.active_users;
  assert.deepEqual([sessions.length, sessions[0].router_id], [1, 2]);
  assert.equal((await admin('active-users/')).body.total_count, 0);
  assert.equal((await admin('disconnect-all/', {})).body.disconnected_count, 0);
  assert.equal((await admin('disconnect-user/', { router_id: 1, username: 'guest' })).status, 404);
  assert.equal((await admin('disconnect-user/', { username: 'guest' })).body.disconnected_count, 1);
  assert.deepEqual(garden.activeSessions(), []);

  const plans = await Promise.all(['plan/', 'plan/?router_id=2'].map(path => admin(path)));
  assert.deepEqual(
    plans.map(({ status }) => status),
    [200, 200],
  );
  for (const path of ['config/', 'router-info/', 'resources/', 'active-users/', 'profiles/', 'plan/'])
    assert.equal((await admin(`${path}?router_id=3`)).status, 404, path);
  const named = ['config/', 'test-connection/', 'disconnect-user/', 'disconnect-all/', 'reboot/', 'plan/apply/'];
  for (const path of named) assert.equal((await admin(path, { router_id: 3, username: 'x' })).status, 404, path);
});

test('a router is renamed and moved, and taken off the list with its connection closed', async t => {
  const app = await startApp(t, { router: true });
  const [garden, roof] = [await startRouter(t), await startRouter(t, { identity: 'Roof' })];
  const router_id = await add(app, 'Garden', garden);
  await until(() => garden.connections === 1);
  const moved = await app.post(
    '/api/admin/router/config/',
    { router_id, name: 'Roof', api_port: roof.port },
    app.admin,
  );
  assert.deepEqual([moved.body.configuration.name, moved.body.configuration.api_port], ['Roof', roof.port]);
  await until(() => garden.connections === 0 && roof.connections === 1);
  const renamed = await app.post('/api/admin/router/config/', { name: 'Reception' }, app.admin);
  assert.equal(renamed.body.configuration.name, 'Reception');

  const remove = (id: number) => app.send('DELETE', `${ROUTERS}${id}/`, undefined, app.admin);
  assert.equal((await remove(router_id)).status, 200);
  await until(() => roof.connections === 0);
  assert.deepEqual(
    (await list(app)).map(({ name }) => name),
    ['Reception'],
  );
  assert.equal((await remove(router_id)).status, 404);
  assert.equal((await remove(1)).status, 409);
  assert.equal(await add(app, 'Roof', roof), router_id + 1, 'ids are not given twice');
});

test('two entries of one name or one router are refused, and one that does not answer is not kept', async t => {
  const app = await startApp(t, { router: true });
  const garden = await startRouter(t);
  await add(app, 'Garden', garden);
  const same = { ...entryOf('garden', garden), router_ip: 'localhost' };
  assert.deepEqual((await app.post(ROUTERS, same, app.admin)).status, 409);
  assert.equal((await app.post(ROUTERS, entryOf('Roof', garden), app.admin)).status, 409);
  const asDefault = { ...entryOf('Roof', app.router), username: 'lango', password: 'secret' };
  assert.equal((await app.post(ROUTERS, asDefault, app.admin)).status, 409);
  assert.equal((await app.post(ROUTERS, { name: 'Roof' }, app.admin)).status, 400);
  assert.equal((await app.post(ROUTERS, { ...entryOf('Roof', garden), password: 'wrong' }, app.admin)).status, 503);
  const renamed = await app.post('/api/admin/router/config/', { name: 'GARDEN' }, app.admin);
  assert.equal(renamed.status, 409);
  assert.equal((await list(app)).length, 2);
});

test('only an owner who has just given the password adds or removes a router', async t => {
  const app = await startApp(t, { router: true });
  const garden = await startRouter(t);
  const owner = await hire(app, 'owner', 'amina');
  app.clock.advance(11 * 60_000);
  for (const answer of [
    await app.post(ROUTERS, entryOf('Garden', garden), owner.headers),
    await app.send('DELETE', `${ROUTERS}2/`, undefined, owner.headers),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [403, 'REAUTHENTICATION_REQUIRED']);
  }
  const staff = await hire(app, 'staff', 'baraka');
  for (const headers of [staff.headers, {}]) {
    assert.equal((await app.get(ROUTERS, headers)).status, 403);
    assert.equal((await app.post(ROUTERS, entryOf('Garden', garden), headers)).status, 403);
  }
});
