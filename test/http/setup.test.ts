import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';

const NO_ADMIN = { environment: { LANGO_ADMIN_USERNAME: '', LANGO_ADMIN_PASSWORD: '' } };
const owner = { username: 'asha', password: 'a password of asha' };

/** The code that stands in the log. */
function setupCode(app: TestApp): string {
  const line = app.logged.find(each => each.includes('setupCode'));
  return JSON.parse(line ?? '{}').setupCode;
}

const setUp = (app: TestApp, code: string, account: object = owner) =>
  app.post('/api/auth/setup/', { setup_code: code, ...account });

test('the code in the log makes the first owner, who is logged in at once', async t => {
  const app = await startApp(t, NO_ADMIN);
  assert.deepEqual((await app.get('/api/auth/setup/')).body, { needed: true });
  const { status, body } = await setUp(app, setupCode(app), { ...owner, email: 'asha@example.com' });
  assert.equal(status, 200);
  assert.deepEqual(
    [body.success, body.user.username, body.user.role, body.user.email],
    [true, 'asha', 'owner', 'asha@example.com'],
  );
  assert.equal((await app.get('/api/admin/admins/', { authorization: `Bearer ${body.token}` })).status, 200);
  assert.equal((await app.get('/api/auth/profile/', { 'x-admin-access': body.admin_access_token })).status, 200);
  assert.deepEqual((await app.get('/api/auth/setup/')).body, { needed: false });
  assert.equal((await app.post('/api/auth/login/', owner)).status, 200);
});

test('case, spaces and dashes of the code do not count; a wrong one is refused', async t => {
  const app = await startApp(t, NO_ADMIN);
  const wrong = await setUp(app, 'abcdef-abcdef-abcdef');
  assert.equal(wrong.status, 401);
  assert.deepEqual(Object.keys(wrong.body).toSorted(), ['error', 'message']);
  assert.equal((await setUp(app, setupCode(app).toUpperCase().replaceAll('-', ' '))).status, 200);
});

test('the code works once, also for two who use it at the same moment', async t => {
  const app = await startApp(t, NO_ADMIN);
  const code = setupCode(app);
  const answers = await Promise.all([setUp(app, code), setUp(app, code, { ...owner, username: 'juma' })]);
  assert.deepEqual(
    answers.map(answer => answer.status).toSorted((a, b) => a - b),
    [200, 409],
  );
  assert.equal((await setUp(app, code, { ...owner, username: 'neema' })).status, 409);
});

test('where there is an admin already, no set-up is needed, and none is possible', async t => {
  const app = await startApp(t);
  assert.deepEqual((await app.get('/api/auth/setup/')).body, { needed: false });
  assert.equal((await setUp(app, '')).status, 400);
  assert.equal((await setUp(app, 'abcdef-abcdef-abcdef')).status, 409);
});

test('fields are checked, and codes cannot be guessed', async t => {
  const app = await startApp(t, NO_ADMIN);
  const refused = await app.post('/api/auth/setup/', { setup_code: 'x', username: 'a b', password: 'short' });
  assert.equal(refused.status, 400);
  assert.deepEqual(Object.keys(refused.body.details).toSorted(), ['password', 'username']);
  for (let attempt = 0; attempt < 4; attempt += 1) assert.equal((await setUp(app, `guess-${attempt}`)).status, 401);
  assert.equal((await setUp(app, setupCode(app))).status, 429);
});

test('a restart without an admin gives a new code, and the old one is worth nothing', async t => {
  const first = await startApp(t, NO_ADMIN);
  await first.close();
  const again = await startApp(t, { ...NO_ADMIN, dataDir: first.dataDir });
  assert.notEqual(setupCode(first), setupCode(again));
  assert.equal((await setUp(again, setupCode(first))).status, 401);
  assert.equal((await setUp(again, setupCode(again))).status, 200);
});
