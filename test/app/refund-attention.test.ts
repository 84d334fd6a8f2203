/** A refund that the provider cannot finish by itself: staff read what to do, for as long as there is something to do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProvider } from '../payment/support.ts';
import { startApp } from '../support/app.ts';

test('a refund that waits for bank details says so to staff, and no longer once it is paid out', async t => {
  let refund = 'needs-attention';
  const order: Record<string, unknown> = { status: 'success', amount: 100_000, currency: 'KES', id: 1 };
  const api = await startProvider(t, ({ path, body }) => {
    if (path === '/transaction/initialize') {
      order['reference'] = JSON.parse(body).reference;
      return { body: { status: true, data: { authorization_url: 'https://checkout.paystack.com/x' } } };
    }
    return { body: { status: true, data: path.startsWith('/refund') ? { id: 77, status: refund } : order } };
  });
  const app = await startApp(t, {
    environment: {
      LANGO_CURRENCY: 'KES',
      LANGO_PAYMENT_PROVIDER: 'paystack',
      LANGO_PAYMENT_API_URL: api.url,
      LANGO_PAYMENT_API_KEY: 'sk_test_key',
      LANGO_PAYMENT_EMAIL_DOMAIN: 'wifi.example',
    },
  });
  const bundle = await app.createBundle({ price: 1_000 });
  const started = await app.post('/api/initiate-payment/', { phone_number: '+255712345678', bundle_id: bundle.id });
  await app.get(`/api/payment-status/${started.body.order_reference}/`);
  const [payment] = (await app.get('/api/payments/', app.admin)).body.payments;
  assert.equal(payment.status, 'completed');

  const asked = await app.post(`/api/admin/payments/${payment.id}/refund/`, { reason: 'twice' }, app.admin);
  assert.equal(asked.body.refund.status, 'pending');
  const told = async () => (await app.get(`/api/payments/${payment.id}/`, app.admin)).body.payment.refunds[0];
  assert.match((await told()).message, /customer’s bank details/);

  refund = 'processed';
  await app.schedule.run('settle refunds');
  const { status, message } = await told();
  assert.deepEqual([status, message], ['completed', null]);
});
