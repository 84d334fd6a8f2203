/** The portal's forms without scripts, which another web site may send from a phone that is at the Wi-Fi. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startApp, type TestApp } from '../support/app.ts';
import { formKey } from '../support/form-key.ts';

const PHONE = { mac: 'A4:11:22:33:44:55', address: '10.5.50.7' } as const;
const NEIGHBOUR = { mac: 'A4:11:22:33:44:66', address: '10.5.50.8' } as const;
const HOUR = 3_600_000;

const from = (address: string) => ({ 'x-forwarded-for': address });

async function startWithPhones(t: TestContext): Promise<TestApp> {
  const app = await startApp(t, { router: true, environment: { LANGO_TRUSTED_PROXIES: '127.0.0.1' } });
  for (const phone of [PHONE, NEIGHBOUR]) app.router.join(phone);
  await app.schedule.run('reconcile router');
  return app;
}

test('a form that another site sends from a phone does nothing, whichever it is', async t => {
  const app = await startWithPhones(t);
  const { id } = await app.createBundle();
  const [theirs = '', code = ''] = await app.issueVouchers({ quantity: 2 });
  assert.equal((await app.redeem(theirs, '0754 321 987')).status, 200);
  const forms: Record<string, string>[] = [
    { form: 'voucher', phone_number: '0754 321 987', voucher_code: code },
    { form: 'find', find: '0754 321 987' },
    { form: 'pay', phone_number: '0754 321 987', bundle_id: String(id) },
    { form: 'order', order: 'A'.repeat(20) },
  ];
  const ownKey = await formKey(app, from(PHONE.address));
  const bad = ['', 'x', 'x'.repeat(ownKey.length), 'é'.repeat(ownKey.length), `${ownKey}x`];
  const foreign = [{}, ...[...bad, await formKey(app, from(NEIGHBOUR.address))].map(key => ({ key }))];
  for (const fields of forms) {
    for (const key of foreign) {
      const { status, body } = await app.form('/', { ...fields, ...key }, from(PHONE.address));
      assert.equal(status, 200);
      assert.match(body, /<b>Please send it once more\.<\/b>/);
      const { form: _, ...typed } = fields;
      for (const value of Object.values(typed)) assert.ok(body.includes(`value="${value}"`), value);
    }
  }
  assert.deepEqual(app.router.activeSessions(), []);
  assert.deepEqual((await app.get('/api/devices/+255754321987/')).body, []);
  assert.equal((await app.get('/api/admin/payments/', app.admin)).body.pagination.total, 0);
  assert.equal((await app.redeem(code, '0712 345 678')).status, 200, 'the voucher is unused');
});

test('a form is good from its own address, in its hour and the next, however it was compressed', async t => {
  const app = await startWithPhones(t);
  const read = async (encoding: string) => {
    const reply = await fetch(app.url, { headers: { ...from(PHONE.address), 'accept-encoding': encoding } });
    assert.equal(reply.headers.get('content-encoding'), encoding === 'identity' ? null : encoding);
    return reply.text();
  };
  const [plain, ...compressed] = await Promise.all(['identity', 'br', 'gzip'].map(read));
  for (const text of compressed) assert.equal(text, plain);
  const key = await formKey(app, from(PHONE.address));
  assert.ok(plain?.includes(key));
  const isTaken = async () => {
    const { body } = await app.form('/', { form: 'find', find: '0712 345 678', key }, from(PHONE.address));
    return /<b>We found no paid time/.test(body);
  };
  assert.ok(await isTaken());
  app.clock.advance(HOUR);
  assert.ok(await isTaken());
  app.clock.advance(HOUR);
  assert.ok(!(await isTaken()));
});
