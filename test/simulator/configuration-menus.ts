/** Menus that are only configuration: what provisioning reads and writes, without a life of their own. */
import { type Property, type Row, Table, type TableOptions } from './table.ts';
import { formatMac, oneOf, text, time, whole, yesNo } from './values.ts';

const byName: NonNullable<TableOptions['key']> = {
  of: row => row['name'] ?? '',
  taken: 'failure: item with such name already exists',
};
const note: Record<string, Property> = { comment: { write: text }, disabled: { write: yesNo, initial: 'false' } };

const texts = (...names: string[]): Record<string, Property> =>
  Object.fromEntries(names.map(name => [name, { write: text }]));

/** Every policy an API account can hold, in the order RouterOS lists them. */
export const POLICIES = [
  'local',
  'telnet',
  'ssh',
  'ftp',
  'reboot',
  'read',
  'write',
  'policy',
  'test',
  'winbox',
  'password',
  'web',
  'sniff',
  'sensitive',
  'api',
  'romon',
  'rest-api',
] as const;

/** Written as the policies wanted; read with `!` before every one that is missing. */
function policies(value: string): string {
  const wanted = new Set(value.split(','));
  return POLICIES.map(policy => (wanted.has(policy) ? policy : `!${policy}`)).join(',');
}

export function groupsTable(): Table {
  const table = new Table({
    key: byName,
    properties: {
      name: { write: text, required: true },
      policy: { write: policies, initial: policies('') },
      skin: { write: text, initial: 'default' },
      comment: { write: text },
    },
  });
  const reading = 'local,telnet,ssh,reboot,read,test,winbox,password,web,sniff,sensitive,api,romon,rest-api';
  for (const [id, name, policy] of [
    ['*1', 'read', reading],
    ['*2', 'write', `${reading},write`],
    ['*3', 'full', POLICIES.join(',')],
  ] as const) {
    table.install({ '.id': id, name, policy: policies(policy), skin: 'default' });
  }
  return table;
}

export function accountsTable(): Table {
  return new Table({
    key: { ...byName, taken: 'failure: user with the same name already exists' },
    properties: {
      name: { write: text, required: true },
      group: { write: text, required: true },
      address: { write: text, initial: '' },
      'inactivity-timeout': { write: time, initial: '10m' },
      'inactivity-policy': { write: text, initial: 'none' },
      password: { write: text, initial: '', hidden: true },
      expired: { initial: 'false' },
      ...note,
    },
  });
}

/** @param now milliseconds since the epoch */
export function configurationTables(now: () => number): Map<string, Table> {
  return new Map<string, Table>([
    ['/interface', interfaces()],
    ['/interface/bridge', new Table({ key: byName, properties: { name: { write: text, required: true }, ...note } })],
    [
      '/ip/pool',
      new Table({
        key: byName,
        properties: {
          name: { write: text, required: true },
          ranges: { write: text, required: true },
          ...texts('next-pool', 'comment'),
        },
      }),
    ],
    [
      '/ip/address',
      new Table({
        key: { of: row => `${row['address']} ${row['interface']}`, taken: 'failure: already have such address' },
        properties: {
          address: { write: text, required: true },
          network: { write: text, read: networkOf },
          interface: { write: text, required: true },
          'actual-interface': { read: row => row['interface'] },
          dynamic: { initial: 'false' },
          invalid: { initial: 'false' },
          ...note,
        },
      }),
    ],
    [
      '/ip/dhcp-server',
      new Table({
        key: byName,
        properties: {
          name: { write: text, required: true },
          interface: { write: text, required: true },
          'lease-time': { write: time, initial: '30m' },
          'address-pool': { write: text, initial: 'static-only' },
          authoritative: { write: text, initial: 'yes' },
          'use-radius': { write: text, initial: 'no' },
          'lease-script': { write: text, initial: '' },
          dynamic: { initial: 'false' },
          invalid: { initial: 'false' },
          ...note,
        },
      }),
    ],
    [
      '/ip/dhcp-server/network',
      new Table({
        properties: {
          address: { write: text, required: true },
          ...texts(
            'gateway',
            'netmask',
            'dns-server',
            'domain',
            'ntp-server',
            'dhcp-option',
            'dhcp-option-set',
            'comment',
          ),
          dynamic: { initial: 'false' },
        },
      }),
    ],
    [
      '/ip/dhcp-server/option',
      new Table({
        key: byName,
        properties: {
          name: { write: text, required: true },
          code: { write: whole, required: true },
          value: { write: text, initial: '' },
          'raw-value': { read: row => rawOption(row['value'] ?? '') },
          force: { write: yesNo, initial: 'false' },
          comment: { write: text },
        },
      }),
    ],
    ['/ip/service', services()],
    [
      '/file',
      new Table({
        key: byName,
        properties: {
          name: { write: text, required: true },
          type: { write: text, initial: '.txt file' },
          size: { read: row => String(Buffer.byteLength(row['contents'] ?? '')) },
          'last-modified': { read: () => new Date(now()).toISOString().slice(0, 19).replace('T', ' ') },
          contents: { write: text, initial: '' },
        },
      }),
    ],
    [
      '/system/scheduler',
      new Table({
        key: byName,
        properties: {
          name: { write: text, required: true },
          'start-date': { write: text },
          'start-time': { write: text, initial: 'startup' },
          interval: { write: time, initial: '0s' },
          'on-event': { write: text, initial: '' },
          owner: { initial: 'admin' },
          policy: { write: text, initial: POLICIES.slice(0, 7).join(',') },
          'run-count': { initial: '0' },
          ...note,
        },
      }),
    ],
    [
      '/system/script',
      new Table({
        key: byName,
        properties: {
          name: { write: text, required: true },
          owner: { initial: 'admin' },
          policy: { write: text, initial: POLICIES.slice(0, 7).join(',') },
          'dont-require-permissions': { write: yesNo, initial: 'false' },
          'run-count': { initial: '0' },
          source: { write: text, initial: '' },
          comment: { write: text },
        },
      }),
    ],
    ['/ip/firewall/filter', firewall('src-mac-address', 'hotspot')],
    ['/ip/firewall/nat', firewall('to-addresses', 'to-ports')],
  ]);
}

function firewall(...more: string[]): Table {
  return new Table({
    addOnly: ['place-before'],
    properties: {
      chain: { write: text, required: true },
      action: { write: text, initial: 'accept' },
      ...texts(
        'src-address',
        'dst-address',
        'src-address-list',
        'dst-address-list',
        'protocol',
        'src-port',
        'dst-port',
        'in-interface',
        'out-interface',
        'in-interface-list',
        'out-interface-list',
        'connection-state',
        'reject-with',
        'jump-target',
        'log-prefix',
        ...more,
      ),
      log: { write: yesNo, initial: 'false' },
      bytes: { initial: '0' },
      packets: { initial: '0' },
      invalid: { initial: 'false' },
      dynamic: { initial: 'false' },
      ...note,
    },
  });
}

function interfaces(): Table {
  const table = new Table({
    fixed: true,
    key: byName,
    properties: {
      name: { write: text },
      'default-name': {},
      type: {},
      mtu: { write: text },
      'actual-mtu': {},
      'mac-address': {},
      running: {},
      ...note,
    },
  });
  const names = [
    ['ether1', 'ether'],
    ['ether2', 'ether'],
    ['wifi1', 'wifi'],
    ['bridge', 'bridge'],
  ] as const;
  for (const [place, [name, type]] of names.entries()) {
    table.install({
      '.id': `*${place + 1}`,
      name,
      ...(type === 'bridge' ? {} : { 'default-name': name }),
      type,
      mtu: '1500',
      'actual-mtu': '1500',
      'mac-address': formatMac(`48A98A0000${(place + 1).toString(16).padStart(2, '0')}`),
      running: 'true',
      disabled: 'false',
    });
  }
  return table;
}

function services(): Table {
  const table = new Table({
    fixed: true,
    key: byName,
    properties: {
      name: {},
      port: { write: whole },
      address: { write: text },
      certificate: { write: text },
      'tls-version': { write: oneOf('any', 'only-1.2') },
      'max-sessions': { write: whole },
      disabled: { write: yesNo },
      invalid: {},
    },
  });
  const all = { telnet: 23, ftp: 21, www: 80, ssh: 22, 'www-ssl': 443, api: 8728, winbox: 8291, 'api-ssl': 8729 };
  for (const [place, [name, port]] of Object.entries(all).entries()) {
    table.install({
      '.id': `*${place}`,
      name,
      port: String(port),
      address: '',
      ...(name.endsWith('-ssl') ? { certificate: 'none', 'tls-version': 'any' } : {}),
      'max-sessions': '20',
      disabled: String(name === 'www-ssl'),
      invalid: 'false',
    });
  }
  return table;
}

/** `10.5.50.1/24` → `10.5.50.0`, unless a network was written. */
function networkOf(row: Row): string | undefined {
  if (row['network'] !== undefined) return row['network'];
  const [base = '', bits = '32'] = (row['address'] ?? '').split('/');
  let rest = Number(bits);
  const parts = base.split('.').map(part => {
    const kept = Math.max(0, Math.min(8, rest));
    rest -= 8;
    return Number(part) & (0xff << (8 - kept)) & 0xff;
  });
  return parts.join('.');
}

/** Quoted text of an option goes out as its bytes: `s'…'` and `'…'`. */
function rawOption(value: string): string {
  const quoted = /^s?'(.*)'$/.exec(value);
  if (quoted !== null) return Buffer.from(quoted[1] ?? '').toString('hex');
  return value.startsWith('0x') ? value.slice(2) : Buffer.from(value).toString('hex');
}
