import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { challengeResponse, RawApiClient } from './raw-api-client.ts';
import { connect, startRouter } from './support.ts';

const ACCOUNT = { username: 'lango', password: 'sirí ☕' };

for (const version of ['6.43', '7.16', '7.18.2']) {
  test(`RouterOS ${version} takes name and password in one sentence`, async t => {
    const client = await connect(t, await startRouter(t, { ...ACCOUNT, version }));
    const reply = await client.talk('/login', '=name=lango', '=password=sirí ☕');
    assert.deepEqual(reply.sentences, [['!done']]);
    assert.equal((await client.talk('/system/identity/print')).rows[0]?.['name'], 'MikroTik');
  });
}

for (const version of ['6.42', '6.44']) {
  test(`RouterOS ${version} takes the answer to its challenge`, async t => {
    const client = await connect(t, await startRouter(t, { ...ACCOUNT, version }));
    const { ret = '' } = await client.talk('/login');
    assert.match(ret, /^[0-9a-f]{32}$/);
    const reply = await client.talk('/login', '=name=lango', `=response=${challengeResponse(ACCOUNT.password, ret)}`);
    assert.deepEqual(reply.sentences, [['!done']]);
    assert.equal((await client.talk('/system/identity/print')).rows.length, 1);
  });
}

test('RouterOS 6.42 answers a plain login with a challenge, and is not logged in by it', async t => {
  const client = await connect(t, await startRouter(t, { ...ACCOUNT, version: '6.42' }));
  const reply = await client.talk('/login', '=name=lango', `=password=${ACCOUNT.password}`);
  assert.match(reply.ret ?? '', /^[0-9a-f]{32}$/);
  assert.deepEqual((await client.talk('/system/identity/print')).sentences, [['!fatal', 'not logged in']]);
});

test('a challenge is good for one answer', async t => {
  const client = await connect(t, await startRouter(t, { ...ACCOUNT, version: '6.42' }));
  const { ret = '' } = await client.talk('/login');
  const answer = ['=name=lango', `=response=${challengeResponse('wrong', ret)}`];
  assert.equal((await client.talk('/login', ...answer)).trap?.message, 'cannot log in');
  const late = await client.talk('/login', '=name=lango', `=response=${challengeResponse(ACCOUNT.password, ret)}`);
  assert.equal(late.trap?.message, 'cannot log in');
});

for (const version of ['6.45.1', '7.16']) {
  test(`RouterOS ${version} still gives a challenge to a bare login, and takes no answer to it`, async t => {
    const client = await connect(t, await startRouter(t, { ...ACCOUNT, version }));
    const { ret = '' } = await client.talk('/login');
    assert.match(ret, /^[0-9a-f]{32}$/);
    const answer = await client.talk('/login', '=name=lango', `=response=${challengeResponse(ACCOUNT.password, ret)}`);
    assert.equal(answer.trap?.message, 'invalid user name or password (6)');
    assert.deepEqual((await client.talk('/login', '=name=lango', `=password=${ACCOUNT.password}`)).sentences, [
      ['!done'],
    ]);
  });
}

for (const [what, words] of [
  ['a wrong password', ['=name=lango', '=password=no']],
  ['an unknown name', ['=name=nobody', `=password=${ACCOUNT.password}`]],
] as const) {
  test(`${what} is refused in the router's words, and the connection stays`, async t => {
    const client = await connect(t, await startRouter(t, ACCOUNT));
    const reply = await client.talk('/login', ...words);
    assert.deepEqual(reply.sentences, [['!trap', '=message=invalid user name or password (6)'], ['!done']]);
    assert.deepEqual((await client.talk('/login', '=name=lango', `=password=${ACCOUNT.password}`)).sentences, [
      ['!done'],
    ]);
  });
}

test('a command before the login is fatal', async t => {
  const client = await connect(t, await startRouter(t));
  assert.deepEqual((await client.talk('/ip/hotspot/user/print')).sentences, [['!fatal', 'not logged in']]);
  assert.deepEqual(await client.end(), { code: null });
});

test('an account that was added on the router can log in when its group has the policy api', async t => {
  const router = await startRouter(t);
  router.run('/user/group/add', { name: 'appliance', policy: 'read,write,api' });
  router.run('/user/group/add', { name: 'deaf', policy: 'read,write' });
  router.run('/user/add', { name: 'lango', group: 'appliance', password: 'p' });
  router.run('/user/add', { name: 'other', group: 'deaf', password: 'p' });
  const client = await connect(t, router);
  assert.notEqual((await client.talk('/login', '=name=other', '=password=p')).trap, null);
  assert.equal((await client.talk('/login', '=name=lango', '=password=p')).trap, null);
  assert.equal((await client.talk('/system/reboot')).trap?.message, 'not enough permissions (9)');
});

test('the API speaks TLS with the certificate it was given', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'router-tls-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=router',
  ];
  execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const router = await startRouter(t, { tls: { key: readFileSync(key), cert: readFileSync(cert) } });
  const client = await RawApiClient.loggedIn(router.port, { tls: true });
  t.after(() => client.close());
  assert.equal((await client.talk('/system/resource/print')).rows[0]?.['platform'], 'MikroTik');

  const plain = await connect(t, router);
  plain.send('/login', '=name=admin', '=password=');
  await plain.end();
  assert.equal(router.connections, 1);

  router.knobs.resetAfterBytes = 10;
  client.send('/ip/service/print');
  assert.equal((await client.end()).code, 'ECONNRESET');
  assert.equal(router.connections, 0);
});
