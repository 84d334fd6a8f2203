import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';
import { RawApiClient } from './raw-api-client.ts';
import { ASHA, connect, login, MAC_COOKIES, start, startRouter } from './support.ts';

/** Whether somebody listens there. */
async function isUp(port: number): Promise<boolean> {
  try {
    (await RawApiClient.open(port)).close();
    return true;
  } catch {
    return false;
  }
}

const refused = (port: number) => assert.rejects(RawApiClient.open(port), { code: 'ECONNREFUSED' });

test('every reply carries the tag of its command, first or last as the knob says', async t => {
  const { client, router } = await start(t);
  assert.deepEqual((await client.talk('/system/identity/print', '.tag=a1')).sentences, [
    ['!re', '.tag=a1', '=name=MikroTik'],
    ['!done', '.tag=a1'],
  ]);
  router.knobs.tagPosition = 'last';
  assert.deepEqual((await client.talk('/ip/hotspot/user/remove', '.tag=a2', '=.id=*99')).sentences, [
    ['!trap', '=category=0', '=message=no such item', '.tag=a2'],
    ['!done', '.tag=a2'],
  ]);
});

test('trap categories can be left out, as many routers do', async t => {
  const { client } = await start(t, { trapCategories: false });
  assert.deepEqual((await client.talk('/no/such')).sentences, [
    ['!trap', '=message=no such command prefix'],
    ['!done'],
  ]);
});

test('a fragment size of one byte sends every byte alone, and loses none', async t => {
  const { client, router } = await start(t);
  const whole = (await client.talk('/ip/hotspot/user/print')).sentences;
  router.knobs.fragmentBytes = 1;
  client.chunks.length = 0;
  assert.deepEqual((await client.talk('/ip/hotspot/user/print')).sentences, whole);
  const bytes = client.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  assert.ok(client.chunks.length > bytes / 2, `${client.chunks.length} chunks for ${bytes} bytes`);
});

test('input may arrive one byte at a time', async t => {
  const { client, router } = await start(t);
  const words = ['/ip/hotspot/user/add', '=name=☕'];
  const bytes = Buffer.concat([
    ...words.flatMap(word => [Buffer.from([Buffer.byteLength(word)]), Buffer.from(word)]),
    Buffer.from([0]),
  ]);
  for (const byte of bytes) {
    client.write(Buffer.from([byte]));
    await delay(1);
  }
  await client.reply();
  assert.deepEqual(
    router.users().map(user => user.name),
    ['☕'],
  );
});

test('a delayed reply comes late, but the command took effect at once', async t => {
  const { client, router } = await start(t, { replyDelayMs: 1_000 });
  const asked = performance.now();
  const reply = client.talk('/ip/hotspot/user/add', '=name=asha');
  let isAnswered = false;
  void reply.then(() => {
    isAnswered = true;
  });
  await until(() => router.users().length === 1);
  assert.equal(isAnswered, false);
  await reply;
  assert.ok(performance.now() - asked >= 990);
});

test('replies without a tag keep the order of their commands, even when one is long', async t => {
  const { client, router } = await start(t);
  router.seed({ people: 1_000 });
  client.send('/ip/hotspot/active/print');
  client.send('/system/identity/print');
  assert.equal((await client.reply()).rows.length, 1_000);
  assert.equal((await client.reply()).rows[0]?.['name'], 'MikroTik');
});

test('a tagged reply overtakes a long one that came first', async t => {
  const { client, router } = await start(t);
  router.seed({ people: 5_000 });
  client.send('/ip/hotspot/active/print', '.tag=long');
  client.send('/system/identity/print', '.tag=short');
  assert.ok((await client.reply()).sentences.at(-1)?.includes('.tag=short'));
  assert.ok((await client.reply()).sentences.at(-1)?.includes('.tag=long'));
});

test('a cancelled command is interrupted and both replies end', async t => {
  const { client } = await start(t, { replyDelayMs: 500, faultPath: '/system' });
  client.send('/system/identity/print', '.tag=1');
  const cancel = await client.talk('/cancel', '=tag=1', '.tag=2');
  assert.deepEqual(cancel.sentences, [
    ['!trap', '.tag=1', '=category=2', '=message=interrupted'],
    ['!done', '.tag=2'],
  ]);
  assert.deepEqual((await client.reply()).sentences, [['!done', '.tag=1']]);
  await delay(600);
  assert.equal((await client.talk('/cancel', '=tag=1', '.tag=3')).trap?.message, 'no such item');
});

test('quit says goodbye with a bare word and closes', async t => {
  const { client } = await start(t);
  assert.deepEqual((await client.talk('/quit')).sentences, [['!fatal', 'session terminated on request']]);
  assert.deepEqual(await client.end(), { code: null });
});

test('a fatal router does not do what it was told, says so and closes', async t => {
  const { client, router } = await start(t, { fatal: 'out of memory' });
  assert.deepEqual((await client.talk('/ip/hotspot/user/add', '=name=asha')).sentences, [['!fatal', 'out of memory']]);
  assert.deepEqual(await client.end(), { code: null });
  assert.deepEqual(router.users(), []);
});

test('a silent router accepts connections and commands, and never answers nor acts', async t => {
  const { client, router } = await start(t);
  router.knobs.silent = true;
  client.send('/ip/hotspot/user/add', '=name=asha');
  const newcomer = await connect(t, router);
  newcomer.send('/login', '=name=admin', '=password=');
  await delay(60);
  assert.deepEqual(newcomer.sentences, []);
  router.knobs.silent = false;
  assert.equal((await client.talk('/system/identity/print')).rows.length, 1);
  assert.deepEqual(router.users(), []);
});

test('silence can be kept to some commands', async t => {
  const { client } = await start(t, { silent: true, faultPath: '/ip/hotspot/user/add' });
  client.send('/ip/hotspot/user/add', '=name=asha', '.tag=1');
  assert.equal((await client.talk('/system/identity/print', '.tag=2')).rows.length, 1);
});

for (const after of [0, 1, 20]) {
  test(`a connection can be reset ${after} bytes into a reply, with the command carried out`, async t => {
    const { client, router } = await start(t);
    client.chunks.length = 0;
    router.knobs.resetAfterBytes = after;
    client.send('/ip/hotspot/user/add', '=name=asha', '=comment=x', `.tag=${'t'.repeat(30)}`);
    assert.deepEqual(await client.end(), { code: 'ECONNRESET' });
    assert.equal(Buffer.concat(client.chunks).length, after);
    assert.equal(router.users().length, 1);
  });
}

test('a reserved length byte ends the connection', async t => {
  const client = await connect(t, await startRouter(t));
  client.write(Buffer.from([0xff]));
  assert.deepEqual(await client.end(), { code: null });
});

test('a router that stops listening resets its clients, refuses new ones, and comes back on the same port', async t => {
  const { client, router } = await start(t);
  const { port } = router;
  await router.stopListening();
  assert.deepEqual(await client.end(), { code: 'ECONNRESET' });
  await refused(port);
  await router.startListening();
  assert.equal(router.port, port);
  assert.equal((await (await login(t, router)).talk('/system/identity/print')).rows.length, 1);
});

test('connections can be dropped, politely or not, while the port stays open', async t => {
  const { client, router } = await start(t);
  router.dropConnections('close');
  assert.deepEqual(await client.end(), { code: null });
  const next = await login(t, router);
  router.dropConnections();
  assert.deepEqual(await next.end(), { code: 'ECONNRESET' });
});

test('a reboot kills the connection without a reply, shuts the port, forgets who is there and keeps users and cookies', async t => {
  const { client, router } = await start(t, { ...MAC_COOKIES, rebootMs: 1_000 });
  router.run('/ip/hotspot/user/add', { name: 'asha', password: 'p' });
  const host = router.join({ mac: ASHA });
  await client.talk('/ip/hotspot/active/login', '=user=asha', '=password=p', `=ip=${host.address}`);
  router.advance(10_000);
  const causes: string[] = [];
  router.on('logout', ({ cause }) => causes.push(cause));

  const before = client.sentences.length;
  client.send('/system/reboot');
  assert.deepEqual(await client.end(), { code: 'ECONNRESET' });
  assert.equal(client.sentences.length, before);
  await refused(router.port);
  assert.deepEqual([router.activeSessions(), router.hosts(), causes], [[], [], ['nas reboot']]);
  assert.equal(router.cookies().length, 1);
  assert.deepEqual(
    router.users().map(({ name, uptimeSeconds }) => [name, uptimeSeconds]),
    [['asha', 10]],
  );

  await until(() => isUp(router.port));
  const again = await login(t, router);
  assert.equal((await again.talk('/system/resource/print')).rows[0]?.['uptime'], '0s');
});
