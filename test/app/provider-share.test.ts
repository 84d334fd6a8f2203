/** Strangers who make orders and ask about them all the time: somebody who pays is granted as soon as without them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PaymentProvider, Verification } from '../../src/domain/ports.ts';
import { startApp } from '../support/app.ts';

const SECOND = 1_000;
const CUSTOMER = '10.5.50.7';

/** Grants 60 questions a minute, and counts them. */
function slowProvider() {
  const paid = new Set<string>();
  const asked: string[] = [];
  const provider: PaymentProvider = {
    name: 'sandbox',
    capabilities: {
      currencies: 'any',
      refunds: 'none',
      repeatableRefunds: false,
      walledGarden: [],
      requestsPerMinute: 60,
    },
    createCheckout: async () => ({ redirectUrl: 'http://pay.invalid/', paymentReference: null }),
    async verify({ orderReference }): Promise<Verification> {
      asked.push(orderReference);
      const isPaid = paid.has(orderReference);
      return {
        state: isPaid ? 'completed' : 'pending',
        amount: { minor: 100_000, currency: 'TZS' },
        paymentReference: null,
        transactionId: null,
        channel: null,
        payerPhone: null,
      };
    },
    parseWebhook: () => {
      throw new Error('none');
    },
    refund: () => Promise.reject(new Error('none')),
    refundStatus: () => Promise.reject(new Error('none')),
  };
  return { provider, paid, asked };
}

for (const [what, asksEvery, within] of [
  ['whose browser waits', 10, 30],
  ['who has closed the browser', null, 50],
] as const) {
  test(`a customer ${what} is granted in time beside eleven addresses that use up their parts`, async t => {
    const { provider, paid, asked } = slowProvider();
    const app = await startApp(t, { environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' }, provider });
    await app.createBundle({ price: 1_000 });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const order = async (address: string, phone: string): Promise<string> => {
      const answer = await app.post('/api/initiate-payment/', { phone_number: phone, bundle_id: 1 }, from(address));
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.order_reference;
    };
    const strangers: { address: string; reference: string }[] = [];
    for (let n = 0; n < 110; n += 1) {
      const address = `10.5.51.${n % 11}`;
      const phone = `07120${String(n).padStart(5, '0')}`;
      strangers.push({ address, reference: await order(address, phone) });
    }
    const statusOf = (reference: string, address: string) =>
      app.get(`/api/payment-status/${reference}/`, from(address));
    const pass = async (seconds: number, mine: string | null) => {
      for (let second = 0; second < seconds; second += 5) {
        app.clock.advance(5 * SECOND);
        await Promise.all(strangers.map(({ reference, address }) => statusOf(reference, address)));
        if (mine !== null && asksEvery !== null && second % asksEvery === 0) await statusOf(mine, CUSTOMER);
        await app.schedule.run('settle pending');
      }
    };
    await pass(60, null);
    const mine = await order(CUSTOMER, '0712345678');
    await pass(10, mine);
    paid.add(mine);
    await pass(within, mine);
    const { body } = await app.get('/api/user-status/0712345678/');
    assert.equal(body.has_access, true);
    assert.ok(asked.length > 60, 'the strangers did use theirs');
  });
}
