import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER, startApp, type TestApp } from '../support/app.ts';
import { hire, openSession, STAFF_PASSWORD } from '../support/staff.ts';

const MINUTE = 60_000;
const newcomer = { username: 'neema', password: 'a password of neema', email: 'neema@example.com', role: 'cashier' };

/** @returns its id */
async function create(app: TestApp, account = newcomer): Promise<number> {
  const { status, body } = await app.post('/api/admin/admins/', account, app.admin);
  assert.equal(status, 201, JSON.stringify(body));
  return body.admin.id;
}

const logIn = (app: TestApp, username: string, password: string) =>
  app.post('/api/auth/login/', { username, password });

test('an admin is created, logs in with the role, and is listed without a hash', async t => {
  const app = await startApp(t);
  const id = await create(app);
  const { status, body } = await logIn(app, 'neema', newcomer.password);
  assert.equal(status, 200);
  assert.equal(body.user.role, 'cashier');
  const list = await app.get('/api/admin/admins/', app.admin);
  assert.deepEqual(list.body.pagination, { total: 2, page: 1, page_size: 20, total_pages: 1 });
  assert.deepEqual(
    list.body.admins.find((admin: { id: number }) => admin.id === id),
    {
      id,
      username: 'neema',
      email: 'neema@example.com',
      is_staff: true,
      role: 'cashier',
      first_name: '',
      last_name: '',
      totp_enabled: false,
      date_joined: app.clock.now(),
      is_active: true,
      last_login_at: app.clock.now(),
    },
  );
});

test('every field of a new admin is checked, and a name is taken once, however it is written', async t => {
  const app = await startApp(t);
  const wrong = { username: 'two words', password: 'short', email: 'nowhere', role: 'king' };
  const refused = await app.post('/api/admin/admins/', wrong, app.admin);
  assert.equal(refused.status, 400);
  assert.deepEqual(Object.keys(refused.body.details).toSorted(), ['email', 'password', 'role', 'username']);
  await create(app);
  const taken = await app.post('/api/admin/admins/', { ...newcomer, username: 'NEEMA' }, app.admin);
  assert.equal(taken.status, 409);
  assert.ok(taken.body.details.username);
});

test('an admin is changed field by field, and what is left out stays', async t => {
  const app = await startApp(t);
  const id = await create(app);
  const named = { first_name: 'Neema', last_name: 'Mushi' };
  const { status, body } = await app.send('PUT', `/api/admin/admins/${id}/`, named, app.admin);
  assert.equal(status, 200);
  const { role, email, first_name: first, last_name: last } = body.admin;
  assert.deepEqual([role, email, first, last], ['cashier', 'neema@example.com', 'Neema', 'Mushi']);
  const promoted = await app.send('PUT', `/api/admin/admins/${id}/`, { role: 'owner' }, app.admin);
  assert.equal(promoted.body.admin.role, 'owner');
  assert.equal((await app.send('PUT', '/api/admin/admins/999/', named, app.admin)).status, 404);
});

test('a new role counts from the next request of a running session', async t => {
  const app = await startApp(t);
  const cashier = await hire(app, 'cashier');
  assert.equal((await app.get('/api/dashboard-stats/', cashier.headers)).status, 403);
  await app.send('PUT', `/api/admin/admins/${cashier.id}/`, { role: 'staff' }, app.admin);
  assert.equal((await app.get('/api/dashboard-stats/', cashier.headers)).status, 200);
});

test('who is switched off is out at once, and may come back', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const change = (isActive: boolean) =>
    app.send('PUT', `/api/admin/admins/${staff.id}/`, { is_active: isActive }, app.admin);
  assert.equal((await change(false)).status, 200);
  assert.equal((await app.get('/api/auth/profile/', staff.headers)).status, 403);
  assert.equal((await logIn(app, staff.username, STAFF_PASSWORD)).status, 401);
  assert.equal((await change(true)).status, 200);
  assert.equal((await app.get('/api/auth/profile/', staff.headers)).status, 403, 'the old session is over');
  assert.equal((await logIn(app, staff.username, STAFF_PASSWORD)).status, 200);
});

test('the last active owner can be neither switched off nor demoted, also when two try at once', async t => {
  const app = await startApp(t);
  const first = (await app.get('/api/admin/admins/', app.admin)).body.admins[0].id;
  for (const change of [{ is_active: false }, { role: 'staff' }]) {
    const { status, body } = await app.send('PUT', `/api/admin/admins/${first}/`, change, app.admin);
    assert.equal(status, 409);
    assert.match(body.message, /last active owner/);
  }
  const second = await hire(app, 'owner');
  const answers = await Promise.all(
    [first, second.id].map(id => app.send('PUT', `/api/admin/admins/${id}/`, { role: 'staff' }, app.admin)),
  );
  assert.deepEqual(
    answers.map(answer => answer.status).toSorted((a, b) => a - b),
    [200, 409],
  );
});

test('an owner gives another admin a new password, which ends their sessions', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const path = `/api/admin/admins/${staff.id}/password/`;
  assert.equal((await app.post(path, { password: 'too short' }, app.admin)).status, 400);
  assert.equal((await app.post(path, { password: 'another password' }, app.admin)).status, 200);
  assert.equal((await app.get('/api/auth/profile/', staff.headers)).status, 403);
  assert.equal((await logIn(app, staff.username, STAFF_PASSWORD)).status, 401);
  assert.equal((await logIn(app, staff.username, 'another password')).status, 200);
  assert.equal(
    (await app.post('/api/admin/admins/999/password/', { password: 'another password' }, app.admin)).status,
    404,
  );
});

test('everybody changes their own password with the current one, and nobody else another one but an owner', async t => {
  const app = await startApp(t);
  const cashier = await hire(app, 'cashier');
  const staff = await hire(app, 'staff');
  const own = `/api/admin/admins/${cashier.id}/password/`;
  const password = 'a newer password';
  for (const current of [{}, { current_password: 'wrong' }]) {
    const { status, body } = await app.post(own, { password, ...current }, cashier.headers);
    assert.equal(status, 400);
    assert.ok(body.details.current_password);
  }
  assert.equal((await app.post(own, { password, current_password: STAFF_PASSWORD }, staff.headers)).status, 403);
  assert.equal((await app.post(own, { password, current_password: STAFF_PASSWORD }, cashier.headers)).status, 200);
  assert.equal((await app.get('/api/auth/profile/', cashier.headers)).status, 403);
  app.clock.advance(MINUTE);
  assert.equal((await logIn(app, cashier.username, password)).status, 200);
});

test('passwords cannot be guessed through a session that was left open', async t => {
  const app = await startApp(t);
  const cashier = await hire(app, 'cashier');
  const attempt = () =>
    app.post(
      `/api/admin/admins/${cashier.id}/password/`,
      { password: 'a newer password', current_password: 'a guess' },
      cashier.headers,
    );
  for (let count = 0; count < 5; count += 1) assert.equal((await attempt()).status, 400);
  assert.equal((await attempt()).status, 429);
});

test('sessions are listed with where they come from and without their tokens, and are ended one by one', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const other = await openSession(app, staff.id);
  const path = `/api/admin/admins/${staff.id}/sessions/`;
  const { status, body } = await app.get(path, staff.headers);
  assert.equal(status, 200);
  assert.equal(body.pagination.total, 2);
  for (const session of body.sessions) {
    assert.deepEqual(session, {
      id: session.id,
      created_at: app.clock.now(),
      last_seen_at: app.clock.now(),
      expires_at: '2026-11-21T22:00:00.000Z',
      ip: '127.0.0.1',
      user_agent: 'test',
      current: session.id === staff.sessionId,
    });
  }
  const end = (id: number, headers: Record<string, string>) => app.post(`/api/admin/sessions/${id}/end/`, {}, headers);
  assert.equal((await end(other.sessionId, staff.headers)).status, 200);
  assert.equal((await app.get('/api/auth/profile/', other.headers)).status, 403);
  assert.equal((await end(other.sessionId, staff.headers)).status, 404);
  assert.equal((await app.get(path, staff.headers)).body.pagination.total, 1);
});

test('sessions of others are the business of owners only', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const cashier = await hire(app, 'cashier');
  assert.equal((await app.get(`/api/admin/admins/${staff.id}/sessions/`, cashier.headers)).status, 403);
  assert.equal((await app.post(`/api/admin/sessions/${staff.sessionId}/end/`, {}, cashier.headers)).status, 404);
  assert.equal((await app.get('/api/auth/profile/', staff.headers)).status, 200);
  assert.equal((await app.get(`/api/admin/admins/${staff.id}/sessions/`, app.admin)).status, 200);
  assert.equal((await app.post(`/api/admin/sessions/${staff.sessionId}/end/`, {}, app.admin)).status, 200);
  assert.equal((await app.get('/api/auth/profile/', staff.headers)).status, 403);
});

test('sessions that ran out are not listed', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  app.clock.advance(13 * 60 * MINUTE);
  const { body } = await app.get(`/api/admin/admins/${staff.id}/sessions/`, app.admin);
  assert.deepEqual(body.sessions, []);
});

test('the owner of the first start may change the password with the current one', async t => {
  const app = await startApp(t);
  const { body } = await logIn(app, OWNER.username, OWNER.password);
  const path = `/api/admin/admins/${body.user.id}/password/`;
  const change = { password: 'the next password', current_password: OWNER.password };
  assert.equal((await app.post(path, change, { authorization: `Bearer ${body.token}` })).status, 200);
  assert.equal((await logIn(app, OWNER.username, OWNER.password)).status, 401);
});
