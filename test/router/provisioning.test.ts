/** Setting a router up, against the simulated one: what is found missing, what is changed, and what is left alone. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { LangoError } from '../../src/domain/errors.ts';
import { isReady, type RouterChange, type RouterProvisioner, routerNeeds } from '../../src/domain/provisioning.ts';
import { consoleLine, quoted, word } from '../../src/router/provisioning/commands.ts';
import { loginPage } from '../../src/router/provisioning/login-page.ts';
import { createProvisioner } from '../../src/router/provisioning/provisioner.ts';
import type { RouterSimulator } from '../simulator/router.ts';
import {
  configuration,
  HOSTS,
  type House,
  type HouseOptions,
  PORTAL,
  settingsOf,
  startHouse as startBareHouse,
} from './support/provisioning.ts';

const GARDEN = '/ip/hotspot/walled-garden';
const GARDEN_IP = '/ip/hotspot/walled-garden/ip';
const BINDINGS = '/ip/hotspot/ip-binding';
const PROFILES = '/ip/hotspot/user/profile';
interface WatchedHouse extends House {
  /** Commands other than login and print that reached the router. */
  changes: string[];
}

/** Its hotspot lets phones back in by themselves already. */
async function startHouse(t: TestContext, options: HouseOptions = {}): Promise<WatchedHouse> {
  const house = await startBareHouse(t, options);
  if (options.router?.blank !== true) {
    const ways = { numbers: 'hsprof1', 'login-by': 'cookie,http-chap,mac-cookie' };
    house.router.run('/ip/hotspot/profile/set', ways);
  }
  const changes: string[] = [];
  house.router.on('command', ({ command }) => {
    if (command !== '/login' && !command.endsWith('/print')) changes.push(command);
  });
  return { ...house, changes };
}

function withoutTimes(rows: Record<string, string>[]): Record<string, string>[] {
  return rows.map(row => ({ ...row, 'last-modified': '' }));
}

const apply = (provisioner: RouterProvisioner) => provisioner.apply(() => {});
const whats = ({ steps }: { steps: readonly { what: string }[] }) => steps.map(({ what }) => what);
const comments = (router: RouterSimulator, menu: string) => router.table(menu).map(({ comment }) => comment);
const file = (router: RouterSimulator, name: string) =>
  router.table('/file').find(row => row['name'] === name)?.['contents'];

// ------------------------------------------------------------------------------- what there is to do

test('a router with a fresh hotspot gets everything, and is ready', async t => {
  const { router, provisioner } = await startHouse(t);
  assert.deepEqual(whats(await provisioner.plan()), [
    'Add the user profile "guests".',
    'Open the portal, 10.5.0.2 port 8080, to phones that are not online yet.',
    'Open checkout.pay.example to phones that are not online yet.',
    'Open *.cdn.example to phones that are not online yet.',
    'Keep addresses that phones make up, 169.254.*, out of the hotspot.',
    'Let the appliance, 10.5.0.2, through the hotspot without a login.',
    'Let hotspot/login.html send phones to the portal.',
    'Make a certificate on the router, and switch its encrypted API on with it (api-ssl).',
  ]);
  const changes: RouterChange[] = [];
  const left = await provisioner.apply(change => void changes.push(change));
  assert.deepEqual(
    changes.map(({ refusal }) => refusal),
    Array(8).fill(null),
  );
  assert.ok(isReady(left), JSON.stringify(left));

  const [portal, payment] = router.table(GARDEN_IP);
  assert.deepEqual(
    [portal?.['dst-address'], portal?.['protocol'], portal?.['dst-port'], portal?.['action']],
    ['10.5.0.2', 'tcp', '8080', 'accept'],
  );
  assert.deepEqual([payment?.['dst-host'], payment?.['action']], ['checkout.pay.example', 'accept']);
  assert.deepEqual(
    router.table(GARDEN).map(row => [row['dst-host'], row['action']]),
    [['*.cdn.example', 'allow']],
  );
  assert.deepEqual(
    router.table(BINDINGS).map(row => [row['address'], row['type']]),
    [
      ['169.254.0.1-169.254.255.254', 'blocked'],
      ['10.5.0.2', 'bypassed'],
    ],
  );
  assert.equal(router.table(PROFILES).find(({ name }) => name === 'guests')?.['shared-users'], '1');
});

test('what is applied twice changes nothing the second time', async t => {
  const { router, provisioner, changes } = await startHouse(t);
  await apply(provisioner);
  const before = configuration(router);
  changes.length = 0;
  assert.ok(isReady(await provisioner.apply(({ what }) => assert.fail(what))));
  assert.deepEqual(changes, []);
  assert.deepEqual(configuration(router), before);
});

test('to look changes nothing', async t => {
  const { router, provisioner, changes } = await startHouse(t);
  const before = configuration(router);
  assert.ok(!isReady(await provisioner.plan()));
  assert.deepEqual(changes, []);
  assert.deepEqual(configuration(router), before);
});

test('a router that was never set up is told to set its hotspot up, and gets what does not need one', async t => {
  const { router, provisioner } = await startHouse(t, { router: { blank: true } });
  const left = await apply(provisioner);
  assert.match(left.missing.join(), /no hotspot: run `\/ip hotspot setup`/);
  assert.deepEqual([left.missing.length, left.steps], [1, []]);
  assert.deepEqual(router.table('/ip/hotspot'), []);
  assert.deepEqual(router.table('/file'), []);
  assert.equal(router.table(GARDEN_IP).length, 2);
});

test('a hotspot server that is named must be there, and be switched on', async t => {
  const { router, provisioner } = await startHouse(t, { settings: { hotspot: 'café' } });
  assert.match((await provisioner.plan()).missing.join(), /no hotspot named "café": correct LANGO_ROUTER_HOTSPOT/);
  router.run('/ip/hotspot/add', { name: 'café', interface: 'ether2', profile: 'hsprof1', disabled: 'yes' });
  assert.match((await provisioner.plan()).missing.join(), /switched off: run `\/ip hotspot enable/);
  router.run('/ip/hotspot/enable', { numbers: 'café' });
  assert.deepEqual((await provisioner.plan()).missing, []);
  await apply(provisioner);
  assert.deepEqual(
    router.table(GARDEN_IP).map(({ server }) => server),
    ['café', 'café'],
  );
});

test('the profile that every router has is taken as it is, with a word about what could be better', async t => {
  const { router, provisioner } = await startHouse(t, { settings: { profile: 'default' } });
  const before = router.table(PROFILES);
  const left = await apply(provisioner);
  assert.deepEqual(router.table(PROFILES), before);
  assert.match(left.notes.join('\n'), /runs no on-login script/);
  assert.match(left.notes.join('\n'), /sleeping iPhones out: `.* keepalive-timeout=15m`/);
  router.run(`${PROFILES}/set`, { numbers: 'default', 'keepalive-timeout': '15m' });
  assert.doesNotMatch((await provisioner.plan()).notes.join('\n'), /keepalive/);
  router.run(`${PROFILES}/set`, { numbers: 'default', 'keepalive-timeout': 'none', 'on-login': ':log info hello' });
  const { notes } = await provisioner.plan();
  assert.match(notes.join('\n'), /keepalive-timeout/);
  assert.doesNotMatch(notes.join('\n'), /on-login/);
});

test('an appliance elsewhere than on the hotspot’s network gets no way round the hotspot', async t => {
  const { router, provisioner } = await startHouse(t, { baseUrl: 'http://192.168.9.2:8080' });
  await apply(provisioner);
  assert.deepEqual(comments(router, BINDINGS), ['lango:link-local']);
  assert.equal(router.table(GARDEN_IP)[0]?.['dst-address'], '192.168.9.2');
});

test('an appliance that is known by a name is opened by that name', async t => {
  const { router, provisioner } = await startHouse(t, { baseUrl: 'https://wifi.example', openHosts: [] });
  assert.ok(isReady(await apply(provisioner)));
  const [row, ...rest] = router.table(GARDEN_IP);
  assert.deepEqual(
    [row?.['dst-host'], row?.['dst-port'], row?.['dst-address'], rest.length],
    ['wifi.example', '443', undefined, 0],
  );
  assert.deepEqual(comments(router, BINDINGS), ['lango:link-local']);
});

for (const baseUrl of [
  'http://localhost:8080',
  'http://127.0.0.1',
  'http://127.1:80',
  'http://[::1]:8080',
  'http://[fd00::2]',
]) {
  test(`the portal cannot be at ${baseUrl}, which is said; what was there stays`, async t => {
    const settings = settingsOf(0);
    const { router, provisioner } = await startHouse(t);
    await apply(provisioner);
    const before = configuration(router);
    const misled = createProvisioner({
      settings: () => ({ ...settings, port: router.port }),
      needs: () => routerNeeds(baseUrl, HOSTS, settings),
    });
    const changes: RouterChange[] = [];
    const left = await misled.apply(change => void changes.push(change));
    assert.match(left.missing.join(), /^LANGO_BASE_URL is http.* set LANGO_BASE_URL to the appliance's address/);
    assert.deepEqual(changes, []);
    assert.deepEqual(configuration(router), before);
  });
}

test('a clock in 1970, no time server and an old version are worth a note, and stop nobody', async t => {
  const { router, provisioner } = await startHouse(t, { router: { clockAt1970: true, version: '6.42' } });
  const { notes, missing } = await provisioner.plan();
  assert.match(notes.join('\n'), /clock says it is 1970/);
  assert.match(notes.join('\n'), /asks no time server/);
  assert.match(notes.join('\n'), /RouterOS 6\.42 .* 6\.43 or newer is recommended/);
  assert.equal(missing.filter(sentence => /clock|time/.test(sentence)).length, 0);
  router.knobs.clockAt1970 = false;
  router.knobs.version = '7.18';
  router.run('/system/ntp/client/set', { enabled: 'yes', servers: 'pool.ntp.org' });
  assert.doesNotMatch((await provisioner.plan()).notes.join('\n'), /clock|time server|recommended/);
});

for (const version of ['6.42', '6.49.10', '7.8', '7.16', '7.18.2']) {
  test(`the walled garden is made on RouterOS ${version}`, async t => {
    const { router, provisioner } = await startHouse(t, { router: { version } });
    const left = await apply(provisioner);
    assert.deepEqual(left.steps, []);
    assert.equal(router.table(GARDEN_IP).length, 2);
    const canMakeFiles = version.startsWith('7.1');
    assert.equal(file(router, 'hotspot/login.html') !== undefined, canMakeFiles);
    assert.match(
      left.missing.join(),
      canMakeFiles ? /^$/ : /login\.html must send .* cannot make files by command: save/,
    );
  });
}

// ------------------------------------------------------------------------------ what is the operator's

test('rows of the operator are untouched, to the byte', async t => {
  const { router, provisioner } = await startHouse(t);
  const rows: [menu: string, values: Record<string, string>][] = [
    [GARDEN_IP, { action: 'accept', 'dst-address': '10.5.0.2', 'src-address': '10.5.9.9', comment: 'lango appliance' }],
    [GARDEN_IP, { action: 'drop', 'dst-host': 'bad.example', comment: 'not lango: mine' }],
    [GARDEN_IP, { action: 'accept', 'dst-host': 'checkout.pay.example', disabled: 'yes' }],
    [GARDEN, { action: 'allow', 'dst-host': '*.example.org' }],
    [BINDINGS, { 'mac-address': 'A4:83:E7:00:00:01', type: 'bypassed', comment: 'printer' }],
    [PROFILES, { name: 'vip', 'rate-limit': '9M/9M', 'on-login': ':log info "$user"' }],
    ['/file', { name: 'hotspot/logo.svg', contents: '<svg/>' }],
  ];
  const ids = rows.map(([menu, values]) => router.run(`${menu}/add`, values));
  const theirs = () =>
    rows.map(([menu], place) => withoutTimes(router.table(menu)).find(row => row['.id'] === ids[place]));
  const before = theirs();
  const untouched = ['/ip/hotspot', '/ip/hotspot/profile', '/ip/hotspot/user', '/user', '/user/group'];
  const others = untouched.map(menu => router.table(menu));
  assert.ok(isReady(await apply(provisioner)));
  assert.deepEqual(theirs(), before);
  assert.deepEqual(
    untouched.map(menu => router.table(menu)),
    others,
  );
});

test('an entry of the operator that does the same is enough', async t => {
  const { router, provisioner } = await startHouse(t);
  router.run(`${GARDEN_IP}/add`, { action: 'accept', 'dst-address': '10.5.0.2/32', comment: 'lango appliance' });
  router.run(`${GARDEN_IP}/add`, { action: 'accept', 'dst-host': 'checkout.pay.example' });
  router.run(`${GARDEN}/add`, { 'dst-host': '*.cdn.example' });
  router.run(`${BINDINGS}/add`, { address: '10.5.0.2', type: 'bypassed' });
  router.run(`${BINDINGS}/add`, { address: '169.254.0.1-169.254.255.254', type: 'blocked' });
  assert.deepEqual(whats(await provisioner.plan()), [
    'Add the user profile "guests".',
    'Let hotspot/login.html send phones to the portal.',
    'Make a certificate on the router, and switch its encrypted API on with it (api-ssl).',
  ]);
});

test('an entry of the operator that says the opposite is named, and left', async t => {
  const { router, provisioner } = await startHouse(t);
  router.run(`${GARDEN_IP}/add`, { action: 'reject', 'dst-host': 'checkout.pay.example', comment: 'we take cash' });
  const before = router.table(GARDEN_IP);
  const left = await apply(provisioner);
  assert.match(left.missing.join(), /Open checkout\.pay\.example .* says otherwise: .*comment="we take cash"/);
  assert.deepEqual(router.table(GARDEN_IP)[0], before[0]);
  assert.ok(!comments(router, GARDEN_IP).includes('lango:payment checkout.pay.example'));
});

test('an entry of the operator’s that comes after ours does not matter', async t => {
  const { router, provisioner } = await startHouse(t);
  await apply(provisioner);
  router.run(`${GARDEN_IP}/add`, { action: 'drop' });
  assert.ok(isReady(await provisioner.plan()));
});

test('our own entries are mended when they were changed, and removed when nothing needs them', async t => {
  const { router, provisioner, settings } = await startHouse(t);
  await apply(provisioner);
  const [portal, payment] = router.table(GARDEN_IP);
  router.run(`${GARDEN_IP}/disable`, { numbers: portal!['.id']! });
  router.run(`${GARDEN_IP}/set`, { numbers: payment!['.id']!, action: 'drop' });
  assert.ok(isReady(await apply(provisioner)));
  assert.deepEqual(
    router.table(GARDEN_IP).map(row => [row['comment'], row['action'], row['disabled']]),
    [
      ['lango:portal 10.5.0.2:8080', 'accept', 'false'],
      ['lango:payment checkout.pay.example', 'accept', 'false'],
    ],
  );

  const elsewhere = routerNeeds('http://10.5.0.3', ['other.pay.example'], settings);
  const moved = createProvisioner({ settings: () => settings, needs: () => elsewhere });
  assert.ok(isReady(await apply(moved)));
  assert.deepEqual(comments(router, GARDEN_IP), ['lango:portal 10.5.0.3:80', 'lango:payment other.pay.example']);
  assert.deepEqual(comments(router, BINDINGS), ['lango:link-local', 'lango:appliance 10.5.0.3']);
  assert.deepEqual(comments(router, GARDEN), []);
});

// ----------------------------------------------------------------------------------------- the page

test('the page that was there is kept, whatever it holds, and only once', async t => {
  const { router, provisioner, needs } = await startHouse(t);
  const theirs = '<html>"Wi-Fi" for $5?\r\n\\o/ café $(link-login-only)</html>';
  router.run('/file/add', { name: 'hotspot/login.html', contents: theirs });
  const step = (await provisioner.plan()).steps.find(({ what }) => what.includes('login.html'));
  assert.match(step!.what, /the page there now is kept as hotspot\/login-before-lango\.html/);
  assert.ok(isReady(await apply(provisioner)));
  assert.equal(file(router, 'hotspot/login-before-lango.html'), theirs);
  assert.equal(file(router, 'hotspot/login.html'), loginPage(needs.portal!));

  router.run('/file/set', { numbers: 'hotspot/login.html', contents: theirs });
  await apply(provisioner);
  assert.equal(file(router, 'hotspot/login.html'), loginPage(needs.portal!));
  assert.equal(router.table('/file').length, 2);

  router.run('/file/set', { numbers: 'hotspot/login.html', contents: 'a third page' });
  const changes: RouterChange[] = [];
  const left = await provisioner.apply(change => void changes.push(change));
  assert.deepEqual(changes, []);
  assert.match(left.missing.join(), /nor the one that was kept before as hotspot\/login-before-lango\.html/);
  assert.equal(file(router, 'hotspot/login.html'), 'a third page');
});

for (const version of ['6.49.10', '7.16']) {
  test(`the page of the README is enough on RouterOS ${version}, for the portal it names`, async t => {
    const { router, provisioner, settings } = await startHouse(t, { router: { version } });
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
    const contents = /```html\n([^`]*)```/.exec(readme)?.[1]?.replaceAll('10.5.50.2', '10.5.0.2') ?? '';
    router.run('/file/add', { name: 'hotspot/login.html', contents });
    assert.ok(isReady(await apply(provisioner)));
    assert.equal(file(router, 'hotspot/login.html'), contents);
    const needs = routerNeeds('http://10.5.0.3', HOSTS, settings);
    const moved = createProvisioner({ settings: () => settings, needs: () => needs });
    assert.ok(!isReady(await moved.plan()));
  });
}

test('a page that cannot be read is not replaced', async t => {
  const { router, provisioner } = await startHouse(t);
  router.run('/file/add', { name: 'hotspot/login.html' });
  const left = await apply(provisioner);
  assert.match(left.missing.join(), /cannot be read, to be kept safe first/);
  assert.equal(file(router, 'hotspot/login.html'), '');
});

test('our own page follows the portal, and no copy is made of it', async t => {
  const { router, provisioner, settings } = await startHouse(t);
  await apply(provisioner);
  const needs = routerNeeds('http://10.5.0.3', HOSTS, settings);
  await apply(createProvisioner({ settings: () => settings, needs: () => needs }));
  assert.equal(file(router, 'hotspot/login.html'), loginPage(needs.portal!));
  assert.equal(router.table('/file').length, 1);
});

test('the page goes to the folder that each hotspot shows, each once', async t => {
  const { router, provisioner } = await startHouse(t);
  router.run('/ip/hotspot/profile/set', { numbers: 'hsprof1', 'html-directory': 'flash/hotspot' });
  router.run('/ip/hotspot/profile/add', { name: 'hall', 'html-directory-override': 'flash/hall' });
  router.run('/ip/hotspot/add', { name: 'hall', interface: 'ether2', profile: 'hall' });
  router.run('/ip/hotspot/add', { name: 'garden', interface: 'wifi1', profile: 'hall' });
  assert.ok(isReady(await apply(provisioner)));
  assert.deepEqual(
    router.table('/file').map(({ name }) => name),
    ['flash/hotspot/login.html', 'flash/hall/login.html'],
  );
});

test('the page sends a phone to the portal with all that the router knows of it', () => {
  const values: Record<string, string> = {
    'mac-esc': 'A4%3A83%3AE7%3A12%3A34%3A56',
    ip: '10.5.0.11',
    'link-login-only': 'http://10.5.0.1/login',
    'link-orig-esc': 'http%3A%2F%2Fexample.com%2Fa%3Fb%3Dc%26d',
    'error-orig': 'no more sessions are allowed',
  };
  const { portal } = routerNeeds(`${PORTAL}/wifi`, [], null);
  const shown = loginPage(portal!).replace(/\$\(([a-z-]+)\)/g, (_, name: string) => values[name] ?? assert.fail(name));
  const target = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(shown)?.[1]?.replaceAll('&amp;', '&');
  const { origin, pathname, searchParams } = new URL(target!);
  assert.equal(origin + pathname, `${PORTAL}/wifi/`);
  assert.deepEqual(Object.fromEntries(searchParams), {
    mac: 'A4:83:E7:12:34:56',
    ip: '10.5.0.11',
    'link-login-only': 'http://10.5.0.1/login',
    'link-orig': 'http://example.com/a?b=c&d',
    error: 'no more sessions are allowed',
  });
});

test('an address with signs of its own cannot break the page', () => {
  const { portal } = routerNeeds('https://wifi.example/$(mac)/"><script>/a&b', [], null);
  const page = loginPage(portal!);
  assert.doesNotMatch(page, /\$\(mac\)|<script>|\/a&b/);
});

// ----------------------------------------------------------------------------------------- refusals

test('an account that may only read is told so, before and after', async t => {
  const { router, provisioner } = await startHouse(t, { settings: { username: 'guest', password: 'secret' } });
  router.run('/user/group/add', { name: 'watch', policy: 'read,api' });
  router.run('/user/add', { name: 'guest', group: 'watch', password: 'secret' });
  const before = configuration(router);
  assert.match((await provisioner.plan()).missing.join(), /account "guest" may only read .* add the policy "write"/);
  const changes: RouterChange[] = [];
  const left = await provisioner.apply(change => void changes.push(change));
  assert.equal(changes.length, 8);
  for (const { refusal } of changes) {
    assert.equal(
      refusal,
      'The router says: not enough permissions (9). Add the policy "write" to the group of the account "guest" on the router.',
    );
  }
  assert.equal(left.steps.length, 8);
  assert.deepEqual(configuration(router), before);
});

test('one refusal does not stop the rest, and a page that could not be kept is not replaced', async t => {
  const { router, provisioner, changes: sent } = await startHouse(t);
  router.run('/file/add', { name: 'hotspot/login.html', contents: 'theirs' });
  // The account may write, but for the second change and the copy of the page.
  router.on('command', () => {
    const bindings = sent.filter(command => command === `${BINDINGS}/add`).length;
    router.knobs.readOnly = sent.length === 2 || (bindings === 2 && sent.at(-1) === `${BINDINGS}/add`);
  });
  const changes: RouterChange[] = [];
  const left = await provisioner.apply(change => void changes.push(change));
  assert.deepEqual(
    changes.map(({ refusal }) => refusal === null),
    [true, false, true, true, true, true, false, true],
  );
  assert.ok(sent.includes('/file/add') && !sent.includes('/file/set'));
  assert.deepEqual(
    withoutTimes(router.table('/file')).map(({ contents }) => contents),
    ['theirs'],
  );
  assert.deepEqual(
    whats(left),
    [changes[1], changes[6]].map(change => change?.what),
  );
  assert.ok(isReady(await apply(provisioner)));
});

test('what was done before the router was lost is known, and the rest is made the next time', async t => {
  const { router, provisioner, changes: sent } = await startHouse(t);
  router.on('command', () => {
    router.knobs.fatal = sent.length === 3 ? 'rebooting' : null;
  });
  const done: string[] = [];
  await assert.rejects(
    provisioner.apply(({ command }) => void done.push(command)),
    isUnavailable(/was lost \(rebooting\)/),
  );
  assert.equal(done.length, 2);
  sent.length = 0;
  router.knobs.fatal = null;
  router.removeAllListeners('command');
  assert.equal((await provisioner.plan()).steps.length, 6);
  assert.ok(isReady(await apply(provisioner)));
});

test('no router, and one that goes silent, are said as such', async t => {
  const none = createProvisioner({ settings: () => null, needs: () => routerNeeds(PORTAL, [], null) });
  await assert.rejects(none.plan(), isUnavailable(/No router is configured/));
  const { router, settings, needs } = await startHouse(t, { router: { silent: true, faultPath: GARDEN_IP } });
  const hasty = createProvisioner({ settings: () => settings, needs: () => needs, deadlineMs: 300 });
  await assert.rejects(hasty.plan(), isUnavailable(/took too long|does not answer/));
  await router.stop();
  await assert.rejects(hasty.plan(), isUnavailable(/refused the connection/));
});

test('a router is asked for one thing after another: nothing more while it owes an answer', async t => {
  const { router, settings, needs } = await startHouse(t, { router: { silent: true, faultPath: GARDEN_IP } });
  const asked: string[] = [];
  router.on('command', ({ command }) => void asked.push(command));
  const hasty = createProvisioner({ settings: () => settings, needs: () => needs, deadlineMs: 300 });
  await assert.rejects(hasty.plan());
  assert.ok(asked.includes(`${GARDEN}/print`));
  assert.ok(!asked.includes('/ip/pool/print'), 'what comes after the question that waits');
});

function isUnavailable(words: RegExp) {
  return (error: unknown) =>
    error instanceof LangoError && error.code === 'ROUTER_UNAVAILABLE' && words.test(error.message);
}

// ------------------------------------------------------------------------------- console and script

test('a quoted text is read back as it was, and holds nothing that the console acts on', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', '\\', '$', '?', '\n', 'A', '4', '(') }),
  );
  fc.assert(
    fc.property(anything, text => {
      const inQuotes = quoted(text);
      assert.match(inQuotes, /^"(?:[ -~])*"$/);
      assert.doesNotMatch(inQuotes.replace(/\\[\\"$]/g, ''), /[?$]|."./);
      assert.equal(unquote(inQuotes), text);
      assert.equal(unquote(word(text)), text);
    }),
    { numRuns: 500 },
  );
});

test('a command reads on the console as it goes over the wire', () => {
  const values = { action: 'accept', 'dst-host': '*.cdn.example', comment: 'lango:payment *.cdn.example' };
  assert.equal(
    consoleLine({ menu: GARDEN_IP, verb: 'add', values }),
    '/ip hotspot walled-garden ip add action=accept dst-host="*.cdn.example" comment="lango:payment *.cdn.example"',
  );
  assert.equal(consoleLine({ menu: GARDEN, verb: 'remove', id: '*1A' }), '/ip hotspot walled-garden remove *1A');
});

test('the commands of the plan, typed by hand, are the plan', async t => {
  const { router, provisioner } = await startHouse(t);
  for (const { command } of (await provisioner.plan()).steps) type(router, command);
  assert.ok(isReady(await provisioner.plan()));
});

/** Reads a value as the console would. */
function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  const bytes: number[] = [];
  const inside = text.slice(1, -1);
  for (let at = 0; at < inside.length; at += 1) {
    if (inside[at] !== '\\') {
      bytes.push(inside.charCodeAt(at));
      continue;
    }
    const code = /^(?:[0-9A-F]{2}|["\\$n])/.exec(inside.slice(at + 1))?.[0];
    assert.ok(code, `unknown escape at ${at} of ${text}`);
    at += code.length;
    bytes.push(code.length === 2 ? Number.parseInt(code, 16) : code === 'n' ? 10 : code.charCodeAt(0));
  }
  return Buffer.from(bytes).toString('utf8');
}

/** `/menu path add name=value …; /menu path set *1 name=value …`, as somebody would type it. */
function type(router: RouterSimulator, line: string): void {
  const value = /"(?:[^"\\]|\\.)*"|[^" ;]+/.source;
  const command = new RegExp(
    `^(/[a-z0-9 -]+?) (add|set|sign)(?: ([*\\w-]+)(?= |$|;))?((?: [a-z-]+=(?:${value}))*)(?:; |$)`,
  );
  for (let rest = line; rest !== ''; ) {
    const [whole, path, verb, id, written] = command.exec(rest) ?? assert.fail(rest);
    const values = [...written!.matchAll(new RegExp(` ([a-z-]+)=(${value})`, 'g'))];
    const attributes = Object.fromEntries(values.map(([, name, text]) => [name!, unquote(text!)]));
    router.run(`${path!.replaceAll(' ', '/')}/${verb}`, id === undefined ? attributes : { '.id': id, ...attributes });
    rest = rest.slice(whole.length);
  }
}
