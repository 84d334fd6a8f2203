/** What cashiers are held to: shifts, how many vouchers they make, what they see. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp, until } from '../support/app.ts';
import { asha, type Headers, type Json, logIn, neema, statuses } from './admin-support.ts';

const HOUR = 3_600_000;

const sell = (app: TestApp, bundleId: number, receipt: string, headers: Headers) =>
  app.post('/api/admin/sales/', { phone_number: asha, bundle_id: bundleId, receipt_number: receipt }, headers);
const openShift = (app: TestApp, headers: Headers) =>
  app.post('/api/admin/shifts/open/', { opening_float: 0 }, headers);
const generate = (app: TestApp, bundleId: number, quantity: number, headers: Headers) =>
  app.post('/api/vouchers/generate/', { bundle_id: bundleId, quantity }, headers);
const setRules = (app: TestApp, rules: object, headers: Headers = app.admin) =>
  app.post('/api/admin/settings/cashiers/', rules, headers);

test('a cashier sells within a shift of their own alone, unless the owner says otherwise', async t => {
  const app = await startApp(t);
  const { id } = await app.createBundle();
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const juma = await logIn(app, 'cashier', 'juma');
  await openShift(app, juma);
  const refused = await sell(app, id, '1', zawadi);
  assert.deepEqual([refused.status, refused.body.code], [409, 'SHIFT_REQUIRED']);
  assert.match(refused.body.message, /shift/);
  assert.equal((await app.get(`/api/user-status/${asha}/`)).status, 404, 'nothing was written');
  assert.equal((await sell(app, id, '2', juma)).status, 201);
  for (const role of ['staff', 'owner'] as const) {
    assert.equal((await sell(app, id, role, await logIn(app, role))).status, 201, role);
  }
  const { body } = await setRules(app, { sell_within_shift: false });
  assert.deepEqual(body.cashiers, { sell_within_shift: false, vouchers_per_day: 100 });
  assert.equal((await sell(app, id, '1', zawadi)).status, 201);
});

test('a cashier makes a hundred vouchers a day, of the configured zone, and is told how many are left', async t => {
  // 23:30 in Dar es Salaam.
  const app = await startApp(t, { now: '2026-11-21T20:30:00.000Z' });
  const { id } = await app.createBundle();
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  assert.equal((await generate(app, id, 60, zawadi)).status, 200);
  const refused = await generate(app, id, 41, zawadi);
  assert.deepEqual([refused.status, refused.body.code, refused.body.vouchers_left], [409, 'VOUCHER_LIMIT', 40]);
  assert.match(refused.body.message, /\b40\b/);
  const both = await Promise.all([generate(app, id, 30, zawadi), generate(app, id, 30, zawadi)]);
  assert.deepEqual(statuses(both), [200, 409], 'nor do two at one moment');
  assert.equal((await generate(app, id, 100, await logIn(app, 'cashier', 'juma'))).status, 200, 'each their own');
  assert.equal((await generate(app, id, 500, await logIn(app, 'staff'))).status, 200);
  app.clock.advance(HOUR);
  assert.equal((await generate(app, id, 100, zawadi)).status, 200, 'a new day');
  await setRules(app, { vouchers_per_day: 150 });
  assert.equal((await generate(app, id, 51, zawadi)).body.vouchers_left, 50);
});

test('owners set what cashiers are held to, field by field, and it is traced', async t => {
  const app = await startApp(t);
  const told = async () => (await app.get('/api/admin/settings/', app.admin)).body.settings.cashiers;
  assert.deepEqual(await told(), { sell_within_shift: true, vouchers_per_day: 100 });
  await setRules(app, { vouchers_per_day: 20 });
  await setRules(app, { sell_within_shift: false });
  assert.deepEqual(await told(), { sell_within_shift: false, vouchers_per_day: 20 });
  assert.equal((await setRules(app, { vouchers_per_day: -1 })).status, 400);
  assert.equal((await setRules(app, {}, await logIn(app, 'staff'))).status, 403);
  const { entries } = (await app.get('/api/admin/audit-log/?action=settings.cashiers', app.admin)).body;
  assert.equal(entries.length, 2);
});

test('unused codes of others are masked to a cashier wherever they appear, and to nobody else', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const staff = await logIn(app, 'staff');
  const { body: others } = await generate(app, bundle.id, 3, app.admin);
  const { body: own } = await generate(app, bundle.id, 2, zawadi);
  const [used, ...secret] = others.vouchers.map((voucher: Json) => voucher.code) as [string, ...string[]];
  const mine = own.vouchers.map((voucher: Json) => voucher.code) as string[];
  await app.redeem(used, asha);
  const person = app.context.reads.users.byPhone(asha as never)?.id;

  const paths: Record<string, string[]> = {
    '/api/vouchers/list/': [used, ...mine],
    '/api/vouchers/list/?page=1&page_size=10': [used, ...mine],
    [`/api/vouchers/list/?batch_id=${others.batch_id}`]: [used],
    [`/api/vouchers/list/?code=${secret[0]}`]: [],
    [`/api/admin/bundles/${bundle.id}/`]: mine,
    [`/api/admin/voucher-batches/${others.batch_id}/codes/`]: [used],
    [`/api/admin/voucher-batches/${own.batch_id}/codes/`]: mine,
    [`/api/admin/voucher-batches/${others.batch_id}/`]: [],
    '/api/admin/voucher-batches/': [],
    '/api/admin/bundles/': [],
    [`/api/admin/users/${person}/`]: [used],
    '/api/admin/payments/': [],
    '/api/admin/status/': [],
  };
  for (const [path, readable] of Object.entries(paths)) {
    const reply = await app.get(path, zawadi);
    assert.equal(reply.status, 200, path);
    const told = JSON.stringify(reply.body);
    for (const code of secret) {
      assert.ok(!told.includes(code), `${path} tells a cashier ${code}`);
      assert.ok(!told.includes(code.slice(0, 9)), path);
    }
    for (const code of readable) assert.ok(told.includes(code), `${path} hides ${code}`);
  }
  for (const path of [
    '/api/admin/export/vouchers/',
    '/api/admin/sms/',
    '/api/admin/audit-log/',
    '/api/dashboard-stats/',
  ]) {
    assert.equal((await app.get(path, zawadi)).status, 403, path);
  }
  const { body: list } = await app.get(`/api/vouchers/list/?batch_id=${others.batch_id}&is_used=false`, zawadi);
  assert.deepEqual(
    list.map((voucher: Json) => [voucher.code, voucher.code_masked]),
    secret.toReversed().map(code => [`••••-••••-${code.slice(-4)}`, true]),
  );
  for (const headers of [staff, app.admin]) {
    const { body } = await app.get(`/api/admin/voucher-batches/${others.batch_id}/codes/`, headers);
    assert.ok(secret.every(code => JSON.stringify(body).includes(code)));
    assert.ok(!JSON.stringify(body).includes('code_masked'));
  }
});

test('a cashier finds others’ unused codes by the whole code alone, so that none is guessed letter by letter', async t => {
  const app = await startApp(t);
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const [code] = (await app.issueVouchers()) as [string];
  const find = async (part: string) => {
    const { body, headers } = await app.get(`/api/vouchers/list/?page=1&code=${part}`, zawadi);
    return [body.length, headers.get('x-total-count')];
  };
  for (const part of [code[0], code.slice(0, 4), code.slice(5), code.slice(0, 13)]) {
    assert.deepEqual(await find(part as string), [0, '0'], part);
  }
  assert.deepEqual(await find(code.toLowerCase()), [1, '1']);
  await app.redeem(code, asha);
  assert.deepEqual(await find(code.slice(0, 4)), [1, '1'], 'a used one is no secret');
});

test('a card is found by its number, and a cashier reads no more of another’s code by it', async t => {
  const app = await startApp(t);
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const codes = await app.issueVouchers({ quantity: 3 });
  const find = async (id: number | string, headers: Headers) =>
    (await app.get(`/api/vouchers/list/?page=1&id=${id}`, headers)).body;
  const [card] = await find(2, app.admin);
  assert.deepEqual([card.id, codes.includes(card.code)], [2, true]);
  assert.deepEqual(
    (await find(2, zawadi)).map((voucher: Json) => [voucher.id, voucher.code]),
    [[2, `••••-••••-${card.code.slice(-4)}`]],
  );
  assert.deepEqual([await find(99, app.admin), (await find('x', app.admin)).details.id.length], [[], 1]);
});

test('looking at codes leaves one entry a look, and pages that are asked for again and again one in a while', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const { body: others } = await generate(app, bundle.id, 5, app.admin);
  const { body: own } = await generate(app, bundle.id, 2, zawadi);
  const looks = async (headers: Headers, ...paths: string[]) => {
    for (const path of paths) assert.equal((await app.get(path, headers)).status, 200);
  };
  const codes = (batch: number) => `/api/admin/voucher-batches/${batch}/codes/`;
  await looks(zawadi, codes(own.batch_id), codes(own.batch_id), codes(others.batch_id));
  await looks(app.admin, '/api/admin/export/vouchers/', '/api/vouchers/list/', '/api/vouchers/list/?page=1');
  const entries = async () => (await app.get('/api/admin/audit-log/?action=voucher.look', app.admin)).body.entries;
  await until(async () => (await entries()).length === 4);
  assert.deepEqual(
    (await entries())
      .map((entry: Json) => [entry.admin, entry.subject, entry.subject_id, entry.after.codes])
      .toReversed(),
    [
      ['zawadi', 'voucher_batch', own.batch_id, 2],
      ['zawadi', 'voucher_batch', own.batch_id, 2],
      ['configured token', 'export', null, 'all of a filter'],
      ['configured token', 'voucher', null, 7],
    ],
  );
  app.clock.advance(10 * 60_000);
  await looks(app.admin, '/api/vouchers/list/');
  await until(async () => (await entries()).length === 5);
});

test('a cashier is told the figures of their own shifts once they are counted, and finds a payment of anybody by naming it', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 1_000 });
  const zawadi = await logIn(app, 'cashier', 'zawadi');
  const juma = await logIn(app, 'cashier', 'juma');
  const staff = await logIn(app, 'staff');
  await openShift(app, zawadi);
  await openShift(app, juma);
  await sell(app, bundle.id, 'Z-1', zawadi);
  for (const receipt of ['J-1', 'J-2', 'J-3']) await sell(app, bundle.id, receipt, juma);
  await sell(app, bundle.id, 'O-1', app.admin);
  await app.post('/api/initiate-payment/', { phone_number: neema, bundle_id: bundle.id });

  /** Everything that adds up money, by who asks. */
  const figures = async (headers: Headers) => {
    const { status } = (await app.get('/api/admin/status/', headers)).body;
    const { summary, pagination, payments } = (await app.get('/api/admin/payments/', headers)).body;
    const [listed] = (await app.get('/api/admin/bundles/', headers)).body.bundles;
    const { bundle: detail } = (await app.get(`/api/admin/bundles/${bundle.id}/`, headers)).body;
    const [live] = await firstEvent(app, headers);
    return {
      today: [status.payments_today, status.revenue_today, live.payments_today, live.revenue_today],
      week: [status.payments_week, status.revenue_week],
      pending: [status.pending_payments, summary.pending_count, live.pending_payments],
      payments: [pagination.total, payments.length, summary.completed_count, summary.total_amount],
      bundles: [listed.total_purchases, listed.revenue, detail.total_purchases, detail.revenue],
    };
  };
  const own = {
    today: [1, 1_000, 1, '1000.00'],
    week: [1, 1_000],
    pending: [0, 0, 0],
    payments: [1, 1, 1, '1000.00'],
    bundles: [1, '1000.00', 1, '1000.00'],
  };
  const all = {
    today: [5, 5_000, 5, '5000.00'],
    week: [5, 5_000],
    pending: [1, 1, 1],
    payments: [6, 6, 5, '5000.00'],
    bundles: [5, '5000.00', 5, '5000.00'],
  };
  const none = { today: [0, 0, 0, '0.00'], week: [0, 0], bundles: [0, '0.00', 0, '0.00'] };
  const untold = { ...own, ...none, payments: [1, 1, 0, '0.00'] };
  assert.deepEqual(await figures(zawadi), untold, 'what was sold is seen, and added up by nobody who has yet to count');
  await app.post('/api/admin/shifts/close/', { counted: 900 }, zawadi);
  assert.deepEqual(await figures(zawadi), own);
  for (const headers of [staff, app.admin]) assert.deepEqual(await figures(headers), all);
  for (const path of ['/api/dashboard-stats/', '/api/admin/reports/revenue/', '/api/admin/export/payments/']) {
    assert.equal((await app.get(path, zawadi)).status, 403, path);
  }

  const find = async (query: string) => (await app.get(`/api/admin/payments/?${query}`, zawadi)).body;
  for (const query of ['phone_number=2557', 'search=255', 'search=J-1', 'status=completed', `bundle_id=${bundle.id}`]) {
    const { summary, pagination } = await find(query);
    assert.ok(pagination.total <= 1 && summary.completed_count <= 1, query);
  }
  const named = await find(`phone_number=${encodeURIComponent(asha)}`);
  assert.equal(named.pagination.total, 5);
  assert.equal(named.summary.completed_count, 1, 'nor does a number that was named add up what others sold');
  const order = app.context.reads.payments.page({ status: 'pending' }, { limit: 1, offset: 0 })[0]?.orderReference;
  assert.equal((await find(`search=${order}`)).pagination.total, 1);
});

/** What a new stream of live numbers says at once. */
async function firstEvent(app: TestApp, headers: Headers): Promise<Json[]> {
  const leaving = new AbortController();
  const reply = await fetch(`${app.url}/api/admin/events/`, { headers, signal: leaving.signal });
  const { value } = await reply.body!.getReader().read();
  leaving.abort();
  return [
    JSON.parse(
      Buffer.from(value ?? [])
        .toString()
        .slice('data: '.length),
    ),
  ];
}
