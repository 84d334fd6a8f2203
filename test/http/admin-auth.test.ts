/** Every admin endpoint × every credential × every role. See docs/interface.md: Authentication. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES } from '../../src/contract/auth.ts';
import type { Role } from '../../src/contract/endpoint.ts';
import { createResources } from '../../src/http/resources.ts';
import { ADMIN_TOKEN, type Answer, startApp, type TestApp } from '../support/app.ts';
import { forbiddenFields } from '../support/secrets.ts';
import { type Colleague, hire, openSession } from '../support/staff.ts';

/** The role that each endpoint takes at least. An endpoint that is not here has not been thought about. */
const LEAST_ROLE: Readonly<Record<string, Role>> = {
  'POST /auth/confirm/': 'cashier',
  'POST /auth/logout/': 'cashier',
  'GET /auth/profile/': 'cashier',
  'POST /auth/totp/start/': 'cashier',
  'POST /auth/totp/confirm/': 'cashier',
  'POST /auth/totp/disable/': 'cashier',
  'GET /router/status/': 'cashier',
  'GET /webhook-logs/': 'staff',
  'GET /webhook-logs/:log_id/': 'staff',
  'POST /vouchers/generate/': 'cashier',
  'GET /vouchers/list/': 'cashier',
  'GET /admin/users/': 'cashier',
  'GET /users/': 'cashier',
  'GET /admin/users/:user_id/': 'cashier',
  'GET /users/:user_id/': 'cashier',
  'PUT /admin/users/:user_id/update/': 'staff',
  'POST /admin/users/:user_id/describe/': 'cashier',
  'DELETE /admin/users/:user_id/delete/': 'staff',
  'POST /admin/users/:user_id/grant/': 'staff',
  'POST /admin/users/:user_id/disconnect/': 'cashier',
  'POST /admin/users/:user_id/devices/remove/': 'cashier',
  'POST /admin/users/:user_id/devices/rename/': 'cashier',
  'POST /admin/credit/': 'staff',
  'GET /admin/payments/': 'cashier',
  'GET /payments/': 'cashier',
  'GET /admin/payments/:payment_id/': 'cashier',
  'GET /payments/:payment_id/': 'cashier',
  'POST /admin/payments/:payment_id/recheck/': 'cashier',
  'POST /admin/payments/:payment_id/review/': 'staff',
  'POST /admin/payments/:payment_id/refund/': 'owner',
  'GET /admin/desk/': 'cashier',
  'GET /admin/gate/': 'cashier',
  'POST /admin/devices/connect/': 'cashier',
  'POST /admin/sales/': 'cashier',
  'GET /admin/shifts/': 'cashier',
  'GET /admin/shifts/current/': 'cashier',
  'POST /admin/shifts/open/': 'cashier',
  'POST /admin/shifts/cash/': 'cashier',
  'POST /admin/shifts/close/': 'cashier',
  'GET /admin/shifts/:shift_id/': 'cashier',
  'POST /admin/shifts/:shift_id/note/': 'cashier',
  'GET /admin/bundles/': 'cashier',
  'POST /admin/bundles/': 'staff',
  'GET /admin/bundles/:bundle_id/': 'cashier',
  'PUT /admin/bundles/:bundle_id/': 'staff',
  'DELETE /admin/bundles/:bundle_id/': 'staff',
  'GET /admin/voucher-batches/': 'cashier',
  'GET /admin/voucher-batches/:batch_id/': 'cashier',
  'GET /admin/voucher-batches/:batch_id/codes/': 'cashier',
  'POST /admin/voucher-batches/:batch_id/revoke/': 'staff',
  'GET /admin/voucher-sales/': 'cashier',
  'POST /admin/voucher-sales/': 'cashier',
  'POST /admin/voucher-sales/:sale_id/refund/': 'owner',
  'POST /admin/vouchers/:voucher_id/revoke/': 'staff',
  'GET /admin/export/users/': 'staff',
  'GET /admin/export/revenue/': 'staff',
  'GET /admin/export/payments/': 'staff',
  'GET /admin/export/vouchers/': 'staff',
  'GET /admin/routers/': 'owner',
  'POST /admin/routers/': 'owner',
  'DELETE /admin/routers/:router_id/': 'owner',
  'GET /admin/router/config/': 'owner',
  'POST /admin/router/config/': 'owner',
  'POST /admin/router/test-connection/': 'owner',
  'GET /admin/router/router-info/': 'staff',
  'GET /admin/router/resources/': 'staff',
  'GET /admin/router/active-users/': 'cashier',
  'POST /admin/router/disconnect-user/': 'cashier',
  'POST /admin/router/disconnect-all/': 'staff',
  'POST /admin/router/reboot/': 'owner',
  'GET /admin/router/profiles/': 'staff',
  'POST /admin/router/profiles/create/': 'staff',
  'GET /admin/router/plan/': 'owner',
  'POST /admin/router/plan/apply/': 'owner',
  'GET /admin/settings/': 'owner',
  'POST /admin/settings/branding/': 'owner',
  'POST /admin/settings/messages/': 'owner',
  'POST /admin/settings/devices/': 'owner',
  'POST /admin/settings/limits/': 'owner',
  'POST /admin/settings/cashiers/': 'owner',
  'GET /admin/status/': 'cashier',
  'POST /admin/clock/confirm/': 'owner',
  'POST /admin/settings/check-provider/': 'owner',
  'GET /admin/jobs/': 'staff',
  'GET /admin/sms/': 'staff',
  'POST /force-logout/': 'cashier',
  'GET /dashboard-stats/': 'staff',
  'GET /admin/reports/revenue/': 'staff',
  'GET /admin/admins/': 'owner',
  'POST /admin/admins/': 'owner',
  'PUT /admin/admins/:admin_id/': 'owner',
  'POST /admin/admins/:admin_id/password/': 'cashier',
  'GET /admin/admins/:admin_id/sessions/': 'cashier',
  'POST /admin/sessions/:session_id/end/': 'cashier',
  'GET /admin/audit-log/': 'owner',
  'GET /admin/events/': 'cashier',
};

type Headers = Record<string, string>;
type Session = Pick<Colleague, 'token' | 'access'>;

/** What lets an admin in. */
const ACCEPTED: Readonly<Record<string, (session: Session) => Headers>> = {
  'Bearer with the token of a session': ({ token }) => ({ authorization: `Bearer ${token}` }),
  'Bearer with the configured token': () => ({ authorization: `Bearer ${ADMIN_TOKEN}` }),
  'Token and X-Admin-Access of one session': ({ token, access }) => ({
    authorization: `Token ${token}`,
    'x-admin-access': access,
  }),
  'Token and the configured token as X-Admin-Access': ({ token }) => ({
    authorization: `Token ${token}`,
    'x-admin-access': ADMIN_TOKEN,
  }),
  'X-Admin-Access of a session alone': ({ access }) => ({ 'x-admin-access': access }),
  'the configured token as X-Admin-Access alone': () => ({ 'x-admin-access': ADMIN_TOKEN }),
};

/** What does not, whoever shows it. */
const REJECTED: Readonly<Record<string, (session: Session, other: Session) => Headers>> = {
  nothing: () => ({}),
  'a token that nobody has': () => ({ authorization: 'Bearer nobody-has-this-token' }),
  'the access token as Bearer': ({ access }) => ({ authorization: `Bearer ${access}` }),
  'the token as X-Admin-Access': ({ token }) => ({ 'x-admin-access': token }),
  'Token alone': ({ token }) => ({ authorization: `Token ${token}` }),
  'the configured token as Token alone': () => ({ authorization: `Token ${ADMIN_TOKEN}` }),
  'Token and X-Admin-Access of two sessions': ({ token }, { access }) => ({
    authorization: `Token ${token}`,
    'x-admin-access': access,
  }),
  'a good Bearer with a bad X-Admin-Access': ({ token }) => ({
    authorization: `Bearer ${token}`,
    'x-admin-access': 'nobody-has-this-token',
  }),
  'a bad Bearer with a good X-Admin-Access': ({ access }) => ({
    authorization: 'Bearer nobody-has-this-token',
    'x-admin-access': access,
  }),
  'another scheme': ({ token }) => ({ authorization: `Basic ${token}` }),
  'an empty X-Admin-Access': () => ({ 'x-admin-access': '' }),
};

interface Endpoint {
  name: string;
  method: string;
  path: string;
  /** Body shapes of the router's endpoints say in one field that nothing happened. */
  saysSuccess: boolean;
}

const isAdminOnly = (app: TestApp): Endpoint[] =>
  createResources(app.context)
    .routes.filter(route => route.auth !== 'none')
    .map(({ method, path, errors }) => ({
      name: `${method} ${path}`,
      method,
      path,
      saysSuccess: !['api', 'payment', undefined].includes(errors),
    }));

/** Sends the endpoint something harmless: nothing to act upon, and ids that nobody has. */
async function call(app: TestApp, { method, path }: Endpoint, headers: Headers, ownId: number): Promise<Answer> {
  const concrete = path.replaceAll(/:[a-z_]+/g, name => (name === ':admin_id' ? String(ownId) : '999999'));
  // Limits are not the subject here.
  app.clock.advance(13_000);
  // A stream has no end; its head says all that matters.
  const verb = path === '/admin/events/' ? 'HEAD' : method;
  return app.send(verb, `/api${concrete}`, method === 'GET' ? undefined : {}, headers);
}

function assertRefused(answer: Answer, endpoint: Endpoint, title: string, why: string): void {
  assert.equal(answer.status, 403, why);
  if (endpoint.path === '/admin/events/') return;
  const { success, ...body } = answer.body;
  assert.deepEqual(Object.keys(body).toSorted(), ['detail', 'error', 'message'], why);
  assert.equal(success, endpoint.saysSuccess ? false : undefined, why);
  assert.equal(body.error, title, why);
  assert.equal(body.detail, body.message, why);
}

/** Not that the call did anything: it had nothing to do. But that who called it was not the matter. */
function assertAdmitted({ status, body }: Answer, why: string): void {
  // Nothing here has a router: what needs one says so.
  assert.ok([200, 400, 404, 409, 503].includes(status), `${why}: ${status} ${JSON.stringify(body)}`);
  if (status === 400) assert.ok(body.details !== undefined || body.success === false, why);
}

test('the table names every admin endpoint there is, with the role that the server asks for', async t => {
  const app = await startApp(t);
  const asked = createResources(app.context)
    .routes.filter(route => route.auth !== 'none')
    .map(route => [`${route.method} ${route.path}`, route.auth]);
  assert.deepEqual(Object.fromEntries(asked), LEAST_ROLE);
});

test('no admin endpoint answers to a credential that is missing, wrong or incomplete', async t => {
  const app = await startApp(t);
  const owner = await hire(app, 'owner', 'first-owner');
  const other = await hire(app, 'owner', 'second-owner');
  for (const endpoint of isAdminOnly(app)) {
    for (const [what, headersOf] of Object.entries(REJECTED)) {
      const why = `${endpoint.name} with ${what}`;
      assertRefused(await call(app, endpoint, headersOf(owner, other), 1), endpoint, 'Authentication required', why);
    }
    Object.assign(owner, await openSession(app, owner.id));
    Object.assign(other, await openSession(app, other.id));
  }
});

test('every admin endpoint answers to each scheme of the interface, and tells no secret', async t => {
  const app = await startApp(t);
  const { id } = await hire(app, 'owner', 'first-owner');
  for (const endpoint of isAdminOnly(app)) {
    for (const [what, headersOf] of Object.entries(ACCEPTED)) {
      const why = `${endpoint.name} with ${what}`;
      // A session of its own for each: one of the endpoints ends it.
      const answer = await call(app, endpoint, headersOf(await openSession(app, id)), id);
      const isNobody = /configured token(?! as X)|alone$/.test(what) && endpoint.path.startsWith('/auth/totp/');
      if (isNobody && answer.status === 403) continue;
      assertAdmitted(answer, why);
      assert.deepEqual(forbiddenFields(answer.body), [], why);
    }
  }
});

test('every admin endpoint answers to the roles that may, and to no other', async t => {
  const app = await startApp(t);
  const admins = Object.fromEntries(
    await Promise.all(ROLES.map(async role => [role, await hire(app, role)] as const)),
  ) as Record<Role, Colleague>;
  for (const endpoint of isAdminOnly(app)) {
    const least = LEAST_ROLE[endpoint.name] as Role;
    for (const role of ROLES) {
      const { id } = admins[role];
      const { headers } = await openSession(app, id);
      const answer = await call(app, endpoint, headers, id);
      const why = `${endpoint.name} as ${role}`;
      if (ROLES.indexOf(role) <= ROLES.indexOf(least)) assertAdmitted(answer, why);
      else {
        assertRefused(answer, endpoint, 'Forbidden', why);
        if (endpoint.path !== '/admin/events/')
          assert.match(answer.body.message, new RegExp(`role ${least};.*${role}`));
      }
    }
  }
});

test('no public endpoint asks for a credential', async t => {
  const app = await startApp(t);
  for (const { method, path, auth } of createResources(app.context).routes) {
    if (auth !== 'none') continue;
    const concrete = path.replaceAll(/:[a-z_]+/g, '0712345678');
    const { status } = await app.send(method, `/api${concrete}`, method === 'GET' ? undefined : {});
    assert.notEqual(status, 403, `${method} ${path}`);
  }
});
