/** What a plan tells besides its usual steps: to a person, or as a step that depends on what else is there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouterPlan } from '../../src/domain/provisioning.ts';
import type { RouterSimulator } from '../simulator/router.ts';
import { carryOut, configuration, startHouse } from './support/provisioning.ts';

const PROFILE = '/ip/hotspot/user/profile';
const SERVER_PROFILE = '/ip/hotspot/profile';
const FILTER = '/ip/firewall/filter';
const POOL_WITH_APPLIANCE = { numbers: 'hs-pool-1', ranges: '10.5.0.2-10.5.0.254' };

type Words = Partial<Record<'steps' | 'missing' | 'notes', RegExp>>;

interface Case {
  before?: (router: RouterSimulator) => void;
  says?: Words;
  saysNot?: Words;
}

const CASES: Readonly<Record<string, Case>> = {
  'a licence for one person': {
    before: router => router.run('/system/license/set', { nlevel: '3' }),
    says: { missing: /licence, level 3, lets one person online \(license-session-limit\)/ },
  },
  'a licence for some': {
    before: router => router.run('/system/license/set', { nlevel: '4' }),
    says: { notes: /level 4, lets 200 people online at once/ },
    saysNot: { missing: /licence/ },
  },
  'a board that keeps only what is in flash': {
    before: router => router.run('/file/add', { name: 'flash' }),
    says: { missing: /loses at each start: run `.*html-directory=flash\/hotspot` and `\/ip hotspot reset-html/ },
  },
  'pages that are in flash': {
    before(router) {
      router.run('/file/add', { name: 'flash' });
      router.run(`${SERVER_PROFILE}/set`, { numbers: 'hsprof1', 'html-directory': 'flash/hotspot' });
    },
    says: { steps: /Let flash\/hotspot\/login\.html send/ },
    saysNot: { missing: /loses/ },
  },
  'no name server': {
    before: router => router.run('/ip/dns/set', { servers: '', 'dynamic-servers': '' }),
    says: { missing: /knows no name server.*`\/ip dns set servers=/ },
  },
  'a hotspot page with a certificate': {
    before: router =>
      router.run(`${SERVER_PROFILE}/set`, {
        numbers: 'hsprof1',
        'login-by': 'https,mac-cookie',
        'ssl-certificate': 'own',
      }),
    says: { notes: /may announce its own page by DHCP \(option 114\): do not set a second one/ },
    saysNot: { steps: /login-by/ },
  },
  'a profile without cookies': {
    before: router => router.run(`${PROFILE}/add`, { name: 'guests', 'add-mac-cookie': 'no' }),
    says: { notes: /makes no cookies \(add-mac-cookie=no\)/ },
  },
  'the appliance in the pool, unseen': {
    before: router => router.run('/ip/pool/set', POOL_WITH_APPLIANCE),
    says: { missing: /"hs-pool-1" may give the appliance's address, 10\.5\.0\.2, to a phone: take it out/ },
  },
  'the appliance in the pool, with a lease that ends': {
    before(router) {
      router.run('/ip/pool/set', POOL_WITH_APPLIANCE);
      router.run('/ip/dhcp-server/add', { name: 'dhcp1', interface: 'bridge', 'address-pool': 'hs-pool-1' });
      const lease = { address: '10.5.0.2', 'mac-address': '52:54:00:12:34:56', dynamic: 'true' };
      router.run('/ip/dhcp-server/lease/add', lease);
    },
    says: { missing: /run `\/ip dhcp-server lease make-static \[find address=10\.5\.0\.2\]`/ },
  },
  'the appliance in the pool, with a lease of its own': {
    before(router) {
      router.run('/ip/pool/set', POOL_WITH_APPLIANCE);
      router.run('/ip/dhcp-server/lease/add', { address: '10.5.0.2', 'mac-address': '52:54:00:12:34:56' });
    },
    saysNot: { missing: /pool/, steps: /Reserve/ },
  },
  'a firewall that lets the appliance in already': {
    before(router) {
      router.run(`${FILTER}/add`, { chain: 'input', action: 'accept', 'src-address': '10.5.0.0/16' });
      router.run(`${FILTER}/add`, { chain: 'input', action: 'drop' });
    },
    saysNot: { steps: /reach the router's API/ },
  },
  'a firewall that counts the hotspot among its own': {
    before(router) {
      router.run('/interface/list/member/add', { list: 'LAN', interface: 'bridge' });
      router.run(`${FILTER}/add`, { chain: 'input', action: 'drop', 'in-interface-list': '!LAN' });
      router.run(`${FILTER}/add`, { chain: 'input', action: 'drop', 'in-interface-list': 'WAN' });
      router.run(`${FILTER}/add`, { chain: 'input', action: 'drop', 'connection-state': 'invalid' });
    },
    saysNot: { steps: /reach the router's API/ },
  },
  'FastTrack that the operator keeps to other interfaces': {
    before: router =>
      router.run(`${FILTER}/add`, { chain: 'forward', action: 'fasttrack-connection', 'in-interface-list': 'OFFICE' }),
    saysNot: { steps: /FastTrack/ },
  },
  'IPv6 that is switched off': {
    before(router) {
      router.run('/ipv6/settings/set', { 'disable-ipv6': 'yes' });
      router.run('/ipv6/address/add', { address: '2001:db8::1/64', interface: 'bridge', advertise: 'true' });
    },
    saysNot: { steps: /IPv6/ },
  },
  'IPv6 that the operator offers on that very interface': {
    before(router) {
      router.run('/ipv6/address/add', { address: '2001:db8::1/64', interface: 'bridge', advertise: 'true' });
      router.run('/ipv6/nd/add', { interface: 'bridge' });
    },
    says: { missing: /run `\/ipv6 nd set \[find interface=bridge\] ra-lifetime=none`/, steps: /Forward no IPv6/ },
  },
  'hosts that open more than the payment page': {
    says: { notes: /\*\.cdn\.example opens everything below that name/ },
  },
};

const sentences = (plan: RouterPlan, part: 'steps' | 'missing' | 'notes') =>
  plan[part].map(one => (typeof one === 'string' ? one : one.what)).join('\n');

for (const [name, { before, says = {}, saysNot = {} }] of Object.entries(CASES)) {
  test(`${name}: the plan says what is to be said`, async t => {
    const { router, provisioner } = await startHouse(t);
    before?.(router);
    const plan = await provisioner.plan();
    for (const part of ['steps', 'missing', 'notes'] as const) {
      if (says[part] !== undefined) assert.match(sentences(plan, part), says[part]);
      if (saysNot[part] !== undefined) assert.doesNotMatch(sentences(plan, part), saysNot[part]);
    }
  });
}

test('what was changed before the line was lost is finished by the next apply, and taken back whole', async t => {
  const { router, provisioner } = await startHouse(t);
  const before = configuration(router);
  for (const last of ['/system/script/add', '/certificate/add', '/certificate/sign', '/ip/service/set']) {
    router.on('command', ({ command }) => {
      if (command === last) router.knobs.fatal = 'rebooting';
    });
    await assert.rejects(
      provisioner.apply(() => {}),
      /rebooting/,
    );
    router.removeAllListeners('command');
    router.knobs.fatal = null;
    await carryOut(provisioner.apply);
    assert.deepEqual((await provisioner.plan()).steps, [], last);
    await carryOut(provisioner.remove);
    assert.deepEqual(configuration(router), before, last);
  }
});

test("the appliance's address follows it to another box, and stays reserved while nobody sees it", async t => {
  const { router, provisioner } = await startHouse(t);
  router.run('/ip/pool/set', POOL_WITH_APPLIANCE);
  router.run('/ip/dhcp-server/add', { name: 'dhcp1', interface: 'bridge', 'address-pool': 'hs-pool-1' });
  const seen = router.run('/ip/arp/add', { address: '10.5.0.2', 'mac-address': '52:54:00:00:00:01' });
  await carryOut(provisioner.apply);
  router.run('/ip/arp/set', { '.id': seen, 'mac-address': '52:54:00:00:00:02' });
  await carryOut(provisioner.apply);
  for (const menu of ['/ip/dhcp-server/lease', '/ip/hotspot/ip-binding']) {
    const macs = router.table(menu).map(row => row['mac-address']);
    assert.deepEqual(macs.filter(Boolean), ['52:54:00:00:00:02'], menu);
  }
  router.run('/ip/arp/remove', { '.id': seen });
  const { steps, missing } = await provisioner.plan();
  assert.deepEqual([steps, missing], [[], []]);
  assert.equal(router.table('/ip/dhcp-server/lease').length, 1);
});

test('with Lango go its people, their sessions and cookies, and nobody else', async t => {
  const { router, provisioner } = await startHouse(t);
  router.run(`${SERVER_PROFILE}/set`, { numbers: 'hsprof1', 'login-by': 'http-pap,mac-cookie' });
  for (const [mac, name, comment] of [
    ['A4:83:E7:00:00:01', '255712345678', 'lango:v1'],
    ['A4:83:E7:00:00:02', 'boss', 'lango is nice'],
  ] as const) {
    router.run('/ip/hotspot/user/add', { name, password: 'p', 'mac-address': mac, comment });
    router.join({ mac });
    router.login({ mac, user: name, password: 'p' });
  }
  assert.equal(router.cookies().length, 2);
  await carryOut(provisioner.apply);
  const [people] = await carryOut(provisioner.remove);
  assert.match(people?.what ?? '', /Remove the 1 user that Lango made/);
  const left = [router.users().map(({ name }) => name), router.activeSessions().map(({ user }) => user)];
  assert.deepEqual([...left, router.cookies().map(({ user }) => user)], [['boss'], ['boss'], ['boss']]);
});

test('a line that is lost while Lango looks for what is its own is told, and nothing is called gone', async t => {
  const { router, provisioner } = await startHouse(t);
  await carryOut(provisioner.apply);
  Object.assign(router.knobs, { faultPath: '/ip/hotspot/user/print', fatal: 'rebooting' });
  await assert.rejects(carryOut(provisioner.remove), /was lost \(rebooting\)/);
});

test('a note that somebody has rewritten is left to a person, and a page that became theirs too', async t => {
  const { router, provisioner } = await startHouse(t);
  router.run('/file/add', { name: 'hotspot/login.html', contents: 'the first' });
  await carryOut(provisioner.apply);
  router.run('/file/set', { numbers: 'hotspot/login.html', contents: 'the third' });
  const note = router.table('/system/script')[0]?.['name'] ?? '';
  router.run('/system/script/set', { numbers: note, source: '/system reboot' });
  const left = await provisioner.remove(() => {});
  assert.match(left.missing.join('\n'), /script "lango-undo .*" is not as Lango wrote it/);
  assert.match(left.missing.join('\n'), /login\.html is not Lango's any more/);
  assert.equal(router.table('/file').length, 2);
  assert.deepEqual(left.steps, []);
});
