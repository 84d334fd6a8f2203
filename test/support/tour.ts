/**
 * Every operation of the API, called with something that makes sense, on one appliance with everything: a simulated
 * router with people on it, the sandbox's payments, admins of every role. What comes back is kept.
 */
import type { TestContext } from 'node:test';
import { totpCode, totpStep } from '../../src/domain/totp.ts';
import { hmacHex } from '../../src/outbound/signature.ts';
import { startRouterSimulator } from '../simulator/router.ts';
import { type Answer, OWNER, startApp, type TestApp, until } from './app.ts';
import { type Colleague, hire, openSession, STAFF_PASSWORD } from './staff.ts';

export interface Visit extends Answer {
  /** Method and path of the route, such as `GET /users/:user_id/`. */
  operation: string;
}

export interface Tour {
  app: TestApp;
  visits: Visit[];
  /** What must never be told again: what the tour typed in, and what it was told once, by operation. */
  secrets: { value: string; toldBy: string | null }[];
}

const ROUTER_PASSWORD = 'the password of the router';
const OTHER_ROUTER_PASSWORD = 'the password of the other router';
const PAYMENT_KEY = 'sandbox-key-that-nobody-may-see';
const WEBHOOK_SECRET = 'webhook-secret-that-nobody-may-see';
const SMS_KEY = 'sms-key-that-nobody-may-see';

const asha = { phone: '+255712345678', mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const juma = { phone: '+255754321987', mac: 'B8:27:EB:65:43:21', address: '10.5.50.12' };
const neema = '+255622000111';

interface Call {
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** @returns what every call was answered; throws where an answer is not even a success */
export async function takeTour(t: TestContext): Promise<Tour> {
  const app = await startApp(t, {
    router: { password: ROUTER_PASSWORD },
    environment: {
      LANGO_ROUTER_PASSWORD: ROUTER_PASSWORD,
      LANGO_PAYMENT_API_KEY: PAYMENT_KEY,
      LANGO_PAYMENT_WEBHOOK_SECRET: WEBHOOK_SECRET,
      LANGO_SMS_PROVIDER: 'http',
      LANGO_SMS_API_URL: 'http://127.0.0.1:1/?to={to}&text={text}',
      LANGO_SMS_API_KEY: SMS_KEY,
      LANGO_TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  const visits: Visit[] = [];
  const secrets = [
    ROUTER_PASSWORD,
    OTHER_ROUTER_PASSWORD,
    PAYMENT_KEY,
    WEBHOOK_SECRET,
    SMS_KEY,
    OWNER.password,
    STAFF_PASSWORD,
    app.admin['authorization']!.slice('Bearer '.length),
  ].map(value => ({ value, toldBy: null as string | null }));
  const guide: Guide = {
    app,
    secrets,
    async call(operation, { params = {}, query, body, headers = app.admin } = {}) {
      const [method = '', template = ''] = operation.split(' ');
      const path = template.replaceAll(/:([a-z_]+)/g, (_, name) => encodeURIComponent(params[name] ?? ''));
      const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
      const answer = await app.send(method, `/api${path}${search}`, body, headers);
      if (answer.status >= 300) throw new Error(`${operation}: ${answer.status} ${JSON.stringify(answer.body)}`);
      visits.push({ operation, ...answer });
      // Limits are not the subject here, and a whole tour is more than a phone does in a minute. What waits for the
      // router must not be told that its time is up.
      if (!path.startsWith('/admin/router')) app.clock.advance(20_000);
      return answer.body;
    },
    keep: visit => void visits.push(visit),
  };
  await visitLogin(guide);
  await visitSetup(t, guide);
  await visitShop(guide);
  await visitRouterCalls(guide);
  await visitPeople(guide);
  await visitMoney(guide);
  await visitVouchers(guide);
  await visitSystem(guide);
  await visitAdmins(guide);
  await visitEvents(guide);
  await visitRouters(t, guide);
  await visitRouter(guide);
  return { app, visits, secrets };
}

interface Guide extends Pick<Tour, 'app' | 'secrets'> {
  call(operation: string, call?: Call): Promise<Answer['body']>;
  keep(visit: Visit): void;
}

const nobody = {};

async function visitLogin({ app, call, secrets }: Guide): Promise<void> {
  await call('GET /health/', { headers: nobody });
  await call('GET /portal/', { headers: nobody });
  await call('GET /captive-portal/', { headers: nobody });
  const { token, admin_access_token: access } = await call('POST /auth/login/', { body: OWNER, headers: nobody });
  secrets.push({ value: token, toldBy: 'POST /auth/login/' }, { value: access, toldBy: 'POST /auth/login/' });
  const headers = { authorization: `Token ${token}`, 'x-admin-access': access };
  await call('GET /auth/profile/', { headers });
  await call('POST /auth/confirm/', { body: { password: OWNER.password }, headers });
  await call('POST /auth/logout/', { body: {}, headers });

  const staff = await hire(app, 'staff', 'with-a-phone');
  remember(secrets, staff);
  const { secret } = await call('POST /auth/totp/start/', { body: {}, headers: staff.headers });
  secrets.push({ value: secret, toldBy: 'POST /auth/totp/start/' });
  const code = () => totpCode(secret, totpStep(app.context.clock.now()));
  const { recovery_codes: codes } = await call('POST /auth/totp/confirm/', {
    body: { code: code() },
    headers: staff.headers,
  });
  for (const value of codes) secrets.push({ value, toldBy: 'POST /auth/totp/confirm/' });
  app.clock.advance(60_000);
  await call('POST /auth/totp/disable/', {
    body: { password: STAFF_PASSWORD, code: code() },
    headers: staff.headers,
  });
}

const remember = (secrets: Tour['secrets'], { token, access }: Pick<Colleague, 'token' | 'access'>) =>
  secrets.push({ value: token, toldBy: null }, { value: access, toldBy: null });

/** An appliance without an admin has nothing else to show. */
async function visitSetup(t: TestContext, { keep, call }: Guide): Promise<void> {
  await call('GET /auth/setup/', { headers: nobody });
  const fresh = await startApp(t, { environment: { LANGO_ADMIN_USERNAME: '', LANGO_ADMIN_PASSWORD: '' } });
  const line = fresh.logged.find(each => each.includes('setupCode')) ?? '{}';
  const body = { setup_code: JSON.parse(line).setupCode, username: 'asha', password: 'a password of asha' };
  keep({ operation: 'POST /auth/setup/', ...(await fresh.post('/api/auth/setup/', body)) });
}

async function visitShop({ app, call }: Guide): Promise<void> {
  await call('POST /admin/bundles/', {
    body: { name: 'Day', description: 'Until tomorrow', price: 1_000, duration_hours: 24 },
  });
  const [bundle] = await call('GET /bundles/', { headers: nobody });
  const order = { phone_number: asha.phone, bundle_id: bundle.id, mac_address: asha.mac };
  app.router.join(asha);
  const opened = await call('POST /initiate-payment/', { body: order, headers: nobody });
  app.sandbox?.decide(opened.payment_reference, 'completed', 'never');
  const event = JSON.stringify({
    event_id: 'event-1',
    order_reference: opened.order_reference,
    payment_reference: opened.payment_reference,
    payment_status: 'COMPLETED',
    amount: 1_000,
    currency: 'TZS',
    phone_number: asha.phone,
    transaction_id: 'T1',
    payment_channel: 'SANDBOX',
  });
  const signature = hmacHex('sha256', app.sandbox?.webhookSecret ?? '', event);
  await call('POST /payment-webhook/', { body: event, headers: { 'x-payment-signature': signature } });
  const params = { order_reference: opened.order_reference };
  await until(async () => (await app.get(`/api/payment-status/${params.order_reference}/`)).body.access_granted);
  await call('GET /payment-status/:order_reference/', { params, headers: nobody });
  const person = { phone_number: asha.phone };
  await call('POST /verify/', { body: { ...person, mac_address: asha.mac }, headers: nobody });
  await call('GET /user-status/:phone_number/', { params: person, headers: nobody });
  await call('GET /devices/:phone_number/', { params: person, headers: nobody });
  await until(() => app.router.activeSessions().length === 1);
  await takeFree({ app, call });
}

/** By a phone that is known at the address it asks from, and that leaves no trace for what comes next. */
async function takeFree({ app, call }: Pick<Guide, 'app' | 'call'>): Promise<void> {
  const { bundle } = await call('POST /admin/bundles/', { body: { name: 'Try it', price: 0, duration_hours: 0.01 } });
  const phone = app.router.join({ mac: 'B8:27:EB:00:00:09', address: '10.5.50.19' });
  const body = { phone_number: '+255688000999', bundle_id: bundle.id };
  await call('POST /free-access/', { body, headers: { 'x-forwarded-for': '10.5.50.19' } });
  app.router.leave(phone.mac);
  const { users } = await call('GET /admin/users/', { query: { phone_number: body.phone_number } });
  await call('DELETE /admin/users/:user_id/delete/', { params: { user_id: users[0].id } });
  await call('DELETE /admin/bundles/:bundle_id/', { params: { bundle_id: bundle.id } });
}

async function visitRouterCalls({ call }: Guide): Promise<void> {
  const headers = { accept: 'application/json' };
  const body = { username: asha.phone.slice(1), mac: asha.mac, ip: asha.address };
  await call('POST /router/auth/', { body, headers });
  await call('GET /router/user-status/', { query: { username: asha.phone }, headers });
  await call('POST /router/user-status/', { body: { username: asha.phone }, headers });
  await call('GET /router/status/');
  await call('POST /router/logout/', { body: { username: neema }, headers });
}

async function visitPeople({ app, call }: Guide): Promise<void> {
  const { users } = await call('GET /admin/users/', { query: { status: 'active' } });
  await call('GET /users/');
  const params = { user_id: users[0].id };
  await call('PUT /admin/users/:user_id/update/', { params, body: { max_devices: 3 } });
  await call('POST /admin/users/:user_id/describe/', { params, body: { name: 'Asha', note: 'Pays on Fridays' } });
  await call('POST /admin/users/:user_id/grant/', { params, body: { hours: 1.5, reason: 'A bad evening' } });
  await call('POST /admin/users/:user_id/devices/rename/', {
    params,
    body: { mac_address: asha.mac, device_name: 'Phone of Asha' },
  });
  await call('GET /admin/users/:user_id/', { params });
  await call('GET /users/:user_id/', { params });
  await call('POST /admin/users/:user_id/disconnect/', { params, body: {} });
  await call('POST /force-logout/', { body: { phone_number: asha.phone } });
  const now = Date.parse(app.clock.now());
  const outage = { from: new Date(now - 60_000).toISOString(), to: new Date(now - 30_000).toISOString() };
  await call('POST /admin/credit/', { body: { ...outage, hours: 1, reason: 'Power cut' } });
  await call('POST /admin/credit/', { body: { ...outage, hours: 1, reason: 'Power cut', preview: false } });
  await call('POST /admin/users/:user_id/devices/remove/', { params, body: { mac_address: asha.mac } });
  const back = { phone_number: asha.phone, mac_address: asha.mac };
  await call('POST /verify/', { body: back, headers: nobody });
  app.router.leave(asha.mac);
  await until(() => app.router.activeSessions().length === 0);
  await call('POST /devices/proof/', { body: { phone_number: asha.phone }, headers: nobody });
  const [paid] = (await call('GET /admin/users/:user_id/', { params })).user.payments;
  await call('POST /devices/remove/', { body: { ...back, proof: paid.order_reference }, headers: nobody });
}

async function visitMoney({ app, call, secrets }: Guide): Promise<void> {
  const cashier = await hire(app, 'cashier', 'at-the-counter');
  remember(secrets, cashier);
  const { headers } = cashier;
  await call('POST /admin/shifts/open/', { body: { opening_float: '5000.00' }, headers });
  const { bundles } = await call('GET /admin/bundles/');
  const sale = { phone_number: neema, bundle_id: bundles[0].id, receipt_number: 'R-1' };
  const sold = await call('POST /admin/sales/', { body: sale, headers });
  await call('GET /admin/shifts/current/', { headers });
  const paidOut = { direction: 'out', amount: '250.00', reason: 'Soap' };
  await call('POST /admin/shifts/cash/', { body: paidOut, headers });
  const { shift } = await call('POST /admin/shifts/close/', { body: { counted: '6000.00' }, headers });
  const drawer = { shift_id: shift.id };
  await call('POST /admin/shifts/:shift_id/note/', { params: drawer, body: { note: 'All there' }, headers });
  await call('GET /admin/shifts/:shift_id/', { params: drawer, headers });
  await call('GET /admin/shifts/');

  const order = { phone_number: juma.phone, bundle_id: bundles[0].id };
  const opened = await call('POST /initiate-payment/', { body: order, headers: nobody });
  if (app.sandbox !== null) app.sandbox.faults.paidAmount = '1500.00';
  app.sandbox?.decide(opened.payment_reference, 'completed', 'never');
  const list = await call('GET /admin/payments/', { query: { search: opened.order_reference } });
  const params = { payment_id: list.payments[0].id };
  await call('POST /admin/payments/:payment_id/recheck/', { params, body: {} });
  await call('POST /admin/payments/:payment_id/review/', { params, body: { note: 'Gave the rest back' } });
  await call('POST /admin/payments/:payment_id/refund/', { params, body: { reason: 'Bought twice', amount: 400 } });
  await call('GET /admin/payments/:payment_id/', { params });
  await call('GET /payments/:payment_id/', { params: { payment_id: sold.payment.id } });
  await call('GET /payments/');
  const [log] = await call('GET /webhook-logs/');
  await call('GET /webhook-logs/:log_id/', { params: { log_id: log.id } });
  await call('DELETE /admin/users/:user_id/delete/', { params: { user_id: sold.user.id } });
}

async function visitVouchers({ call }: Guide): Promise<void> {
  const spare = { name: 'Week', price: '7000.00', duration_hours: 168, router_profile: 'gold' };
  const { bundle } = await call('POST /admin/bundles/', { body: spare });
  const params = { bundle_id: bundle.id };
  await call('PUT /admin/bundles/:bundle_id/', { params, body: { name: 'Seven days' } });
  const body = { bundle_id: bundle.id, quantity: 3, expiry_days: 30, phone_number: neema };
  const { vouchers, batch_id: batchId } = await call('POST /vouchers/generate/', { body });
  const redemption = { phone_number: juma.phone, voucher_code: vouchers[0].code, mac_address: juma.mac };
  await call('POST /vouchers/redeem/', { body: redemption, headers: nobody });
  await call('GET /admin/bundles/:bundle_id/', { params });
  const listed = await call('GET /vouchers/list/', { query: { is_used: 'false' } });
  const batch = { batch_id: batchId };
  await call('POST /admin/vouchers/:voucher_id/revoke/', {
    params: { voucher_id: listed[0].id },
    body: { reason: 'Lost' },
  });
  await call('GET /admin/voucher-batches/');
  await call('GET /admin/voucher-batches/:batch_id/', { params: batch });
  await call('GET /admin/voucher-batches/:batch_id/codes/', { params: batch });
  const { sale } = await call('POST /admin/voucher-sales/', { body: { batch_id: batchId } });
  await call('GET /admin/voucher-sales/');
  const back = { params: { sale_id: sale.id }, body: { reason: 'Sold by mistake' } };
  await call('POST /admin/voucher-sales/:sale_id/refund/', back);
  await call('POST /admin/voucher-batches/:batch_id/revoke/', { params: batch, body: {} });
  await call('DELETE /admin/bundles/:bundle_id/', { params });
  for (const what of ['users', 'payments', 'vouchers', 'revenue']) await call(`GET /admin/export/${what}/`);
}

async function visitSystem({ app, call }: Guide): Promise<void> {
  const branding = { business_name: 'Asha Wi-Fi', primary_color: '#0b6e4f', support_phone: '0712 345 678' };
  await call('POST /admin/settings/branding/', { body: branding });
  const text = 'Karibu! {amount} kwa {bundle}, hadi {until}.';
  await call('POST /admin/settings/messages/', { body: { language: 'sw', kind: 'payment_received', text } });
  await call('POST /admin/settings/devices/', { body: { device_swap: 'when_away', new_devices: 'by_number' } });
  await call('POST /admin/settings/limits/', { body: { default_max_devices: 2, order_expiry_minutes: 45 } });
  await call('POST /admin/settings/cashiers/', { body: { vouchers_per_day: 50 } });
  await call('GET /admin/settings/');
  await call('GET /admin/status/');
  await app.schedule.run('heartbeat');
  await app.schedule.run('send sms');
  await call('GET /admin/jobs/');
  await call('GET /admin/sms/');
  await call('POST /admin/clock/confirm/', { body: {} });
  await call('POST /admin/settings/check-provider/', { body: {} });
  await call('GET /dashboard-stats/');
  await call('GET /admin/reports/revenue/');
  for (const group of ['bundle', 'method', 'cashier', 'hour', 'place']) {
    await call('GET /admin/reports/revenue/', { query: { group } });
  }
}

async function visitAdmins({ app, call, secrets }: Guide): Promise<void> {
  const account = { username: 'neema', password: 'a password of neema', email: 'n@example.com', role: 'staff' };
  secrets.push({ value: account.password, toldBy: null }, { value: 'the next of neema', toldBy: null });
  const { admin } = await call('POST /admin/admins/', { body: account });
  const params = { admin_id: admin.id };
  await call('PUT /admin/admins/:admin_id/', { params, body: { first_name: 'Neema', role: 'cashier' } });
  const session = await openSession(app, admin.id);
  remember(secrets, session);
  await call('GET /admin/admins/');
  await call('GET /admin/admins/:admin_id/sessions/', { params, headers: session.headers });
  await call('POST /admin/sessions/:session_id/end/', { params: { session_id: session.sessionId }, body: {} });
  await call('POST /admin/admins/:admin_id/password/', { params, body: { password: 'the next of neema' } });
  await call('GET /admin/audit-log/', { query: { page_size: '100' } });
}

async function visitEvents({ app, keep }: Guide): Promise<void> {
  const leaving = new AbortController();
  const { status, headers, body } = await fetch(`${app.url}/api/admin/events/`, {
    headers: app.admin,
    signal: leaving.signal,
  });
  const first = await body?.getReader().read();
  keep({ operation: 'GET /admin/events/', status, headers, body: Buffer.from(first?.value ?? []).toString() });
  leaving.abort();
}

async function visitRouters(t: TestContext, { call }: Guide): Promise<void> {
  const other = await startRouterSimulator({ username: 'lango', password: OTHER_ROUTER_PASSWORD });
  t.after(() => other.stop());
  const body = { name: 'Garden', router_ip: '127.0.0.1', api_port: other.port, username: 'lango' };
  const { router } = await call('POST /admin/routers/', { body: { ...body, password: OTHER_ROUTER_PASSWORD } });
  await call('GET /admin/routers/');
  await call('DELETE /admin/routers/:router_id/', { params: { router_id: router.router_id } });
}

async function visitRouter({ app, call }: Guide): Promise<void> {
  await call('GET /admin/router/config/');
  await call('POST /admin/router/test-connection/', { body: {} });
  await call('POST /admin/router/config/', { body: { password: ROUTER_PASSWORD } });
  await call('GET /admin/router/router-info/');
  await call('GET /admin/router/resources/');
  await call('POST /admin/router/profiles/create/', { body: { name: 'gold', rate_limit: '2M/8M' } });
  await call('GET /admin/router/profiles/');
  app.router.join(juma);
  await until(async () => {
    await app.schedule.run('reconcile router');
    return app.router.activeSessions().length === 1;
  });
  await call('GET /admin/desk/', { query: { search: juma.phone } });
  await call('GET /admin/gate/');
  await call('POST /admin/devices/connect/', { body: { phone_number: juma.phone, mac_address: juma.mac } });
  await call('GET /admin/router/active-users/');
  await call('POST /admin/router/disconnect-user/', { body: { username: juma.phone } });
  await call('POST /admin/router/disconnect-all/', { body: {} });
  await call('GET /admin/router/plan/');
  await call('POST /admin/router/plan/apply/', { body: { confirm: 'APPLY_ROUTER_PLAN' } });
  await call('POST /admin/router/reboot/', { body: { confirm: 'REBOOT_ROUTER' } });
}
