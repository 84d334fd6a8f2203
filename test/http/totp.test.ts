import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totpCode, totpStep } from '../../src/domain/totp.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { type Colleague, hire, STAFF_PASSWORD } from '../support/staff.ts';

const MINUTE = 60_000;

/** The code that an app with that secret shows now, or `off` steps away. */
const shown = (app: TestApp, secret: string, off = 0) => totpCode(secret, totpStep(app.context.clock.now()) + off);

const logIn = (app: TestApp, username: string, code?: string) => {
  // Each attempt in a minute of its own: the limit is not the subject here.
  app.clock.advance(MINUTE);
  const credentials = { username, password: STAFF_PASSWORD };
  return app.post('/api/auth/login/', code === undefined ? credentials : { ...credentials, totp_code: code });
};

/** Switches the second factor on. */
async function protect(app: TestApp, admin: Colleague): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await app.post('/api/auth/totp/start/', {}, admin.headers)).body;
  const { status, body } = await app.post('/api/auth/totp/confirm/', { code: shown(app, secret) }, admin.headers);
  assert.equal(status, 200, JSON.stringify(body));
  return { secret, codes: body.recovery_codes };
}

test('a second factor is started, confirmed with its first code, and gives ten recovery codes', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const started = await app.post('/api/auth/totp/start/', {}, staff.headers);
  assert.equal(started.status, 200);
  const { secret, otpauth_url: url } = started.body;
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.equal(url, `otpauth://totp/Lango%20Wi-Fi:the-staff?secret=${secret}&issuer=Lango%20Wi-Fi`);
  assert.equal((await app.get('/api/auth/profile/', staff.headers)).body.totp_enabled, false);
  assert.equal((await logIn(app, staff.username)).status, 200, 'not before it is confirmed');

  const wrong = await app.post('/api/auth/totp/confirm/', { code: shown(app, secret, 5) }, staff.headers);
  assert.equal(wrong.status, 400);
  assert.ok(wrong.body.details.code);
  const { status, body } = await app.post('/api/auth/totp/confirm/', { code: shown(app, secret) }, staff.headers);
  assert.equal(status, 200);
  assert.equal(new Set(body.recovery_codes).size, 10);
  assert.equal((await app.get('/api/auth/profile/', staff.headers)).body.totp_enabled, true);
  assert.equal((await app.post('/api/auth/totp/start/', {}, staff.headers)).status, 409, 'on already');
  assert.equal((await app.post('/api/auth/totp/confirm/', { code: '000000' }, staff.headers)).status, 409);
});

test('a login then asks for the code, and only after the right password', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const { secret } = await protect(app, staff);
  const asked = await logIn(app, staff.username);
  assert.equal(asked.status, 401);
  assert.deepEqual(Object.keys(asked.body).toSorted(), ['error', 'message', 'totp_required']);
  assert.equal(asked.body.totp_required, true);
  const wrong = await app.post('/api/auth/login/', { username: staff.username, password: 'x', totp_code: '000000' });
  assert.equal(wrong.status, 401);
  assert.equal(wrong.body.totp_required, undefined);
  const refused = await logIn(app, staff.username, '000000');
  assert.deepEqual([refused.status, refused.body.totp_required], [401, true]);
  app.clock.advance(MINUTE);
  const { status, body } = await logIn(app, staff.username, shown(app, secret, 2));
  assert.equal(status, 200, 'a minute later, so it is of this step');
  assert.ok(body.token);
});

test('a code opens one session, even when it is sent twice at the same moment', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const { secret } = await protect(app, staff);
  app.clock.advance(MINUTE);
  const login = { username: staff.username, password: STAFF_PASSWORD, totp_code: shown(app, secret) };
  const answers = await Promise.all([app.post('/api/auth/login/', login), app.post('/api/auth/login/', login)]);
  assert.deepEqual(
    answers.map(answer => answer.status).toSorted((a, b) => a - b),
    [200, 401],
  );
  assert.equal((await app.post('/api/auth/login/', login)).status, 401, 'nor later');
});

test('the code that confirmed the second factor does not open a session', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const { secret } = await protect(app, staff);
  const login = { username: staff.username, password: STAFF_PASSWORD, totp_code: shown(app, secret) };
  assert.equal((await app.post('/api/auth/login/', login)).status, 401);
});

test('a recovery code opens one login, however it is written', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const { codes } = await protect(app, staff);
  const written = codes[0]!.toLowerCase().replaceAll('-', ' ');
  assert.equal((await logIn(app, staff.username, written)).status, 200);
  assert.equal((await logIn(app, staff.username, codes[0])).status, 401);
  assert.equal((await logIn(app, staff.username, codes[1])).status, 200);
});

test('codes cannot be guessed from many addresses', async t => {
  const app = await startApp(t, { environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  const staff = await hire(app, 'staff');
  await protect(app, staff);
  const attempt = (host: number) =>
    app.post(
      '/api/auth/login/',
      { username: staff.username, password: STAFF_PASSWORD, totp_code: '000000' },
      { 'x-forwarded-for': `203.0.113.${host}` },
    );
  for (let host = 1; host <= 10; host += 1) assert.equal((await attempt(host)).status, 401);
  assert.equal((await attempt(11)).status, 429);
});

test('switching it off takes password and code', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const { secret } = await protect(app, staff);
  app.clock.advance(MINUTE);
  const off = (password: string, code: string) =>
    app.post('/api/auth/totp/disable/', { password, code }, staff.headers);
  assert.ok((await off('wrong password', shown(app, secret))).body.details.password);
  assert.ok((await off(STAFF_PASSWORD, shown(app, secret, 4))).body.details.code);
  assert.equal((await off(STAFF_PASSWORD, shown(app, secret))).status, 200);
  assert.equal((await logIn(app, staff.username)).status, 200);
  assert.equal((await off(STAFF_PASSWORD, shown(app, secret))).status, 409);
});

test('a second factor leaves its trace in the audit log, without secret and codes', async t => {
  const app = await startApp(t);
  const staff = await hire(app, 'staff');
  const { secret, codes } = await protect(app, staff);
  const { body } = await app.get(`/api/admin/audit-log/?subject=admin&subject_id=${staff.id}`, app.admin);
  assert.deepEqual(
    body.entries.map((entry: { action: string }) => entry.action),
    ['admin.totp_on', 'admin.create'],
  );
  const told = JSON.stringify(body) + app.logged.join('');
  for (const kept of [secret, ...codes]) assert.ok(!told.includes(kept));
});

test('the configured token is no person and has no second factor', async t => {
  const app = await startApp(t);
  assert.equal((await app.post('/api/auth/totp/start/', {}, app.admin)).status, 403);
});
