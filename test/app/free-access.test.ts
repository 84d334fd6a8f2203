/** Free bundles, and what somebody on the Wi-Fi could do with them. See docs/rules.md: Bundles and users. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Answer, startApp, type TestApp } from '../support/app.ts';
import { rows } from '../support/rows.ts';

const HOUR_MS = 3_600_000;
const ASHA = '+255712345678';
const JUMA = '+255754000111';
const NEEMA = '+255688112233';

interface Phone {
  mac: string;
  address: string;
}
const phoneAt = (n: number): Phone => ({
  mac: `A4:83:E7:00:00:${n.toString(16).toUpperCase().padStart(2, '0')}`,
  address: `10.5.50.${n}`,
});
const [A, B, C] = [phoneAt(11), phoneAt(12), phoneAt(13)];

interface World {
  app: TestApp;
  bundleId: number;
  take(phone: Phone, number: string, more?: object): Promise<Answer>;
}

async function startFree(t: TestContext, options: { hours?: number; every?: number } = {}): Promise<World> {
  const { hours = 1, every = 24 } = options;
  const app = await startApp(t, { router: true, environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  const bundle = { name: 'Try it', price: '0', duration_hours: hours, free_every_hours: every };
  const { body } = await app.post('/api/admin/bundles/', bundle, app.admin);
  for (const phone of [A, B, C]) app.router.join(phone);
  await app.schedule.run('reconcile router');
  const bundleId = body.bundle.id as number;
  return {
    app,
    bundleId,
    take: (phone, number, more = {}) =>
      app.post(
        '/api/free-access/',
        { phone_number: number, bundle_id: bundleId, mac_address: phone.mac, ...more },
        { 'x-forwarded-for': phone.address },
      ),
  };
}

const isOnline = (app: TestApp, { mac }: Phone) => app.router.activeSessions().some(session => session.mac === mac);
const idOf = (app: TestApp) => rows(app, 'SELECT max(id) AS id FROM users')[0]?.['id'];
const isTaken = (answer: Answer) => assert.deepEqual([answer.status, answer.body.code], [409, 'FREE_TAKEN']);

test('one tap, and the phone is online; again once the hours that staff set are over', async t => {
  const { app, take } = await startFree(t, { every: 6 });
  const { status, body } = await take(A, ASHA);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    [body.online, body.access_granted, body.bundle],
    [true, true, { name: 'Try it', duration_hours: 1 }],
  );
  assert.ok(isOnline(app, A));
  await app.passTime(6 * HOUR_MS - 60_000);
  isTaken(await take(A, ASHA));
  await app.passTime(60_000);
  app.router.join(A);
  assert.equal((await take(A, ASHA)).status, 200);
});

test('it is given once to a phone, whatever number it invents, and once to a number, whatever phone it is on', async t => {
  const { app, take } = await startFree(t, { hours: 0.5 });
  assert.equal((await take(A, ASHA)).status, 200);
  isTaken(await take(A, JUMA));
  await app.passTime(HOUR_MS);
  for (const phone of [A, B]) app.router.join(phone);
  isTaken(await take(B, ASHA));
  assert.equal((await take(B, JUMA)).status, 200);
});

test('taps at one moment give it once', async t => {
  const { app, take } = await startFree(t);
  const answers = await Promise.all([take(A, ASHA), take(A, JUMA), take(A, ASHA), take(B, ASHA)]);
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.deepEqual(rows(app, 'SELECT count(*) AS n FROM free_claims'), [{ n: 1 }]);
});

test('it is not heaped up: whoever has time is given none', async t => {
  const { app, take } = await startFree(t);
  const [code = ''] = await app.issueVouchers({ hours: 2 });
  const body = { voucher_code: code, phone_number: ASHA, mac_address: A.mac };
  assert.equal((await app.post('/api/vouchers/redeem/', body, { 'x-forwarded-for': A.address })).status, 200);
  isTaken(await take(A, ASHA));
  await app.passTime(3 * HOUR_MS);
  app.router.join(A);
  assert.equal((await take(A, ASHA)).status, 200);
});

test('no MAC counts but the one that the router shows: invented ones, others’ and unseen phones get nothing', async t => {
  const { app, take, bundleId } = await startFree(t);
  const nothing = (answer: Answer) => {
    assert.equal(answer.status, 400);
    assert.ok(answer.body.details.mac_address);
  };
  nothing(await take({ mac: 'A4:83:E7:99:99:99', address: A.address }, ASHA));
  nothing(await take({ mac: B.mac, address: A.address }, ASHA));
  nothing(await take({ mac: B.mac, address: '10.5.50.99' }, ASHA));
  assert.deepEqual(rows(app, 'SELECT count(*) AS n FROM users'), [{ n: 0 }]);
  // And the phone need not name itself.
  const unnamed = { phone_number: ASHA, bundle_id: bundleId };
  assert.equal((await app.post('/api/free-access/', unnamed, { 'x-forwarded-for': A.address })).status, 200);
  assert.ok(isOnline(app, A));
});

test('a number that has paid is used up by its own phones alone, and by others with a proof', async t => {
  const { app, take } = await startFree(t);
  const [code = ''] = await app.issueVouchers({ hours: 1 });
  const body = { voucher_code: code, phone_number: ASHA, mac_address: A.mac };
  await app.post('/api/vouchers/redeem/', body, { 'x-forwarded-for': A.address });
  await app.passTime(2 * HOUR_MS);
  for (const phone of [A, B, C]) app.router.join(phone);
  const stranger = await take(B, ASHA);
  assert.deepEqual([stranger.status, stranger.body.code], [403, 'PROOF_REQUIRED']);
  assert.equal((await take(A, ASHA)).status, 200, 'nothing was used up');
  await app.passTime(25 * HOUR_MS);
  for (const phone of [A, B, C]) app.router.join(phone);
  assert.equal((await take(C, ASHA, { proof: 'nonsense' })).status, 403);
  assert.equal((await take(C, ASHA, { proof: code })).status, 200);
});

test('where the owner wants proof of new devices, a number alone gets no free time either', async t => {
  const { app, take } = await startFree(t);
  await app.post('/api/admin/settings/devices/', { new_devices: 'with_proof' }, app.admin);
  assert.equal((await take(A, ASHA)).body.code, 'PROOF_REQUIRED');
});

test('one address is given five an hour, and asks ten times a minute', async t => {
  const { app, bundleId } = await startFree(t, { hours: 0.1 });
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    // The same address with another MAC each time, as by a phone that makes its MAC up.
    const phone = { mac: phoneAt(100 + n).mac, address: '10.5.50.77' };
    for (const host of app.router.hosts()) if (host.address === phone.address) app.router.leave(host.mac);
    app.router.join(phone);
    await app.passTime(400_000);
    const order = { phone_number: `+25571234567${n}`, bundle_id: bundleId };
    statuses.push((await app.post('/api/free-access/', order, { 'x-forwarded-for': phone.address })).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
});

test('what is not free, not for sale or not known, and a person who is blocked', async t => {
  const { app, take } = await startFree(t);
  const dear = await app.createBundle({ price: 500 });
  const priced = await take(A, ASHA, { bundle_id: dear.id });
  assert.deepEqual([priced.status, Object.keys(priced.body.details)], [400, ['bundle_id']]);
  const unknown = await take(A, ASHA, { bundle_id: 999 });
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'BUNDLE_UNAVAILABLE']);
  assert.equal((await take(A, NEEMA)).status, 200);
  const block = { is_active: false };
  assert.equal((await app.send('PUT', `/api/admin/users/${idOf(app)}/update/`, block, app.admin)).status, 200);
  const blocked = await take(B, NEEMA);
  assert.deepEqual([blocked.status, blocked.body], [403, { ...blocked.body, code: 'USER_BLOCKED' }]);
});

test('while the router is away nothing is given, and nothing used up', async t => {
  const { app, take } = await startFree(t);
  await app.router.stopListening();
  await app.context.site.defaultRouter.port.resources().catch(() => {});
  const answer = await take(A, ASHA);
  assert.equal(answer.status, 503);
  assert.deepEqual(rows(app, 'SELECT count(*) AS n FROM free_claims'), [{ n: 0 }]);
});

test('paying for a free bundle stays refused, and one that was taken is archived, not removed', async t => {
  const { app, take, bundleId } = await startFree(t);
  assert.equal((await app.post('/api/initiate-payment/', { phone_number: ASHA, bundle_id: bundleId })).status, 400);
  assert.equal((await take(A, ASHA)).status, 200);
  const { body } = await app.send('DELETE', `/api/admin/bundles/${bundleId}/`, undefined, app.admin);
  assert.equal(body.archived, true);
});

test('a person who is deleted is forgotten here, too', async t => {
  const { app, take } = await startFree(t);
  await take(A, ASHA);
  const { status } = await app.send('DELETE', `/api/admin/users/${idOf(app)}/delete/`, undefined, app.admin);
  assert.equal(status, 200);
  assert.deepEqual(rows(app, 'SELECT count(*) AS n FROM free_claims'), [{ n: 0 }]);
});
