/** Menus that are only configuration: what provisioning reads and writes, without a life of their own. */
import { byName, Table } from './table.ts';
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

export function servicesTable(): Table {
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
