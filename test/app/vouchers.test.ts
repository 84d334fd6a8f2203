/** `/vouchers/`: made, redeemed, listed. See docs/rules.md: Vouchers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, startApp, type TestApp } from '../support/app.ts';
import { ACTOR } from '../support/books.ts';
import { count, dump, rows } from '../support/rows.ts';
import { assertInvalid, assertShape, errors, instant, integer, string, voucherCode } from '../support/shape.ts';

const ASHA = '+255712345678';
const JUMA = '+255754321987';
const MAC = 'A4:83:E7:12:34:56';
const OTHER_MAC = 'B8:27:EB:65:43:21';
const DAY = 86_400_000;

const generate = (app: TestApp, fields: Record<string, unknown>) =>
  app.post('/api/vouchers/generate/', { bundle_id: 1, quantity: 1, expiry_days: 30, ...fields }, app.admin);
const list = (app: TestApp, query = '') => app.get(`/api/vouchers/list/${query}`, app.admin);

function assertRefused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assertShape(answer.body, errors.voucher(code));
}

test('generate has every field of the interface, and its codes are of the form XXXX-XXXX-XXXX', async t => {
  const app = await startApp(t);
  await app.createBundle({ name: 'Day' });
  const { status, body } = await generate(app, { quantity: 25, expiry_days: 10 });
  assert.equal(status, 200);
  assertShape(body, {
    success: true,
    vouchers_generated: 25,
    batch_id: integer,
    vouchers: [{ code: voucherCode, bundle: 'Day', expires_at: '2026-12-01T10:00:00.000Z' }],
  });
  assert.equal(new Set(body.vouchers.map((voucher: { code: string }) => voucher.code)).size, 25);
});

test('codes come from 31 characters, without 0 O 1 I L, and all of them are used', async t => {
  const app = await startApp(t);
  await app.createBundle();
  const { body } = await generate(app, { quantity: 500 });
  const letters = new Set<string>(body.vouchers.flatMap(({ code }: { code: string }) => [...code.replaceAll('-', '')]));
  assert.equal([...letters].toSorted().join(''), '23456789ABCDEFGHJKMNPQRSTUVWXYZ');
});

test('quantity is 1 to 10,000 and expiry_days 1 to 3,650, 365 where none is given; out of bounds is 400', async t => {
  const app = await startApp(t);
  await app.createBundle();
  const before = dump(app);
  for (const quantity of [0, -1, 10_001, 1.5, 'five', '0', '5 of them', null, true, 1e300]) {
    assertInvalid(await generate(app, { quantity }), 'quantity');
  }
  for (const days of [0, -1, 3_651, 1.5, 'five', '-5', true]) {
    assertInvalid(await generate(app, { expiry_days: days }), 'expiry_days');
  }
  assertInvalid(await app.post('/api/vouchers/generate/', {}, app.admin), 'bundle_id', 'quantity');
  assert.deepEqual(dump(app), before, 'all or nothing');
  const { body } = await generate(app, { expiry_days: null });
  assert.equal(body.vouchers[0].expires_at, '2027-11-21T10:00:00.000Z');
  assert.equal((await generate(app, { expiry_days: 3_650 })).status, 200);
});

test('the largest batch is one batch', async t => {
  const app = await startApp(t);
  await app.createBundle();
  const { status, body } = await generate(app, { quantity: 10_000 });
  assert.equal(status, 200);
  assert.equal(body.vouchers.length, 10_000);
  assert.equal(count(app, 'vouchers', `batch_id = ${body.batch_id}`), 10_000);
});

test('vouchers of a bundle that is not there are 404', async t => {
  const app = await startApp(t);
  const { status, body } = await generate(app, { bundle_id: 7 });
  assert.equal(status, 404);
  assertShape(body, errors.api);
});

test('redeem has every field of the interface', async t => {
  const app = await startApp(t);
  const [code] = await app.issueVouchers({ hours: 24 });
  const { status, body } = await app.redeem(code!, '0712 345 678', MAC);
  assert.equal(status, 200);
  assertShape(body, {
    success: true,
    message: string,
    access_granted: true,
    subscription_end: '2026-11-22T10:00:00.000Z',
    bundle: { name: 'Day', duration_hours: 24 },
    device_allowed: true,
  });
  assert.equal((await app.get(`/api/devices/${ASHA}/`)).body[0].mac_address, MAC);
});

test('on input case, spaces and dashes of a code are ignored', async t => {
  const app = await startApp(t);
  for (const write of [
    (code: string) => code.toLowerCase(),
    (code: string) => code.replaceAll('-', ''),
    (code: string) => code.replaceAll('-', ' '),
    (code: string) => ` ${[...code.replaceAll('-', '')].join(' ')} `,
    (code: string) => code.replaceAll('-', '\u2013').toLowerCase(),
  ]) {
    const [code] = await app.issueVouchers();
    assert.equal((await app.redeem(write(code!), ASHA)).status, 200, write(code!));
  }
});

test('an unknown code is 404 VOUCHER_INVALID, whatever it looks like', async t => {
  const app = await startApp(t);
  for (const code of ['2222-2222-2222', 'hello', '0000-0000-0000', '%', "' OR 1=1 --", '2222-2222-222']) {
    assertRefused(await app.redeem(code, ASHA), 404, 'VOUCHER_INVALID');
  }
  assert.equal(count(app, 'users'), 0, 'nobody is created for a wrong code');
});

test('a used code is 409 VOUCHER_USED, and says nothing about who used it', async t => {
  const app = await startApp(t);
  const [code] = await app.issueVouchers();
  await app.redeem(code!, ASHA, MAC);
  const answer = await app.redeem(code!, JUMA);
  assertRefused(answer, 409, 'VOUCHER_USED');
  assert.doesNotMatch(JSON.stringify(answer.body), /712345678|A4:83|2026/);
  assert.equal((await app.get(`/api/user-status/${JUMA}/`)).status, 404);
});

test('a code past expires_at is 410 VOUCHER_EXPIRED, up to it it is good', async t => {
  const app = await startApp(t);
  const [early, late] = await app.issueVouchers({ quantity: 2, expiryDays: 30 });
  app.clock.advance(30 * DAY - 1);
  assert.equal((await app.redeem(early!, ASHA)).status, 200);
  app.clock.advance(1);
  assertRefused(await app.redeem(late!, ASHA), 410, 'VOUCHER_EXPIRED');
  assert.equal((await app.redeem(early!, ASHA)).status, 200, 'what was redeemed in time stays so');
});

test('a revoked code is 410 VOUCHER_REVOKED, and stays in the list', async t => {
  const app = await startApp(t);
  const [code] = await app.issueVouchers();
  const id = (await list(app)).body[0].id;
  await app.context.commit('revokeVoucher', { voucherId: id, reason: 'lost' }, ACTOR);
  assertRefused(await app.redeem(code!, ASHA), 410, 'VOUCHER_REVOKED');
  assert.equal((await list(app)).body[0].is_revoked, true);
  assert.equal(count(app, 'grants'), 0);
});

test('a blocked person is 403 USER_BLOCKED, and the voucher stays unused', async t => {
  const app = await startApp(t);
  const [first, second] = await app.issueVouchers({ quantity: 2 });
  await app.redeem(first!, ASHA);
  const block = (isActive: boolean) => app.context.commit('updateUser', { userId: 1, change: { isActive } }, ACTOR);
  await block(false);
  assertRefused(await app.redeem(second!, ASHA), 403, 'USER_BLOCKED');
  assert.equal(count(app, 'vouchers', 'used_at IS NULL'), 1);
  await block(true);
  assert.equal((await app.redeem(second!, ASHA)).status, 200);
});

test('the same code of the same person again is 200 with the first result and no second grant', async t => {
  const app = await startApp(t);
  const [code, another] = await app.issueVouchers({ quantity: 2, hours: 24 });
  const first = await app.redeem(code!, ASHA, MAC);
  await app.redeem(another!, ASHA);
  app.clock.advance(DAY * 40);
  const again = await app.redeem(code!.toLowerCase(), '0712345678', MAC);
  assert.equal(again.status, 200);
  assert.deepEqual(again.body, first.body, 'a lost reply is safe to retry');
  assert.equal(count(app, 'grants'), 2);
});

test('a repeat that names a device where the first named none does not say that there was no room', async t => {
  const app = await startApp(t);
  const [code] = await app.issueVouchers();
  const first = await app.redeem(code!, ASHA);
  const again = await app.redeem(code!, ASHA, MAC);
  assert.deepEqual(again.body, first.body);
});

test('8 people who redeem one code at once: one wins, and there is one grant', async t => {
  const app = await startApp(t);
  const [code] = await app.issueVouchers();
  const phones = Array.from({ length: 8 }, (_, index) => `+25571234560${index}`);
  const answers = await Promise.all(phones.map(phone => app.redeem(code!, phone)));
  assert.equal(answers.filter(answer => answer.status === 200).length, 1);
  for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 409, 'VOUCHER_USED');
  assert.equal(count(app, 'grants'), 1);
});

test('one person who redeems one code 8 times at once gets it once, and 8 times the same reply', async t => {
  const app = await startApp(t);
  const [code] = await app.issueVouchers();
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.redeem(code!, ASHA, MAC)));
  for (const answer of answers) assert.deepEqual(answer.body, answers[0]?.body);
  assert.equal(count(app, 'grants'), 1);
});

test('a voucher grants exactly once, by a unique index and not by code alone', async t => {
  const app = await startApp(t);
  const [code] = await app.issueVouchers();
  await app.redeem(code!, ASHA);
  const [index] = rows(app, "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = 'grants_once'");
  assert.match(String(index?.['sql']), /UNIQUE INDEX .* \(source, source_id\)/);
  assertShape(rows(app, 'SELECT source, source_id, seconds, starts_at, ends_at FROM grants')[0], {
    source: 'voucher',
    source_id: 1,
    seconds: 86_400,
    starts_at: '2026-11-21T10:00:00.000Z',
    ends_at: '2026-11-22T10:00:00.000Z',
  });
});

test('redeem names every field that is missing or wrong, and changes nothing', async t => {
  const app = await startApp(t);
  const [code] = await app.issueVouchers();
  const before = dump(app);
  assertInvalid(await app.post('/api/vouchers/redeem/', {}), 'phone_number', 'voucher_code');
  const wrong = { phone_number: null, voucher_code: 5, mac_address: 'x', ip_address: 'y' };
  const answer = await app.post('/api/vouchers/redeem/', wrong);
  assertInvalid(answer, 'phone_number', 'voucher_code', 'mac_address', 'ip_address');
  assert.equal(answer.body.success, false);
  assertInvalid(await app.redeem(code!, ASHA, '01:00:5E:00:00:01'), 'mac_address');
  assert.deepEqual(dump(app), before);
});

test('wrong codes are limited to 10 in 10 minutes per address; right ones count nothing', async t => {
  const app = await startApp(t);
  const codes = await app.issueVouchers({ quantity: 12 });
  for (const code of codes.slice(0, 11)) assert.equal((await app.redeem(code, ASHA)).status, 200);
  for (let wrong = 0; wrong < 10; wrong += 1) {
    assertRefused(await app.redeem(`2222-2222-22${22 + wrong}`, ASHA), 404, 'VOUCHER_INVALID');
  }
  const { status, headers, body } = await app.redeem(codes[11]!, ASHA);
  assert.equal(status, 429, 'a right one after ten wrong ones has to wait as well');
  const wait = Number(headers.get('retry-after'));
  assert.ok(wait > 0 && wait <= 600);
  assert.ok(string(body.error) && string(body.message));
  app.clock.advance(wait * 1_000);
  assert.equal((await app.redeem(codes[11]!, ASHA)).status, 200);
});

test('of 200 wrong codes that are tried at one moment, ten are looked up', async t => {
  const app = await startApp(t);
  const [right] = await app.issueVouchers();
  const guesses = Array.from(
    { length: 200 },
    (_, n) => `2222-2222-2${String(n).padStart(3, '2').replaceAll(/[01]/g, 'A')}`,
  );
  const answers = await Promise.all(guesses.map(guess => app.redeem(guess, ASHA)));
  const answered = (status: number) => answers.filter(answer => answer.status === status).length;
  assert.deepEqual([answered(404), answered(429)], [10, 190]);
  app.clock.advance(600_000);
  assert.equal((await app.redeem(right!, ASHA)).status, 200);
});

test('codes that give nothing any more are taken 60 times a minute, whoever used them', async t => {
  const app = await startApp(t);
  const [code = '', other = ''] = await app.issueVouchers({ quantity: 2 });
  assert.equal((await app.redeem(code, ASHA)).status, 200);
  for (let again = 0; again < 30; again += 1) {
    assert.equal((await app.redeem(code, ASHA)).status, 200, 'a lost reply is safe to ask for again');
    assertRefused(await app.redeem(code, JUMA), 409, 'VOUCHER_USED');
  }
  assert.equal((await app.redeem(code, ASHA)).status, 429);
  assert.equal((await app.redeem(code, JUMA)).status, 429);
  app.clock.advance(60_000);
  assert.equal((await app.redeem(other, ASHA)).status, 200);
});

test('nobody locks a code out for others by trying it', async t => {
  const app = await startApp(t, { environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  const from = (address: number, code: string) =>
    app.post(
      '/api/vouchers/redeem/',
      { voucher_code: code, phone_number: ASHA },
      { 'x-forwarded-for': `10.0.0.${address}` },
    );
  for (let address = 1; address <= 20; address += 1) {
    assertRefused(await from(address, '2222-2222-2222'), 404, 'VOUCHER_INVALID');
  }
});

test('the list is a bare array, newest first, with every field of the interface', async t => {
  const app = await startApp(t);
  const [used] = await app.issueVouchers({ quantity: 2 });
  app.clock.advance(5_000);
  await app.redeem(used!, ASHA);
  const { status, headers, body } = await list(app);
  assert.equal(status, 200);
  assert.equal(headers.get('x-total-count'), '2');
  const unusedShape = {
    id: 2,
    code: voucherCode,
    bundle: 'Day',
    is_used: false,
    created_at: '2026-11-21T10:00:00.000Z',
    expires_at: '2026-12-21T10:00:00.000Z',
    used_by: null,
    used_at: null,
    // Additions to the interface.
    batch_id: integer,
    is_revoked: false,
    revoked_at: null,
    revoked_by: null,
    sold_by: 'test',
    made_by: 'test',
    sale_id: null,
    sold_at: null,
    price: null,
    used_by_id: null,
  };
  assertShape(body[0], unusedShape);
  assertShape(body[1], {
    ...unusedShape,
    id: 1,
    code: used!,
    is_used: true,
    used_by: ASHA,
    used_at: instant,
    used_by_id: 1,
  });
  assert.equal(body[1].used_at, '2026-11-21T10:00:05.000Z');
});

test('the list takes is_used, bundle_id, batch_id, code and pages, and is then still an array', async t => {
  const app = await startApp(t);
  const first = await app.issueVouchers({ quantity: 3 });
  const second = await app.issueVouchers({ quantity: 2 });
  await app.redeem(first[0]!, ASHA);
  const codes = async (query: string) => (await list(app, query)).body.map((voucher: { code: string }) => voucher.code);
  assert.deepEqual(await codes(''), [...first, ...second].toReversed());
  assert.deepEqual(await codes('?is_used=true'), [first[0]]);
  assert.deepEqual(await codes('?is_used=0&bundle_id=1'), [first[2], first[1]]);
  assert.deepEqual(await codes('?batch_id=2'), second.toReversed());
  assert.deepEqual(await codes('?bundle_id=99'), []);
  assert.deepEqual(await codes(`?code=${first[1]!.toLowerCase().replaceAll('-', '')}`), [first[1]]);
  assert.deepEqual(await codes(`?code=${first[1]!.slice(3, 11)}`), [first[1]], 'a part of a code');
  const page = await list(app, '?page=1&page_size=2&is_used=false');
  assert.deepEqual(
    page.body.map((voucher: { code: string }) => voucher.code),
    second.toReversed(),
  );
  assert.equal(page.headers.get('x-total-count'), '4');
  assert.match(
    page.headers.get('link') ?? '',
    /<\/api\/vouchers\/list\/\?page=2&page_size=2&is_used=false>; rel="next"/,
  );
  const past = await list(app, '?page=100');
  assert.deepEqual(past.body, []);
  assert.equal(past.headers.get('x-total-count'), '5');
  assertInvalid(
    await list(app, '?page=x&page_size=0&is_used=maybe&bundle_id=-1&batch_id=1.5'),
    'page',
    'page_size',
    'is_used',
    'bundle_id',
    'batch_id',
  );
  assertInvalid(await list(app, '?code=%FF'), 'query');
});

test('codes are money: they stand in no log and no audit entry', async t => {
  const app = await startApp(t);
  await app.createBundle();
  const { body } = await generate(app, { quantity: 3 });
  const [{ code }] = body.vouchers;
  await app.redeem(code, ASHA, MAC);
  await app.redeem(code, JUMA);
  const written = `${app.logged.join('\n')}${JSON.stringify(rows(app, 'SELECT * FROM audit_log'))}`;
  for (const voucher of body.vouchers) {
    assert.ok(!written.includes(voucher.code) && !written.includes(voucher.code.replaceAll('-', '')));
  }
  assert.ok(!app.logged.join('\n').includes(ASHA.slice(1)), 'nor does a whole phone number');
});

test('a redemption puts the phone online, with another MAC it does not', async t => {
  const app = await startApp(t, { router: true });
  app.router.join({ mac: MAC, address: '10.5.50.11' });
  const [first, second] = await app.issueVouchers({ quantity: 2 });
  await app.redeem(first!, ASHA, OTHER_MAC);
  assert.deepEqual(app.router.activeSessions(), []);
  await app.redeem(second!, ASHA, MAC);
  assert.deepEqual(
    app.router.activeSessions().map(session => session.mac),
    [MAC],
  );
});
