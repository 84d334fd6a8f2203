/** What clients that exist send, and what they stumble over when it is not taken. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, startApp, type TestApp, until } from '../support/app.ts';
import { assertInvalid } from '../support/shape.ts';

const ASHA = '+255712345678';
const JUMA = '+255754321987';
const PHONE = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const TABLET = { mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' };

async function give(app: TestApp, phone: string, device?: string): Promise<void> {
  const [code] = await app.issueVouchers({ hours: 24 });
  assert.equal((await app.redeem(code!, phone, device)).status, 200);
}

function assertPlain(answer: Answer, status: number): void {
  assert.equal(answer.status, status);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
}

test('a user name that is no phone number is nobody: 403 on auth as for an unknown person, 200 on logout', async t => {
  const app = await startApp(t);
  const unknown = await app.post('/api/router/auth/', { username: JUMA, mac: PHONE.mac });
  for (const username of [
    'admin',
    'T-4F2A',
    'user@example.com',
    '2557',
    '+1',
    'x'.repeat(200),
    ' ',
    '255712345678-x',
  ]) {
    const json = await app.post('/api/router/auth/', { username, mac: PHONE.mac });
    assert.deepEqual([json.status, json.body], [403, unknown.body], username);
    assertPlain(await app.form('/api/router/auth/', { username, mac: PHONE.mac }), 403);
    const out = await app.post('/api/router/logout/', { username });
    assert.equal(out.body.user, username);
    assert.equal((await app.form('/api/router/logout/', { username })).body, 'OK');
  }
});

test('a form that calls itself text, and JSON behind a byte order mark, are read as what they are', async t => {
  const app = await startApp(t);
  await give(app, ASHA, PHONE.mac);
  const form = `username=255712345678&password=&mac=${encodeURIComponent(PHONE.mac)}`;
  for (const type of ['text/plain', 'text/plain;charset=UTF-8']) {
    const answer = await app.send('POST', '/api/router/auth/', form, { 'content-type': type });
    assertPlain(answer, 200);
    assert.equal(answer.body, 'OK');
  }
  const marked = await app.send('POST', '/api/router/auth/', `\uFEFF{"username":"255712345678","mac":"${PHONE.mac}"}`);
  assert.deepEqual([marked.status, marked.body.success], [200, true]);
  const elsewhere = await app.send('POST', '/api/verify/', 'phone_number=0712345678', { 'content-type': 'text/plain' });
  assert.equal(elsewhere.status, 415, 'only the router speaks in forms');
});

test('auth wakes the reconciler for a device that is not online yet, registered before or not', async t => {
  const app = await startApp(t, { router: true });
  await app.schedule.run('reconcile router');
  await give(app, ASHA, PHONE.mac);
  const online = () => app.router.activeSessions().map(session => session.mac);
  app.router.join(PHONE);
  const known = await app.form('/api/router/auth/', { username: '255712345678', mac: PHONE.mac, ip: PHONE.address });
  assert.equal(known.body, 'OK');
  await until(() => online().includes(PHONE.mac));
  await give(app, JUMA);
  app.router.join(TABLET);
  const fresh = await app.form('/api/router/auth/', { username: '255754321987', mac: TABLET.mac, ip: TABLET.address });
  assert.equal(fresh.body, 'OK');
  await until(() => online().includes(TABLET.mac));
});

test('who was disconnected or has logged out comes back by asking, without waiting for the router to be read', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  const own = { 'x-forwarded-for': PHONE.address };
  await app.schedule.run('reconcile router');
  app.router.join(PHONE);
  await give(app, ASHA, PHONE.mac);
  const isOnline = () => app.router.activeSessions().length === 1;
  await until(isOnline);
  const admin = (path: string, body: object) => () => app.post(`/api/admin/${path}/`, body, app.admin);
  for (const [way, end] of [
    ['by name', admin('router/disconnect-user', { username: '255712345678' })],
    ['with all', admin('router/disconnect-all', {})],
    ['as a person', admin('users/1/disconnect', {})],
    ['by itself', () => app.form('/api/router/logout/', { username: '255712345678' }, own)],
  ] as const) {
    assert.equal((await end()).status, 200, way);
    assert.ok(!isOnline(), way);
    const asked = { phone_number: ASHA, mac_address: PHONE.mac };
    assert.equal((await app.post('/api/verify/', asked, own)).body.device_allowed, true, way);
    assert.ok(isOnline(), way);
  }
});

test('a stranger who names a phone that is away has the router asked once, however often', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  await app.schedule.run('reconcile router');
  await give(app, ASHA, PHONE.mac);
  await until(() => app.router.users().some(({ mac }) => mac === PHONE.mac));
  const commands: string[] = [];
  app.router.on('command', ({ command }) => commands.push(command));
  const verify = (address: string) =>
    app.post('/api/verify/', { phone_number: ASHA, mac_address: PHONE.mac }, { 'x-forwarded-for': address });
  for (let n = 1; n <= 30; n += 1) assert.equal((await verify(`10.9.0.${n}`)).body.device_allowed, true);
  assert.ok(commands.length <= 8, `${commands.length} commands: ${[...new Set(commands)].join(', ')}`);
});

test('numbers and booleans may come as text, in every body', async t => {
  const app = await startApp(t);
  const bundle = { name: 'Day', price: '1000', duration_hours: '24', is_active: 'true', display_order: '2' };
  const created = await app.post('/api/admin/bundles/', bundle, app.admin);
  assert.equal(created.status, 201);
  const { id, duration_hours: hours, is_active: isActive, display_order: order } = created.body.bundle;
  assert.deepEqual([hours, isActive, order], [24, true, 2]);
  const batch = { bundle_id: String(id), quantity: '3', expiry_days: '30' };
  assert.equal((await app.post('/api/vouchers/generate/', batch, app.admin)).body.vouchers_generated, 3);
  const off = await app.send('PUT', `/api/admin/bundles/${id}/`, { is_active: 'False' }, app.admin);
  assert.equal(off.body.bundle.is_active, false);
  const wrong = await app.send(
    'PUT',
    `/api/admin/bundles/${id}/`,
    { is_active: 'maybe', display_order: 'two' },
    app.admin,
  );
  assertInvalid(wrong, 'is_active', 'display_order');
});

for (const [record, path, field] of [
  ['a user', '/api/admin/users/1/update/', 'max_devices'],
  ['a bundle', '/api/admin/bundles/1/', 'display_order'],
] as const) {
  test(`an edit of ${record} is refused by If-Match or expected_version alone; a version among other fields is no condition`, async t => {
    const app = await startApp(t);
    await give(app, ASHA);
    const edit = (value: number, body: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
      app.send('PUT', path, { [field]: value, ...body }, { ...app.admin, ...headers });
    const now = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      assert.equal(status, 200);
      return body.user ?? body.bundle;
    };
    const { version } = await now(edit(2));
    assert.equal((await now(edit(3, { version: version - 1 }))).version, version + 1);
    for (const [body, headers] of [
      [{ expected_version: version }, {}],
      [{ expected_version: String(version) }, {}],
      [{}, { 'if-match': `"${version}"` }],
      [{}, { 'if-match': `W/"${version}"` }],
    ] as const) {
      const refused = await edit(9, body, headers);
      assert.deepEqual([refused.status, Object.keys(refused.body.details)], [409, ['expected_version']]);
    }
    await now(edit(4, {}, { 'if-match': `"${version + 1}"` }));
    await now(edit(5, { expected_version: version + 2 }));
    const last = await now(edit(6, {}, { 'if-match': '*' }));
    assertInvalid(await edit(7, {}, { 'if-match': '"abc"' }), 'If-Match');
    const torn = await edit(7, { expected_version: version }, { 'if-match': `"${version + 4}"` });
    assertInvalid(torn, 'expected_version');
    const stands = (await app.get(path.replace('update/', ''), app.admin)).body;
    assert.deepEqual([(stands.user ?? stands.bundle)[field], last[field]], [6, 6]);
  });
}

test('filters take an empty value, all, words in any case and dates with a time', async t => {
  const app = await startApp(t, { now: '2026-11-21T22:00:00.000Z' });
  const bundle = await app.createBundle();
  await app.pay({ phone: ASHA, bundle, outcome: 'none' });
  const found = async (query: string) =>
    (await app.get(`/api/admin/payments/?${query}`, app.admin)).body.payments?.length;
  assert.equal(await found('status=&phone_number=&date_from=&date_to=&bundle_id=&user_id=&method=&review='), 1);
  assert.equal(await found('status=ALL&bundle_id=all'), 1);
  assert.equal(await found('status=PENDING'), 1);
  assert.equal(await found('status=Completed'), 0);
  // One o'clock on the 22nd, where the appliance is.
  assert.equal(await found('date_from=2026-11-21T21:30:00Z'), 1);
  assert.equal(await found('date_to=2026-11-21T20:30:00Z'), 0);
  assert.equal(await found('date_from=2026-11-22T00:00:00+03:00&date_to=2026-11-22T23:59:59%2B03:00'), 1);
  const users = async (query: string) => (await app.get(`/api/users/?${query}`, app.admin)).body.users.length;
  assert.deepEqual([await users('is_active='), await users('is_active=True'), await users('status=NEVER')], [1, 1, 1]);
  assert.equal((await app.get('/api/vouchers/list/?is_used=all&bundle_id=', app.admin)).status, 200);
  assert.equal((await app.get('/api/admin/reports/revenue/?from=&to=&group=', app.admin)).status, 200);
});

test('a user name with a device suffix is understood where a person is logged out by force', async t => {
  const app = await startApp(t, { router: true });
  await app.schedule.run('reconcile router');
  app.router.join(PHONE);
  await give(app, ASHA, PHONE.mac);
  await until(() => app.router.activeSessions().length === 1);
  const out = await app.post('/api/force-logout/', { phone_number: '255712345678-1' }, app.admin);
  assert.deepEqual([out.status, out.body.router_response], [200, '1 session(s) removed']);
  for (const username of ['255712345678-2', '+255712345678']) {
    assert.equal((await app.get(`/api/router/user-status/?username=${encodeURIComponent(username)}`)).status, 200);
  }
});
