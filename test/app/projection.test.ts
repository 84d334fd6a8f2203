/** The router as a projection of the books: grant, return, expiry, outage, reboot, only ours, clock guard. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouterSimulator } from '../simulator/router.ts';
import { MAC_COOKIES } from '../simulator/support.ts';
import { startApp, type TestApp, until } from '../support/app.ts';
import { ACTOR } from '../support/books.ts';

const ASHA = '+255712345678';
const PHONE = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11', name: 'Asha' };
const OTHER = { mac: 'B8:27:EB:65:43:21', address: '10.5.50.12', name: 'Juma' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function online(app: TestApp, hours = 1): Promise<void> {
  const [code] = await app.issueVouchers({ hours });
  app.router.join(PHONE);
  assert.equal((await app.redeem(code!, ASHA, PHONE.mac)).status, 200);
  await until(() => app.router.activeSessions().length === 1);
}

const macsOnline = (router: RouterSimulator) => router.activeSessions().map(session => session.mac);

for (const userUptime of ['live', 'after-logout'] as const) {
  test(`access ends on time, and never before, where the router counts a user's uptime ${userUptime}`, async t => {
    const app = await startApp(t, { router: { ...MAC_COOKIES, userUptime, apiLoginMakesCookie: true } });
    await online(app);
    for (let minute = 0; minute < 59; minute += 1) await app.passTime(MINUTE);
    await app.passTime(59_000);
    assert.deepEqual(macsOnline(app.router), [PHONE.mac], 'online until the last second');
    await app.passTime(2_000);
    assert.deepEqual(app.router.activeSessions(), []);
    assert.deepEqual(app.router.cookies(), []);
    assert.deepEqual(app.router.users(), []);
  });

  test(`with the appliance gone the router itself ends access on time (uptime ${userUptime})`, async t => {
    const app = await startApp(t, { router: { userUptime } });
    await online(app);
    for (let minute = 0; minute < 20; minute += 1) await app.passTime(MINUTE);
    await app.schedule.stop();
    app.clock.advance(39 * MINUTE);
    app.router.settle();
    assert.deepEqual(macsOnline(app.router), [PHONE.mac]);
    app.clock.advance(MINUTE + 30_000);
    app.router.settle();
    assert.deepEqual(macsOnline(app.router), []);
  });
}

test('buying more while online extends the session without a break, where a limit reaches it', async t => {
  const app = await startApp(t, { router: { limitReachesSession: true } });
  await online(app, 1);
  const [before] = app.router.activeSessions();
  const [code] = await app.issueVouchers({ hours: 2 });
  await app.redeem(code!, ASHA, PHONE.mac);
  await app.passTime(2 * HOUR + 59 * MINUTE);
  const [session] = app.router.activeSessions();
  assert.equal(session?.id, before?.id);
  assert.ok((session?.uptimeSeconds ?? 0) > 10_000, 'one session all along');
  await app.passTime(2 * MINUTE);
  assert.deepEqual(macsOnline(app.router), []);
});

for (const userUptime of ['live', 'after-logout'] as const) {
  test(`buying more while online costs a blink, where a limit does not reach the session (uptime ${userUptime})`, async t => {
    const app = await startApp(t, { router: { userUptime } });
    await online(app, 1);
    await app.passTime(10 * MINUTE);
    const [code] = await app.issueVouchers({ hours: 2 });
    await app.redeem(code!, ASHA, PHONE.mac);
    const ends: number[] = [];
    app.router.on('logout', ({ at }) => ends.push(at));
    const start = app.clock.elsewhere();
    while (app.clock.elsewhere() - start < 2 * HOUR + 49 * MINUTE) {
      await app.passTime(15_000);
      assert.deepEqual(macsOnline(app.router), [PHONE.mac]);
    }
    assert.equal(ends.length, 1, 'begun anew once, before its old end');
    await app.schedule.stop();
    app.clock.advance(2 * MINUTE);
    assert.deepEqual(macsOnline(app.router), [], 'and the router itself ends it on time');
  });
}

test('a clock that was set back by half a minute costs one blink at the end, not one in each pass', async t => {
  const app = await startApp(t, { router: true });
  await online(app, 1);
  app.clock.jump(-30_000);
  const ends: string[] = [];
  app.router.on('logout', ({ cause }) => ends.push(cause));
  const start = app.clock.elsewhere();
  while (app.clock.elsewhere() - start < HOUR + 15_000) {
    await app.passTime(15_000);
    assert.deepEqual(macsOnline(app.router), [PHONE.mac]);
  }
  assert.deepEqual(ends, ['admin reset']);
  await app.passTime(30_000);
  assert.deepEqual(macsOnline(app.router), []);
});

test('a paid phone that comes back while Lango is off is let in by the router, which ends its access too', async t => {
  const app = await startApp(t, { router: MAC_COOKIES });
  await online(app, 2);
  await app.passTime(30 * MINUTE);
  await app.close();
  app.router.leave(PHONE.mac);
  app.router.join({ ...PHONE, address: '10.5.50.77' });
  assert.deepEqual(
    app.router.activeSessions().map(session => [session.mac, session.by]),
    [[PHONE.mac, 'mac-cookie']],
  );
  app.clock.advance(89 * MINUTE);
  assert.deepEqual(macsOnline(app.router), [PHONE.mac]);
  app.clock.advance(2 * MINUTE);
  assert.deepEqual(macsOnline(app.router), []);
  app.router.leave(PHONE.mac);
  assert.equal(app.router.join(PHONE).authorized, false, 'nor does it let that phone in again');
});

test('the time a phone was away counts, as far as Lango has told the router before it went off', async t => {
  const app = await startApp(t, { router: MAC_COOKIES });
  await online(app, 10);
  app.router.leave(PHONE.mac);
  for (let hour = 0; hour < 6; hour += 1) await app.passTime(HOUR);
  await app.close();
  app.router.join(PHONE);
  assert.deepEqual(macsOnline(app.router), [PHONE.mac]);
  app.clock.advance(4 * HOUR + MINUTE);
  assert.deepEqual(macsOnline(app.router), []);
});

test('a session that the router’s cookie began with an old limit is begun anew with what is left', async t => {
  const app = await startApp(t, { router: MAC_COOKIES });
  await online(app, 24);
  app.router.leave(PHONE.mac);
  app.clock.advance(12 * HOUR);
  app.router.join(PHONE);
  for (let passes = 0; passes < 8; passes += 1) await app.passTime(15_000);
  const [session] = app.router.activeSessions();
  assert.ok(Math.abs((session?.endsAt ?? 0) - app.clock.elsewhere() - (12 * HOUR - 2 * MINUTE)) < MINUTE);
});

test('a person with time left goes online by coming back: no click, next day too', async t => {
  const app = await startApp(t, { router: true });
  await online(app, 48);
  app.router.leave(PHONE.mac);
  await app.passTime(20 * HOUR);
  assert.deepEqual(macsOnline(app.router), []);
  app.router.join({ ...PHONE, address: '10.5.50.77' });
  await app.passTime(15_000);
  assert.deepEqual(macsOnline(app.router), [PHONE.mac]);
  const [session] = app.router.activeSessions();
  const left = ((session?.endsAt ?? 0) - Date.parse(app.clock.now())) / 1_000;
  assert.ok(
    Math.abs(left - 28 * 3_600) <= 60,
    `the router holds the time that is left, not the time that was: ${left}`,
  );
});

test('blocking ends the session at once, unblocking gives back what is left', async t => {
  const app = await startApp(t, { router: true });
  await online(app);
  const user = app.context.reads.users.byPhone(ASHA as never);
  const change = async (isActive: boolean) => {
    await app.context.commit('updateUser', { userId: user!.id, change: { isActive } }, ACTOR);
    await app.context.applyAccess(user!.id);
  };
  await change(false);
  assert.deepEqual(macsOnline(app.router), []);
  assert.deepEqual(app.router.users(), []);
  app.clock.advance(10 * MINUTE);
  await change(true);
  assert.deepEqual(macsOnline(app.router), [PHONE.mac]);
  await app.passTime(49 * MINUTE);
  assert.deepEqual(macsOnline(app.router), [PHONE.mac]);
  await app.passTime(2 * MINUTE);
  assert.deepEqual(macsOnline(app.router), []);
});

test('removing a device ends its session and leaves the others alone', async t => {
  const environment = { LANGO_DEFAULT_MAX_DEVICES: '2', LANGO_TRUSTED_PROXIES: '127.0.0.1' };
  const app = await startApp(t, { router: true, environment });
  await online(app);
  app.router.join(OTHER);
  await app.post('/api/verify/', { phone_number: ASHA, mac_address: OTHER.mac });
  await until(() => app.router.activeSessions().length === 2);
  assert.deepEqual(
    app.router
      .users()
      .map(user => user.name)
      .toSorted(),
    ['255712345678', '255712345678-2'],
  );
  const body = { phone_number: ASHA, mac_address: PHONE.mac };
  const reply = await app.post('/api/devices/remove/', body, { 'x-forwarded-for': PHONE.address });
  assert.deepEqual(reply.body, { success: true, message: 'The device was removed.', devices_remaining: 1 });
  assert.deepEqual(macsOnline(app.router), [OTHER.mac]);
  assert.deepEqual(
    app.router.users().map(user => user.name),
    ['255712345678-2'],
  );
});

test('deleting a person takes everything of theirs from the router', async t => {
  const app = await startApp(t, { router: { ...MAC_COOKIES, apiLoginMakesCookie: true } });
  await online(app);
  const user = app.context.reads.users.byPhone(ASHA as never);
  await app.context.commit('deleteUser', { userId: user!.id }, ACTOR);
  await app.context.applyAccess(user!.id);
  assert.deepEqual([app.router.activeSessions(), app.router.users(), app.router.cookies()], [[], [], []]);
});

test('a payment during a router outage counts at once, and the phone is online by itself afterwards', async t => {
  const app = await startApp(t, { router: true });
  const bundle = await app.createBundle({ hours: 1 });
  app.router.run('/ip/hotspot/user/add', { name: 'director', password: 'x', comment: 'lango is nice' });
  app.router.run('/ip/hotspot/user/add', { name: '255712345679', password: 'y' });
  const theirs = () =>
    JSON.stringify(app.router.table('/ip/hotspot/user').filter(row => !row['comment']?.startsWith('lango:')));
  const before = theirs();
  app.router.join(PHONE);
  await app.schedule.run('reconcile router');
  await app.router.stopListening();

  await app.pay({ phone: ASHA, bundle, mac: PHONE.mac });
  await until(() => app.context.reads.users.byPhone(ASHA as never)?.paidUntil != null);
  const status = await app.get(`/api/user-status/${ASHA}/`);
  assert.equal(status.body.has_access, true);
  app.clock.advance(MINUTE);

  await app.router.startListening();
  await until(() => app.router.activeSessions().length === 1);
  assert.deepEqual(macsOnline(app.router), [PHONE.mac]);
  assert.equal(theirs(), before, 'rows that are not ours are what they were');
});

test('after a reboot of the router everybody who has paid is online again', async t => {
  const app = await startApp(t, { router: true });
  await online(app);
  app.router.reboot();
  assert.deepEqual(macsOnline(app.router), []);
  app.router.join(PHONE);
  await until(async () => {
    await app.schedule.run('reconcile router');
    return app.router.activeSessions().length === 1;
  });
});

test('rows without our mark are never changed, even under a name that we need', async t => {
  const app = await startApp(t, { router: true });
  app.router.run('/ip/hotspot/user/add', { name: '255712345678', password: 'y', comment: 'owner' });
  const before = JSON.stringify(app.router.table('/ip/hotspot/user'));
  const [code] = await app.issueVouchers({ hours: 1 });
  app.router.join(PHONE);
  assert.equal((await app.redeem(code!, ASHA, PHONE.mac)).status, 200);
  await app.passTime(2 * HOUR);
  assert.equal(JSON.stringify(app.router.table('/ip/hotspot/user')), before);
});

test('a bundle whose profile the router does not have still brings people online', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_ROUTER_PROFILE: 'gone' } });
  await online(app);
  assert.equal(app.router.users()[0]?.profile, 'default');
});

test('a clock that jumps ahead cuts nobody off, until an operator confirms it', async t => {
  const app = await startApp(t, { router: true });
  await online(app);
  app.clock.jump(365 * 24 * HOUR);
  await app.passTime(MINUTE);
  assert.deepEqual(macsOnline(app.router), [PHONE.mac]);
  const health = await app.get('/api/health/');
  assert.equal(health.body.status, 'degraded');
  const status = await app.get(`/api/user-status/${ASHA}/`);
  assert.equal(status.body.time_remaining, '59 minutes', 'time goes on as the monotonic clock counts it');
  for (let minute = 0; minute < 90; minute += 1) await app.passTime(MINUTE);
  assert.deepEqual(macsOnline(app.router), [PHONE.mac], 'nobody is cut off while the clock is not trusted');
  app.context.clock.confirm();
  await app.passTime(1_000);
  assert.deepEqual(app.router.users(), []);
});

test('a clock that jumps and agrees again goes on as if nothing had been', async t => {
  const app = await startApp(t, { router: true });
  await online(app);
  app.clock.jump(-20 * 365 * 24 * HOUR);
  await app.passTime(10 * MINUTE);
  assert.deepEqual(macsOnline(app.router), [PHONE.mac]);
  app.clock.jump(20 * 365 * 24 * HOUR);
  await app.passTime(51 * MINUTE);
  assert.deepEqual(macsOnline(app.router), []);
});
