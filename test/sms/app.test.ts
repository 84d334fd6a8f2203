/** Messages on the whole appliance: what causes one, and that nothing ever waits for one. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type ProviderServer, type Scripted, startProvider } from '../payment/support.ts';
import { type AppOptions, startApp, type TestApp, until } from '../support/app.ts';

const ASHA = '+255712345678';
const HOUR = 3_600_000;

interface Rig {
  app: TestApp;
  gateway: ProviderServer;
  /** What the gateway was asked to send by now, in order; runs the outbox first. */
  sent(): Promise<{ to: string; text: string }[]>;
}

async function startRig(t: TestContext, options: AppOptions = {}): Promise<Rig> {
  const gateway = await startProvider(t, (): Scripted => ({ body: 'OK' }));
  const app = await startApp(t, {
    ...options,
    environment: {
      LANGO_SMS_PROVIDER: 'http',
      LANGO_SMS_API_URL: `${gateway.url}/send`,
      LANGO_SMS_API_BODY: '{"to":"{to}","text":"{text}"}',
      LANGO_SMS_API_KEY: 'the-key-of-the-gateway',
      ...options.environment,
    },
  });
  return {
    app,
    gateway,
    async sent() {
      for (let run = 0; run < 3; run += 1) await app.schedule.run('send sms');
      return gateway.requests.map(request => JSON.parse(request.body));
    },
  };
}

test('the receipt of a cash sale goes to who bought it, with what to do next', async t => {
  const { app, sent } = await startRig(t);
  const bundle = await app.createBundle({ name: 'Day pass', price: 1_500, hours: 24 });
  const sale = { phone_number: ASHA, bundle_id: bundle.id };
  const { body } = await app.post('/api/admin/sales/', sale, app.admin);
  assert.equal(body.receipt_by_sms, true);
  const text =
    'Receipt R00001: TZS 1,500 in cash for Day pass, until 2026-11-22 13:00. Join the Wi-Fi and open the portal with this number.';
  assert.deepEqual(await sent(), [{ to: ASHA, text }]);
});

test('a payment, the end that is near, and the end are each said once', async t => {
  const { app, sent } = await startRig(t);
  const bundle = await app.createBundle({ name: 'Day pass', price: 1_500, hours: 24 });
  const { body } = await app.pay({ phone: ASHA, bundle });
  await until(
    async () => (await app.get(`/api/payment-status/${body.order_reference}/`)).body.payment_status === 'COMPLETED',
  );
  assert.deepEqual(await sent(), [
    {
      to: ASHA,
      text: 'We received TZS 1,500 for Day pass. Your internet runs until 2026-11-22 13:00.',
    },
  ]);

  app.clock.advance(22 * HOUR);
  await app.schedule.run('announce ending');
  await app.schedule.run('announce ending');
  const second = (await sent()).slice(1);
  assert.deepEqual(second, [
    { to: ASHA, text: 'Your internet ends at 2026-11-22 13:00. Join the Wi-Fi and open the portal to renew.' },
  ]);

  app.clock.advance(HOUR);
  await app.schedule.run('expire access');
  assert.equal((await sent()).length, 2);
  app.clock.advance(2 * HOUR);
  await app.schedule.run('expire access');
  await app.schedule.run('expire access');
  const third = (await sent()).slice(2);
  assert.deepEqual(third, [
    { to: ASHA, text: 'Your internet time is over. Join the Wi-Fi and open the portal to buy more.' },
  ]);
  const lines = app.logged.join('');
  for (const secret of [ASHA.slice(1), 'the-key-of-the-gateway']) assert.ok(!lines.includes(secret));
});

test('a redeemed voucher is said once, however often the code is sent', async t => {
  const { app, sent } = await startRig(t);
  const [code] = (await app.issueVouchers({ hours: 2 })) as [string];
  await app.redeem(code, ASHA);
  await app.redeem(code, ASHA);
  const messages = await sent();
  assert.equal(messages.length, 1);
  assert.match(
    messages[0]?.text ?? '',
    /^Your voucher for Day is in use\. Your internet runs until 2026-11-21 15:00\./,
  );
  assert.ok(!app.logged.join('').includes(code));
});

test('messages are in the language that the portal was used in last; whoever used none hears the business’s', async t => {
  const { app, sent } = await startRig(t);
  const [first, second, third] = (await app.issueVouchers({ hours: 2, quantity: 3 })) as [string, string, string];
  const redeem = (code: string, language?: string) =>
    app.post('/api/vouchers/redeem/', { phone_number: ASHA, voucher_code: code, language });
  await redeem(first);
  const refused = await redeem(second, 'Kiswahili');
  assert.equal(refused.status, 400);
  assert.ok('language' in refused.body.details);
  assert.equal((await redeem(second, 'sw')).status, 200);
  await redeem(third);
  const bundle = await app.createBundle({ name: 'Day pass', price: 1_500 });
  const order = { phone_number: ASHA, bundle_id: bundle.id, language: 'fr' };
  const { body } = await app.post('/api/initiate-payment/', order);
  const done = new URLSearchParams({ outcome: 'completed', webhook: 'once' });
  await fetch(body.redirect_url, { method: 'POST', body: done, redirect: 'manual' });
  await until(
    async () => (await app.get(`/api/payment-status/${body.order_reference}/`)).body.payment_status === 'COMPLETED',
  );
  const begins = (await sent()).map(({ text }) => text.slice(0, 12));
  assert.deepEqual(begins, ['Your voucher', 'Vocha yako y', 'Vocha yako y', 'Nous avons r']);
});

test('a refund is said', async t => {
  const { app, sent } = await startRig(t);
  const bundle = await app.createBundle({ name: 'Day pass', price: 1_500 });
  const { body } = await app.pay({ phone: ASHA, bundle });
  await until(
    async () => (await app.get(`/api/payment-status/${body.order_reference}/`)).body.payment_status === 'COMPLETED',
  );
  const payment = app.context.reads.payments.byOrderReference(body.order_reference);
  const refund = await app.post(
    `/api/admin/payments/${payment?.id}/refund/`,
    { amount: '1500.00', reason: 'No signal' },
    app.admin,
  );
  assert.equal(refund.status, 200, JSON.stringify(refund.body));
  assert.equal((await sent()).at(-1)?.text, 'TZS 1,500 for Day pass is being paid back to you.');
});

test('generated codes are sent to the number that was named, ten at most, and stand in no log', async t => {
  const { app, sent } = await startRig(t);
  const bundle = await app.createBundle({ name: 'Hour', hours: 1 });
  const order = { quantity: 12, bundle_id: bundle.id, phone_number: '0712345678' };
  const generated = await app.post('/api/vouchers/generate/', order, app.admin);
  assert.equal(generated.body.success, true, JSON.stringify(generated.body));
  const messages = await sent();
  assert.equal(messages.length, 10);
  const codes = messages.map(({ to, text }) => {
    assert.equal(to, ASHA);
    return /^Wi-Fi voucher for Hour: (\S+)$/.exec(text)?.[1] ?? '';
  });
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.equal((await app.redeem(code, ASHA)).status, 200);
  for (const code of codes) assert.ok(!app.logged.join('').includes(code));
});

test('a gateway that hangs holds up nobody', async t => {
  const { app, gateway } = await startRig(t);
  gateway.play = () => 'hang';
  const codes = await app.issueVouchers({ quantity: 2 });
  await app.redeem(codes[0] as string, ASHA);
  const sending = app.schedule.run('send sms');
  await until(() => gateway.requests.length === 1);
  assert.equal((await app.redeem(codes[1] as string, ASHA)).status, 200);
  assert.equal(app.context.reads.sms.list({ limit: 1, offset: 1 })[0]?.status, 'sending');
  await sending;
  assert.equal(app.context.reads.sms.list({ limit: 1, offset: 1 })[0]?.status, 'uncertain');
});

test('a message that was being sent when the appliance stopped is not sent by the next one', async t => {
  const { app, gateway, sent } = await startRig(t);
  const [code] = (await app.issueVouchers()) as [string];
  await app.redeem(code, ASHA);
  // As a crash leaves it: taken, on disk, and never answered.
  await app.context.commit('claimSms', { limit: 10 });
  const [message] = app.context.reads.sms.list({ limit: 1, offset: 0 });
  assert.equal(message?.status, 'sending');
  assert.deepEqual(await sent(), []);
  assert.equal(gateway.requests.length, 0);
  assert.equal(app.context.reads.sms.list({ limit: 1, offset: 0 })[0]?.status, 'uncertain');
  assert.ok(app.logged.some(line => line.includes('sms.interrupted')));
});

test('a gateway that was down is told later, once', async t => {
  const { app, gateway, sent } = await startRig(t);
  gateway.play = () => ({ status: 429, body: 'later' });
  const [code] = (await app.issueVouchers()) as [string];
  await app.redeem(code, ASHA);
  assert.equal((await sent()).length, 1);
  gateway.play = () => ({ body: 'OK' });
  app.clock.advance(29_000);
  assert.equal((await sent()).length, 1);
  app.clock.advance(2_000);
  assert.equal((await sent()).length, 2);
  app.clock.advance(HOUR);
  assert.equal((await sent()).length, 2);
});
