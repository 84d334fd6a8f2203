/** The router goes away and comes back, with the whole appliance. See docs/rules.md: Access. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startApp, type TestApp, until } from '../support/app.ts';

const HOUR_MS = 3_600_000;
const ASHA = '+255712345678';
const MAC = 'A4:83:E7:12:34:56';

async function look(app: TestApp): Promise<void> {
  app.clock.advance(15_000);
  await app.schedule.run('follow outage');
}

async function lose(app: TestApp): Promise<void> {
  await app.router.stopListening();
  await until(() => !app.context.site.isConnected);
  await look(app);
  await look(app);
}

/** Somebody asks the router something, which connects to it. */
const answers = (app: TestApp) =>
  until(() =>
    app.context.site.defaultRouter.port.resources().then(
      () => true,
      () => false,
    ),
  );

/** The books are told of it by the connection itself, without a job. */
async function bringBack(app: TestApp): Promise<void> {
  await app.router.startListening();
  await answers(app);
  await until(() => app.context.reads.settings.get('outage') === null);
}

const isDown = async (app: TestApp) => (await app.get('/api/portal/')).body.router_down;
const secondsLeft = (app: TestApp) => {
  const paidUntil = app.context.reads.users.byPhone(ASHA as never)?.paidUntil ?? app.context.clock.now();
  return (Date.parse(paidUntil) - Date.parse(app.context.clock.now())) / 1_000;
};

test('the portal says that nobody can get online, in each language, until the router is back', async t => {
  const app = await startApp(t, { router: true });
  await app.createBundle();
  await app.schedule.run('follow outage');
  assert.equal(await isDown(app), false);
  await lose(app);
  assert.equal(await isDown(app), true);
  assert.match((await app.get('/')).body, /Nobody can get online right now\./);
  assert.match((await app.get('/?lang=sw')).body, /Kwa sasa hakuna anayeweza kuingia mtandaoni\./);
  await bringBack(app);
  assert.equal(await isDown(app), false);
  assert.doesNotMatch((await app.get('/')).body, /Nobody can get online/);
});

test('an hour that is bought during an outage of three begins when the router is back, and has the phone online', async t => {
  const app = await startApp(t, { router: true });
  await app.schedule.run('follow outage');
  app.router.join({ mac: MAC, address: '10.5.50.7' });
  await lose(app);
  const [code = ''] = await app.issueVouchers({ hours: 1 });
  assert.equal((await app.redeem(code, ASHA, MAC)).status, 200);
  for (let passed = 0; passed < 3 * HOUR_MS; passed += 30_000) {
    app.clock.advance(15_000);
    await look(app);
    assert.ok(secondsLeft(app) > 0, 'it never ends meanwhile');
  }
  await bringBack(app);
  assert.equal(secondsLeft(app), 3_600);
  await until(() => app.router.activeSessions().some(({ mac }) => mac === MAC));
  const { body } = await app.get('/api/admin/users/1/', app.admin);
  const [bought, ...given] = body.user.grants.toReversed();
  assert.equal(bought.source, 'voucher');
  assert.ok(given.length > 0 && given.every((grant: { reason: string }) => /router did not answer/.test(grant.reason)));
  await look(app);
  assert.equal(secondsLeft(app), 3_585, 'given once');
});

/** The folder outlives the appliance, which is never closed in between as far as the books can tell. */
test('a restart in an outage, and one before its end was noticed, change nothing', async t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lango-outage-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const during = async (work: (app: TestApp, inner: TestContext) => Promise<void>, clock?: TestApp['clock']) => {
    let used = clock;
    await t.test('one run of the appliance', async inner => {
      const app = await startApp(inner, { router: true, dataDir, ...(clock === undefined ? {} : { clock }) });
      used = app.clock;
      await work(app, inner);
    });
    return used;
  };
  const clock = await during(async app => {
    await app.schedule.run('follow outage');
    await lose(app);
    const [code = ''] = await app.issueVouchers({ hours: 2 });
    assert.equal((await app.redeem(code, ASHA)).status, 200);
  });
  clock?.advance(HOUR_MS);
  await during(async app => {
    assert.ok(await isDown(app), 'the last run left the outage open');
    await answers(app);
    await until(() => app.context.reads.settings.get('outage') === null);
    assert.equal(secondsLeft(app), 7_200);
    await lose(app);
  }, clock);
});

test('without a configured router there is no outage', async t => {
  const app = await startApp(t);
  for (let n = 0; n < 3; n += 1) await look(app);
  assert.equal(await isDown(app), false);
});

test('a start, when the router is always away for a moment, is no outage', async t => {
  const app = await startApp(t, { router: true });
  await app.router.stopListening();
  await until(() => !app.context.site.isConnected);
  await app.schedule.run('follow outage');
  assert.equal(await isDown(app), false, 'one look is not enough');
});
