/** Any history, on the whole appliance with a real connection to a router: when it is quiet again, both agree. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { paidUntilFromLedger } from '../../src/domain/access.ts';
import { type Phone, routerUserName } from '../../src/domain/phone.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { ACTOR } from '../support/books.ts';

const PHONES = ['+255712345678', '+255754321987', '+255688112233'] as Phone[];
const DEVICES = [
  { mac: 'A4:83:E7:00:00:01', address: '10.5.50.11' },
  { mac: 'A4:83:E7:00:00:02', address: '10.5.50.12' },
  { mac: 'A4:83:E7:00:00:03', address: '10.5.50.13' },
] as const;
const RUNS = 12;

const person = fc.nat(PHONES.length - 1);
const device = fc.nat(DEVICES.length - 1);
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('redeem' as const), person, device }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pay' as const), person, device }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('refund' as const), person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('block' as const), person, isActive: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), person, device }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), person }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 7_000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('router' as const), what: fc.constantFrom('reboot', 'drop') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('clock' as const), hours: fc.constantFrom(-100_000, 5, 100_000) }),
  },
);
type Event = typeof event extends fc.Arbitrary<infer One> ? One : never;

/** A device removes itself, as a proxy on the box would forward it. */
const ENVIRONMENT = { LANGO_DEFAULT_MAX_DEVICES: '2', LANGO_TRUSTED_PROXIES: '127.0.0.1' };

test('after any history ledger, paid_until and router agree', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 6, maxLength: 16 }), async events => {
      await t.test('one history', async inner => {
        const app = await startApp(inner, { router: true, environment: ENVIRONMENT });
        for (const one of DEVICES) app.router.join(one);
        const bundle = await app.createBundle({ hours: 1 });
        const codes = await app.issueVouchers({ hours: 1, quantity: events.length });
        for (const one of events) await live(app, one, bundle, codes);
        await quiet(app);
        agree(app);
      });
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

async function live(
  app: TestApp,
  one: Event,
  bundle: Parameters<TestApp['pay']>[0]['bundle'],
  codes: string[],
): Promise<void> {
  const { commit, reads, applyAccess } = app.context;
  const phone = 'person' in one ? (PHONES[one.person] as Phone) : null;
  const user = phone === null ? null : reads.users.byPhone(phone);
  switch (one.do) {
    case 'redeem':
      await app.redeem(codes.pop() as string, phone as Phone, DEVICES[one.device]?.mac);
      return;
    case 'pay': {
      const order = await app.pay({
        phone: phone as Phone,
        bundle,
        mac: DEVICES[one.device]?.mac as string,
        webhook: 'never',
      });
      if (order.status === 200) await app.get(`/api/payment-status/${order.body.order_reference}/`);
      return;
    }
    case 'refund': {
      const payment =
        user === null ? undefined : reads.payments.ofUser(user.id).find(({ status }) => status === 'completed');
      if (user === null || payment === undefined || reads.refunds.ofPayment(payment.id).length > 0) return;
      const input = { paymentId: payment.id, amount: null, reason: 'test' };
      const refund = await commit('openRefund', input, ACTOR);
      const answer = { outcome: 'completed', reference: null, message: null } as const;
      await commit('settleRefund', { refundId: refund.id, answer });
      await applyAccess(user.id);
      return;
    }
    case 'block': {
      if (user === null) return;
      const change = { isActive: one.isActive };
      await commit('updateUser', { userId: user.id, change }, ACTOR);
      await applyAccess(user.id);
      return;
    }
    case 'remove': {
      const { mac, address } = DEVICES[one.device] as (typeof DEVICES)[number];
      const body = { phone_number: phone, mac_address: mac };
      await app.post('/api/devices/remove/', body, { 'x-forwarded-for': address });
      return;
    }
    case 'delete':
      if (user === null) return;
      await commit('deleteUser', { userId: user.id }, ACTOR);
      await applyAccess(user.id);
      return;
    case 'wait':
      await app.passTime(one.seconds * 1_000);
      return;
    case 'clock':
      app.clock.jump(one.hours * 3_600_000);
      await app.passTime(1_000);
      app.clock.jump(-one.hours * 3_600_000);
      return;
    case 'router':
      if (one.what === 'drop') app.router.dropConnections('reset');
      else app.router.reboot();
      for (const each of DEVICES) if (!app.router.hosts().some(host => host.mac === each.mac)) app.router.join(each);
  }
}

/** The router has answered, and holds what the books say. */
async function quiet(app: TestApp): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    await app.schedule.run('reconcile router');
    if (app.context.site.defaultRouter.port.state === 'connected') break;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  await app.schedule.run('reconcile router');
}

function agree(app: TestApp): void {
  const { reads, clock } = app.context;
  const now = clock.now();
  for (const phone of PHONES) {
    const user = reads.users.byPhone(phone);
    if (user !== null) assert.equal(user.paidUntil, paidUntilFromLedger(reads.grants.ofUser(user.id)));
  }
  const entitled = reads.entitlements.all(now).map(row => `${routerUserName(row.phone, row.slot)} ${row.mac}`);
  const held = app.router.users().map(user => `${user.name} ${user.mac}`);
  assert.deepEqual(held.toSorted(), entitled.toSorted(), 'the router holds exactly the entitled devices');
  const online = app.router.activeSessions().map(session => `${session.user} ${session.mac}`);
  assert.deepEqual(online.toSorted(), entitled.toSorted(), 'and those on the Wi-Fi are online');
}
