/** Several routers on one site: people walk from one to the other, and a router that is away is nobody else's matter. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouterSimulator } from '../simulator/router.ts';
import { until } from '../support/app.ts';
import { from, startSite, type TestSite } from '../support/site.ts';

const ASHA = '+255712345678';
const MAC = 'A4:83:E7:12:34:56';
/** Where her phone is at each router. */
const ADDRESSES = ['10.5.50.11', '10.6.0.11', '10.7.0.11'] as const;
const MINUTE = 60_000;

const onlineAt = ({ routers }: TestSite) =>
  routers.flatMap((router, place) => router.activeSessions().map(({ mac }) => `${place}: ${mac}`));

/** She is on the Wi-Fi of the default router, and has paid. */
async function online(site: TestSite, hours = 24): Promise<void> {
  const { app, routers } = site;
  const [code] = await app.issueVouchers({ hours });
  routers[0]!.join({ mac: MAC, address: ADDRESSES[0] });
  const voucher = { voucher_code: code, phone_number: ASHA, mac_address: MAC };
  assert.equal((await app.post('/api/vouchers/redeem/', voucher, from(ADDRESSES[0]))).status, 200);
  assert.deepEqual(onlineAt(site), [`0: ${MAC}`]);
  await site.pass();
}

/** Out of reach of one, where her row stays for a while, and on the Wi-Fi of another. */
function walk({ app, routers }: TestSite, left: number, joined: number): void {
  app.clock.advance(2 * MINUTE);
  routers[left]!.leave(MAC, 'in time');
  app.clock.advance(6_000);
  routers[joined]!.join({ mac: MAC, address: ADDRESSES[joined]! });
  app.clock.advance(1_000);
}

const verify = ({ app }: TestSite, place: number) =>
  app.post('/api/verify/', { phone_number: ASHA, mac_address: MAC }, from(ADDRESSES[place]!));

/** Commands other than prints that reach a router during `act`. */
async function writesDuring(routers: readonly RouterSimulator[], act: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const watches = routers.map(router => {
    const watch = ({ command }: { command: string }) => void (command.endsWith('/print') || seen.push(command));
    router.on('command', watch);
    return () => router.off('command', watch);
  });
  await act();
  for (const stop of watches) stop();
  return seen;
}

test('who has paid walks from router to router and back, one pass each, and is online on one at a time', async t => {
  const site = await startSite(t, [{}, {}, {}]);
  await online(site);
  for (const [left, joined] of [
    [0, 1],
    [1, 2],
    [2, 0],
    [0, 1],
    [1, 0],
  ] as const) {
    walk(site, left, joined);
    await site.pass();
    await until(() => onlineAt(site).join() === `${joined}: ${MAC}`);
    for (let again = 0; again < 3; again += 1) {
      app(site).clock.advance(15_000);
      const writes = await writesDuring(site.routers, site.pass);
      assert.deepEqual(writes, [], 'there is no way back');
      assert.deepEqual(onlineAt(site), [`${joined}: ${MAC}`]);
    }
  }
  assert.equal((await app(site).get('/api/admin/status/', app(site).admin)).body.status.online, 1);
});

test('a phone that asks from its new router is online there when it is answered', async t => {
  const site = await startSite(t, [{}, {}]);
  await online(site);
  for (const [left, joined] of [
    [0, 1],
    [1, 0],
    [0, 1],
  ] as const) {
    walk(site, left, joined);
    const { body } = await verify(site, joined);
    assert.deepEqual([body.has_access, body.online], [true, true]);
    await until(() => onlineAt(site).join() === `${joined}: ${MAC}`);
  }
});

test('a phone that two routers hear at once stays where it is', async t => {
  const site = await startSite(t, [{}, {}]);
  await online(site);
  site.routers[1]!.join({ mac: MAC, address: ADDRESSES[1] });
  await site.pass();
  await until(() => onlineAt(site).length === 1);
  await site.pass();
  const writes = await writesDuring(site.routers, async () => {
    for (let passes = 0; passes < 20; passes += 1) {
      app(site).clock.advance(15_000);
      await site.pass();
      await verify(site, passes % 2);
    }
  });
  assert.ok(writes.length <= 45, `${writes.length} writes`);
  assert.equal(onlineAt(site).length, 1);
});

const app = (site: TestSite) => site.app;
