/** What a router is asked that only hardware can tell: the answers, and that nothing of the asking stays. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { LangoError } from '../../src/domain/errors.ts';
import type { RouterSettings } from '../../src/domain/ports.ts';
import { type ProofReport, prove, waitingPhones } from '../../src/router/provisioning/prove.ts';
import { type RouterSimulator, type RouterSimulatorOptions, startRouterSimulator } from '../simulator/router.ts';

const MAC = 'A4:83:E7:00:00:01';
const GUEST = 'A4:83:E7:00:00:02';
const never = new AbortController().signal;

interface House {
  router: RouterSimulator;
  settings: RouterSettings;
  ask: (signal?: AbortSignal) => Promise<ProofReport>;
  /** Commands other than login and print that reached the router. */
  writes: () => number;
}

/** Somebody else is online, with a cookie; on the router's clock a second passes with each look at the sessions. */
async function start(t: TestContext, options: RouterSimulatorOptions = {}): Promise<House> {
  const router = await startRouterSimulator({ username: 'lango', password: 'secret', clock: 'manual', ...options });
  t.after(() => router.stop());
  router.run('/ip/hotspot/profile/set', { numbers: 'hsprof1', 'login-by': 'cookie,http-pap,mac-cookie' });
  router.run('/ip/hotspot/user/add', { name: 'guest', password: 'p', 'limit-uptime': '1d' });
  router.join({ mac: GUEST });
  router.login({ mac: GUEST, user: 'guest', password: 'p' });
  router.join({ mac: MAC, address: '10.5.0.77' });
  let writes = 0;
  router.on('command', ({ command }) => {
    if (command === '/ip/hotspot/active/print') router.advance(1_000);
    if (command !== '/login' && !command.endsWith('/print')) writes += 1;
  });
  const settings: RouterSettings = {
    host: '127.0.0.1',
    port: router.port,
    username: 'lango',
    password: 'secret',
    ssl: false,
    sslFingerprint: null,
    hotspot: null,
    profile: 'default',
  };
  const ask = (signal = never) => prove(settings, MAC, { signal, pollMs: 5, waitMs: 300 });
  return { router, settings, ask, writes: () => writes };
}

/** All but the clock's doing. */
function contents(router: RouterSimulator): unknown {
  const moving = /^(uptime|session-time-left|idle-time|expires-in|last-modified|bytes-.*|packets-.*|host-dead-time)$/;
  const menus = router.menus().filter(menu => !/^\/(log|system\/(resource|clock)|user\/active)$/.test(menu));
  const still = (row: Record<string, string>) =>
    Object.fromEntries(Object.entries(row).filter(([property]) => !moving.test(property)));
  return Object.fromEntries(menus.map(menu => [menu, router.table(menu).map(still)]));
}

const answerTo = ({ proofs }: ProofReport, question: RegExp) =>
  proofs.find(proof => question.test(proof.question))?.answer ?? assert.fail(String(question));

for (const is of [true, false]) {
  test(`a router ${is ? 'of the one kind' : 'of the other kind'} tells what it does, and is left as it was`, async t => {
    const knobs = {
      apiLoginMakesCookie: is,
      apiLoginRunsScript: is,
      limitReachesSession: is,
      userUptime: is ? 'live' : 'after-logout',
    } as const;
    const { router, ask } = await start(t, knobs);
    const before = contents(router);
    const report = await ask();
    const word = is ? 'yes' : 'no';
    assert.deepEqual([report.version, report.board], ['7.16 (stable)', 'hAP ax^2']);
    assert.equal(answerTo(report, /bakes a mac-cookie/), word);
    assert.equal(answerTo(report, /runs on-login/), word);
    assert.equal(answerTo(report, /uptime counts the running session/), word);
    assert.equal(answerTo(report, /limit that has run out ends it/), word);
    assert.equal(answerTo(report, /changed limit shows/), word);
    assert.equal(answerTo(report, /counted once it has ended/), 'yes');
    assert.match(answerTo(report, /How long a login/), /^\d+ ms$/);
    assert.match(answerTo(report, /says of its login/), /^login-by=admin, \.id=\*/);
    assert.match(answerTo(report, /refused duplicate profile/), /^refused: failure: already have/);
    assert.match(answerTo(report, /router does not know/), /^refused: .*unknown host/);
    assert.equal(answerTo(report, /file can be made .*, with the policy ftp/), 'yes');
    assert.match(answerTo(report, /device-mode/), /^mode=advanced, hotspot=true/);
    assert.match(answerTo(report, /power cut/), /^not tried/);
    assert.deepEqual(contents(router), before);
    assert.doesNotMatch(JSON.stringify(report), /A4:83|10\.5\.0\.77|secret/);
  });
}

test('an old router says what it has not, and an account that may only read is told so', async t => {
  const { router, ask } = await start(t, { version: '6.49.18' });
  assert.match(answerTo(await ask(), /device-mode/), /^refused: no such command/);
  router.knobs.readOnly = true;
  const before = contents(router);
  await assert.rejects(ask(), error => error instanceof LangoError && /not enough permissions/.test(error.message));
  assert.deepEqual(contents(router), before);
});

test('whoever is interrupted, at whatever command, leaves nothing behind', async t => {
  const { ask, writes } = await start(t);
  await ask();
  const all = writes();
  assert.ok(all > 10);
  for (let place = 1; place < all; place += 1) {
    const { router, ask: askAgain, writes: made } = await start(t);
    const before = contents(router);
    const interruption = new AbortController();
    router.on('command', () => {
      if (made() >= place) interruption.abort();
    });
    await askAgain(interruption.signal).then(
      () => assert.ok(place > all / 2, `nothing noticed the interruption at ${place}`),
      error => assert.equal((error as Error).name, 'AbortError'),
    );
    assert.deepEqual(contents(router), before, `interrupted at ${place}`);
    await router.stop();
  }
});

test('what is on the router when the line is cut is taken away over a new one, or by the next run', async t => {
  const { router, settings, ask } = await start(t);
  const before = contents(router);
  let cut = false;
  router.on('command', ({ command }) => {
    if (command !== '/ip/hotspot/active/login' || cut) return;
    cut = true;
    router.dropConnections();
  });
  await assert.rejects(ask(), error => error instanceof LangoError && error.code === 'ROUTER_UNAVAILABLE');
  assert.deepEqual(contents(router), before);

  cut = false;
  router.on('command', ({ command }) => {
    if (command === '/ip/hotspot/active/login') void router.stopListening();
  });
  await assert.rejects(ask(), /could not be taken away again: .* named lango-prove by hand/);
  assert.notDeepEqual(contents(router), before);
  router.removeAllListeners('command');
  await router.startListening();
  await assert.rejects(prove(settings, 'AA:AA:AA:AA:AA:AA', { signal: never }), /knows no phone AA:AA/);
  assert.deepEqual(contents(router), before);
});

for (const loginAddress of ['address', 'to-address'] as const) {
  test(`a phone whose address the hotspot translates is asked about, too, where it is known by its ${loginAddress}`, async t => {
    const { router, ask } = await start(t, { loginAddress });
    router.leave(MAC);
    router.join({ mac: MAC, address: '192.168.4.7', toAddress: '10.5.0.77' });
    const before = contents(router);
    const report = await ask();
    assert.match(answerTo(report, /translated phone/), loginAddress === 'address' ? /^yes$/ : /^refused: unknown host/);
    assert.match(answerTo(report, /How long a login/), /ms$/);
    assert.deepEqual(contents(router), before);
  });
}

test('only a phone that is not online can be named', async t => {
  const { settings, ask, router } = await start(t);
  assert.deepEqual(await waitingPhones(settings, { signal: never }), [{ mac: MAC, address: '10.5.0.77' }]);
  router.leave(MAC);
  await assert.rejects(ask(), error => error instanceof LangoError && error.code === 'NOT_FOUND');
});
