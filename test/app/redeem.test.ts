import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, until } from '../support/app.ts';

const asha = '+255712345678';
const juma = '+255754321987';
const phoneOfAsha = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };

test('a voucher opens access once, even when redeemed twice at the same moment', async t => {
  const app = await startApp(t, { router: true });
  const [code] = await app.issueVouchers({ hours: 24 });
  app.router.join(phoneOfAsha);
  const replies = await Promise.all([app.redeem(code!, asha, phoneOfAsha.mac), app.redeem(code!, juma)]);
  assert.equal(replies.filter(reply => reply.status === 200).length, 1);
  assert.equal(replies.filter(reply => reply.status === 409).length, 1);
});

test('a paid phone goes online by itself and is cut off when its time is over', async t => {
  const app = await startApp(t, { router: true });
  const bundle = await app.createBundle({ hours: 1 });
  app.router.join(phoneOfAsha);
  await app.pay({ phone: asha, bundle, mac: phoneOfAsha.mac });
  await until(() => app.router.activeSessions().length === 1);
  await app.passTime(3_599_000);
  assert.equal(app.router.activeSessions().length, 1);
  await app.passTime(2_000);
  assert.equal(app.router.activeSessions().length, 0);
  assert.equal(app.router.users().length, 0);
});
