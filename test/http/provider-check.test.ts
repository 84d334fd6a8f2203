import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';

const PATH = '/api/admin/settings/check-provider/';

test('the owner can ask whether the provider’s keys work', async t => {
  const app = await startApp(t);
  const { status, body } = await app.post(PATH, {}, app.admin);
  assert.equal(status, 200);
  assert.deepEqual(body, { success: true, message: 'sandbox answers and accepts the keys.' });
});

test('a provider that is down, or does not take the keys, is said to be so, and nothing fails', async t => {
  const app = await startApp(t);
  app.sandbox!.faults.down = true;
  const { status, body } = await app.post(PATH, {}, app.admin);
  assert.equal(status, 200);
  assert.equal(body.success, false);
  assert.match(body.message, /^sandbox cannot be used now: /);
});
