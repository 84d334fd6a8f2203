/** An appliance as it comes out of its box, with no router, messages or payments: each reply keeps its promise. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADMIN_TOKEN, OWNER, startApp } from '../support/app.ts';
import { amount, boolean, instant, integer, type Kind, number, string, text } from '../support/shape.ts';

const ASHA = '+255712345678';

/** Fields that the interface names, with the types that it gives them; a reply may hold more. */
type Promised = Kind | { readonly [field: string]: Promised };

const list: Kind = value => Array.isArray(value);
const orNull =
  (kind: Kind): Kind =>
  value =>
    value === null || kind(value);

const success = boolean;
const message = string;
const pagination = { total: integer, page: integer, page_size: integer, total_pages: integer };
const profile = {
  id: integer,
  username: string,
  email: text,
  first_name: text,
  last_name: text,
  is_staff: boolean,
  date_joined: instant,
};
const revenue = {
  period_days: integer,
  total_revenue: text,
  total_transactions: integer,
  unique_users: integer,
  average_per_user: text,
};

const GETS: Record<string, Promised> = {
  '/health/': {
    status: string,
    timestamp: instant,
    version: string,
    service: string,
    database: string,
    database_connected: boolean,
  },
  '/auth/profile/': profile,
  '/bundles/': list,
  [`/devices/${ASHA}/`]: list,
  '/vouchers/list/': list,
  '/webhook-logs/': list,
  '/router/status/': {
    success,
    router_ip: text,
    router_port: integer,
    connection_status: string,
    connection_details: { success, message },
    hotspot_name: text,
    active_users: integer,
    admin_user: string,
    timestamp: instant,
  },
  '/admin/router/config/': {
    success,
    configuration: {
      router_ip: text,
      username: text,
      password_configured: boolean,
      api_port: integer,
      use_ssl: boolean,
      default_profile: text,
    },
  },
  '/admin/users/': { success, users: list, pagination },
  '/users/': { success, users: list, pagination },
  '/admin/payments/': {
    success,
    payments: list,
    pagination,
    summary: {
      total_amount: amount,
      pending_amount: amount,
      completed_count: integer,
      pending_count: integer,
      failed_count: integer,
    },
  },
  '/admin/bundles/': { success, bundles: list },
  '/admin/settings/': {
    success,
    settings: {
      router: {
        router_ip: text,
        username: text,
        hotspot_name: text,
        api_port: integer,
        connection_status: string,
      },
      payment_provider: { api_key_configured: boolean, webhook_url: string, environment: string },
      sms_provider: { api_key_configured: boolean, sender_id: text },
      system: { debug_mode: boolean, allowed_hosts: list, time_zone: string, language_code: string },
    },
  },
  '/admin/status/': {
    success,
    status: {
      database_status: string,
      router_status: string,
      uptime: string,
      memory_usage: string,
      disk_usage: string,
      active_users: integer,
      payments_today: integer,
      revenue_today: number,
      payments_week: integer,
      revenue_week: number,
      total_users: integer,
      active_bundles: integer,
      pending_payments: integer,
    },
    timestamp: instant,
  },
  '/dashboard-stats/': {
    active_users: integer,
    revenue_30d: revenue,
    revenue_7d: value => value !== null && value !== undefined,
    revenue_today: value => value !== null && value !== undefined,
    recent_payments: list,
    recent_users: list,
    payment_stats: value => typeof value === 'object' && value !== null,
    voucher_stats: value => typeof value === 'object' && value !== null,
    device_stats: value => typeof value === 'object' && value !== null,
    total_users: integer,
    total_payments: integer,
    today_revenue: value => value !== null && value !== undefined,
    pending_payments: integer,
    vouchers_available: integer,
  },
};

const ROUTERLESS = { success, message };

const POSTS: Record<string, readonly [body: object, status: number, Promised]> = {
  '/auth/login/': [
    OWNER,
    200,
    {
      success,
      token: string,
      admin_access_token: string,
      user: { id: integer, username: string, email: text, is_staff: boolean },
      message,
    },
  ],
  '/verify/': [
    { phone_number: ASHA },
    200,
    {
      has_access: boolean,
      user: { phone_number: string, subscription_end: orNull(instant), devices_count: integer, max_devices: integer },
      message,
    },
  ],
  '/router/auth/': [{ username: ASHA }, 403, { error: string, 'auth-state': integer, success, message }],
  '/router/logout/': [{ username: ASHA }, 200, { success, message, user: string }],
  '/router/user-status/': [{ username: ASHA }, 404, { success, message, username: string, user_type: string }],
  '/vouchers/redeem/': [
    { phone_number: ASHA, voucher_code: 'ABCD-EFGH-JKMN' },
    404,
    { error: string, message, code: string },
  ],
  '/devices/remove/': [
    { phone_number: ASHA, mac_address: 'A4:83:E7:12:34:56' },
    404,
    { success, error: string, message },
  ],
  '/initiate-payment/': [
    { phone_number: ASHA, bundle_id: 999, mac_address: 'A4:83:E7:12:34:56' },
    404,
    { error: string, message, code: string },
  ],
  '/admin/router/test-connection/': [{}, 200, ROUTERLESS],
  '/admin/router/disconnect-user/': [{ username: ASHA }, 503, ROUTERLESS],
  '/admin/router/disconnect-all/': [{}, 503, ROUTERLESS],
  '/admin/router/reboot/': [{ confirm: 'yes' }, 400, ROUTERLESS],
  '/admin/router/profiles/create/': [
    { name: 'fast', rate_limit: '5M/5M', session_timeout: '1d', idle_timeout: '5m' },
    503,
    ROUTERLESS,
  ],
  '/force-logout/': [{ phone_number: ASHA }, 503, ROUTERLESS],
};

test('every endpoint of the interface answers with the types that it promises, on a fresh appliance', async t => {
  const app = await startApp(t);
  for (const [path, promised] of Object.entries(GETS)) {
    const { status, body } = await app.get(`/api${path}`, app.admin);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    assertPromised(body, promised, path);
  }
  for (const path of ['router-info', 'active-users', 'profiles', 'resources']) {
    const { status, body } = await app.get(`/api/admin/router/${path}/`, app.admin);
    assert.equal(status, 503, path);
    assertPromised(body, ROUTERLESS, path);
  }
  for (const [path, [sent, status, promised]] of Object.entries(POSTS)) {
    const answer = await app.post(`/api${path}`, sent, path.startsWith('/admin/') ? app.admin : withCredentials(path));
    assert.equal(answer.status, status, `${path}: ${JSON.stringify(answer.body)}`);
    assertPromised(answer.body, promised, path);
  }
});

const withCredentials = (path: string): Record<string, string> =>
  path === '/force-logout/' ? { authorization: `Bearer ${ADMIN_TOKEN}` } : {};

test('where no router is set, its address is empty and its port the usual one; the configured token is as old as the books', async t => {
  const app = await startApp(t, { now: '2026-11-21T10:00:00.000Z' });
  app.clock.advance(3_600_000);
  const status = (await app.get('/api/router/status/', app.admin)).body;
  assert.deepEqual([status.router_ip, status.router_port, status.hotspot_name], ['', 8_728, '']);
  const { date_joined: joined } = (await app.get('/api/auth/profile/', app.admin)).body;
  assert.equal(joined, '2026-11-21T10:00:00.000Z');
});

function assertPromised(value: unknown, promised: Promised, path: string): void {
  if (typeof promised === 'function') {
    assert.ok(promised(value), `${path} is ${JSON.stringify(value)}`);
    return;
  }
  assert.ok(typeof value === 'object' && value !== null, `${path} is ${JSON.stringify(value)}`);
  for (const [field, inner] of Object.entries(promised)) {
    assertPromised((value as Record<string, unknown>)[field], inner, `${path} ${field}`);
  }
}
