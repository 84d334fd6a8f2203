/** `GET /user-status/{phone_number}/`. See docs/rules.md: Access. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { dump } from '../support/rows.ts';
import { assertInvalid, assertShape, errors } from '../support/shape.ts';

const ASHA = '+255712345678';
const MAC = 'A4:83:E7:12:34:56';

test('user-status has every field of the interface', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ hours: 27 });
  for (const outcome of ['completed', 'failed']) {
    const { body } = await app.pay({ phone: ASHA, bundle, mac: MAC, webhook: 'never', outcome });
    await app.get(`/api/payment-status/${body.order_reference}/`);
  }
  const { status, body } = await app.get('/api/user-status/0712345678/');
  assert.equal(status, 200);
  assertShape(body, {
    user: {
      phone_number: ASHA,
      subscription_end: '2026-11-22T13:00:00.000Z',
      is_active: true,
      devices_count: 1,
      max_devices: 1,
      total_payments: 1,
    },
    has_access: true,
    time_remaining: '1 day, 3 hours',
  });
});

test('time_remaining is the two largest units, never rounded up', async t => {
  const app = await startApp(t);
  const [code] = await app.issueVouchers({ hours: 24 * 3 });
  await app.redeem(code!, ASHA);
  const end = Date.parse('2026-11-24T10:00:00.000Z');
  for (const [secondsLeft, words] of [
    [259_199, '2 days, 23 hours'],
    [86_400 + 3 * 3_600, '1 day, 3 hours'],
    [86_400 + 59 * 60, '1 day'],
    [86_399, '23 hours, 59 minutes'],
    [3_600, '1 hour'],
    [45 * 60 + 59, '45 minutes'],
    [60, '1 minute'],
    [59, 'less than a minute'],
    [0, 'expired'],
    [-5, 'expired'],
  ] as const) {
    app.clock.advance(end - secondsLeft * 1_000 - Date.parse(app.clock.now()));
    const { body } = await app.get(`/api/user-status/${ASHA}/`);
    assert.equal(body.time_remaining, words);
    assert.equal(body.has_access, secondsLeft > 0);
  }
});

test('user-status of an unknown number is 404 in the not-found shape, and creates nothing', async t => {
  const app = await startApp(t);
  const before = dump(app);
  const { status, body } = await app.get('/api/user-status/+255712345678/');
  assert.equal(status, 404);
  assertShape(body, errors.api);
  assert.deepEqual(dump(app), before);
});

test('the path takes a number in any accepted form, and refuses what is none', async t => {
  const app = await startApp(t);
  const [code] = await app.issueVouchers();
  await app.redeem(code!, ASHA);
  for (const form of [
    '+255712345678',
    '%2B255712345678',
    '255712345678',
    '0712%20345%20678',
    '00255712345678',
    '712345678',
    '0712-345-678',
    encodeURIComponent('٠٧١٢٣٤٥٦٧٨'),
  ]) {
    const { status, body } = await app.get(`/api/user-status/${form}/`);
    assert.equal(status, 200, form);
    assert.equal(body.user.phone_number, ASHA, form);
  }
  for (const wrong of ['asha', '12', '%00', '__proto__', '0'.repeat(500), '%F0%9F%93%B1', '..%2F..']) {
    assertInvalid(await app.get(`/api/user-status/${wrong}/`), 'phone_number');
  }
  assert.equal((await app.get('/api/user-status/%E0%A4%A/')).status, 400, 'an escape that is no UTF-8');
});

test('user-status is limited to 60 a minute', async t => {
  const app = await startApp(t);
  for (let asked = 0; asked < 60; asked += 1) await app.get(`/api/user-status/${ASHA}/`);
  const { status, headers, body } = await app.get(`/api/user-status/${ASHA}/`);
  assert.equal(status, 429);
  assert.ok(Number(headers.get('retry-after')) > 0);
  assertShape(body, errors.api);
});
