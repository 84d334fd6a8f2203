/** A provider that names one payment for two orders: one is paid with it, and the other holds up nobody. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PaymentProvider } from '../../src/domain/ports.ts';
import { startApp } from '../support/app.ts';
import { rows } from '../support/rows.ts';

/** Everything has been paid, with one payment; told at the order where `atCheckout`, else when it is asked. */
function repeating(atCheckout: boolean): PaymentProvider {
  const reference = 'the-one-payment';
  return {
    name: 'sandbox',
    capabilities: {
      currencies: 'any',
      refunds: 'none',
      repeatableRefunds: false,
      walledGarden: [],
      requestsPerMinute: 600,
    },
    createCheckout: async () => ({
      redirectUrl: 'http://pay.invalid/',
      paymentReference: atCheckout ? reference : null,
    }),
    verify: async () => ({
      state: 'completed',
      amount: { minor: 100_000, currency: 'TZS' },
      paymentReference: reference,
      transactionId: null,
      channel: null,
      payerPhone: null,
    }),
    parseWebhook: () => {
      throw new Error('none');
    },
    refund: () => Promise.reject(new Error('none')),
    refundStatus: () => Promise.reject(new Error('none')),
  };
}

test('a reference of another order is no checkout, and no error of the appliance', async t => {
  const app = await startApp(t, { provider: repeating(true) });
  const bundle = await app.createBundle();
  const order = (phone: string) => app.post('/api/initiate-payment/', { phone_number: phone, bundle_id: bundle.id });
  assert.equal((await order('0712345678')).status, 200);
  const second = await order('0754321987');
  assert.equal(second.status, 502, JSON.stringify(second.body));
  assert.equal(second.body.code, 'PAYMENT_PROVIDER_UNAVAILABLE');
});

test('a payment of another order grants nothing: it is flagged, and its schedule goes on', async t => {
  const app = await startApp(t, { provider: repeating(false) });
  const bundle = await app.createBundle();
  for (const phone of ['0712345678', '0754321987']) {
    const { status } = await app.post('/api/initiate-payment/', { phone_number: phone, bundle_id: bundle.id });
    assert.equal(status, 200);
  }
  await app.passTime(30_000);
  const payments = rows(app, 'SELECT status, review, checks FROM payments ORDER BY status');
  assert.deepEqual(payments, [
    { status: 'completed', review: null, checks: 1 },
    { status: 'pending', review: 'reference_mismatch', checks: 1 },
  ]);
  assert.equal(app.logged.filter(line => line.includes('payment.not_settled')).length, 0);
});
