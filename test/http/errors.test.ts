import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';

import type { ErrorShape } from '../../src/contract/endpoint.ts';
import * as field from '../../src/contract/fields.ts';
import { type ErrorCode, LangoError } from '../../src/domain/errors.ts';
import { errorReply } from '../../src/http/errors.ts';
import { text } from '../../src/http/reply.ts';
import { OPEN, postJson, recordingLog, serve } from './support.ts';

const REQUEST = { id: 'run-1', method: 'POST', path: '/x/' };

function replyTo(
  code: ErrorCode,
  shape: ErrorShape = 'api',
  options: ConstructorParameters<typeof LangoError>[2] = {},
) {
  const error = new LangoError(code, 'What happened.', options);
  const { status, body, headers } = errorReply(error, REQUEST, { shape, plain: false, log: recordingLog() });
  return { status, body: JSON.parse(body) as Record<string, unknown>, headers };
}

test('every code has its status', () => {
  const statuses: Record<ErrorCode, number> = {
    VALIDATION: 400,
    NOT_FOUND: 404,
    CONFLICT: 409,
    FORBIDDEN: 403,
    UNAUTHENTICATED: 403,
    LOGIN_FAILED: 401,
    REAUTHENTICATION_REQUIRED: 403,
    RATE_LIMITED: 429,
    PAYLOAD_TOO_LARGE: 413,
    UNSUPPORTED_TYPE: 415,
    FREE_TAKEN: 409,
    USER_BLOCKED: 403,
    BUNDLE_UNAVAILABLE: 404,
    DEVICE_NOT_REGISTERED: 404,
    PROOF_REQUIRED: 403,
    SMS_UNAVAILABLE: 503,
    VOUCHER_INVALID: 404,
    VOUCHER_USED: 409,
    VOUCHER_EXPIRED: 410,
    VOUCHER_REVOKED: 410,
    VOUCHER_LIMIT: 409,
    SHIFT_REQUIRED: 409,
    PAYMENT_FAILED: 402,
    PAYMENT_PROVIDER_UNAVAILABLE: 502,
    REFUND_NOT_ALLOWED: 409,
    ROUTER_UNAVAILABLE: 503,
    ROUTER_REFUSED: 500,
    STORAGE_UNAVAILABLE: 503,
    INTERNAL: 500,
  };
  for (const [code, status] of Object.entries(statuses)) assert.equal(replyTo(code as ErrorCode).status, status, code);
});

test('each shape has the fields that the interface gives it', () => {
  const message = 'What happened.';
  assert.deepEqual(replyTo('NOT_FOUND').body, { error: 'Not found', message });
  assert.deepEqual(replyTo('LOGIN_FAILED').body, { error: 'Login failed', message });
  assert.deepEqual(replyTo('UNAUTHENTICATED').body, { detail: message, error: 'Authentication required', message });
  assert.deepEqual(replyTo('PAYMENT_FAILED', 'payment').body, {
    error: 'Payment failed',
    message,
    code: 'PAYMENT_FAILED',
  });
  assert.deepEqual(replyTo('BUNDLE_UNAVAILABLE').body['code'], 'BUNDLE_UNAVAILABLE');
  assert.deepEqual(replyTo('VOUCHER_USED', 'voucher').body, {
    success: false,
    error: 'Voucher already used',
    message,
    code: 'VOUCHER_USED',
  });
  assert.deepEqual(replyTo('USER_BLOCKED', 'voucher').body['code'], 'USER_BLOCKED');
  assert.deepEqual(replyTo('DEVICE_NOT_REGISTERED', 'action').body, {
    success: false,
    error: 'Device not registered',
    message,
  });
  assert.deepEqual(replyTo('ROUTER_REFUSED', 'router').body, { success: false, message });
  assert.deepEqual(replyTo('RATE_LIMITED', 'router').body, { success: false, error: 'Too many requests', message });
  assert.deepEqual(replyTo('ROUTER_UNAVAILABLE').body, { success: false, error: 'Router unavailable', message });
  assert.deepEqual(replyTo('USER_BLOCKED', 'router-auth').body, {
    'auth-state': 0,
    success: false,
    error: 'User blocked',
    message,
  });
});

test('a validation error keeps its details in every shape', () => {
  const details = { confirm: ['Send exactly REBOOT_ROUTER.'] };
  assert.deepEqual(replyTo('VALIDATION', 'api', { details }).body['details'], details);
  const { body } = replyTo('VALIDATION', 'router', { details });
  assert.deepEqual([body['success'], body['message'], body['details']], [false, 'What happened.', details]);
});

test('Retry-After is said where it is known', () => {
  assert.deepEqual(replyTo('RATE_LIMITED', 'api', { retryAfterSeconds: 7 }).headers, ['Retry-After', '7']);
  assert.deepEqual(replyTo('RATE_LIMITED').headers, []);
});

test('what is ours to know stays ours: neither an unforeseen error nor INTERNAL says its message', () => {
  for (const error of [
    new Error('SQLITE_CORRUPT in users'),
    new LangoError('INTERNAL', 'SQLITE_CORRUPT'),
    'text',
    null,
  ]) {
    const log = recordingLog();
    const { status, body } = errorReply(error, REQUEST, { shape: 'api', plain: false, log });
    assert.equal(status, 500);
    assert.doesNotMatch(body, /SQLITE|text/);
    assert.equal(JSON.parse(body).request_id, 'run-1');
    assert.equal(log.lines[0]?.fields['err'], error);
  }
});

test('the refusals of a client are not worth a line in the log', () => {
  const log = recordingLog();
  errorReply(new LangoError('VOUCHER_INVALID', 'No.'), REQUEST, { shape: 'voucher', plain: false, log });
  assert.deepEqual(log.lines, []);
});

test('router errors are plain text unless the body or Accept is JSON, never by user agent', async t => {
  const contract = {
    ...OPEN,
    method: 'POST',
    path: '/router/auth/',
    body: v.object({ username: field.phone }),
    accepts: 'json-or-form',
    errors: 'router-auth',
    plain: true,
  } as const;
  const { url } = await serve(t, api => api.handle(contract, ({ wantsJson }) => text(200, String(wantsJson))));
  const ask = (body: string, type: string, headers: Record<string, string> = {}) =>
    postJson(`${url}/api/router/auth/`, body, { 'content-type': type, ...headers });
  const form = 'application/x-www-form-urlencoded';

  const plain = await ask('username=abc', form, { 'user-agent': 'Mozilla/5.0', accept: '*/*' });
  assert.equal(plain.status, 400);
  assert.equal(plain.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.match(await plain.text(), /^Give a mobile number/);

  for (const reply of [
    await ask('username=abc', form, { accept: 'text/html, application/json;q=0.9' }),
    await ask('{"username":"abc"}', 'application/json'),
    await ask('{"username"', 'application/json; charset=utf-8'),
  ]) {
    assert.equal(reply.status, 400);
    const body = (await reply.json()) as Record<string, unknown>;
    assert.equal(body['auth-state'], 0);
    assert.equal(body['success'], false);
    assert.equal(typeof body['error'], 'string');
  }
  assert.equal(await (await ask('username=0712345678', form)).text(), 'false');
  assert.equal(await (await ask('{"username":"0712345678"}', 'application/json')).text(), 'true');
});
