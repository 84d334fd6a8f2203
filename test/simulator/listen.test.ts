import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { ASHA, addUser, asha, start } from './support.ts';

const INTERRUPTED = (tag: string) => [
  ['!trap', `.tag=${tag}`, '=category=2', '=message=interrupted'],
  ['!done', '.tag=stop'],
  ['!done', `.tag=${tag}`],
];

for (const [how, words, fromStart] of [
  ['listen', ['/ip/hotspot/user/listen'], false],
  ['print follow-only', ['/ip/hotspot/user/print', '=follow-only='], false],
  ['print follow', ['/ip/hotspot/user/print', '=follow='], true],
] as const) {
  test(`${how} tells of rows that come, change and go, until it is cancelled`, async t => {
    const { client, router } = await start(t);
    addUser(router);
    const rows = () => client.sentences.filter(([reply]) => reply === '!re').map(sentence => sentence.slice(1));
    client.send(...words, '=.proplist=name,comment', '?name=default-trial', '?#!', '.tag=f');
    if (fromStart) await until(() => rows().length === 1);
    else await client.talk('/system/identity/print');
    client.sentences.length = 0;
    router.run('/ip/hotspot/user/add', { name: 'juma' });
    await until(() => rows().length === 1);
    router.run('/ip/hotspot/user/set', { '.id': 'juma', comment: 'mine' });
    await until(() => rows().length === 2);
    router.run('/ip/hotspot/user/remove', { '.id': 'juma' });
    await until(() => rows().length === 3);
    assert.deepEqual(rows(), [
      ['.tag=f', '=name=juma'],
      ['.tag=f', '=name=juma', '=comment=mine'],
      ['.tag=f', '=.id=*2', '=.dead=yes'],
    ]);
    client.send('/cancel', '=tag=f', '.tag=stop');
    await until(() => client.sentences.length === 6);
    assert.deepEqual(client.sentences.slice(3), INTERRUPTED('f'));
  });
}

test('what only counts is no change', async t => {
  const { client, router } = await start(t);
  addUser(router);
  router.join({ mac: ASHA });
  router.login(asha);
  client.send('/ip/hotspot/active/listen', '.tag=f');
  await client.talk('/system/identity/print');
  router.advance(60_000);
  router.logout(ASHA);
  await until(() => client.sentences.some(words => words.includes('=.dead=yes')));
  assert.equal(client.sentences.filter(words => words.includes('.tag=f')).length, 1);
});

test('print interval says everything again and again, each time as a section, until it is cancelled', async t => {
  const { client, router } = await start(t);
  addUser(router);
  client.sentences.length = 0;
  client.send('/ip/hotspot/user/print', '=interval=1', '=.proplist=name', '?name=asha', '.tag=i');
  await until(() => client.sentences.length >= 2);
  client.send('/cancel', '=tag=i', '.tag=stop');
  await until(() => client.sentences.some(([reply]) => reply === '!trap'));
  assert.deepEqual(client.sentences.slice(0, 2), [
    ['!re', '.tag=i', '=.section=0', '=name=asha'],
    ['!re', '.tag=i', '=.section=1', '=name=asha'],
  ]);
});

test('a client that goes away while it follows leaves nothing behind', async t => {
  const { client, router } = await start(t);
  client.send('/ip/hotspot/host/listen', '.tag=f');
  await client.talk('/system/identity/print');
  client.close();
  await until(() => router.connections === 0);
  router.join({ mac: ASHA });
});

test('copy-from takes what is not named from another row', async t => {
  const { client } = await start(t);
  await client.talk('/ip/hotspot/user/profile/add', '=name=gold', '=rate-limit=2M/8M', '=shared-users=3');
  const { ret } = await client.talk(
    '/ip/hotspot/user/profile/add',
    '=copy-from=gold',
    '=name=silver',
    '=shared-users=1',
  );
  const [silver] = (await client.talk('/ip/hotspot/user/profile/print', `?.id=${ret}`)).rows;
  assert.partialDeepStrictEqual(silver, { name: 'silver', 'rate-limit': '2M/8M', 'shared-users': '1' });
  const missing = await client.talk('/ip/hotspot/user/profile/add', '=copy-from=nobody', '=name=x');
  assert.equal(missing.trap?.message, 'no such item');
});

test('the log holds who came and went, and what was written into it', async t => {
  const { client, router } = await start(t);
  addUser(router);
  const { address } = router.join({ mac: ASHA });
  router.login(asha);
  router.logout(ASHA);
  await client.talk('/log/info', '=message=lango: hello');
  assert.equal((await client.talk('/log/info')).trap?.message, 'missing value(s) of argument(s) message');
  assert.deepEqual(
    router.table('/log').map(({ time, topics, message }) => [time, topics, message]),
    [
      ['2026-11-21 12:00:00', 'system,info,account', 'user admin logged in from 127.0.0.1 via api'],
      ['2026-11-21 12:00:00', 'hotspot,account,info,debug', `asha (${address}): logged in`],
      ['2026-11-21 12:00:00', 'hotspot,account,info,debug', `asha (${address}): logged out: user request`],
      ['2026-11-21 12:00:00', 'script,info', 'lango: hello'],
    ],
  );
});

test('whoever is logged in to the API is shown, and gone with the connection', async t => {
  const { client, router } = await start(t);
  const [row] = (await client.talk('/user/active/print')).rows;
  assert.partialDeepStrictEqual(row, { name: 'admin', address: '127.0.0.1', via: 'api', group: 'full' });
  client.close();
  await until(() => router.table('/user/active').length === 0);
});

test('a user shows what it sent and received', async t => {
  const { client, router } = await start(t);
  addUser(router);
  router.join({ mac: ASHA });
  router.login(asha);
  router.advance(60_000);
  router.logout(ASHA);
  const [user] = (await client.talk('/ip/hotspot/user/print', '?name=asha')).rows;
  for (const counter of ['bytes-in', 'bytes-out', 'packets-in', 'packets-out']) {
    assert.ok(Number(user?.[counter]) > 0, counter);
  }
});
