/** What takes the password again, and how often it may be tried. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totpCode, totpStep } from '../../src/domain/totp.ts';
import { OWNER, startApp, type TestApp } from '../support/app.ts';
import { type Colleague, hire, STAFF_PASSWORD } from '../support/staff.ts';

const MINUTE = 60_000;
const BEHIND_PROXY = { environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } };

const shown = (app: TestApp, secret: string) => totpCode(secret, totpStep(app.context.clock.now()));
const confirm = (app: TestApp, admin: Colleague, body: object) => app.post('/api/auth/confirm/', body, admin.headers);

/** Every call that only the person themselves may make, by name. */
const calls = (app: TestApp, owner: Colleague, other: Colleague) => {
  const send = (method: string, path: string, body: object) => app.send(method, path, body, owner.headers);
  const newcomer = { username: 'neema', password: 'a password of neema', role: 'cashier' };
  const change = (body: object) => send('PUT', `/api/admin/admins/${other.id}/`, body);
  return {
    'starting a second factor': () => send('POST', '/api/auth/totp/start/', {}),
    'switching it on': () => send('POST', '/api/auth/totp/confirm/', { code: '000000' }),
    'making an admin': () => send('POST', '/api/admin/admins/', newcomer),
    'promoting one': () => change({ role: 'owner' }),
    'switching one off': () => change({ is_active: false }),
    'another password': () => send('POST', `/api/admin/admins/${other.id}/password/`, { password: 'a new password' }),
    'ending a session': () => send('POST', `/api/admin/sessions/${other.sessionId}/end/`, {}),
    'the router': () => send('POST', '/api/admin/router/config/', { router_ip: '127.0.0.1', password: 'x' }),
    'the kept password, shown to another router': () =>
      send('POST', '/api/admin/router/test-connection/', { router_ip: '127.0.0.9' }),
  };
};

test('what only the person may do takes the password again ten minutes after the login', async t => {
  const app = await startApp(t);
  const owner = await hire(app, 'owner', 'first');
  const other = await hire(app, 'staff');
  app.clock.advance(10 * MINUTE);
  for (const [what, call] of Object.entries(calls(app, owner, other))) {
    const { status, body } = await call();
    assert.equal(status, 403, what);
    assert.equal(body.code, 'REAUTHENTICATION_REQUIRED', what);
    assert.equal(body.second_factor, false, what);
    assert.ok(body.error && body.message, what);
  }
  assert.equal((await app.get('/api/admin/admins/', app.admin)).body.pagination.total, 3, 'nobody was made');
  assert.equal((await app.get('/api/auth/profile/', other.headers)).status, 200, 'nobody was put out');

  const { status, body } = await confirm(app, owner, { password: STAFF_PASSWORD });
  assert.equal(status, 200);
  assert.equal(Date.parse(body.confirmed_until), Date.parse(app.clock.now()) + 10 * MINUTE);
  app.clock.advance(10 * MINUTE - 1);
  for (const [what, call] of Object.entries(calls(app, owner, other))) {
    assert.notEqual((await call()).body.code, 'REAUTHENTICATION_REQUIRED', what);
  }
  app.clock.advance(1);
  assert.equal((await calls(app, owner, other)['making an admin']()).body.code, 'REAUTHENTICATION_REQUIRED');
});

test('a login counts, a confirmation counts for its own session alone, and a name needs none', async t => {
  const app = await startApp(t);
  const owner = await hire(app, 'owner', 'first');
  const other = await hire(app, 'staff');
  app.clock.advance(11 * MINUTE);
  const path = `/api/admin/admins/${other.id}/`;
  assert.equal((await app.send('PUT', path, { first_name: 'Asha', role: 'staff' }, owner.headers)).status, 200);
  const { body } = await app.post('/api/auth/login/', { username: 'first', password: STAFF_PASSWORD });
  const promotion = { role: 'owner' };
  assert.equal((await app.send('PUT', path, promotion, { authorization: `Bearer ${body.token}` })).status, 200);
  assert.equal((await app.send('PUT', path, { role: 'staff' }, owner.headers)).status, 403);
});

test('the configured token of a machine has no password to give, and needs none', async t => {
  const app = await startApp(t);
  const other = await hire(app, 'staff');
  app.clock.advance(11 * MINUTE);
  assert.equal((await app.send('PUT', `/api/admin/admins/${other.id}/`, { role: 'owner' }, app.admin)).status, 200);
  assert.equal((await app.post('/api/auth/confirm/', { password: 'x' }, app.admin)).status, 403);
});

test('where a second factor is on, its code is wanted too, and what was wrong is not told', async t => {
  const app = await startApp(t);
  const owner = await hire(app, 'owner', 'first');
  const other = await hire(app, 'staff');
  const { secret } = (await app.post('/api/auth/totp/start/', {}, owner.headers)).body;
  await app.post('/api/auth/totp/confirm/', { code: shown(app, secret) }, owner.headers);
  app.clock.advance(11 * MINUTE);
  const refused = await calls(app, owner, other)['promoting one']();
  assert.equal(refused.body.second_factor, true);
  const code = shown(app, secret);
  const wrong = [
    await confirm(app, owner, { password: STAFF_PASSWORD }),
    await confirm(app, owner, { password: STAFF_PASSWORD, code: '000000' }),
    await confirm(app, owner, { password: 'wrong', code }),
    await confirm(app, owner, { password: 'wrong', code: '000000' }),
  ];
  for (const { status, body } of wrong) {
    assert.equal(status, 401);
    assert.deepEqual(body, wrong[0]?.body);
  }
  assert.equal((await confirm(app, owner, { password: STAFF_PASSWORD, code })).status, 200, 'no code was used up');
  assert.equal((await calls(app, owner, other)['promoting one']()).status, 200);
  app.clock.advance(MINUTE);
  assert.equal((await confirm(app, owner, { password: STAFF_PASSWORD, code })).status, 401, 'a code counts once');
});

test('a password cannot be guessed through a session that was left open, whatever the addresses', async t => {
  const app = await startApp(t, BEHIND_PROXY);
  const owner = await hire(app, 'owner', 'first');
  const attempt = (host: number, password: string) =>
    app.post('/api/auth/confirm/', { password }, { ...owner.headers, 'x-forwarded-for': `203.0.113.${host}` });
  const guesses = await Promise.all(Array.from({ length: 14 }, (_, host) => attempt(host, 'a guess')));
  assert.equal(guesses.filter(({ status }) => status === 401).length, 10, 'at one moment no more than in turn');
  assert.equal((await attempt(99, STAFF_PASSWORD)).status, 429);
  app.clock.advance(10 * MINUTE);
  for (let round = 0; round < 12; round += 1) {
    assert.equal((await attempt(100 + round, STAFF_PASSWORD)).status, 200, 'right ones are not counted');
  }
});

test('who knows only the name locks nobody out: where an admin logged in before has tries of its own', async t => {
  const app = await startApp(t, BEHIND_PROXY);
  const from = (address: string, password: string, username = OWNER.username) =>
    app.post('/api/auth/login/', { username, password }, { 'x-forwarded-for': address });
  assert.equal((await from('198.51.100.7', OWNER.password)).status, 200);
  assert.equal((await from('2001:db8:1::7', OWNER.password)).status, 200);
  for (let host = 0; host < 10; host += 1) assert.equal((await from(`203.0.113.${host}`, 'a guess')).status, 401);
  assert.equal((await from('203.0.113.99', OWNER.password)).status, 429, 'nor is it guessed from ever more addresses');
  assert.equal((await from('198.51.100.7', OWNER.password)).status, 200);
  assert.equal((await from('2001:db8:1::99', OWNER.password)).status, 200, 'the same subscriber');
  // A name that nobody has is treated alike, or the limit would tell which names there are.
  for (let host = 0; host < 10; host += 1) await from(`192.0.2.${host}`, 'a guess', 'nobody-has-this-name');
  assert.equal((await from('192.0.2.99', 'a guess', 'Nobody-Has-This-Name')).status, 429);
});

test('where an admin has logged in is remembered through a restart, and after every session has ended', async t => {
  const app = await startApp(t);
  const { body } = await app.post('/api/auth/login/', OWNER);
  await app.post('/api/auth/logout/', {}, { authorization: `Bearer ${body.token}` });
  assert.equal(app.context.reads.admins.knowsNetwork(body.user.id, '127.0.0.1'), true);
  assert.equal(app.context.reads.admins.knowsNetwork(body.user.id, '127.0.0.2'), false);
});
