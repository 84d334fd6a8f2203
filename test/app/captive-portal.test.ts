import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';

const ASHA = '+255712345678';
const PHONE = { mac: 'A4:83:E7:12:34:56', address: '127.0.0.2' };

/** The router is known under another address than its own, so that this machine can play a phone. */
const THROUGH_PROXY = { LANGO_TRUSTED_PROXIES: '127.0.0.1' };
const from = (address: string) => ({ 'x-forwarded-for': address });

test('the captive-portal document tells a phone by its address how long it is online', async t => {
  const app = await startApp(t, { router: true, environment: THROUGH_PROXY });
  app.router.join(PHONE);
  await app.schedule.run('reconcile router');
  const before = await app.get('/api/captive-portal/', from(PHONE.address));
  assert.equal(before.headers.get('content-type'), 'application/captive+json');
  assert.equal(before.headers.get('cache-control'), 'no-store');
  assert.deepEqual(before.body, { captive: true, 'user-portal-url': `${app.url}/`, 'can-extend-session': true });

  const [code] = await app.issueVouchers({ hours: 2 });
  await app.redeem(code!, ASHA, PHONE.mac);
  app.clock.advance(30 * 60_000);
  const after = await app.get('/api/captive-portal/', from(PHONE.address));
  assert.deepEqual(after.body, {
    captive: false,
    'user-portal-url': `${app.url}/`,
    'can-extend-session': true,
    'seconds-remaining': 90 * 60,
  });
  app.clock.advance(90 * 60_000);
  assert.equal((await app.get('/api/captive-portal/', from(PHONE.address))).body.captive, true);
});

test('a phone that the router does not know, or cannot be asked about, is captive', async t => {
  const app = await startApp(t);
  assert.equal((await app.get('/api/captive-portal/')).body.captive, true);
});

test('somebody who says that they have paid is believed as soon as the provider says so', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ hours: 1 });
  const order = await app.pay({ phone: ASHA, bundle, mac: PHONE.mac, webhook: 'never' });
  const reply = await app.post('/api/verify/', { phone_number: ASHA, mac_address: PHONE.mac });
  assert.equal(reply.body.has_access, true);
  assert.equal(reply.body.pending_order_reference, undefined);
  assert.equal((await app.get(`/api/payment-status/${order.body.order_reference}/`)).body.payment_status, 'COMPLETED');
});

test('an order that is still open is told to the device that it was made for, and to no other', async t => {
  const app = await startApp(t);
  const bundle = await app.createBundle({ hours: 1 });
  const order = await app.post('/api/initiate-payment/', {
    phone_number: ASHA,
    bundle_id: bundle.id,
    mac_address: PHONE.mac,
  });
  const own = await app.post('/api/verify/', { phone_number: ASHA, mac_address: PHONE.mac });
  assert.equal(own.body.pending_order_reference, order.body.order_reference);
  const other = await app.post('/api/verify/', { phone_number: ASHA, mac_address: 'B8:27:EB:65:43:21' });
  assert.equal(other.body.pending_order_reference, undefined);
  assert.equal((await app.post('/api/verify/', { phone_number: ASHA })).body.pending_order_reference, undefined);
});

test('verify says when the paid phone cannot be put online because the router does not answer', async t => {
  const app = await startApp(t, { router: true });
  await app.schedule.run('reconcile router');
  const [code] = await app.issueVouchers();
  await app.redeem(code!, ASHA, PHONE.mac);
  const question = { phone_number: ASHA, mac_address: PHONE.mac };
  assert.equal((await app.post('/api/verify/', question)).body.router_connected, true);
  await app.router.stopListening();
  const reply = await app.post('/api/verify/', question);
  assert.equal(reply.body.has_access, true);
  assert.equal(reply.body.router_connected, false);
});
