/** The rest of the router's configuration that provisioning looks at: addresses, pools, DHCP, firewall, IPv6, scripts. */
import { FINGERPRINT } from './certificate.ts';
import type { RouterKnobs } from './knobs.ts';
import { isAtLeast } from './knobs.ts';
import { type Menu, viewMenu } from './menu.ts';
import { byName, type Property, Table } from './table.ts';
import { noSuchItem, unknownParameter } from './trap.ts';
import { mac, text, time, yesNo } from './values.ts';

const note = { comment: { write: text }, disabled: { write: yesNo, initial: 'false' } };
const word: Property = { write: text };
const flag: Property = { write: yesNo, initial: 'false' };

/** A menu whose words are free text, all of them. */
function plain(names: readonly string[], besides: Record<string, Property> = {}): Record<string, Property> {
  return { ...Object.fromEntries(names.map(name => [name, word])), ...besides };
}

/** @param knobs decide which menus this version and board have */
export function networkMenus(knobs: RouterKnobs): () => [path: string, menu: Menu][] {
  const bridges = new Table({ key: byName, properties: { name: { write: text, required: true }, ...note } });
  const certificates = certificatesTable();
  const always: [string, Menu][] = [
    ['/interface', interfacesMenu(bridges)],
    ['/interface/bridge', bridges],
    ['/interface/list/member', new Table({ properties: plain(['list', 'interface'], note) })],
    ['/ip/pool', new Table({ key: byName, properties: plain(['name', 'ranges', 'next-pool']) })],
    ['/ip/dns', single({ servers: word, 'dynamic-servers': word }, { servers: '', 'dynamic-servers': '192.168.1.1' })],
    ['/ip/arp', new Table({ properties: { address: word, 'mac-address': { write: mac }, interface: word, ...note } })],
    ['/ip/dhcp-server', dhcpServersTable()],
    ['/ip/dhcp-server/network', new Table({ properties: plain(['address', 'gateway', 'dns-server'], note) })],
    ['/ip/dhcp-server/lease', leasesTable()],
    ['/ip/dhcp-server/option', new Table({ key: byName, properties: plain(['name', 'code', 'value']) })],
    ['/ip/firewall/filter', rulesTable()],
    ['/ip/firewall/nat', rulesTable()],
    ['/system/script', scriptsTable()],
    ['/system/license', single({ 'software-id': {}, nlevel: word }, { 'software-id': 'SIMU-LATE', nlevel: '6' })],
    ['/certificate', certificates],
  ];
  const ipv6: [string, Menu][] = [
    ['/ipv6/settings', single({ 'disable-ipv6': { write: yesNo } }, { 'disable-ipv6': 'false' })],
    ['/ipv6/address', new Table({ properties: plain(['address', 'interface', 'advertise', 'dynamic'], note) })],
    ['/ipv6/nd', discoveryTable()],
    ['/ipv6/firewall/filter', rulesTable()],
  ];
  const deviceMode: [string, Menu] = [
    '/system/device-mode',
    viewMenu<object>(
      {
        mode: () => knobs.deviceMode,
        hotspot: () => (knobs.deviceMode === 'home' ? 'false' : 'true'),
        fetch: () => (knobs.deviceMode === 'home' ? 'false' : 'true'),
      },
      { items: () => [knobs], find: () => undefined, single: true },
    ),
  ];
  // In version 6 IPv6 is a package of its own, which nobody has switched on.
  return () => (isAtLeast(knobs.version, '7.0') ? [...always, ...ipv6, deviceMode] : always);
}

function single(properties: Record<string, Property>, row: Record<string, string>): Table {
  const table = new Table({ single: true, properties });
  table.install(row);
  return table;
}

function interfacesMenu(bridges: Table): Menu {
  const ports = ['ether1', 'ether2', 'wifi1', 'bridge'].map((name, place) => ({ '.id': `*F${place}`, name }));
  const items = () => [...ports, ...bridges.items()];
  return viewMenu<Record<string, string>>(
    { '.id': row => row['.id'], name: row => row['name'] },
    { items, find: wanted => items().find(({ name }) => name === wanted) },
  );
}

function dhcpServersTable(): Table {
  return new Table({
    key: { of: row => row['interface'] ?? '', taken: 'failure: there already is a DHCP server on this interface' },
    properties: { ...plain(['name', 'interface', 'address-pool']), 'lease-time': { write: time }, ...note },
  });
}

function leasesTable(): Table {
  return new Table({
    key: { of: row => row['address'] ?? '', taken: 'failure: already have static lease with this IP address' },
    properties: {
      ...plain(['address', 'server']),
      'mac-address': { write: mac },
      // The router's own to set; here tests may.
      dynamic: flag,
      ...note,
    },
  });
}

function rulesTable(): Table {
  const matchers = ['chain', 'protocol', 'src-address', 'dst-address', 'dst-port', 'in-interface', 'in-interface-list'];
  const others = ['out-interface-list', 'connection-state', 'src-address-list', 'action', 'reject-with'];
  return new Table({
    addOnly: ['place-before'],
    properties: { ...plain([...matchers, ...others]), dynamic: { initial: 'false' }, ...note },
  });
}

function discoveryTable(): Table {
  const table = new Table({
    key: { of: row => row['interface'] ?? '', taken: 'failure: already have such interface' },
    properties: {
      interface: { write: text, required: true },
      'ra-lifetime': { write: text, initial: '30m' },
      disabled: flag,
      default: {},
    },
  });
  table.install({ '.id': '*1', interface: 'all', 'ra-lifetime': '30m', disabled: 'false', default: 'true' });
  return table;
}

function scriptsTable(): Table {
  return new Table({
    key: byName,
    properties: {
      name: { write: text, required: true },
      source: { write: text, initial: '' },
      policy: { write: text, initial: 'read' },
      comment: word,
    },
  });
}

function certificatesTable(): Menu {
  const table = new Table({
    key: byName,
    properties: {
      ...plain(['name', 'common-name', 'key-usage', 'days-valid']),
      'private-key': { initial: 'false' },
      fingerprint: {},
    },
  });
  const sign = (attributes: ReadonlyMap<string, string>) => {
    for (const name of attributes.keys()) if (!['.id', 'number'].includes(name)) throw unknownParameter(name);
    const row = table.find(attributes.get('.id') ?? attributes.get('number') ?? '');
    if (row === undefined) throw noSuchItem();
    row['private-key'] = 'true';
    row['fingerprint'] = FINGERPRINT;
  };
  return Object.assign(table, { extras: new Map([['sign', sign]]) });
}
