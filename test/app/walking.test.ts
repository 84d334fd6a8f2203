/** Several routers on one site: people walk from one to the other, and a router that is away is nobody else's matter. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouterSimulator } from '../simulator/router.ts';
import { until } from '../support/app.ts';
import { ADDRESSES, MAC, online, onlineAt, startSite, verify, walk } from '../support/site.ts';

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
      site.app.clock.advance(15_000);
      const writes = await writesDuring(site.routers, site.pass);
      assert.deepEqual(writes, [], 'there is no way back');
      assert.deepEqual(onlineAt(site), [`${joined}: ${MAC}`]);
    }
  }
  assert.equal((await site.app.get('/api/admin/status/', site.app.admin)).body.status.online, 1);
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
      site.app.clock.advance(15_000);
      await site.pass();
      await verify(site, passes % 2);
    }
  });
  assert.ok(writes.length <= 45, `${writes.length} writes`);
  assert.equal(onlineAt(site).length, 1);
});
