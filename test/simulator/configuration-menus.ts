/** Menus that are only configuration: what provisioning reads and writes, without a life of their own. */
import { isAtLeast, type RouterKnobs } from './knobs.ts';
import type { Menu } from './menu.ts';
import { byName, type Row, Table } from './table.ts';
import { Trap, unknownParameter } from './trap.ts';
import { oneOf, text, whole, yesNo } from './values.ts';

export function addressesTable(): Table {
  return new Table({
    key: { of: row => `${row['address']} ${row['interface']}`, taken: 'failure: already have such address' },
    properties: {
      address: { write: text, required: true },
      interface: { write: text, required: true },
      'actual-interface': { read: row => row['interface'] },
      dynamic: { initial: 'false' },
      invalid: { initial: 'false' },
      comment: { write: text },
      disabled: { write: yesNo, initial: 'false' },
    },
  });
}

/** @param now milliseconds since the epoch */
export function filesTable(now: () => number): Table {
  return new Table({
    key: byName,
    properties: {
      name: { write: text, required: true },
      type: { write: text, initial: '.txt file' },
      size: { read: row => String(Buffer.byteLength(row['contents'] ?? '')) },
      'last-modified': { read: () => new Date(now()).toISOString().slice(0, 19).replace('T', ' ') },
      contents: { write: text, initial: '' },
    },
  });
}

function servicesTable(): Table {
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

/** From 7.19 on, open connections stand among the services, under the name of theirs, and before it. */
export function servicesMenu(knobs: RouterKnobs): Menu<Row> {
  const table = servicesTable();
  const open = {
    '.id': '*FFFF',
    name: 'api',
    port: '8728',
    connection: 'true',
    dynamic: 'true',
    remote: '10.5.0.2:5000',
  };
  const shown = () => (isAtLeast(knobs.version, '7.24') ? 'available-from' : 'address');
  const items = () => (isAtLeast(knobs.version, '7.19') ? [open, ...table.items()] : [...table.items()]);
  return {
    get properties() {
      const names = table.properties.map(name => (name === 'address' ? shown() : name));
      return [...names, 'connection', 'dynamic', 'remote'];
    },
    secrets: table.secrets,
    items,
    read: (row, property) =>
      row === open ? open[property as keyof typeof open] : table.read(row, property === shown() ? 'address' : property),
    find: reference => items().find(row => row['.id'] === reference) ?? items().find(row => row['name'] === reference),
    set(row, values) {
      if (row === open) throw new Trap('failure: this is configured elsewhere');
      const hidden = shown() === 'address' ? 'available-from' : 'address';
      if (values.has(hidden)) throw unknownParameter(hidden);
      table.set(row, new Map([...values].map(([name, value]) => [name === shown() ? 'address' : name, value])));
    },
  };
}
