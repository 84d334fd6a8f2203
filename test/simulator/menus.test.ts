import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from './support.ts';

const EVERY_MENU = [
  '/ip/hotspot',
  '/ip/hotspot/active',
  '/ip/hotspot/host',
  '/ip/hotspot/user',
  '/ip/hotspot/user/profile',
  '/ip/hotspot/cookie',
  '/ip/hotspot/ip-binding',
  '/ip/hotspot/walled-garden',
  '/ip/hotspot/walled-garden/ip',
  '/ip/hotspot/profile',
  '/ip/address',
  '/ip/service',
  '/user',
  '/user/group',
  '/user/active',
  '/log',
  '/file',
  '/system/resource',
  '/system/identity',
  '/system/routerboard',
  '/system/clock',
  '/system/ntp/client',
];

test('every menu that the product reads or provisions can be printed', async t => {
  const { client } = await start(t);
  for (const menu of EVERY_MENU) assert.equal((await client.talk(`${menu}/print`)).trap, null, menu);
});

test('add gives the id of a row that print then shows', async t => {
  const { client } = await start(t);
  const { ret, sentences } = await client.talk(
    '/ip/hotspot/user/add',
    '=name=255712345678',
    '=password=p=q',
    '=mac-address=a4:00:00:00:00:01',
    '=limit-uptime=90061',
    '=disabled=no',
    '=comment=Åsa ☕',
  );
  assert.match(ret ?? '', /^\*[0-9A-F]+$/);
  assert.deepEqual(sentences, [['!done', `=ret=${ret}`]]);
  const [row] = (await client.talk('/ip/hotspot/user/print', '?name=255712345678')).rows;
  assert.deepEqual(row, {
    '.id': ret,
    server: 'all',
    name: '255712345678',
    password: 'p=q',
    'mac-address': 'A4:00:00:00:00:01',
    profile: 'default',
    'limit-uptime': '1d1h1m1s',
    uptime: '0s',
    'bytes-in': '0',
    'bytes-out': '0',
    'packets-in': '0',
    'packets-out': '0',
    dynamic: 'false',
    comment: 'Åsa ☕',
    disabled: 'false',
  });
});

test('ids go on in capital hex and are never given again', async t => {
  const { client } = await start(t);
  const ids: (string | undefined)[] = [];
  for (let place = 1; place <= 27; place += 1) {
    ids.push((await client.talk('/ip/hotspot/user/add', `=name=u${place}`)).ret);
    await client.talk('/ip/hotspot/user/remove', `=.id=${ids.at(-1)}`);
  }
  assert.equal(new Set(ids).size, 27);
  assert.equal(ids[25], '*1A');
});

test('set changes what it names, by id or by name, and leaves the rest', async t => {
  const { client, router } = await start(t);
  const { ret: id } = await client.talk('/ip/hotspot/user/add', '=name=asha', '=password=one');
  await client.talk('/ip/hotspot/user/set', `=.id=${id}`, '=password=two');
  await client.talk('/ip/hotspot/user/set', '=numbers=asha', '=limit-uptime=02:00:00');
  await client.talk('/ip/hotspot/user/disable', `=.id=${id}`);
  const [asha] = router.users();
  assert.partialDeepStrictEqual(asha, { name: 'asha', password: 'two', limitUptimeSeconds: 7_200, disabled: true });
  await client.talk('/ip/hotspot/user/enable', `=numbers=${id}`);
  await client.talk('/ip/hotspot/user/unset', `=.id=${id}`, '=value-name=limit-uptime');
  assert.partialDeepStrictEqual(router.users()[0], { disabled: false, limitUptimeSeconds: null });
  await client.talk('/system/identity/set', '=name=Café');
  assert.deepEqual((await client.talk('/system/identity/print')).rows, [{ name: 'Café' }]);
});

test('remove takes a comma list, and none of it when one is missing', async t => {
  const { client, router } = await start(t);
  const ids = [];
  for (const name of ['a', 'b', 'c']) ids.push((await client.talk('/ip/hotspot/user/add', `=name=${name}`)).ret);
  const refused = await client.talk('/ip/hotspot/user/remove', `=.id=${ids[0]},*FFFF`);
  assert.deepEqual(refused.trap, { message: 'no such item', category: '0' });
  assert.equal(router.users().length, 3);
  assert.deepEqual((await client.talk('/ip/hotspot/user/remove', `=numbers=${ids[0]},${ids[2]}`)).sentences, [
    ['!done'],
  ]);
  assert.deepEqual(
    router.users().map(user => user.name),
    ['b'],
  );
});

test('a stale id is no such item, for every command that takes one', async t => {
  const { client } = await start(t);
  const { ret: id } = await client.talk('/ip/hotspot/user/add', '=name=asha');
  await client.talk('/ip/hotspot/user/remove', `=.id=${id}`);
  for (const verb of ['remove', 'set', 'enable', 'disable']) {
    assert.equal((await client.talk(`/ip/hotspot/user/${verb}`, `=.id=${id}`)).trap?.message, 'no such item', verb);
  }
});

for (const [what, words, message, category] of [
  [
    'a second user of the same name',
    ['/ip/hotspot/user/add', '=name=asha'],
    'failure: already have user with this name for this server',
    undefined,
  ],
  [
    'a profile nobody made',
    ['/ip/hotspot/user/add', '=name=juma', '=profile=gold'],
    'input does not match any value of profile',
    '1',
  ],
  [
    'a word that is no boolean',
    ['/ip/hotspot/user/add', '=name=juma', '=disabled=maybe'],
    'input does not match any value of disabled',
    '1',
  ],
  ['a parameter nobody knows', ['/ip/hotspot/user/add', '=name=juma', '=color=red'], 'unknown parameter color', '0'],
  [
    'writing what can only be read',
    ['/ip/hotspot/user/set', '=.id=asha', '=uptime=0s'],
    'unknown parameter uptime',
    '0',
  ],
  ['a remove that also sets', ['/ip/hotspot/user/remove', '=.id=asha', '=name=x'], 'unknown parameter name', '0'],
  ['an unknown word for print', ['/ip/hotspot/user/print', '=nonsense=1'], 'unknown parameter nonsense', '0'],
  ['an unknown command of a menu', ['/ip/hotspot/user/frobnicate'], 'no such command', '0'],
  ['adding to a menu that is a view', ['/ip/hotspot/active/add', '=user=asha'], 'no such command', '0'],
  ['a menu nobody has', ['/ip/hotdog/print'], 'no such command prefix', '0'],
  ['a sentence without a slash', ['print'], 'no such command prefix', '0'],
] as const) {
  test(`${what} is refused with "${message}"`, async t => {
    const { client, router } = await start(t);
    router.run('/ip/hotspot/user/add', { name: 'asha' });
    const reply = await client.talk(...words);
    assert.deepEqual(reply.trap, { message, category });
    assert.deepEqual(reply.sentences.at(-1), ['!done']);
    assert.deepEqual(
      router.users().map(user => user.name),
      ['asha'],
    );
  });
}

test('the same user name may stand once for each server', async t => {
  const { client } = await start(t);
  assert.equal((await client.talk('/ip/hotspot/user/add', '=name=asha')).trap, null);
  assert.equal((await client.talk('/ip/hotspot/user/add', '=name=asha', '=server=hotspot1')).trap, null);
  assert.notEqual((await client.talk('/ip/hotspot/user/add', '=name=asha', '=server=hotspot1')).trap, null);
});

test('a name is free again after its row was removed or renamed', async t => {
  const { client, router } = await start(t);
  for (const verb of ['remove', 'set'] as const) {
    await client.talk('/ip/hotspot/user/add', '=name=asha');
    await client.talk(`/ip/hotspot/user/${verb}`, '=.id=asha', ...(verb === 'set' ? ['=name=juma'] : []));
  }
  assert.equal((await client.talk('/ip/hotspot/user/add', '=name=asha')).trap, null);
  assert.deepEqual(
    router.users().map(user => user.name),
    ['juma', 'asha'],
  );
  const clash = await client.talk('/ip/hotspot/user/set', '=.id=asha', '=name=juma');
  assert.match(clash.trap?.message ?? '', /already have/);
});

test('a profile is refused the second time and keeps its scripts as text', async t => {
  const { client } = await start(t);
  const script = ':do {\n  /tool fetch url="http://10.5.0.2/api/router/auth/"\n} on-error={}';
  const words = [
    '/ip/hotspot/user/profile/add',
    '=name=gold',
    '=rate-limit=2M/8M',
    '=session-timeout=1d',
    `=on-login=${script}`,
  ];
  await client.talk(...words);
  assert.match((await client.talk(...words)).trap?.message ?? '', /already have/);
  const [gold] = (await client.talk('/ip/hotspot/user/profile/print', '?name=gold')).rows;
  assert.partialDeepStrictEqual(gold, {
    'rate-limit': '2M/8M',
    'shared-users': '1',
    'session-timeout': '1d',
    'on-login': script,
  });
});

test('what came with the router cannot be removed', async t => {
  const { client } = await start(t);
  for (const row of [
    '/ip/hotspot/user/profile/remove =.id=default',
    '/ip/hotspot/user/remove =.id=default-trial',
    '/ip/service/remove =.id=api',
  ]) {
    assert.notEqual((await client.talk(...row.split(' '))).trap, null, row);
  }
});

test('queries, a proplist and count-only narrow a print', async t => {
  const { client, router } = await start(t);
  for (const [name, comment] of [
    ['asha', 'lango'],
    ['juma', 'lango'],
    ['boss', 'mine'],
  ] as const) {
    router.run('/ip/hotspot/user/add', { name, comment });
  }
  const print = async (...words: string[]) =>
    (await client.talk('/ip/hotspot/user/print', '=.proplist=name,uptime,bogus', ...words)).rows;
  assert.deepEqual(await print('?comment=lango'), [
    { name: 'asha', uptime: '0s' },
    { name: 'juma', uptime: '0s' },
  ]);
  assert.deepEqual(await print('?comment=lango', '?name=juma'), [{ name: 'juma', uptime: '0s' }]);
  assert.deepEqual(
    (await print('?comment=lango', '?#!')).map(row => row['name']),
    ['default-trial', 'boss'],
  );
  assert.deepEqual(
    (await print('?name=asha', '?name=boss', '?#|')).map(row => row['name']),
    ['asha', 'boss'],
  );
  assert.equal((await client.talk('/ip/hotspot/user/print', '=count-only=', '?comment')).ret, '4');
  assert.equal((await client.talk('/ip/hotspot/user/get', '=.id=juma', '=value-name=comment')).ret, 'lango');
});

test('a read-only account may look and may change nothing', async t => {
  const { client, router } = await start(t, { readOnly: true });
  router.run('/ip/hotspot/user/add', { name: 'asha' });
  assert.equal((await client.talk('/ip/hotspot/user/print', '?name=asha')).rows.length, 1);
  for (const words of [
    ['/ip/hotspot/user/add', '=name=juma'],
    ['/ip/hotspot/user/set', '=.id=asha', '=comment=x'],
    ['/ip/hotspot/user/remove', '=.id=asha'],
    ['/ip/hotspot/active/login', '=user=asha', '=ip=10.5.0.10'],
    ['/system/reboot'],
  ]) {
    assert.deepEqual(
      (await client.talk(...words)).trap,
      { message: 'not enough permissions (9)', category: undefined },
      words[0],
    );
  }
  assert.deepEqual(
    router.users().map(user => user.name),
    ['asha'],
  );
});

test('accounts and groups are changed only with the policy that is called policy', async t => {
  const { client, router } = await start(t);
  router.run('/user/group/set', { '.id': 'full', policy: 'read,write,api' });
  const reply = await client.talk('/user/add', '=name=intruder', '=group=full');
  assert.equal(reply.trap?.message, 'not enough permissions (9)');
  assert.equal((await client.talk('/ip/hotspot/user/add', '=name=asha')).trap, null);
});

test('passwords are shown only to an account with the policy sensitive, and those of accounts to nobody', async t => {
  const { client, router } = await start(t);
  router.run('/ip/hotspot/user/add', { name: 'asha', password: 'p' });
  const passwords = async (menu: string) => (await client.talk(`${menu}/print`)).rows.map(row => row['password']);
  assert.ok((await passwords('/ip/hotspot/user')).includes('p'));
  assert.deepEqual(await passwords('/user'), [undefined]);
  router.run('/user/group/set', { '.id': 'full', policy: 'read,write,api' });
  assert.ok(!(await passwords('/ip/hotspot/user')).includes('p'));
});

test('a print without rows ends with !empty from 7.18 on, and before with nothing', async t => {
  const { client, router } = await start(t, { version: '7.18' });
  assert.deepEqual((await client.talk('/ip/hotspot/active/print', '.tag=7')).sentences, [
    ['!empty', '.tag=7'],
    ['!done', '.tag=7'],
  ]);
  router.knobs.version = '7.17.2';
  assert.deepEqual((await client.talk('/ip/hotspot/active/print', '.tag=8')).sentences, [['!done', '.tag=8']]);
});

test('a machine without a routerboard has no such menu and says CHR', async t => {
  const { client } = await start(t, { routerboard: false });
  assert.equal((await client.talk('/system/routerboard/print')).trap?.message, 'no such command prefix');
  assert.equal((await client.talk('/system/resource/print')).rows[0]?.['board-name'], 'CHR');
});

test('the clock is in the form of the version, and in 1970 when it was never set', async t => {
  const { client, router } = await start(t);
  const clock = async () => (await client.talk('/system/clock/print')).rows[0];
  assert.partialDeepStrictEqual(await clock(), { date: '2026-11-21', time: '12:00:00' });
  router.knobs.version = '6.49';
  assert.equal((await clock())?.['date'], 'nov/21/2026');
  router.knobs.clockAt1970 = true;
  router.advance(61_000);
  assert.partialDeepStrictEqual(await clock(), { date: 'jan/01/1970', time: '00:01:01' });
});

test('what provisioning writes stays as the router would print it', async t => {
  const { client, router } = await start(t, { blank: true });
  assert.deepEqual(router.table('/ip/hotspot'), []);
  const setUp = [
    ['/ip/address/add', '=address=10.9.1.1/22', '=interface=bridge'],
    ['/ip/hotspot/profile/add', '=name=lango', '=hotspot-address=10.9.1.1', '=login-by=mac-cookie,http-pap'],
    ['/ip/hotspot/add', '=name=lango', '=interface=bridge', '=profile=lango', '=address-pool=lango'],
    ['/ip/hotspot/walled-garden/add', '=dst-host=*.example.com', '=comment=lango'],
    ['/ip/hotspot/walled-garden/ip/add', '=dst-host=pay.example.com', '=action=accept', '=comment=lango'],
    ['/file/add', '=name=hotspot/login.html', '=contents=<p>☕'],
    ['/ip/service/set', '=.id=telnet', '=disabled=yes'],
  ];
  for (const words of setUp) assert.equal((await client.talk(...words)).trap, null, words[0]);
  assert.equal(router.table('/file')[0]?.['size'], '6');
  assert.equal(router.table('/ip/service').find(row => row['name'] === 'telnet')?.['disabled'], 'true');
  assert.equal(router.join({ mac: 'A4:00:00:00:00:01' }).address, '10.5.0.10');
});
