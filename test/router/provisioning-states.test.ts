/**
 * A router in each state that it may be found in: what is applied twice changes nothing the second time, rows of others
 * stay as they are, and what is taken back leaves the router as it was.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouterSettings } from '../../src/domain/ports.ts';
import { isReady } from '../../src/domain/provisioning.ts';
import type { RouterSimulator, RouterSimulatorOptions } from '../simulator/router.ts';
import { carryOut, configuration, startHouse } from './support/provisioning.ts';

const FILTER = '/ip/firewall/filter';

interface State {
  options?: RouterSimulatorOptions;
  settings?: Partial<RouterSettings>;
  /** What somebody else has done on the router before. */
  before?: (router: RouterSimulator) => void;
  chosen?: string;
  /** Sentences of what is left to a person. */
  missing?: RegExp[];
  notes?: RegExp[];
  /** Of the first plan, among others. */
  steps?: RegExp[];
}

/** As the maker's own configuration has it. */
const fastTrack = (router: RouterSimulator) => {
  router.run(`${FILTER}/add`, {
    chain: 'input',
    action: 'accept',
    'connection-state': 'established,related,untracked',
  });
  router.run(`${FILTER}/add`, { chain: 'input', action: 'drop', 'connection-state': 'invalid' });
  router.run(`${FILTER}/add`, { chain: 'input', action: 'accept', protocol: 'icmp' });
  router.run(`${FILTER}/add`, { chain: 'input', action: 'accept', 'dst-address': '127.0.0.1' });
  router.run(`${FILTER}/add`, { chain: 'input', action: 'drop', 'in-interface-list': '!LAN', comment: 'defconf' });
  router.run(`${FILTER}/add`, {
    chain: 'forward',
    action: 'fasttrack-connection',
    'connection-state': 'established,related',
  });
  router.run(`${FILTER}/add`, {
    chain: 'forward',
    action: 'accept',
    'connection-state': 'established,related,untracked',
  });
};

const STATES: Readonly<Record<string, State>> = {
  'an empty board': {
    options: { blank: true },
    chosen: 'guests',
    steps: [
      /Make the bridge "guests"/,
      /10\.5\.0\.1\b/,
      /pool/,
      /DHCP|way out/,
      /masquerade/,
      /Set up the hotspot on "guests"/,
    ],
  },
  'a hotspot that is there': {
    steps: [/login-by of the hotspot profile "hsprof1" gets mac-cookie/],
  },
  'half done by hand': {
    before(router) {
      router.run('/ip/hotspot/user/profile/add', {
        name: 'guests',
        'keepalive-timeout': '20m',
        'on-login': ':log info x',
      });
      router.run('/ip/hotspot/walled-garden/ip/add', { action: 'accept', 'dst-address': '10.5.0.2' });
      router.run('/file/add', { name: 'hotspot/login.html', contents: 'theirs' });
    },
  },
  'rows of others everywhere': {
    before(router) {
      router.run('/ip/hotspot/ip-binding/add', {
        'mac-address': 'A4:83:E7:00:00:01',
        type: 'bypassed',
        comment: 'printer',
      });
      router.run('/ip/dhcp-server/add', { name: 'dhcp1', interface: 'bridge', 'address-pool': 'hs-pool-1' });
      router.run('/ip/dhcp-server/lease/add', {
        address: '10.5.0.9',
        'mac-address': 'A4:83:E7:00:00:02',
        comment: 'till',
      });
      router.run('/ip/dhcp-server/option/add', { name: 'portal', code: '114', value: "s'https://wifi.example'" });
      router.run('/ip/pool/set', { numbers: 'hs-pool-1', ranges: '10.5.0.2-10.5.255.254' });
      router.run('/ip/arp/add', { address: '10.5.0.2', 'mac-address': '52:54:00:12:34:56', interface: 'bridge' });
      router.run('/system/script/add', { name: 'nightly', source: '/system reboot', comment: 'mine' });
      router.run('/ip/hotspot/user/profile/add', { name: 'vip', 'rate-limit': '4M/8M 2M/2M' });
    },
    steps: [/Reserve the appliance's address, 10\.5\.0\.2/],
    missing: [/rate-limit "4M\/8M 2M\/2M" of the profile "vip" .* refuse every login/],
    notes: [/option "portal" .*do not set a second one/],
  },
  'an account that may only read': {
    options: { username: 'guest' },
    settings: { username: 'guest' },
    before(router) {
      router.run('/user/group/add', { name: 'watch', policy: 'read,api' });
      router.run('/user/set', { numbers: 'guest', group: 'watch' });
    },
    missing: [/account "guest" may only read/],
    notes: [/lacks the policy "ftp"/, /lacks the policy "reboot"/],
  },
  'RouterOS 6.49': {
    options: { version: '6.49.18' },
    missing: [/RouterOS 6\.49\.18 \(stable\) cannot make files/],
    notes: [/set enabled=yes server-dns-names=/],
  },
  'RouterOS 7.10': { options: { version: '7.10' }, notes: [/set enabled=yes servers=/] },
  'the services of 7.19': {
    options: { version: '7.19.4' },
    before: router => router.run('/ip/service/set', { '.id': '*5', address: '10.5.0.0/16' }),
    notes: [/service "api" lets in 10\.5\.0\.0\/16 alone: your other tools .* cut off/],
  },
  'the names of 7.24': {
    options: { version: '7.24' },
    before: router => router.run('/ip/service/set', { '.id': '*5', 'available-from': '10.5.0.0/16' }),
    notes: [/service "api" lets in 10\.5\.0\.0\/16 alone/],
  },
  'device-mode home': {
    options: { version: '7.20', deviceMode: 'home' },
    missing: [/device-mode "home" forbids hotspots: run `\/system device-mode update hotspot=yes fetch=yes`.*button/],
  },
  'FastTrack on, behind the firewall of a new board': {
    before: fastTrack,
    steps: [/Keep FastTrack off .* from .* 10\.5\.0\.0\/16/, /Keep FastTrack off .* to /, /reach the router's API/],
  },
  'IPv6 on': {
    before(router) {
      router.run('/ipv6/address/add', { address: '2001:db8::1/64', interface: 'bridge', advertise: 'true' });
      router.run('/ipv6/firewall/filter/add', { chain: 'forward', action: 'accept', comment: 'all of it' });
    },
    steps: [/Forward no IPv6 from the hotspot's interface "bridge"/, /no way to IPv6/],
  },
};

for (const [name, state] of Object.entries(STATES)) {
  test(`${name}: what is applied is enough, stays so, spares others, and goes again without a trace`, async t => {
    const { options = {}, settings = {}, chosen } = state;
    const { router, provisioner } = await startHouse(t, { router: options, settings, ...(chosen ? { chosen } : {}) });
    state.before?.(router);
    const before = configuration(router);
    const plan = await provisioner.plan();
    for (const wanted of state.steps ?? []) assert.match(plan.steps.map(({ what }) => what).join('\n'), wanted);
    for (const wanted of state.notes ?? []) assert.match(plan.notes.join('\n'), wanted);
    assert.deepEqual(configuration(router), before, 'to look changes nothing');

    const made = await carryOut(provisioner.apply);
    const mayWrite = state.settings?.username !== 'guest';
    for (const { what, refusal } of made) assert.equal(refusal === null, mayWrite, `${what}: ${refusal}`);
    const left = await provisioner.plan();
    for (const wanted of state.missing ?? []) assert.match(left.missing.join('\n'), wanted);
    assert.equal(left.missing.length, state.missing?.length ?? 0, left.missing.join('\n'));
    if (mayWrite) assert.deepEqual(left.steps, []);
    if (mayWrite && state.missing === undefined) assert.ok(isReady(left));

    const applied = configuration(router);
    if (mayWrite) assert.deepEqual(await carryOut(provisioner.apply), []);
    assert.deepEqual(configuration(router), applied, 'the second time changes nothing');
    for (const [menu, rows] of Object.entries(before)) {
      for (const row of rows) {
        const now = applied[menu]?.find(({ '.id': id }) => id === row['.id']);
        for (const [property, value] of Object.entries(row)) {
          if (!isNamed(menu, row, property))
            assert.equal(now?.[property], value, `${menu} ${row['name'] ?? ''} ${property}`);
        }
      }
    }

    for (const { what, refusal } of await carryOut(provisioner.remove)) assert.equal(refusal, null, what);
    assert.deepEqual(configuration(router), before, 'as it was, byte for byte');
  });
}

/** What the plan changes of others', in so many words. */
function isNamed(menu: string, row: Record<string, string>, property: string): boolean {
  if (menu === '/ip/service') return row['name'] === 'api-ssl' && /^(certificate|disabled)$/.test(property);
  if (menu === '/file') return row['name'] === 'hotspot/login.html' && /^(contents|size)$/.test(property);
  return menu === '/ip/hotspot/profile' && row['name'] === 'hsprof1' && property === 'login-by';
}
