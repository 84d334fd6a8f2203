/** The hotspot port against the simulated router: what each call does to a router, and what it must never do. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Mac, parseMac } from '../../src/domain/mac.ts';
import type { HotspotPort, RouterSettings } from '../../src/domain/ports.ts';
import { trapOf } from '../../src/router/faults.ts';
import { createHotspotPort, type HotspotPortOptions } from '../../src/router/hotspot-port.ts';
import { CERTIFICATE, FINGERPRINT, KEY } from '../simulator/certificate.ts';
import { type RouterSimulator, type RouterSimulatorOptions, startRouterSimulator } from '../simulator/router.ts';
import { MAC_COOKIES } from '../simulator/support.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';
import { afterLogin, type Behaviour, type Peer, silentLog, startPeer } from './support/peer.ts';

const ASHA = macOf('02:AA:00:00:00:01');
const JUMA = macOf('02:AA:00:00:00:02');
const NEEMA = macOf('02:AA:00:00:00:03');
const NOBODY = macOf('02:AA:00:00:00:FF');

function macOf(text: string): Mac {
  const mac = parseMac(text);
  assert.ok(mac);
  return mac;
}

interface House {
  router: RouterSimulator;
  port: HotspotPort;
  settings: RouterSettings;
  /** Every command that reached the router, logins left out. */
  commands: { command: string; attributes: Record<string, string>; queries: readonly string[] }[];
}

async function startHouse(
  t: TestContext,
  knobs: RouterSimulatorOptions = {},
  settings: Partial<RouterSettings> = {},
  options: Partial<HotspotPortOptions> = {},
): Promise<House> {
  const router = await startRouterSimulator({
    port: await freePort(),
    username: 'lango',
    password: 'säkret',
    ...MAC_COOKIES,
    ...knobs,
  });
  t.after(() => router.stop());
  const commands: House['commands'] = [];
  router.on('command', event => {
    if (event.command !== '/login') commands.push(event);
  });
  const full: RouterSettings = {
    host: '127.0.0.1',
    port: router.port,
    username: 'lango',
    password: 'säkret',
    ssl: knobs.tls !== undefined,
    sslFingerprint: null,
    hotspot: null,
    profile: 'default',
    ...settings,
  };
  const port = createHotspotPort({
    settings: full,
    log: silentLog,
    backoffMs: { first: 20, longest: 100 },
    ...options,
  });
  t.after(() => port.close());
  return { router, port, settings: full, commands };
}

/** A port to a peer that shows the words it was sent. */
async function startPort(
  t: TestContext,
  behaviour: Behaviour,
  settings: Partial<RouterSettings> = {},
): Promise<{ port: HotspotPort; peer: Peer }> {
  const peer = await startPeer(t, afterLogin(behaviour));
  const port = createHotspotPort({ settings: { ...peer.settings, ...settings }, log: silentLog });
  t.after(() => port.close());
  return { port, peer };
}

function newUser(name: string, mac: Mac) {
  return { name, password: `secret of ${name}`, mac, profile: 'default', limitUptimeSeconds: 3_600 };
}

/** Adds the user and puts the device on the Wi-Fi and online. */
async function bringOnline({ router, port }: House, name: string, mac: Mac): Promise<void> {
  const user = newUser(name, mac);
  await port.addUser(user);
  const { address } = router.join({ mac });
  await port.login({ user: name, password: user.password, mac, address });
}

/** Reads the one user of that name. */
async function userNamed(port: HotspotPort, name: string) {
  const user = (await port.users()).find(each => each.name === name);
  assert.ok(user, `${name} is on the router`);
  return user;
}

// ---------------------------------------------------------------------------- the whole way, every wire

const WIRES: [name: string, knobs: RouterSimulatorOptions][] = [
  ['RouterOS 7.16, tag first', {}],
  ['tag last', { tagPosition: 'last' }],
  ['RouterOS 6.42 with its challenge login', { version: '6.42' }],
  ['RouterOS 7.18 with !empty', { version: '7.18', tagPosition: 'last' }],
  ['single bytes', { fragmentBytes: 1, version: '7.18' }],
  ['traps without categories', { trapCategories: false }],
  ['SSL', { tls: { key: KEY, cert: CERTIFICATE } }],
];

for (const [name, knobs] of WIRES) {
  test(`a person is added, let online, seen and cut off again: ${name}`, async t => {
    const house = await startHouse(t, knobs);
    const { router, port } = house;
    assert.deepEqual(await port.sessions(), []);
    assert.deepEqual(await port.hosts({ macs: [ASHA] }), []);
    await bringOnline(house, '255712345678', ASHA);

    const [session, ...others] = await port.sessions();
    assert.equal(others.length, 0);
    assert.deepEqual(
      { user: session?.user, mac: session?.mac, address: session?.address },
      { user: '255712345678', mac: ASHA, address: router.activeSessions()[0]?.address },
    );
    assert.ok(session?.timeLeftSeconds && session.timeLeftSeconds > 3_590 && session.timeLeftSeconds <= 3_600);
    const [host] = await port.hosts();
    assert.deepEqual(
      { mac: host?.mac, authorized: host?.authorized, bypassed: host?.bypassed },
      { mac: ASHA, authorized: true, bypassed: false },
    );
    const user = await userNamed(port, '255712345678');
    assert.deepEqual(
      { ours: user.ours, mac: user.mac, limit: user.limitUptimeSeconds },
      { ours: true, mac: ASHA, limit: 3_600 },
    );

    await port.removeUser(user);
    assert.equal(await port.removeCookies({ mac: ASHA }), 1);
    assert.equal(await port.endSessions({ user: '255712345678', mac: ASHA }), 1);
    assert.deepEqual([router.activeSessions(), router.cookies(), router.users()], [[], [], []]);
    assert.deepEqual([await port.users({ macs: [ASHA] }), await port.sessions()], [[], []]);
  });
}

test('everything is read right from replies in pieces of any size', async t => {
  const house = await startHouse(t);
  house.router.seed({ people: 3, comment: 'lango:v1' });
  house.router.run('/ip/hotspot/user/add', { name: 'Zoë', comment: 'Дом · 中文' });
  const whole = await house.port.users();
  assert.equal(whole.length, 5);
  for (let size = 1; size <= 90; size += 1) {
    house.router.knobs.fragmentBytes = size;
    const names = (await house.port.users()).map(user => [user.name, user.comment, user.mac]);
    assert.deepEqual(
      names,
      whole.map(user => [user.name, user.comment, user.mac]),
      `pieces of ${size} bytes`,
    );
  }
});

// ------------------------------------------------------------------------------------------------ users

test('a user of ours is written with everything that makes it one', async t => {
  const { router, port } = await startHouse(t);
  await port.addUser(newUser('255712345678', ASHA));
  const [user] = router.users();
  assert.deepEqual(
    { ...user, id: '', uptimeSeconds: 0 },
    {
      id: '',
      name: '255712345678',
      password: 'secret of 255712345678',
      profile: 'default',
      mac: ASHA,
      comment: 'lango:v1',
      disabled: false,
      uptimeSeconds: 0,
      limitUptimeSeconds: 3_600,
    },
  );
});

test('a user that exists is refused with the words of the router', async t => {
  const { port } = await startHouse(t);
  await port.addUser(newUser('a', ASHA));
  await assert.rejects(port.addUser(newUser('a', JUMA)), { code: 'ROUTER_REFUSED', message: /already have user/ });
});

test('only what changes of a user is sent, and nothing when nothing does', async t => {
  const { router, port, commands } = await startHouse(t);
  await port.addUser(newUser('a', ASHA));
  const user = await userNamed(port, 'a');
  commands.length = 0;
  await port.updateUser(user, {});
  assert.equal(commands.length, 0);
  await port.updateUser(user, { limitUptimeSeconds: 7_265, disabled: true });
  assert.deepEqual(commands[0]?.attributes, { '.id': user.id, 'limit-uptime': '2h1m5s', disabled: 'yes' });
  await port.updateUser(user, { disabled: false, mac: JUMA, password: 'other', name: 'b' });
  const [now] = router.users();
  assert.deepEqual(
    [now?.name, now?.mac, now?.password, now?.disabled, now?.limitUptimeSeconds, now?.comment],
    ['b', JUMA, 'other', false, 7_265, 'lango:v1'],
  );
});

test('time that has run out is never written as a user without limit', async t => {
  const { router, port } = await startHouse(t);
  await port.addUser({ ...newUser('a', ASHA), limitUptimeSeconds: 0 });
  await port.updateUser(await userNamed(port, 'a'), { limitUptimeSeconds: -5 });
  assert.equal(router.users()[0]?.limitUptimeSeconds, 1);
});

test('a user that is gone already counts as removed, and cannot be changed', async t => {
  const { router, port } = await startHouse(t);
  await port.addUser(newUser('a', ASHA));
  const user = await userNamed(port, 'a');
  router.run('/ip/hotspot/user/remove', { '.id': user.id });
  await port.removeUser(user);
  await assert.rejects(port.updateUser(user, { disabled: true }), { code: 'ROUTER_REFUSED', message: 'no such item' });
});

test('rows that are not ours are refused before anything is sent, and stay byte for byte what they were', async t => {
  const house = await startHouse(t);
  const { router, port, commands } = house;
  for (const [name, comment] of [
    ['boss', ''],
    ['guest', 'lango is nice'],
    ['old', 'Lango:v1'],
  ] as const) {
    router.run('/ip/hotspot/user/add', { name, comment, password: 'x', 'mac-address': NEEMA });
  }
  await bringOnline(house, 'ours', ASHA);
  const before = router.table('/ip/hotspot/user').filter(row => row['name'] !== 'ours');
  commands.length = 0;
  const foreign = (await port.users()).filter(user => !user.ours);
  assert.equal(foreign.length, 4);
  commands.length = 0;
  for (const user of foreign) {
    await assert.rejects(port.updateUser(user, { disabled: true }), {
      code: 'ROUTER_REFUSED',
      message: /not made by Lango/,
    });
    await assert.rejects(port.removeUser(user), { code: 'ROUTER_REFUSED', message: /not made by Lango/ });
  }
  assert.equal(commands.length, 0);
  await port.updateUser(await userNamed(port, 'ours'), { disabled: true });
  await port.removeUser(await userNamed(port, 'ours'));
  assert.deepEqual(router.table('/ip/hotspot/user'), before);
});

// ---------------------------------------------------------------------------------------- scoped reads

test('a scoped read asks the router for those addresses only, and always for named properties', async t => {
  const { port, peer } = await startPort(t, command => command.reply(['!done']));
  await port.users({ macs: [ASHA, JUMA, NEEMA] });
  await port.hosts({ macs: [ASHA] });
  await port.sessions();
  const [users, hosts, sessions] = peer.commands.slice(1).map(command => command.words);
  assert.deepEqual(users?.slice(1), [
    `?mac-address=${ASHA}`,
    `?mac-address=${JUMA}`,
    '?#|',
    `?mac-address=${NEEMA}`,
    '?#|',
  ]);
  assert.deepEqual(hosts?.slice(1), [`?mac-address=${ASHA}`]);
  assert.equal(sessions?.length, 1);
  for (const words of [users, hosts, sessions]) assert.match(words?.[0] ?? '', /^=\.proplist=[\w.,-]+$/);
});

test('a scoped read finds exactly the rows of its addresses', async t => {
  const house = await startHouse(t);
  for (const [name, mac] of [
    ['a', ASHA],
    ['b', JUMA],
    ['c', NEEMA],
  ] as const)
    await bringOnline(house, name, mac);
  const { port } = house;
  for (const macs of [[ASHA], [ASHA, NEEMA], [ASHA, JUMA, NEEMA], [NOBODY], [NOBODY, JUMA]]) {
    const expected = macs.filter(mac => mac !== NOBODY);
    for (const read of ['users', 'hosts', 'sessions'] as const) {
      assert.deepEqual(new Set((await port[read]({ macs })).map(row => row.mac)), new Set(expected), read);
    }
  }
});

test('a read of no addresses asks nothing, and one of very many reads all and keeps those', async t => {
  const { router, port, commands } = await startHouse(t);
  const seeded = router.seed({ people: 120 });
  assert.deepEqual(await port.sessions({ macs: [] }), []);
  assert.equal(commands.length, 0);
  const wanted = seeded.slice(10, 90).map(person => macOf(person.mac));
  const found = await port.sessions({ macs: wanted });
  assert.equal(found.length, 80);
  assert.deepEqual(new Set(found.map(session => session.mac)), new Set(wanted));
  assert.deepEqual(commands[0]?.queries, []);
});

test('with a hotspot server named, only its sessions and hosts are read, and users are added to it', async t => {
  const { port, peer } = await startPort(t, command => command.reply(['!done']), { hotspot: 'hall' });
  await port.sessions();
  await port.hosts({ macs: [ASHA, JUMA] });
  await port.users();
  await port.addUser(newUser('a', ASHA));
  const [sessions, hosts, users, add] = peer.commands.slice(1).map(command => command.words);
  assert.deepEqual(sessions?.slice(1), ['?server=hall']);
  assert.deepEqual(hosts?.slice(1), [`?mac-address=${ASHA}`, `?mac-address=${JUMA}`, '?#|', '?server=hall', '?#&']);
  assert.equal(users?.length, 1);
  assert.ok(add?.includes('=server=hall'));
});

test('a row that makes no sense is read without failing', async t => {
  const { port } = await startPort(t, command =>
    command.reply(['!re', '=mac-address=?'], ['!re', '=__proto__=x', '=uptime=soon'], ['!done']),
  );
  assert.equal((await port.sessions()).length, 2);
  assert.deepEqual((await port.sessions())[1], {
    id: '',
    user: '',
    address: '',
    mac: null,
    server: '',
    uptimeSeconds: 0,
    timeLeftSeconds: null,
    idleSeconds: 0,
    bytesIn: 0,
    bytesOut: 0,
    packetsIn: 0,
    packetsOut: 0,
  });
  // A host without a MAC is nobody that could be put online.
  assert.deepEqual(await port.hosts(), []);
});

// ------------------------------------------------------------------------------------ hosts and sessions

test('the MACs behind addresses are those that the router knows', async t => {
  const { router, port } = await startHouse(t);
  router.join({ mac: ASHA, address: '10.5.0.20' });
  router.join({ mac: JUMA, address: '10.5.0.21' });
  assert.deepEqual(
    await port.macsByAddress(),
    new Map([
      ['10.5.0.20', ASHA],
      ['10.5.0.21', JUMA],
    ]),
  );
});

test('a translated address counts before the one a device brought itself', async t => {
  const { port } = await startPort(t, command =>
    command.reply(
      ['!re', `=mac-address=${ASHA}`, '=address=192.168.1.5', '=to-address=10.5.0.9'],
      ['!re', `=mac-address=${JUMA}`, '=address=10.5.0.7', '=to-address=192.168.1.5'],
      ['!done'],
    ),
  );
  assert.deepEqual(
    await port.macsByAddress(),
    new Map([
      ['10.5.0.9', ASHA],
      ['192.168.1.5', JUMA],
    ]),
  );
});

test('an address that two devices have is nobody’s: anybody can give himself another one’s', async t => {
  const { port } = await startPort(t, command =>
    command.reply(
      ['!re', `=mac-address=${ASHA}`, '=address=10.5.0.20'],
      ['!re', `=mac-address=${JUMA}`, '=address=10.5.0.20'],
      ['!re', `=mac-address=${ASHA}`, '=address=10.5.0.20', '=server=other'],
      ['!re', `=mac-address=${ASHA}`, '=address=10.5.0.21'],
      ['!re', `=mac-address=${JUMA}`, '=address=192.168.1.5', '=to-address=10.5.0.22'],
      ['!re', `=mac-address=${ASHA}`, '=address=10.5.0.22'],
      ['!done'],
    ),
  );
  assert.deepEqual(await port.macsByAddress(), new Map([['10.5.0.21', ASHA]]));
});

test('the router is known by the address that its API answered from, whatever its name is looked up to be', async t => {
  const { port } = await startPort(t, command => command.reply(['!done']), { host: 'localhost' });
  await port.macsByAddress();
  assert.equal(port.isAt('127.0.0.1'), true);
  assert.equal(port.isAt('10.5.50.1'), false);
  port.configure(null);
  assert.equal(port.isAt('127.0.0.1'), false);
});

test('a login that the router refuses says why in its words', async t => {
  const { router, port } = await startHouse(t);
  await port.addUser(newUser('a', ASHA));
  const { address } = router.join({ mac: ASHA });
  await assert.rejects(port.login({ user: 'a', password: 'wrong', mac: ASHA, address }), {
    code: 'ROUTER_REFUSED',
    message: /invalid/,
  });
  await assert.rejects(port.login({ user: 'a', password: 'x', mac: ASHA, address: '10.5.0.250' }), {
    code: 'ROUTER_REFUSED',
    message: /unknown host IP 10\.5\.0\.250/,
  });
});

test('sessions are ended by user, by MAC, or by both together', async t => {
  const house = await startHouse(t);
  const { router, port } = house;
  for (const [name, mac] of [
    ['a', ASHA],
    ['b', JUMA],
    ['c', NEEMA],
  ] as const)
    await bringOnline(house, name, mac);
  const online = () =>
    router
      .activeSessions()
      .map(session => session.user)
      .toSorted();
  assert.equal(await port.endSessions({ user: 'a', mac: JUMA }), 0);
  assert.deepEqual(online(), ['a', 'b', 'c']);
  assert.equal(await port.endSessions({ user: 'a', mac: ASHA }), 1);
  assert.deepEqual(online(), ['b', 'c']);
  assert.equal(await port.endSessions({ user: 'b' }), 1);
  assert.equal(await port.endSessions({ mac: NEEMA }), 1);
  assert.equal(await port.endSessions({ mac: NEEMA }), 0);
  assert.deepEqual(online(), []);
});

test('every session of a user with several devices is ended', async t => {
  const { router, port } = await startHouse(t);
  router.run('/ip/hotspot/user/profile/add', { name: 'many', 'shared-users': '5' });
  router.run('/ip/hotspot/user/add', { name: 'family', password: 'x', profile: 'many' });
  for (const mac of [ASHA, JUMA, NEEMA]) {
    router.join({ mac });
    router.login({ mac, user: 'family', password: 'x' });
  }
  assert.equal(await port.endSessions({ user: 'family' }), 3);
  assert.deepEqual(router.activeSessions(), []);
});

test('an id that has passed to somebody else between two removals ends nobody else', async t => {
  const owners = new Map([
    ['*A1', 'a'],
    ['*A2', 'a'],
  ]);
  const removed: string[] = [];
  const { port } = await startPort(t, command => {
    if (command.path.endsWith('/print')) {
      // As a router that does not care for queries would: the port must look for itself.
      command.reply(
        ...[...owners].map(([id, user]) => ['!re', `=.id=${id}`, `=user=${user}`, `=mac-address=${ASHA}`]),
        ['!done'],
      );
      return;
    }
    const id = command.words[0]?.slice('=.id='.length) ?? '';
    removed.push(`${id} of ${owners.get(id)}`);
    owners.delete(id);
    // The device left, its address went to b, and with it the id.
    owners.set('*A2', 'b');
    command.reply(['!done']);
  });
  assert.equal(await port.endSessions({ user: 'a' }), 1);
  assert.deepEqual(removed, ['*A1 of a']);
});

test('a session that ends by itself meanwhile is not counted, and one that will not end is not tried for ever', async t => {
  const gone = await startPort(t, command => {
    if (command.path.endsWith('/print')) command.reply(['!re', '=.id=*A1', '=user=a'], ['!done']);
    else command.reply(['!trap', '=message=no such item'], ['!done']);
  });
  assert.equal(await gone.port.endSessions({ user: 'a' }), 0);
  const sticky = await startPort(t, command => {
    if (command.path.endsWith('/print')) command.reply(['!re', '=.id=*A1', '=user=a'], ['!done']);
    else command.reply(['!done']);
  });
  assert.equal(await sticky.port.endSessions({ user: 'a' }), 1);
});

test('ending the sessions or cookies of nobody in particular is refused before anything is sent', async t => {
  const { port, commands } = await startHouse(t);
  await assert.rejects(port.endSessions({}), { code: 'INTERNAL' });
  await assert.rejects(port.removeCookies({}), { code: 'INTERNAL' });
  assert.equal(commands.length, 0);
});

test('cookies are removed by MAC or user, and only those', async t => {
  const house = await startHouse(t);
  for (const [name, mac] of [
    ['a', ASHA],
    ['b', JUMA],
    ['c', NEEMA],
  ] as const)
    await bringOnline(house, name, mac);
  const { router, port } = house;
  assert.equal(await port.removeCookies({ mac: ASHA }), 1);
  assert.equal(await port.removeCookies({ user: 'b' }), 1);
  assert.equal(await port.removeCookies({ user: 'c', mac: ASHA }), 0);
  assert.deepEqual(
    router.cookies().map(cookie => cookie.user),
    ['c'],
  );
});

// --------------------------------------------------------------------------------------------- profiles

test('profiles are read and made as the router writes them', async t => {
  const { port } = await startHouse(t);
  await port.createProfile({ name: 'gold', rateLimit: '2M/8M', sessionTimeout: '1d', idleTimeout: '10m' });
  await port.createProfile({ name: 'plain' });
  const profiles = new Map((await port.profiles()).map(profile => [profile.name, profile]));
  assert.deepEqual(profiles.get('gold'), {
    name: 'gold',
    rateLimit: '2M/8M',
    sharedUsers: '1',
    sessionTimeout: '1d',
    idleTimeout: '10m',
  });
  assert.deepEqual(profiles.get('plain'), {
    name: 'plain',
    rateLimit: null,
    sharedUsers: '1',
    sessionTimeout: null,
    idleTimeout: 'none',
  });
  assert.ok(profiles.has('default'));
});

test('a profile that exists is refused by name, with the words of the router', async t => {
  const { port } = await startHouse(t);
  await port.createProfile({ name: 'gold' });
  await assert.rejects(port.createProfile({ name: 'gold' }), error => {
    assert.match((error as Error).message, /"gold" already \(.*already have.*\)/);
    assert.match(trapOf(error)?.message ?? '', /already have/);
    return true;
  });
});

test('a profile that the router cannot take is refused in its own words', async t => {
  const { port } = await startHouse(t);
  await assert.rejects(port.createProfile({ name: 'gold', sessionTimeout: 'tomorrow' }), error => {
    assert.equal((error as { code?: string }).code, 'ROUTER_REFUSED');
    assert.equal((error as Error).message, trapOf(error)?.message);
    return true;
  });
});

// ------------------------------------------------------------------------------------------- the machine

test('resources are the texts of the router, with its name', async t => {
  const { router, port } = await startHouse(t, { identity: 'Café Zoë', version: '7.18' });
  const [resource] = router.table('/system/resource');
  const resources = await port.resources();
  assert.equal(resources.identity, 'Café Zoë');
  assert.deepEqual(
    [resources.version, resources.boardName, resources.platform, resources.totalMemory],
    [resource?.['version'], resource?.['board-name'], resource?.['platform'], resource?.['total-memory']],
  );
  for (const text of Object.values(resources)) assert.notEqual(text, '');
});

test('a router without a routerboard still has resources', async t => {
  const { port } = await startHouse(t, { routerboard: false });
  assert.notEqual((await port.resources()).version, '');
  const nameless = await startPort(t, command =>
    command.path === '/system/routerboard/print'
      ? command.reply(['!trap', '=message=no such command prefix'], ['!done'])
      : command.reply(['!re', '=version=7.16'], ['!done']),
  );
  assert.deepEqual(
    [(await nameless.port.resources()).boardName, (await nameless.port.resources()).version],
    ['', '7.16'],
  );
});

test('the model stands in where the router does not name its board', async t => {
  const { port } = await startPort(t, command =>
    command.reply(command.path === '/system/routerboard/print' ? ['!re', '=model=RB951'] : ['!re', '=name=x'], [
      '!done',
    ]),
  );
  assert.equal((await port.resources()).boardName, 'RB951');
});

test('a reboot is a success, and the port is back by itself afterwards', async t => {
  const house = await startHouse(t);
  const { router, port } = house;
  await bringOnline(house, 'a', ASHA);
  const back = new Promise<void>(resolve => port.onConnected(resolve));
  await port.reboot();
  assert.equal(port.state, 'disconnected');
  await assert.rejects(port.sessions(), { code: 'ROUTER_UNAVAILABLE' });
  await back;
  assert.equal(port.state, 'connected');
  assert.deepEqual(await port.sessions(), []);
  assert.equal((await userNamed(port, 'a')).ours, true);
  assert.equal(router.connections, 1);
});

test('an account that may only read reads, and is refused the rest in the words of the router', async t => {
  const { router, port } = await startHouse(t, { readOnly: true });
  router.seed({ people: 2, comment: 'lango:v1' });
  assert.equal((await port.sessions()).length, 2);
  const [user] = (await port.users()).filter(each => each.ours);
  assert.ok(user);
  const refused = { code: 'ROUTER_REFUSED', message: /not enough permissions/ };
  await assert.rejects(port.addUser(newUser('a', ASHA)), refused);
  await assert.rejects(port.removeUser(user), refused);
  await assert.rejects(port.endSessions({ user: user.name }), refused);
  await assert.rejects(port.reboot(), refused);
  assert.equal(port.state, 'connected');
});

// ------------------------------------------------------------------------------------------- connections

test('a wrong password is told, and a right one makes it good', async t => {
  const { port, settings } = await startHouse(t, {}, { password: 'wrong' });
  await assert.rejects(port.sessions(), {
    code: 'ROUTER_UNAVAILABLE',
    message: /account "lango": .*invalid user name or password/,
  });
  assert.match(port.lastError ?? '', /account "lango"/);
  port.configure({ ...settings, password: 'säkret' });
  assert.deepEqual(await port.sessions(), []);
});

test('a pinned certificate is taken and another one is not', async t => {
  const tls = { key: KEY, cert: CERTIFICATE };
  const right = await startHouse(t, { tls }, { sslFingerprint: FINGERPRINT });
  assert.deepEqual(await right.port.sessions(), []);
  const wrong = await startHouse(t, { tls }, { sslFingerprint: 'ab'.repeat(32) });
  await assert.rejects(wrong.port.sessions(), { code: 'ROUTER_UNAVAILABLE', message: /fingerprint/ });
  assert.equal(wrong.commands.length, 0);
});

test('other settings are tried without touching the live connection', async t => {
  const live = await startHouse(t);
  const other = await startHouse(t, { identity: 'the other one' });
  await live.port.sessions();
  assert.equal((await live.port.test(other.settings)).identity, 'the other one');
  await assert.rejects(live.port.test({ ...other.settings, password: 'wrong' }), { code: 'ROUTER_UNAVAILABLE' });
  assert.deepEqual(
    [live.port.state, live.port.lastError, live.port.settings?.port],
    ['connected', null, live.settings.port],
  );
  assert.equal(live.router.connections, 1);
  await until(() => other.router.connections === 0);
});

test('settings can be tried before any router is configured', async t => {
  const { settings } = await startHouse(t, { identity: 'first' });
  const port = createHotspotPort({ settings: null, log: silentLog });
  t.after(() => port.close());
  assert.equal((await port.test(settings)).identity, 'first');
  assert.equal(port.state, 'not_configured');
});

test('a cable that is pulled and put back loses no more than the calls of that moment', async t => {
  const house = await startHouse(t);
  const { router, port } = house;
  await bringOnline(house, 'a', ASHA);
  await router.stopListening();
  await assert.rejects(port.sessions(), { code: 'ROUTER_UNAVAILABLE' });
  const back = new Promise<void>(resolve => port.onConnected(resolve));
  await router.startListening();
  await back;
  assert.equal((await port.sessions()).length, 1);
});

for (const [fault, knobs] of [
  ['a reset in the middle of a reply', { resetAfterBytes: 40 }],
  ['!fatal', { fatal: 'out of memory' }],
  ['silence', { silent: true }],
] as [string, RouterSimulatorOptions][]) {
  test(`after ${fault} the next calls are served again`, async t => {
    const { router, port } = await startHouse(t, {}, {}, { deadlineMs: 3_000 });
    router.seed({ people: 5 });
    await port.sessions();
    Object.assign(router.knobs, { ...knobs, faultPath: '/ip/hotspot/active' });
    const both = await Promise.allSettled([port.sessions(), port.sessions()]);
    for (const outcome of both) {
      assert.equal(outcome.status, 'rejected');
      assert.equal((outcome.reason as { code?: string }).code, 'ROUTER_UNAVAILABLE');
    }
    const back = new Promise<void>(resolve => port.onConnected(resolve));
    Object.assign(router.knobs, { resetAfterBytes: null, fatal: null, silent: false, faultPath: null });
    await back;
    assert.equal((await port.sessions()).length, 5);
  });
}

test('a slow router is waited for within the deadline, and a slower one is not', async t => {
  const { router, port } = await startHouse(t, { replyDelayMs: 100 }, {}, { deadlineMs: 4_000 });
  router.seed({ people: 1 });
  assert.equal((await port.sessions()).length, 1);
  router.knobs.replyDelayMs = 60_000;
  await assert.rejects(port.sessions(), { code: 'ROUTER_UNAVAILABLE' });
});
