import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, until } from '../support/app.ts';
import { count } from '../support/rows.ts';
import {
  asha,
  assertRoles,
  type Json,
  juma,
  logIn,
  neema,
  paidOrder,
  personWithTime,
  phoneOfAsha,
  statuses,
} from './admin-support.ts';

test('a user in the list has the fields of the interface, and the alias lists the same', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ name: 'Day', price: 1_000, hours: 24 });
  await paidOrder(app, asha, bundle, phoneOfAsha.mac);
  await app.pay({ phone: asha, bundle, outcome: 'failed' });
  const { body } = await app.get('/api/admin/users/', app.admin);
  assert.deepEqual(body.pagination, { total: 1, page: 1, page_size: 20, total_pages: 1 });
  const [user] = body.users;
  assert.equal(user.phone_number, asha);
  assert.equal(user.total_payments, 1, 'an order that nobody paid is no payment');
  assert.equal(user.payment_count, 1);
  assert.equal(user.device_count, 1);
  assert.deepEqual(
    { ...user.last_payment, completed_at: '' },
    { amount: '1000.00', bundle_name: 'Day', completed_at: '' },
  );
  assert.deepEqual((await app.get('/api/users/', app.admin)).body, body);
  assert.deepEqual((await app.get('/api/users', app.admin)).body, body);
});

test('users are filtered by a part of the number in any form, by block and by state of access', async t => {
  const app = await startApp(t);
  const ids = {
    asha: await personWithTime(app, asha, 48),
    juma: await personWithTime(app, juma, 1),
    neema: await personWithTime(app, neema, 48),
  };
  await app.send('PUT', `/api/admin/users/${ids.neema}/update/`, { is_active: false }, app.admin);
  const bundle = await app.createBundle();
  await app.pay({ phone: '+255622999888', bundle, outcome: 'failed' });
  app.clock.advance(2 * 3_600_000);
  const found = async (query: string) =>
    (await app.get(`/api/admin/users/?${query}`, app.admin)).body.users.map((user: Json) => user.phone_number);

  for (const form of [
    '0712 345',
    '%2B255712345',
    '255712345678',
    '0712345678',
    '00255 712-345-678',
    '712345',
    '٠٧١٢٣٤٥',
  ]) {
    assert.deepEqual(await found(`phone_number=${form}`), [asha], form);
    assert.deepEqual(await found(`search=${form}`), [asha], form);
  }
  assert.deepEqual(await found('phone_number=255622'), ['+255622999888', neema]);
  assert.deepEqual(await found('phone_number=999999'), []);
  assert.deepEqual(await found('is_active=true'), ['+255622999888', juma, asha]);
  assert.deepEqual(await found('is_active=false'), [neema]);
  assert.deepEqual(await found('status=active'), [asha]);
  assert.deepEqual(await found('status=expired'), [juma]);
  assert.deepEqual(await found('status=blocked'), [neema]);
  assert.deepEqual(await found('status=never'), ['+255622999888']);
  assert.deepEqual(await found('status=never&is_active=false'), []);
  assert.deepEqual(await found('phone_number=622&status=blocked'), [neema]);

  const wrong = await app.get(
    '/api/admin/users/?status=odd&is_active=perhaps&phone_number=abc&page=0&page_size=x',
    app.admin,
  );
  assert.equal(wrong.status, 400);
  const named = Object.keys(wrong.body.details).toSorted();
  assert.deepEqual(named, ['is_active', 'page', 'page_size', 'phone_number', 'status']);
});

test('pages of users keep their order while new people come, and end where the list ends', async t => {
  const app = await startApp(t);
  for (let n = 0; n < 7; n += 1) await personWithTime(app, `+25571200000${n}`);
  const page = async (at: number, size: number) =>
    (await app.get(`/api/admin/users/?page=${at}&page_size=${size}`, app.admin)).body;
  const all = [...(await page(1, 3)).users, ...(await page(2, 3)).users, ...(await page(3, 3)).users];
  assert.deepEqual(
    all.map(user => user.id),
    [7, 6, 5, 4, 3, 2, 1],
  );
  const past = await page(9, 3);
  assert.deepEqual(past.users, []);
  assert.deepEqual(past.pagination, { total: 7, page: 9, page_size: 3, total_pages: 3 });
  assert.equal((await page(1, 1_000)).pagination.page_size, 100);
});

test('the detail of a user holds everything that is theirs, and nothing secret', async t => {
  const app = await startApp(t, { router: true });
  app.router.join(phoneOfAsha);
  const bundle = await app.createBundle();
  const payment = await paidOrder(app, asha, bundle, phoneOfAsha.mac);
  const id = await personWithTime(app, asha, 1);
  await app.post(`/api/admin/payments/${payment.id}/refund/`, { reason: 'Too slow', amount: 400 }, app.admin);
  await until(() => app.router.activeSessions().length === 1);
  const { status, body } = await app.get(`/api/admin/users/${id}/`, app.admin);
  assert.equal(status, 200);
  const { devices, payments, grants, vouchers, refunds, sessions, router_connected } = body.user;
  assert.equal(router_connected, true);
  assert.deepEqual([devices.length, devices[0].is_active], [1, true]);
  assert.equal(payments[0].id, payment.id);
  assert.equal(payments[0].refunded_amount, '400.00');
  assert.deepEqual(
    grants.map((grant: Json) => [grant.source, grant.hours]),
    [
      ['voucher', 1],
      ['payment', 24],
    ],
  );
  assert.equal(vouchers.length, 1);
  assert.equal(vouchers[0].used_by, asha);
  assert.deepEqual([refunds.length, refunds[0].amount, refunds[0].reason], [1, '400.00', 'Too slow']);
  assert.equal(sessions.length, 1);
  assert.equal(sessions[0]['mac-address'], phoneOfAsha.mac);
  assert.doesNotMatch(JSON.stringify(body), /uid|hash|redirect|password/);
  assert.deepEqual((await app.get(`/api/users/${id}`, app.admin)).status, 200);
  assert.equal((await app.get('/api/admin/users/999/', app.admin)).status, 404);
  assert.equal((await app.get('/api/admin/users/odd/', app.admin)).status, 400);
});

test('the detail of a user does without a router that is not there', async t => {
  const app = await startApp(t);
  const id = await personWithTime(app, asha);
  const { body } = await app.get(`/api/admin/users/${id}/`, app.admin);
  assert.deepEqual([body.user.sessions, body.user.router_connected], [[], false]);
  const refused = await app.post(`/api/admin/users/${id}/disconnect/`, {}, app.admin);
  assert.equal(refused.status, 503);
  assert.equal(refused.body.success, false);
});

test('a blocked user is cut off at once, and gets back the time that is left when unblocked', async t => {
  const app = await startApp(t, { router: true });
  app.router.join(phoneOfAsha);
  const [code] = await app.issueVouchers({ hours: 24 });
  await app.redeem(code!, asha, phoneOfAsha.mac);
  await until(() => app.router.activeSessions().length === 1);
  const blocked = await app.send('PUT', '/api/admin/users/1/update/', { is_active: false }, app.admin);
  assert.equal(blocked.status, 200);
  assert.equal(blocked.body.user.is_active, false);
  assert.equal(blocked.body.user.has_active_access, false);
  assert.equal(app.router.activeSessions().length, 0);
  const unblocked = await app.send('PUT', '/api/admin/users/1/update/', { is_active: true }, app.admin);
  assert.equal(unblocked.body.user.has_active_access, true);
  assert.equal(unblocked.body.user.paid_until, blocked.body.user.paid_until);
  await until(() => app.router.activeSessions().length === 1);
});

test('a changed number takes the time and the router name along, and a taken one is refused', async t => {
  const app = await startApp(t, { router: true });
  app.router.join(phoneOfAsha);
  const [code] = await app.issueVouchers();
  await app.redeem(code!, asha, phoneOfAsha.mac);
  await personWithTime(app, juma);
  const taken = await app.send('PUT', '/api/admin/users/1/update/', { phone_number: juma, max_devices: 9 }, app.admin);
  assert.equal(taken.status, 409);
  assert.deepEqual(Object.keys(taken.body.details), ['phone_number']);
  assert.equal(
    (await app.get('/api/users/1/', app.admin)).body.user.max_devices,
    1,
    'nothing of a refused edit is kept',
  );
  const moved = await app.send('PUT', '/api/admin/users/1/update/', { phone_number: '0622 000 111' }, app.admin);
  assert.equal(moved.body.user.phone_number, neema);
  assert.deepEqual(
    app.router.users().map(user => user.name),
    ['255622000111'],
  );
  assert.equal((await app.get(`/api/user-status/${asha}/`)).status, 404);
  assert.equal((await app.get(`/api/user-status/${neema}/`)).body.has_access, true);
});

test('fewer devices than are registered drops none of them, and lets no other in', async t => {
  const app = await startApp(t);
  const id = await personWithTime(app, asha);
  await app.send('PUT', `/api/admin/users/${id}/update/`, { max_devices: 2 }, app.admin);
  for (const last of ['01', '02']) {
    await app.post('/api/verify/', { phone_number: asha, mac_address: `A4:83:E7:00:00:${last}` });
  }
  const lowered = await app.send('PUT', `/api/admin/users/${id}/update/`, { max_devices: 1 }, app.admin);
  assert.deepEqual([lowered.body.user.max_devices, lowered.body.user.device_count], [1, 2]);
  const third = await app.post('/api/verify/', { phone_number: asha, mac_address: 'A4:83:E7:00:00:03' });
  assert.equal(third.body.device_allowed, false);
  for (const max of [0, 101, 1.5, 'two']) {
    const wrong = await app.send('PUT', `/api/admin/users/${id}/update/`, { max_devices: max }, app.admin);
    assert.deepEqual([wrong.status, Object.keys(wrong.body.details)], [400, ['max_devices']]);
  }
});

test('two admins who edit different fields of a user at once both keep their edit', async t => {
  const app = await startApp(t);
  const id = await personWithTime(app, asha);
  const path = `/api/admin/users/${id}/update/`;
  const edits = [{ max_devices: 5 }, { phone_number: juma }, { is_active: false }];
  const replies = await Promise.all(edits.map(edit => app.send('PUT', path, edit, app.admin)));
  assert.deepEqual(
    replies.map(reply => reply.status),
    [200, 200, 200],
  );
  const { user } = (await app.get(`/api/users/${id}/`, app.admin)).body;
  assert.deepEqual([user.max_devices, user.phone_number, user.is_active], [5, juma, false]);
});

test('an edit of a version that is gone is refused, so of two at once the loser hears of it', async t => {
  const app = await startApp(t);
  const id = await personWithTime(app, asha);
  const { version } = (await app.get(`/api/users/${id}/`, app.admin)).body.user;
  const edits = [2, 3].map(max_devices =>
    app.send('PUT', `/api/admin/users/${id}/update/`, { max_devices, expected_version: version }, app.admin),
  );
  const replies = await Promise.all(edits);
  assert.deepEqual(statuses(replies), [200, 409]);
  const won = replies.find(reply => reply.status === 200)!;
  const lost = replies.find(reply => reply.status === 409)!;
  assert.deepEqual(Object.keys(lost.body.details), ['expected_version']);
  const { user } = (await app.get(`/api/users/${id}/`, app.admin)).body;
  assert.equal(user.max_devices, won.body.user.max_devices);
  assert.equal(user.version, version + 1);
});

test('a deleted user is offline and forgotten, while the payments stay in the books', async t => {
  const app = await startApp(t, { router: true });
  app.router.join(phoneOfAsha);
  const payment = await paidOrder(app, asha, await app.createBundle(), phoneOfAsha.mac);
  await until(() => app.router.activeSessions().length === 1);
  const deleted = await app.send('DELETE', '/api/admin/users/1/delete/', undefined, app.admin);
  assert.deepEqual([deleted.status, deleted.body.success], [200, true]);
  assert.equal(app.router.activeSessions().length, 0);
  assert.deepEqual(app.router.users(), []);
  assert.equal((await app.get('/api/admin/users/1/', app.admin)).status, 404);
  assert.deepEqual((await app.get('/api/admin/users/', app.admin)).body.pagination.total, 0);
  assert.deepEqual((await app.get('/api/admin/users/?search=712', app.admin)).body.users, []);
  assert.deepEqual((await app.get('/api/admin/users/?is_active=false', app.admin)).body.pagination.total, 0);
  assert.equal((await app.get(`/api/user-status/${asha}/`)).status, 404);
  const kept = (await app.get('/api/admin/payments/?phone_number=0712345678', app.admin)).body.payments;
  assert.deepEqual([kept.length, kept[0].id], [1, payment.id]);
  assert.equal((await app.send('DELETE', '/api/admin/users/1/delete/', undefined, app.admin)).status, 404);
  assert.notEqual(await personWithTime(app, asha), 1, 'who comes back is somebody new');
});

test('a person is found by a part of their name or note, and both are forgotten with them, in the audit log too', async t => {
  const app = await startApp(t, { router: true });
  app.router.join(phoneOfAsha);
  const [id, other] = [await personWithTime(app, asha), await personWithTime(app, juma)];
  const path = `/api/admin/users/${id}`;
  const known = { name: 'Mama Asha', note: 'pays 100%_on Fridays' };
  const { status, body } = await app.post(`${path}/describe/`, known, await logIn(app, 'cashier'));
  assert.deepEqual([status, body.user.name, body.user.note], [200, known.name, known.note]);
  await app.post(`/api/admin/users/${other}/describe/`, { name: 'Juma Bakari', note: 'Friday’s guest' }, app.admin);
  await app.send('PUT', `${path}/update/`, { max_devices: 2 }, app.admin);
  await app.schedule.run('reconcile router');
  const device = { phone_number: asha, mac_address: phoneOfAsha.mac };
  assert.equal((await app.post('/api/admin/devices/connect/', device, app.admin)).body.online, true);
  await app.post('/api/admin/router/disconnect-user/', { username: asha }, app.admin);

  const found = async (search: string) => {
    const query = `search=${encodeURIComponent(search)}`;
    const { users, pagination } = (await app.get(`/api/admin/users/?${query}`, app.admin)).body;
    assert.equal(pagination.total, users.length);
    const exported = (await app.get(`/api/admin/export/users/?${query}`, app.admin)).body as string;
    assert.equal(exported.trim().split('\n').length, users.length + 1, 'as the export has it');
    return users.map((user: Json) => user.id);
  };
  assert.deepEqual(await found('ASHA'), [id]);
  assert.deepEqual(await found('friday'), [other, id]);
  assert.deepEqual(await found('100%_on'), [id], 'signs are letters');
  assert.deepEqual(await found('0712 345'), [id], 'and numbers are found as before');
  assert.deepEqual(await found('a%a'), []);

  const entries = async () => JSON.stringify((await app.get('/api/admin/audit-log/?page_size=100', app.admin)).body);
  assert.match(await entries(), /Mama Asha/);
  await app.send('DELETE', `${path}/delete/`, undefined, app.admin);
  assert.deepEqual(await found('asha'), []);
  for (const trace of [known.name, known.note, asha]) {
    assert.ok(!(await entries()).includes(trace), `${trace} is in the audit log`);
    assert.equal(count(app, 'users', `name = '${trace}' OR note = '${trace}' OR phone = '${trace}'`), 0);
  }
  assert.match(await entries(), /Juma Bakari/, 'of others nothing is lost');

  const emptied = await app.post(`/api/admin/users/${other}/describe/`, { name: '' }, app.admin);
  assert.deepEqual([emptied.body.user.name, emptied.body.user.note], [null, null]);
  const tooLong = await app.post(`/api/admin/users/${other}/describe/`, { name: 'x'.repeat(61) }, app.admin);
  assert.deepEqual(Object.keys(tooLong.body.details), ['name']);
});

test('time given by hand extends access, and says by whom and why', async t => {
  const app = await startApp(t);
  const staff = await logIn(app, 'staff', 'halima');
  const id = await personWithTime(app, asha, 24);
  const given = await app.post(`/api/admin/users/${id}/grant/`, { hours: 1.5, reason: 'Rain' }, staff);
  assert.equal(given.status, 200);
  assert.equal(given.body.user.paid_until, '2026-11-22T11:30:00.000Z');
  assert.deepEqual([given.body.grant.hours, given.body.grant.by, given.body.grant.reason], [1.5, 'halima', 'Rain']);
  for (const hours of [0, -1, 0.001, 8_761, 'two', undefined]) {
    const wrong = await app.post(`/api/admin/users/${id}/grant/`, { hours, reason: 'x' }, staff);
    assert.deepEqual([wrong.status, Object.keys(wrong.body.details)], [400, ['hours']], String(hours));
  }
  const unsaid = await app.post(`/api/admin/users/${id}/grant/`, { hours: 1 }, staff);
  assert.deepEqual(Object.keys(unsaid.body.details), ['reason']);
});

test('an outage is credited to those who had access then, previewed first, and once', async t => {
  const app = await startApp(t);
  const before = await personWithTime(app, asha, 1);
  const during = await personWithTime(app, juma, 10);
  const blocked = await personWithTime(app, neema, 10);
  await app.send('PUT', `/api/admin/users/${blocked}/update/`, { is_active: false }, app.admin);
  const bundle = await app.createBundle({ hours: 10 });
  const refunded = await paidOrder(app, '+255622000222', bundle);
  await app.post(`/api/admin/payments/${refunded.id}/refund/`, { reason: 'Changed their mind' }, app.admin);
  app.clock.advance(5 * 3_600_000);
  const late = await personWithTime(app, '+255622000333', 10);

  const outage = { from: '2026-11-21T12:00:00Z', to: '2026-11-21T16:00:00+03:00', hours: 2, reason: 'Lightning' };
  const credit = (extra: object = {}) => app.post('/api/admin/credit/', { ...outage, ...extra }, app.admin);
  const preview = await credit();
  assert.deepEqual(preview.body, {
    success: true,
    message: 'This would give time to 1 person.',
    preview: true,
    affected_users: 1,
    total_hours: 2,
    users: [{ id: during, phone_number: juma, paid_until: '2026-11-21T22:00:00.000Z' }],
  });
  assert.equal((await app.get(`/api/users/${during}/`, app.admin)).body.user.paid_until, '2026-11-21T20:00:00.000Z');

  const replies = await Promise.all([credit({ preview: false }), credit({ preview: false })]);
  assert.deepEqual(statuses(replies), [200, 409]);
  assert.equal((await credit({ preview: true })).status, 409);
  const end = async (id: number) => (await app.get(`/api/users/${id}/`, app.admin)).body.user.paid_until;
  assert.equal(await end(during), '2026-11-21T22:00:00.000Z');
  assert.equal(await end(before), '2026-11-21T11:00:00.000Z');
  assert.equal(await end(late), '2026-11-22T01:00:00.000Z');
  assert.equal((await credit({ preview: false, hours: 1 })).status, 200, 'more hours are another credit');

  for (const [change, field] of [
    [{ to: '2026-11-21T11:00:00Z' }, 'to'],
    [{ to: '2026-11-21T23:00:00Z' }, 'to'],
    [{ from: '2026-09-01T00:00:00Z' }, 'from'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '2026-02-31T00:00:00Z' }, 'from'],
    [{ hours: 0 }, 'hours'],
    [{ reason: '' }, 'reason'],
  ] as const) {
    const wrong = await credit(change);
    assert.deepEqual([wrong.status, Object.keys(wrong.body.details)], [400, [field]], JSON.stringify(change));
  }
});

test('staff disconnect a user, whose time runs on', async t => {
  const app = await startApp(t, { router: true });
  app.router.join(phoneOfAsha);
  const [code] = await app.issueVouchers();
  await app.redeem(code!, asha, phoneOfAsha.mac);
  await until(() => app.router.activeSessions().length === 1);
  const cut = await app.post('/api/admin/users/1/disconnect/', {}, app.admin);
  assert.deepEqual([cut.status, cut.body.success, cut.body.disconnected_count], [200, true, 1]);
  const again = await app.post('/api/admin/users/1/disconnect/', {}, app.admin);
  assert.deepEqual([again.status, again.body.disconnected_count], [200, 0]);
  assert.equal((await app.get('/api/users/1/', app.admin)).body.user.has_active_access, true);
});

test('a device is renamed, and removed from the router with its session', async t => {
  const app = await startApp(t, { router: true });
  app.router.join(phoneOfAsha);
  const [code] = await app.issueVouchers();
  await app.redeem(code!, asha, phoneOfAsha.mac);
  await until(() => app.router.activeSessions().length === 1);
  const device = { mac_address: 'a4-83-e7-12-34-56' };
  const renamed = await app.post(
    '/api/admin/users/1/devices/rename/',
    { ...device, device_name: 'Old Nokia' },
    app.admin,
  );
  assert.deepEqual([renamed.body.success, renamed.body.device.device_name], [true, 'Old Nokia']);
  const removed = await app.post('/api/admin/users/1/devices/remove/', device, app.admin);
  assert.deepEqual([removed.status, removed.body.devices_remaining], [200, 0]);
  assert.equal(app.router.activeSessions().length, 0);
  for (const action of ['remove', 'rename']) {
    const gone = await app.post(`/api/admin/users/1/devices/${action}/`, { ...device, device_name: 'x' }, app.admin);
    assert.deepEqual([gone.status, gone.body.success], [404, false]);
  }
});

test('cashiers look people up and help them, staff change them', async t => {
  const app = await startApp(t);
  const admins = {
    owner: await logIn(app, 'owner'),
    staff: await logIn(app, 'staff'),
    cashier: await logIn(app, 'cashier'),
  };
  await personWithTime(app, asha);
  await assertRoles(app, admins, [
    { method: 'GET', path: '/api/admin/users/', least: 'cashier' },
    { method: 'GET', path: '/api/users/', least: 'cashier' },
    { method: 'GET', path: '/api/admin/users/1/', least: 'cashier' },
    { method: 'GET', path: '/api/users/1/', least: 'cashier' },
    { method: 'PUT', path: '/api/admin/users/1/update/', least: 'staff', body: {} },
    { method: 'POST', path: '/api/admin/users/1/grant/', least: 'staff', body: { hours: 1, reason: 'x' } },
    { method: 'POST', path: '/api/admin/users/1/disconnect/', least: 'cashier', body: {} },
    { method: 'POST', path: '/api/admin/users/1/devices/remove/', least: 'cashier', body: {} },
    { method: 'POST', path: '/api/admin/users/1/devices/rename/', least: 'cashier', body: {} },
    { method: 'POST', path: '/api/admin/credit/', least: 'staff', body: {} },
    { method: 'GET', path: '/api/admin/export/users/', least: 'staff' },
    { method: 'DELETE', path: '/api/admin/users/1/delete/', least: 'staff' },
  ]);
});
