/** What reaches the router, counted by commands on the wire: nothing is written where nothing changed. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAC_COOKIES } from '../simulator/support.ts';
import { startApp, type TestApp, until } from '../support/app.ts';
import { manualClock } from '../support/clock.ts';
import { startReconciled } from '../support/reconciled.ts';

const ASHA = '+255712345678';
const PHONE = { mac: 'A4:83:E7:12:34:56', address: '10.5.50.11' };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const isPrint = (command: string) => command.endsWith('/print');
const writesOf = (commands: readonly string[]) => commands.filter(command => !isPrint(command));

/** What reaches the router during `act`. */
async function during(app: TestApp, act: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const watch = ({ command }: { command: string }) => void seen.push(command);
  app.router.on('command', watch);
  await act();
  app.router.off('command', watch);
  return seen.map(command => command.replace('/ip/hotspot/', ''));
}

const reconcile = (app: TestApp) => app.schedule.run('reconcile router');

/** On the Wi-Fi, and online. */
async function online(app: TestApp, hours = 24): Promise<void> {
  const [code] = await app.issueVouchers({ hours });
  app.router.join(PHONE);
  assert.equal((await app.redeem(code!, ASHA, PHONE.mac)).status, 200);
  await until(() => app.router.activeSessions().length === 1);
}

test('a pass with nothing to do asks three times, and writes nothing', async t => {
  const app = await startApp(t, { router: true });
  await online(app);
  await reconcile(app);
  for (const minutes of [0, 15, 60, 600]) {
    app.clock.advance(minutes * MINUTE);
    assert.deepEqual((await during(app, () => reconcile(app))).toSorted(), [
      'active/print',
      'host/print',
      'user/print',
    ]);
  }
});

test('people who are away for a day have few rows written anew, however many they are, and the most wrong ones first', async () => {
  const clock = manualClock('2026-11-21T10:00:00.000Z');
  await using house = await startReconciled({ people: 500, hours: 48, clock, router: { clock: clock.elsewhere } });
  await house.reconciler.reconcileAll();
  assert.equal(writesOf(house.commands()).length, 500, 'each is added');
  for (let passed = 0; passed < 24 * HOUR; passed += 90_000) {
    clock.advance(90_000);
    assert.equal(await house.reconciler.reconcileOnTime(), true);
  }
  const writes = writesOf(house.commands());
  assert.deepEqual(new Set(writes), new Set(['/ip/hotspot/user/set']));
  assert.ok(writes.length <= 600, `${writes.length} writes`);
  const mended = house.router.users().filter(user => (user.limitUptimeSeconds ?? 0) < 46 * 3_600);
  assert.equal(mended.length, writes.length, 'each of them another one’s, hours after it was made');
});

test('what one person changes takes five commands, however it changes', async t => {
  const app = await startApp(t, { router: { ...MAC_COOKIES, limitReachesSession: true } });
  const reads = ['active/print', 'host/print', 'user/print'];
  const codes = [...(await app.issueVouchers({ hours: 24 })), ...(await app.issueVouchers({ hours: 24 }))];
  app.router.join(PHONE);
  // The first one connects, upon which another one follows.
  await reconcile(app);
  await reconcile(app);
  const redeem = (code?: string) => async () => {
    assert.equal((await app.redeem(code!, ASHA, PHONE.mac)).status, 200);
  };

  const granted = await during(app, redeem(codes[0]));
  assert.deepEqual(granted.toSorted(), ['active/login', ...reads, 'user/add'].toSorted());
  app.clock.advance(HOUR);
  const extended = await during(app, redeem(codes[1]));
  assert.deepEqual(extended.toSorted(), [...reads, 'user/set']);

  app.router.run('/ip/hotspot/cookie/remove', { '.id': app.router.cookies()[0]!.id });
  app.router.leave(PHONE.mac);
  app.clock.advance(HOUR);
  app.router.join(PHONE);
  const returned = await during(app, () => reconcile(app));
  assert.deepEqual(returned.toSorted(), ['active/login', ...reads, 'user/set'].toSorted());

  app.router.join({ ...PHONE, address: '10.5.50.12' });
  app.clock.advance(1_000);
  const moved = await during(app, () => reconcile(app));
  // Besides, once for each connection: which networks there are, to tell which of a phone's addresses counts.
  const networks = ['print', '/ip/address/print'];
  assert.deepEqual(
    moved.toSorted(),
    [...networks, ...reads, 'active/print', 'active/remove', 'active/login'].toSorted(),
  );

  app.clock.advance(46 * HOUR);
  app.router.settle();
  const ended = await during(app, () => app.schedule.run('expire access'));
  const steps = ended.slice(ended.lastIndexOf('cookie/print'));
  assert.deepEqual(steps, ['cookie/print', 'cookie/remove', 'active/print', 'user/remove']);
  assert.deepEqual([app.router.users(), app.router.cookies(), app.router.activeSessions()], [[], [], []]);
});

test('a login writes no password, and one that somebody changed is mended', async t => {
  const app = await startApp(t, { router: true });
  await online(app);
  const { id } = app.router.activeSessions()[0]!;
  app.router.run('/ip/hotspot/active/remove', { '.id': id });
  assert.deepEqual(writesOf(await during(app, () => reconcile(app))), ['active/login']);
  app.router.run('/ip/hotspot/user/set', { '.id': '255712345678', password: 'guessed' });
  app.router.run('/ip/hotspot/active/remove', { '.id': id });
  assert.deepEqual(writesOf(await during(app, () => reconcile(app))), ['active/login', 'user/set', 'active/login']);
  assert.equal(app.router.activeSessions().length, 1);
});

test('a row that is made anew has the password that it had, on books that were closed in between too', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-test-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const passwordOf = async (app: TestApp) => {
    await reconcile(app);
    return app.router.users()[0]?.password;
  };
  const first = await startApp(t, { router: true, dataDir });
  await online(first);
  const password = await passwordOf(first);
  assert.match(password ?? '', /^[\w-]{22}$/);
  first.router.run('/ip/hotspot/user/remove', { '.id': '255712345678' });
  assert.equal(await passwordOf(first), password);
  await first.close();
  const second = await startApp(t, { router: true, dataDir });
  assert.equal(await passwordOf(second), password);
});
