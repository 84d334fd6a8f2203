/** Admins: login, logout, profile, every way to prove who one is. See docs/interface.md: Authentication. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ADMIN_TOKEN, type Answer, OWNER, startApp, type TestApp, until } from '../support/app.ts';
import { ACTOR } from '../support/books.ts';
import { manualClock } from '../support/clock.ts';
import { rows } from '../support/rows.ts';
import { assertInvalid, assertShape, errors, integer, string, text, token } from '../support/shape.ts';

const HOUR = 3_600_000;

async function login(app: TestApp): Promise<{ token: string; access: string }> {
  const { status, body } = await app.post('/api/auth/login/', OWNER);
  assert.equal(status, 200, JSON.stringify(body));
  return { token: body.token, access: body.admin_access_token };
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
const profile = (app: TestApp, headers: Record<string, string>) => app.get('/api/auth/profile/', headers);
const isIn = async (app: TestApp, headers: Record<string, string>) => (await profile(app, headers)).status === 200;

const STAFF_PASSWORD = 'a password of ten';

/** A new admin, logged in. */
async function hire(app: TestApp, role: 'staff' | 'cashier'): Promise<[id: number, headers: Record<string, string>]> {
  const { commit, passwords } = app.context;
  const passwordHash = await passwords.hash(STAFF_PASSWORD);
  const admin = { username: role, passwordHash, email: '', role, onlyFirst: false };
  const { id } = await commit('createAdmin', admin, ACTOR);
  const { body } = await app.post('/api/auth/login/', { username: role, password: STAFF_PASSWORD });
  assert.equal(body.user.role, role);
  return [id, bearer(body.token)];
}

/** A minute on: the limit on logins counts anew. */
const nextMinute = (app: TestApp) => app.clock.advance(61_000);

/** The end of a session slides right after the reply. */
const sessionIsTouched = (app: TestApp) =>
  until(() => rows(app, 'SELECT last_used_at FROM sessions')[0]?.['last_used_at'] === app.clock.now());

function assertRefused(answer: Answer, what = ''): void {
  assert.equal(answer.status, 403, what);
  assertShape(answer.body, errors.unauthenticated);
}

test('login returns every field of every listing, and two different random tokens', async t => {
  const app = await startApp(t);
  const { status, body } = await app.post('/api/auth/login/', OWNER);
  assert.equal(status, 200);
  assertShape(body, {
    success: true,
    token,
    admin_access_token: token,
    user: { id: integer, username: OWNER.username, email: text, is_staff: true, role: 'owner' },
    message: string,
  });
  assert.notEqual(body.token, body.admin_access_token);
  const again = await app.post('/api/auth/login/', OWNER);
  assert.notEqual(again.body.token, body.token);
});

test('tokens are stored only hashed, passwords as argon2id, and neither is ever logged', async t => {
  const app = await startApp(t);
  const { token: sessionToken, access } = await login(app);
  await profile(app, bearer(sessionToken));
  const stored = JSON.stringify([rows(app, 'SELECT * FROM sessions'), rows(app, 'SELECT * FROM admins')]);
  const logged = app.logged.join('\n');
  for (const secret of [sessionToken, access, OWNER.password, ADMIN_TOKEN]) {
    assert.ok(!stored.includes(secret), 'in the database');
    assert.ok(!logged.includes(secret), 'in the log');
  }
  assert.match(String(rows(app, 'SELECT password_hash FROM admins')[0]?.['password_hash']), /^\$argon2id\$/);
});

test('the profile has every field of the interface', async t => {
  const app = await startApp(t);
  const session = await login(app);
  const { status, body } = await profile(app, bearer(session.token));
  assert.equal(status, 200);
  assert.partialDeepStrictEqual(body, {
    username: OWNER.username,
    is_staff: true,
    role: 'owner',
    totp_enabled: false,
  });
  const configured = await profile(app, app.admin);
  assert.equal(configured.status, 200, 'the configured token is nobody, and still has a profile');
  assert.deepEqual(Object.keys(configured.body).toSorted(), Object.keys(body).toSorted());
});

test('the configured token is never returned', async t => {
  const app = await startApp(t);
  const answers = [await app.post('/api/auth/login/', OWNER), await profile(app, app.admin)];
  answers.push(await app.post('/api/auth/logout/', {}, app.admin));
  for (const { body } of answers) assert.ok(!JSON.stringify(body).includes(ADMIN_TOKEN));
  assert.ok(await isIn(app, app.admin), 'logging out does not end what is configured');
});

test('every scheme of the interface is accepted, and every credential that is presented must be valid', async t => {
  const app = await startApp(t);
  const own = await login(app);
  const other = await login(app);
  const wrong = 'x'.repeat(43);
  const header = (authorization?: string, access?: string) => ({
    ...(authorization === undefined ? {} : { authorization }),
    ...(access === undefined ? {} : { 'x-admin-access': access }),
  });
  const accepted: [string, Record<string, string>][] = [
    ['Bearer, a session token', header(`Bearer ${own.token}`)],
    ['Bearer, the configured token', header(`Bearer ${ADMIN_TOKEN}`)],
    ['bearer, in lower case', header(`bearer ${own.token}`)],
    ['Token with the access token of the same session', header(`Token ${own.token}`, own.access)],
    ['Token with the configured token', header(`Token ${own.token}`, ADMIN_TOKEN)],
    ['X-Admin-Access alone, of a session', header(undefined, own.access)],
    ['X-Admin-Access alone, the configured token', header(undefined, ADMIN_TOKEN)],
    ['Bearer and X-Admin-Access of one session', header(`Bearer ${own.token}`, own.access)],
  ];
  const refused: [string, Record<string, string>][] = [
    ['nothing', {}],
    ['Token alone', header(`Token ${own.token}`)],
    ['Token with the access token of another session', header(`Token ${own.token}`, other.access)],
    ['Token with a wrong access token', header(`Token ${own.token}`, wrong)],
    ['a wrong Token with the right access token', header(`Token ${wrong}`, own.access)],
    ['Token with the configured token in its place', header(`Token ${ADMIN_TOKEN}`, own.access)],
    ['Bearer, wrong', header(`Bearer ${wrong}`)],
    ['Bearer, right, beside a wrong X-Admin-Access', header(`Bearer ${own.token}`, wrong)],
    ['Bearer, the configured token, beside a wrong X-Admin-Access', header(`Bearer ${ADMIN_TOKEN}`, wrong)],
    ['Bearer with an access token', header(`Bearer ${own.access}`)],
    ['X-Admin-Access with a session token', header(undefined, own.token)],
    ['X-Admin-Access, empty', header(undefined, '')],
    ['X-Admin-Access, right, beside an unknown scheme', header('Basic b3duZXI6cGFzcw==', own.access)],
    ['Bearer without a credential', header('Bearer')],
    ['a token without a scheme', header(own.token)],
    ['the configured token, shortened', header(`Bearer ${ADMIN_TOKEN.slice(0, -1)}`)],
    ['the configured token, lengthened', header(`Bearer ${ADMIN_TOKEN}x`)],
  ];
  for (const [what, headers] of accepted) assert.equal((await profile(app, headers)).status, 200, what);
  for (const [what, headers] of refused) assertRefused(await profile(app, headers), what);
});

test('every admin endpoint refuses a request without valid credentials with 403 and says nothing else', async t => {
  const app = await startApp(t, { router: true });
  await app.createBundle();
  for (const [method, path] of [
    ['POST', '/api/auth/logout/'],
    ['GET', '/api/auth/profile/'],
    ['POST', '/api/vouchers/generate/'],
    ['GET', '/api/vouchers/list/'],
    ['GET', '/api/webhook-logs/'],
    ['GET', '/api/admin/bundles/'],
    ['POST', '/api/admin/bundles/'],
    ['GET', '/api/admin/bundles/1/'],
    ['PUT', '/api/admin/bundles/1/'],
    ['DELETE', '/api/admin/bundles/1/'],
  ] as const) {
    assertRefused(await app.send(method, path), `${method} ${path}`);
    assertRefused(await app.send(method, path, undefined, bearer('wrong')), `${method} ${path}`);
  }
  const status = await app.get('/api/router/status/');
  assert.equal(status.status, 403);
  assert.ok(string(status.body.detail), 'interface: without admin credentials 403 {detail}');
});

test('a wrong password and an unknown name get the same body and the same work', async t => {
  const app = await startApp(t);
  const times: Record<string, number[]> = { wrong: [], unknown: [] };
  const bodies = new Set<string>();
  await app.post('/api/auth/login/', { username: 'first', password: 'warms up' });
  nextMinute(app);
  for (let round = 0; round < 10; round += 1) {
    const username = round % 2 === 0 ? OWNER.username : 'nobody';
    // Of the processor, which other programs do not change: what a client sees follows from it.
    const begin = process.cpuUsage();
    const { status, body } = await app.post('/api/auth/login/', { username, password: 'wrong' });
    times[round % 2 === 0 ? 'wrong' : 'unknown']?.push(spentMs(begin));
    assert.equal(status, 401);
    assertShape(body, errors.api);
    bodies.add(JSON.stringify(body));
    if (round % 5 === 4) nextMinute(app);
  }
  assert.equal(bodies.size, 1);
  // The quickest of each: a hash that is not worked out would show as a tenth of the time.
  const [wrong, unknown] = [Math.min(...(times['wrong'] ?? [])), Math.min(...(times['unknown'] ?? []))];
  assert.ok(wrong < unknown * 2.5 && unknown < wrong * 2.5, `${wrong} ms and ${unknown} ms`);
});

function spentMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

test('login names every field that is missing', async t => {
  const app = await startApp(t);
  assertInvalid(await app.post('/api/auth/login/', {}), 'username', 'password');
  assertInvalid(await app.post('/api/auth/login/', { username: 1, password: null }), 'username', 'password');
});

test('an admin name is known in any case, a password only as it is', async t => {
  const app = await startApp(t);
  assert.equal((await app.post('/api/auth/login/', { ...OWNER, username: 'OWNER' })).status, 200);
  assert.equal((await app.post('/api/auth/login/', { ...OWNER, password: OWNER.password.toUpperCase() })).status, 401);
  assert.equal((await app.post('/api/auth/login/', { ...OWNER, password: `${OWNER.password} ` })).status, 401);
});

test('logout ends the session at once, with both of its tokens, and no other session', async t => {
  const app = await startApp(t);
  const [own, other] = [await login(app), await login(app)];
  const { status, body } = await app.post('/api/auth/logout/', undefined, bearer(own.token));
  assert.equal(status, 200);
  assert.equal(body.success, true);
  assertRefused(await profile(app, bearer(own.token)));
  assertRefused(await profile(app, { 'x-admin-access': own.access }));
  assert.ok(await isIn(app, bearer(other.token)));
});

test('a session slides 12 hours with use and ends when it is not used for so long', async t => {
  const app = await startApp(t);
  const session = await login(app);
  for (let passed = 11; passed <= 33; passed += 11) {
    app.clock.advance(11 * HOUR);
    assert.ok(await isIn(app, bearer(session.token)), `used after ${passed} hours`);
    await sessionIsTouched(app);
  }
  app.clock.advance(12 * HOUR + 1_000);
  assertRefused(await profile(app, bearer(session.token)));
  assertRefused(await profile(app, { 'x-admin-access': session.access }));
});

test('a session that is not used ends after 12 hours, not before', async t => {
  const app = await startApp(t);
  const [early, late] = [await login(app), await login(app)];
  app.clock.advance(12 * HOUR - 1_000);
  assert.ok(await isIn(app, bearer(early.token)));
  app.clock.advance(1_000);
  assertRefused(await profile(app, bearer(late.token)));
});

test('a session ends after 7 days however much it is used', async t => {
  const app = await startApp(t);
  const session = await login(app);
  for (let passed = 10; passed < 168; passed += 10) {
    app.clock.advance(10 * HOUR);
    assert.ok(await isIn(app, bearer(session.token)), `after ${passed} hours`);
    await sessionIsTouched(app);
  }
  app.clock.advance(8 * HOUR - 1_000);
  assert.ok(await isIn(app, bearer(session.token)), 'in its last second');
  app.clock.advance(2_000);
  assertRefused(await profile(app, bearer(session.token)));
});

test('a password change ends every session of that admin at once', async t => {
  const app = await startApp(t);
  const [first, second] = [await login(app), await login(app)];
  const adminId = (await profile(app, bearer(first.token))).body.id;
  const passwordHash = await app.context.passwords.hash('another good password');
  await app.context.commit('setAdminPassword', { adminId, passwordHash }, ACTOR);
  assertRefused(await profile(app, bearer(first.token)));
  assertRefused(await profile(app, { 'x-admin-access': second.access }));
  assert.equal((await app.post('/api/auth/login/', OWNER)).status, 401, 'the old password');
  const renewed = await app.post('/api/auth/login/', { ...OWNER, password: 'another good password' });
  assert.equal(renewed.status, 200);
});

test('a deactivation ends every session of that admin at once, and refuses logins as any other is refused', async t => {
  const app = await startApp(t);
  const [id, headers] = await hire(app, 'staff');
  assert.ok(await isIn(app, headers));
  await app.context.commit('updateAdmin', { adminId: id, change: { isActive: false } }, ACTOR);
  assertRefused(await profile(app, headers));
  const refused = await app.post('/api/auth/login/', { username: 'staff', password: STAFF_PASSWORD });
  assert.equal(refused.status, 401);
  const unknown = await app.post('/api/auth/login/', { username: 'nobody', password: STAFF_PASSWORD });
  assert.deepEqual(refused.body, unknown.body);
});

test('login is limited to 5 a minute per address, right or wrong, and says when to try again', async t => {
  const app = await startApp(t);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    assert.equal((await app.post('/api/auth/login/', { ...OWNER, password: 'wrong' })).status, 401);
  }
  const { status, headers, body } = await app.post('/api/auth/login/', OWNER);
  assert.equal(status, 429);
  assertShape(body, errors.api);
  const wait = Number(headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= 60, `Retry-After ${wait}`);
  app.clock.advance(wait * 1_000);
  assert.equal((await app.post('/api/auth/login/', OWNER)).status, 200);
});

test('there is no default password: without a configured admin a one-time code in the log opens the set-up', async t => {
  const app = await startApp(t, { environment: { LANGO_ADMIN_USERNAME: '', LANGO_ADMIN_PASSWORD: '' } });
  assert.equal(rows(app, 'SELECT * FROM admins').length, 0);
  const [line] = app.logged.filter(each => each.includes('setupCode'));
  assert.ok(line, 'the code is in the log');
  const { setupCode } = JSON.parse(line);
  assert.match(setupCode, /^[0-9a-f]{6}(-[0-9a-f]{6}){2}$/);
  assert.ok(!JSON.stringify(rows(app, 'SELECT * FROM settings')).includes(setupCode), 'stored only hashed');
  for (const username of ['admin', 'owner', 'root']) {
    assert.equal((await app.post('/api/auth/login/', { username, password: username })).status, 401);
  }
});

test('roles: a cashier sells and looks up, and may not set prices; staff may', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const [, cashier] = await hire(app, 'cashier');
  const [, staff] = await hire(app, 'staff');
  const order = { bundle_id: bundle.id, quantity: 1, expiry_days: 1 };
  assert.equal((await app.post('/api/vouchers/generate/', order, cashier)).status, 200);
  assert.equal((await app.get('/api/vouchers/list/', cashier)).status, 200);
  assert.equal((await app.get('/api/admin/bundles/', cashier)).status, 200);
  const refused = await app.post('/api/admin/bundles/', { name: 'x', price: 1, duration_hours: 1 }, cashier);
  assertRefused(refused);
  assert.equal((await app.send('DELETE', `/api/admin/bundles/${bundle.id}/`, undefined, cashier)).status, 403);
  const created = await app.post('/api/admin/bundles/', { name: 'x', price: 1, duration_hours: 1 }, staff);
  assert.equal(created.status, 201);
});

test('every admin write is in the audit log: who, what, before, after, when, from where', async t => {
  const app = await startApp(t);
  const session = await login(app);
  const { body } = await app.post(
    '/api/admin/bundles/',
    { name: 'Day', price: 1_000, duration_hours: 24 },
    bearer(session.token),
  );
  await app.send('PUT', `/api/admin/bundles/${body.bundle.id}/`, { price: 1_500 }, bearer(session.token));
  const [created, updated] = rows(app, "SELECT * FROM audit_log WHERE subject = 'bundle' ORDER BY id");
  for (const entry of [created, updated]) {
    assert.equal(entry?.['admin_name'], OWNER.username);
    assert.equal(entry?.['ip_address'], '127.0.0.1');
    assert.equal(entry?.['at'], app.clock.now());
    assert.equal(entry?.['subject_id'], body.bundle.id);
  }
  assert.equal(created?.['before'], null);
  assert.equal(JSON.parse(String(updated?.['before'])).price.minor, 100_000);
  assert.equal(JSON.parse(String(updated?.['after'])).price.minor, 150_000);
});

test('a flood of logins by strangers keeps nobody out who has logged in from where they are', async t => {
  const environment = { LANGO_TRUSTED_PROXIES: '127.0.0.1' };
  const clock = manualClock('2026-11-21T10:00:00.000Z');
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-test-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const logIn = (app: TestApp, address: string, admin = OWNER) =>
    app.post('/api/auth/login/', admin, { 'x-forwarded-for': address });
  const flooded = async (app: TestApp, round: number) => {
    const strangers = Array.from({ length: 65 }, (_, n) =>
      logIn(app, `10.5.${round}.${n}`, { username: `guess ${n}`, password: 'guess' }),
    );
    const staff = await logIn(app, '10.20.0.7');
    const statuses = (await Promise.all(strangers)).map(answer => answer.status);
    assert.ok(statuses.includes(429), 'there were too many');
    return staff.status;
  };
  const app = await startApp(t, { environment, clock, dataDir });
  assert.equal((await logIn(app, '10.20.0.7')).status, 200);
  assert.equal(await flooded(app, 1), 200);
  assert.equal(await flooded(app, 2), 200);
  await app.close();
  clock.advance(60_000);
  const next = await startApp(t, { environment, clock, dataDir });
  assert.equal(await flooded(next, 3), 200, 'the books know the address after a start');
});
