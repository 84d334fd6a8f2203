/** A router that takes long for everything: how much it is asked for at once, and how it is left alone in between. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mac } from '../../src/domain/mac.ts';
import { type Clock, systemClock } from '../../src/domain/time.ts';
import { manualClock } from '../support/clock.ts';
import { type Reconciled, startReconciled } from '../support/reconciled.ts';

const PEOPLE = 60;

/** Every command takes the router so long, on the clock that it shares with the reconciler. */
async function startSlow(
  commandMs: number,
  pace?: Clock,
): Promise<Reconciled & { advance(milliseconds: number): void }> {
  const clock = manualClock('2026-11-21T10:00:00.000Z');
  const house = await startReconciled({
    people: PEOPLE,
    hours: 24,
    clock,
    ...(pace && { pace }),
    router: { clock: clock.elsewhere },
  });
  house.router.on('command', () => clock.advance(commandMs));
  return { ...house, advance: clock.advance };
}

test('a pass begins nothing after half a minute, and the next ones do the rest; in between the router rests', async () => {
  await using house = await startSlow(1_200);
  const { reconciler, router } = house;
  for (let passes = 1; ; passes += 1) {
    const isDone = await reconciler.reconcileOnTime();
    assert.ok(house.commands().length <= 30, 'so many take half a minute');
    if (isDone) {
      assert.ok(passes >= 3, `${passes} passes`);
      break;
    }
    house.advance(15_000);
    await reconciler.reconcileOnTime();
    assert.deepEqual(house.commands(), [], 'it rests for as long as the pass took');
    house.advance(30_000);
  }
  assert.equal(router.users().length, PEOPLE);
});

test('whoever has just paid does not wait for a rest to be over, nor does a router that comes back', async () => {
  await using house = await startSlow(1_200);
  const { reconciler, router, macs } = house;
  assert.equal(await reconciler.reconcileAll(), false, 'there is more to do');
  const last = macs.at(-1) as Mac;
  router.join({ mac: last });
  assert.equal(await reconciler.reconcile([last]), true);
  assert.deepEqual(
    router.activeSessions().map(session => session.mac),
    [last],
  );
  const before = router.users().length;
  await reconciler.reconcileAll();
  assert.ok(router.users().length > before);
});

test('two passes over everything are never under way at once, and no device is given to both lanes', async () => {
  await using house = await startSlow(0);
  const { reconciler, router, macs } = house;
  for (const mac of macs) router.join({ mac });
  const refused: string[] = [];
  router.on('command', ({ command, trap }) => trap !== null && refused.push(`${command}: ${trap}`));
  const all = [reconciler.reconcileAll(), reconciler.reconcileAll(), reconciler.reconcileOnTime()];
  const some = macs.slice(0, 20).map(mac => reconciler.reconcile([mac as Mac]));
  await Promise.all([...all, ...some]);
  assert.deepEqual(refused, [], 'nobody is added or logged in twice');
  assert.deepEqual([router.users().length, router.activeSessions().length], [PEOPLE, PEOPLE]);
});

test('an appliance’s clock that is turned during a pass is no slow router', async () => {
  await using house = await startSlow(1_200, { ...systemClock, monotonic: () => 0 });
  assert.equal(await house.reconciler.reconcileOnTime(), true);
  assert.equal(house.router.users().length, PEOPLE);
  house.commands();
  await house.reconciler.reconcileOnTime();
  assert.equal(house.commands().length, 3);
});
