import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, until } from '../support/app.ts';
import { hire } from '../support/staff.ts';

const asha = { phone: '+255712345678', mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const juma = '+255754321987';
const HOUR = 3_600_000;

test('settings tell what is configured, and of keys only that they are', async t => {
  const app = await startApp(t, { router: true, environment: { LANGO_SMS_SENDER_ID: 'LANGO' } });
  await app.get('/api/router/status/', app.admin);
  const { status, body } = await app.get('/api/admin/settings/', app.admin);
  assert.equal(status, 200);
  const { router, payment_provider: payment, sms_provider: sms, system, branding, clock } = body.settings;
  assert.deepEqual(router, {
    router_ip: '127.0.0.1',
    username: 'lango',
    hotspot_name: '',
    api_port: app.router.port,
    connection_status: 'connected',
    problem: null,
  });
  assert.deepEqual(payment, {
    name: 'sandbox',
    sandbox: true,
    provider: 'sandbox',
    api_key_configured: true,
    webhook_url: `${app.url}/api/payment-webhook/`,
    environment: 'sandbox',
    last_webhook_at: null,
  });
  assert.deepEqual(sms, { provider: 'none', api_key_configured: false, sender_id: 'LANGO' });
  assert.equal(system.time_zone, 'Africa/Dar_es_Salaam');
  assert.equal(system.language_code, 'en');
  assert.equal(system.debug_mode, false);
  assert.deepEqual(system.allowed_hosts, ['127.0.0.1']);
  assert.equal(branding.business_name, 'Wi-Fi');
  assert.deepEqual(clock, { trusted: true, wall_time: app.clock.now(), believed_time: app.clock.now() });
});

test('settings say when the provider was last heard of', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle();
  await app.pay({ phone: juma, bundle });
  await until(async () => (await app.get('/api/webhook-logs/', app.admin)).body.length > 0);
  const { body } = await app.get('/api/admin/settings/', app.admin);
  assert.equal(body.settings.payment_provider.last_webhook_at, app.clock.now());
});

test('branding is changed as a whole, shown on the portal at once, and traced', async t => {
  const app = await startApp(t);
  const branding = {
    business_name: 'Asha Wi-Fi',
    logo_url: 'data:image/png;base64,iVBORw0KGgo=',
    primary_color: '#A0B1C2',
    support_phone: '0712 345 678',
    network_name: 'Asha-Hotspot',
    terms_url: 'https://asha.example/terms',
    language: 'sw',
  };
  const { status, body } = await app.post('/api/admin/settings/branding/', branding, app.admin);
  assert.equal(status, 200);
  assert.deepEqual(body.branding, { ...branding, primary_color: '#a0b1c2' });
  const portal = (await app.get('/api/portal/')).body;
  assert.equal(portal.business_name, 'Asha Wi-Fi');
  assert.equal(portal.language, 'sw');

  const bare = await app.post(
    '/api/admin/settings/branding/',
    { business_name: 'Plain', primary_color: '#000000', logo_url: null },
    app.admin,
  );
  assert.deepEqual(bare.body.branding, {
    business_name: 'Plain',
    logo_url: null,
    primary_color: '#000000',
    support_phone: null,
    network_name: null,
    terms_url: null,
    language: null,
  });
  const { entries } = (await app.get('/api/admin/audit-log/?action=settings.branding', app.admin)).body;
  assert.equal(entries.length, 2);
  assert.equal(entries[0].before.businessName, 'Asha Wi-Fi');
});

test('branding that a browser must not follow is refused', async t => {
  const app = await startApp(t);
  const wrong = {
    business_name: '',
    primary_color: 'red',
    logo_url: 'javascript:alert(1)',
    terms_url: 'data:text/html,<script>',
    language: 'xx',
  };
  const { status, body } = await app.post('/api/admin/settings/branding/', wrong, app.admin);
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.details).toSorted(), Object.keys(wrong).toSorted());
  const sneaky = { business_name: 'A', primary_color: '#000000', logo_url: '//evil.example/logo.png' };
  assert.equal((await app.post('/api/admin/settings/branding/', sneaky, app.admin)).status, 400);
});

test('status has every field of the interface, of its type', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ price: 1_500 });
  await app.pay({ phone: juma, bundle });
  await until(async () => (await app.get('/api/admin/status/', app.admin)).body.status.payments_today === 1);
  await app.post('/api/initiate-payment/', { phone_number: asha.phone, bundle_id: bundle.id });
  const { status, body } = await app.get('/api/admin/status/', app.admin);
  assert.equal(status, 200);
  assert.equal(body.timestamp, app.clock.now());
  const { uptime, memory_usage: memory, disk_usage: disk, ...rest } = body.status;
  assert.deepEqual(rest, {
    database_status: 'connected',
    router_status: 'disconnected',
    routers: [{ router_id: 1, name: 'Main router', connection_status: 'not_configured', problem: null, online: 0 }],
    active_users: 1,
    payments_today: 1,
    revenue_today: 1500,
    refunds_today: 0,
    payments_week: 1,
    revenue_week: 1500,
    refunds_week: 0,
    total_users: 2,
    active_bundles: 1,
    pending_payments: 1,
    online: 0,
    problems: [],
    warnings: app.context.health().warnings,
    payment_provider: { name: 'sandbox', sandbox: true },
  });
  assert.equal(uptime, 'less than a minute');
  assert.match(memory, /^\d+ MB$/);
  assert.match(disk, /^[\d.]+ (MB|GB) of [\d.]+ (MB|GB) \(\d+%\)$/);
  app.clock.advance(26 * HOUR);
  assert.equal((await app.get('/api/admin/status/', app.admin)).body.status.uptime, '1 day, 2 hours');
});

test('the dashboard unites both listings of the interface', async t => {
  const app = await startApp(t, { router: true });
  const bundle = await app.createBundle({ name: 'Day', price: 1_000 });
  const [code] = await app.issueVouchers({ quantity: 3 });
  app.router.join(asha);
  await app.redeem(code!, asha.phone, asha.mac);
  await app.pay({ phone: asha.phone, bundle });
  await app.pay({ phone: juma, bundle });
  const stats = async () => (await app.get('/api/dashboard-stats/', app.admin)).body;
  await until(async () => (await stats()).total_payments === 2);
  await app.post('/api/initiate-payment/', { phone_number: juma, bundle_id: bundle.id });
  await until(() => app.router.activeSessions().length === 1);
  await app.schedule.run('reconcile router');

  const body = await stats();
  const money = { total_revenue: '2000.00', refunds: '0.00', net_revenue: '2000.00' };
  const day = { ...money, total_transactions: 2, unique_users: 2, average_per_user: '1000.00' };
  assert.deepEqual(body.revenue_today, { period_days: 1, ...day });
  assert.deepEqual(body.revenue_7d, { period_days: 7, ...day });
  assert.deepEqual(body.revenue_30d, { period_days: 30, ...day });
  assert.deepEqual(
    [body.total_users, body.active_users, body.total_payments, body.today_revenue, body.pending_payments],
    [2, 2, 2, '2000.00', 1],
  );
  assert.deepEqual(body.payment_stats, { total: 3, completed: 2, pending: 1, failed: 0, cancelled: 0 });
  const sales = { in_stock: 2, sold: 0, used_unsold: 1, giveaway: 0 };
  assert.deepEqual(body.voucher_stats, { total: 3, used: 1, available: 2, revoked: 0, expired: 0, ...sales });
  assert.equal(body.vouchers_available, 2);
  assert.deepEqual(body.device_stats, { total: 1, online: 1 });
  assert.equal(body.recent_payments.length, 3);
  assert.deepEqual(body.recent_payments.map((payment: { status: string }) => payment.status).toSorted(), [
    'COMPLETED',
    'COMPLETED',
    'PENDING',
  ]);
  for (const name of ['phone_number', 'amount', 'date', 'status']) assert.ok(body.recent_payments[0][name], name);
  assert.deepEqual(
    body.recent_users.map((user: { phone_number: string }) => user.phone_number),
    [juma, asha.phone],
  );
});

test('vouchers that expired or were revoked are not available', async t => {
  const app = await startApp(t);
  await app.issueVouchers({ quantity: 2, expiryDays: 1 });
  await app.issueVouchers({ quantity: 3, expiryDays: 30 });
  const batches = (await app.get('/api/admin/voucher-batches/', app.admin)).body.batches;
  const vouchers = (await app.get('/api/vouchers/list/', app.admin)).body;
  const long = vouchers.find((voucher: { batch_id: number }) => voucher.batch_id === batches[0].id);
  assert.equal((await app.post(`/api/admin/vouchers/${long.id}/revoke/`, {}, app.admin)).status, 200);
  app.clock.advance(25 * HOUR);
  const { body } = await app.get('/api/dashboard-stats/', app.admin);
  const sales = { in_stock: 2, sold: 0, used_unsold: 0, giveaway: 0 };
  assert.deepEqual(body.voucher_stats, { total: 5, used: 0, available: 2, revoked: 1, expired: 2, ...sales });
});

test('days are those of the configured zone, and people count once in a period', async t => {
  // 01:30 of the 21st in Dar es Salaam, still the 20th in UTC.
  const app = await startApp(t, { now: '2026-11-20T22:30:00.000Z' });
  const bundle = await app.createBundle({ price: 500, hours: 1 });
  const stats = async () => (await app.get('/api/dashboard-stats/', app.admin)).body;
  const paid = async (times: number) => {
    await app.pay({ phone: juma, bundle });
    await until(async () => (await stats()).total_payments === times);
  };
  await paid(1);
  app.clock.advance(22 * HOUR);
  assert.equal((await stats()).today_revenue, '500.00', '23:30 of the same day');
  app.clock.advance(HOUR);
  assert.equal((await stats()).today_revenue, '0.00', '00:30 of the next one');
  await paid(2);
  const { revenue_7d: week } = await stats();
  assert.deepEqual([week.total_revenue, week.total_transactions, week.unique_users], ['1000.00', 2, 1]);
  const { body } = await app.get('/api/admin/reports/revenue/?from=2026-11-20&to=2026-11-23', app.admin);
  assert.deepEqual(
    body.rows.map((row: { day: string; revenue: string }) => `${row.day} ${row.revenue}`),
    ['2026-11-20 0.00', '2026-11-21 500.00', '2026-11-22 500.00', '2026-11-23 0.00'],
  );
});

test('the report by bundle names what was sold, also when the bundle is gone, the best seller first', async t => {
  const app = await startApp(t);
  const hour = await app.createBundle({ name: 'Hour', price: 500, hours: 1 });
  const day = await app.createBundle({ name: 'Day', price: 2_000 });
  await app.pay({ phone: juma, bundle: hour });
  await app.pay({ phone: juma, bundle: day });
  await app.pay({ phone: asha.phone, bundle: day });
  const report = async () => (await app.get('/api/admin/reports/revenue/?group=bundle', app.admin)).body;
  await until(async () => (await report()).total === '4500.00');
  await app.send('DELETE', `/api/admin/bundles/${day.id}/`, undefined, app.admin);
  const { currency, rows, from, to } = await report();
  assert.deepEqual([currency, from, to], ['TZS', '2026-10-23', '2026-11-21']);
  assert.deepEqual(rows, [
    { bundle_id: day.id, bundle_name: 'Day', payments: 2, revenue: '4000.00', ...kept('4000.00'), payers: 2 },
    { bundle_id: hour.id, bundle_name: 'Hour', payments: 1, revenue: '500.00', ...kept('500.00'), payers: 1 },
  ]);
});

const kept = (net: string) => ({ refunds: '0.00', net });

test('the report tells gross, refunds and net by method, cashier, hour and place, and the days before', async t => {
  // 23:30 in Dar es Salaam: what is given back after midnight is of another day and hour.
  const app = await startApp(t, { now: '2026-11-20T20:30:00.000Z' });
  const bundle = await app.createBundle({ price: 1_000 });
  const { headers: zawadi } = await hire(app, 'cashier', 'zawadi');
  await app.post('/api/admin/shifts/open/', { opening_float: 0 }, zawadi);
  const sale = { phone_number: juma, bundle_id: bundle.id, receipt_number: '1' };
  const { payment } = (await app.post('/api/admin/sales/', sale, zawadi)).body;
  await app.pay({ phone: asha.phone, bundle });
  const report = async (query: string) => (await app.get(`/api/admin/reports/revenue/?${query}`, app.admin)).body;
  await until(async () => (await report('')).total === '2000.00');
  app.clock.advance(3_600_000);
  await app.post(`/api/admin/payments/${payment.id}/refund/`, { reason: 'Slow', amount: 400 }, app.admin);

  const sold = { payments: 1, revenue: '1000.00', refunds: '0.00', net: '1000.00' };
  const nothing = { payments: 0, revenue: '0.00', refunds: '0.00', net: '0.00' };
  const givenBack = { ...nothing, refunds: '400.00', net: '-400.00' };
  const both = { ...sold, refunds: '400.00', net: '600.00' };
  assert.deepEqual((await report('group=method')).rows, [
    { method: 'cash', ...both },
    { method: 'online', ...sold },
  ]);
  assert.deepEqual((await report('group=cashier')).rows, [
    { cashier: null, ...sold },
    { cashier: 'zawadi', ...both },
  ]);
  assert.deepEqual((await report('group=place')).rows, [
    { place: 'counter', ...both },
    { place: 'portal', ...sold },
  ]);
  const byHour = (await report('group=hour')).rows;
  assert.equal(byHour.length, 24);
  assert.deepEqual(
    [byHour[0], byHour[12], byHour[23]],
    [
      { hour: 0, ...givenBack },
      { hour: 12, ...nothing },
      { hour: 23, payments: 2, revenue: '2000.00', refunds: '0.00', net: '2000.00' },
    ],
  );
  const today = await report('from=2026-11-21&to=2026-11-21');
  assert.deepEqual(
    [today.total, today.totals, today.rows],
    ['0.00', givenBack, [{ day: '2026-11-21', ...givenBack, payers: 0 }]],
  );
  assert.deepEqual(today.previous, {
    from: '2026-11-20',
    to: '2026-11-20',
    payments: 2,
    revenue: '2000.00',
    refunds: '0.00',
    net: '2000.00',
  });

  const file = await app.get('/api/admin/export/revenue/?group=cashier', app.admin);
  assert.match(
    file.headers.get('content-disposition') ?? '',
    /filename="revenue-by-cashier-2026-10-23-2026-11-21\.csv"/,
  );
  assert.equal(
    file.body,
    'cashier,payments,revenue,refunds,net\r\n,1,1000.00,0.00,1000.00\r\nzawadi,1,1000.00,400.00,600.00\r\n',
  );
});

test('a range that makes no sense is refused, by its field', async t => {
  const app = await startApp(t);
  for (const query of ['from=2026-11-22&to=2026-11-21', 'from=2000-01-01&to=2026-01-01', 'from=yesterday']) {
    const { status, body } = await app.get(`/api/admin/reports/revenue/?${query}`, app.admin);
    assert.equal(status, 400, query);
    assert.ok(body.details.from, query);
  }
});

test('a forced logout ends every session of the person, and says that paid time is still running', async t => {
  const app = await startApp(t, { router: true });
  const [code] = await app.issueVouchers();
  app.router.join(asha);
  await app.redeem(code!, asha.phone, asha.mac);
  await until(() => app.router.activeSessions().length === 1);
  const { status, body } = await app.post('/api/force-logout/', { phone_number: '0712345678' }, app.admin);
  assert.equal(status, 200);
  assert.equal(body.success, true);
  assert.match(body.message, /^1 session ended\. Paid time is still running until 2026-11-22 13:00.*block/);
  assert.equal(body.router_response, '1 session(s) removed');
  assert.deepEqual([app.router.activeSessions(), app.router.cookies()], [[], []]);

  await app.schedule.run('reconcile router');
  assert.equal(app.router.activeSessions().length, 1, 'entitled: back online');
});

test('a forced logout of somebody who is not online is no error, without a router it is 503', async t => {
  const app = await startApp(t, { router: true });
  const { status, body } = await app.post('/api/force-logout/', { phone_number: juma }, app.admin);
  assert.deepEqual([status, body.success], [200, true]);
  await app.router.stopListening();
  app.router.dropConnections();
  const without = await app.post('/api/force-logout/', { phone_number: juma }, app.admin);
  assert.equal(without.status, 503);
  assert.deepEqual(Object.keys(without.body).toSorted(), ['message', 'success']);
  assert.equal((await app.post('/api/force-logout/', {}, app.admin)).status, 400);
});

test('an owner confirms a clock that jumped', async t => {
  const app = await startApp(t);
  app.clock.jump(30 * 24 * HOUR);
  const before = (await app.get('/api/admin/settings/', app.admin)).body.settings.clock;
  assert.equal(before.trusted, false);
  assert.equal(before.wall_time, app.clock.now());
  assert.equal(before.believed_time, '2026-11-21T10:00:00.000Z');
  const { status, body } = await app.post('/api/admin/clock/confirm/', {}, app.admin);
  assert.equal(status, 200);
  assert.deepEqual(body.clock, { trusted: true, wall_time: app.clock.now(), believed_time: app.clock.now() });
  const [entry] = (await app.get('/api/admin/audit-log/?action=clock.confirm', app.admin)).body.entries;
  assert.equal(entry.after.trusted, false);
});

test('jobs tell when they ran last, how they failed, and whether they are late', async t => {
  const app = await startApp(t);
  await app.schedule.run('heartbeat');
  const job = async () =>
    (await app.get('/api/admin/jobs/', app.admin)).body.jobs.find(
      (each: { name: string }) => each.name === 'heartbeat',
    );
  const fresh = { name: 'heartbeat', period_seconds: 60, last_finished_at: app.clock.now(), last_error: null };
  assert.deepEqual(await job(), { ...fresh, late: false });
  app.clock.advance(181_000);
  assert.deepEqual(await job(), { ...fresh, late: true });
});

test('messages are listed with what became of them', async t => {
  const app = await startApp(t, {
    environment: {
      LANGO_SMS_PROVIDER: 'http',
      LANGO_SMS_API_URL: 'http://127.0.0.1:1/?to={to}&text={text}',
      LANGO_SMS_API_KEY: 'sms-key',
    },
  });
  const [code] = await app.issueVouchers();
  await app.redeem(code!, juma);
  const staff = await hire(app, 'staff');
  const { status, body } = await app.get('/api/admin/sms/?page_size=5', staff.headers);
  assert.equal(status, 200);
  assert.deepEqual(body.pagination, { total: 1, page: 1, page_size: 5, total_pages: 1 });
  const [{ id, text, ...message }] = body.messages;
  assert.ok(id > 0 && text.length > 0 && text.length <= 160);
  assert.deepEqual(message, {
    phone_number: juma,
    kind: 'voucher_redeemed',
    status: 'queued',
    attempts: 0,
    created_at: app.clock.now(),
    sent_at: null,
    message: null,
  });
});
