import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Auth } from '../../src/contract/endpoint.ts';
import { createAuthenticate } from '../../src/http/credentials.ts';
import type { Api } from '../../src/http/route.ts';
import { OPEN, rawClient, STATIC_TOKEN, serve } from './support.ts';

function roleRoutes(api: Api): void {
  for (const auth of ['cashier', 'staff', 'owner'] as const) {
    const contract = { ...OPEN, method: 'GET', path: `/${auth}/`, auth } as const;
    api.handle(contract, ({ caller, actor }) => ({ kind: caller.kind, actor }));
  }
  api.handle({ ...OPEN, method: 'GET', path: '/open/' }, ({ caller }) => ({ caller }));
}

type Headers = Record<string, string>;
const OLIVE = { kind: 'session', actor: { adminId: 11, name: 'olive', ip: '127.0.0.1' } };
const STATIC = { kind: 'static-token', actor: { adminId: null, name: 'configured token', ip: '127.0.0.1' } };

test('each listed way to present credentials is accepted', async t => {
  const { url } = await serve(t, roleRoutes);
  const accepted: [Headers, object][] = [
    [{ authorization: 'Bearer olive-token' }, OLIVE],
    [{ authorization: 'bearer   olive-token' }, OLIVE],
    [{ authorization: `Bearer ${STATIC_TOKEN}` }, STATIC],
    [{ authorization: 'Token olive-token', 'x-admin-access': 'olive-access' }, OLIVE],
    [{ authorization: 'Token olive-token', 'x-admin-access': STATIC_TOKEN }, OLIVE],
    [{ 'x-admin-access': 'olive-access' }, OLIVE],
    [{ 'x-admin-access': STATIC_TOKEN }, STATIC],
    [{ authorization: 'Bearer olive-token', 'x-admin-access': 'olive-access' }, OLIVE],
    [{ authorization: 'Bearer olive-token', 'x-admin-access': STATIC_TOKEN }, OLIVE],
    [{ authorization: `Bearer ${STATIC_TOKEN}`, 'x-admin-access': 'olive-access' }, OLIVE],
    [{ authorization: `Bearer ${STATIC_TOKEN}`, 'x-admin-access': STATIC_TOKEN }, STATIC],
  ];
  for (const [headers, expected] of accepted) {
    const reply = await fetch(`${url}/api/owner/`, { headers });
    assert.equal(reply.status, 200, JSON.stringify(headers));
    assert.deepEqual(await reply.json(), expected);
  }
});

test('every other combination is refused with one and the same reply', async t => {
  const { url } = await serve(t, roleRoutes);
  const refused: Headers[] = [
    {},
    { authorization: 'Token olive-token' },
    { authorization: `Token ${STATIC_TOKEN}` },
    { authorization: `Token ${STATIC_TOKEN}`, 'x-admin-access': STATIC_TOKEN },
    { authorization: 'Token olive-token', 'x-admin-access': 'carl-access' },
    { authorization: 'Token wrong', 'x-admin-access': 'olive-access' },
    { authorization: 'Token wrong', 'x-admin-access': STATIC_TOKEN },
    { authorization: 'Token olive-token', 'x-admin-access': 'wrong' },
    { authorization: 'Bearer wrong' },
    { authorization: 'Bearer olive-access' },
    { authorization: 'Bearer wrong', 'x-admin-access': STATIC_TOKEN },
    { authorization: 'Bearer olive-token', 'x-admin-access': 'wrong' },
    { authorization: 'Bearer olive-token', 'x-admin-access': 'carl-access' },
    { authorization: 'Bearer olive-token', 'x-admin-access': '' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer ' },
    { authorization: 'Bearer olive-token extra' },
    { authorization: 'Basic b2xpdmU6b2xpdmU=' },
    { authorization: 'Basic b2xpdmU6b2xpdmU=', 'x-admin-access': STATIC_TOKEN },
    { authorization: 'olive-token' },
    { 'x-admin-access': 'olive-token' },
    { 'x-admin-access': 'wrong' },
    { 'x-admin-access': '' },
    { 'x-admin-access': `${STATIC_TOKEN}x` },
  ];
  for (const headers of refused) {
    const reply = await fetch(`${url}/api/cashier/`, { headers });
    assert.equal(reply.status, 403, JSON.stringify(headers));
    const message = 'Sign in as an admin to use this.';
    assert.deepEqual(await reply.json(), { detail: message, error: 'Authentication required', message });
  }
});

test('a header given twice is not two chances', async t => {
  const { port } = await serve(t, roleRoutes);
  const twice = 'X-Admin-Access: wrong\r\nX-Admin-Access: olive-access';
  const client = rawClient(t, port, `GET /api/cashier/ HTTP/1.1\r\nHost: x\r\n${twice}\r\n\r\n`);
  assert.match(await client.until('}'), /^HTTP\/1\.1 403 /);
});

test('without a configured token no empty or invented value stands in for it', () => {
  const authenticate = createAuthenticate({
    sessions: { byTokenHash: () => null, byAccessTokenHash: () => null },
    staticToken: null,
  });
  for (const value of ['', 'null', 'undefined', STATIC_TOKEN]) {
    assert.throws(() => authenticate({ authorization: `Bearer ${value}` }), { code: 'UNAUTHENTICATED' });
    assert.throws(() => authenticate({ 'x-admin-access': value }), { code: 'UNAUTHENTICATED' });
  }
});

test('a role opens what it is enough for, and nothing above it', async t => {
  const { url } = await serve(t, roleRoutes);
  const expected: [Headers, Record<Exclude<Auth, 'none'>, number>][] = [
    [{ 'x-admin-access': 'carl-access' }, { cashier: 200, staff: 403, owner: 403 }],
    [
      { authorization: 'Token carl-token', 'x-admin-access': STATIC_TOKEN },
      { cashier: 200, staff: 403, owner: 403 },
    ],
    [{ 'x-admin-access': 'olive-access' }, { cashier: 200, staff: 200, owner: 200 }],
    [{ 'x-admin-access': STATIC_TOKEN }, { cashier: 200, staff: 200, owner: 200 }],
  ];
  for (const [headers, statuses] of expected) {
    for (const [role, status] of Object.entries(statuses)) {
      const reply = await fetch(`${url}/api/${role}/`, { headers });
      assert.equal(reply.status, status, `${JSON.stringify(headers)} ${role}`);
      if (status === 403) assert.match(((await reply.json()) as { detail: string }).detail, /yours is cashier/);
    }
  }
});

test('a public route looks at no credentials at all', async t => {
  const { url } = await serve(t, roleRoutes);
  const reply = await fetch(`${url}/api/open/`, { headers: { authorization: 'Bearer wrong' } });
  assert.deepEqual(await reply.json(), { caller: null });
});
