/** Several routers on one site: people walk from one to the other, and a router that is away is nobody else's matter. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouterSimulator } from '../simulator/router.ts';
import { until } from '../support/app.ts';
import { ADDRESSES, MAC, online, onlineAt, startSite, verify, walk } from '../support/site.ts';

/** What reaches each router during `act`. */
async function during(routers: readonly RouterSimulator[], act: () => Promise<unknown>): Promise<string[][]> {
  const watched = routers.map(router => {
    const seen: string[] = [];
    const watch = ({ command }: { command: string }) => void seen.push(command);
    router.on('command', watch);
    return { seen, stop: () => router.off('command', watch) };
  });
  await act();
  return watched.map(({ seen, stop }) => {
    stop();
    return seen;
  });
}

const writesOf = (commands: readonly string[][]) => commands.flat().filter(command => !command.endsWith('/print'));

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
      const commands = await during(site.routers, site.pass);
      assert.deepEqual(writesOf(commands), [], 'there is no way back');
      assert.deepEqual(
        commands.map(({ length }) => length),
        [3, 3, 3],
      );
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
  const commands = await during(site.routers, async () => {
    for (let passes = 0; passes < 20; passes += 1) {
      site.app.clock.advance(15_000);
      await site.pass();
      await verify(site, passes % 2);
    }
  });
  assert.deepEqual(writesOf(commands), []);
  assert.equal(onlineAt(site).length, 1);
});

test('a walk takes five commands on each of the two routers', async t => {
  const site = await startSite(t, [{}, {}]);
  await online(site);
  walk(site, 0, 1);
  const [left, joined] = await during(site.routers, async () => {
    await site.app.schedule.run('reconcile router 2');
    await until(() => onlineAt(site).join() === `1: ${MAC}`);
  });
  const reads = ['/ip/hotspot/active/print', '/ip/hotspot/host/print', '/ip/hotspot/user/print'];
  // Its row there is brought up to the time that is left.
  assert.deepEqual(joined?.toSorted(), ['/ip/hotspot/active/login', ...reads, '/ip/hotspot/user/set']);
  assert.deepEqual(left?.toSorted(), [...reads, '/ip/hotspot/active/print', '/ip/hotspot/active/remove'].toSorted());
});
