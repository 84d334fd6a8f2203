/** The accounts of the router, and what each may do. */
import type { Account } from './connection.ts';
import type { RouterKnobs } from './knobs.ts';
import { type Menu, viewMenu } from './menu.ts';
import { byName, Table } from './table.ts';
import { text, time, yesNo } from './values.ts';

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

function groupsTable(): Table {
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

function accountsTable(): Table {
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
      comment: { write: text },
      disabled: { write: yesNo, initial: 'false' },
    },
  });
}

export interface Login {
  name: string;
  address: string;
  /** Milliseconds since the epoch. */
  since: number;
}

/** What is left to every account while `readOnly` holds. */
const READING: ReadonlySet<string> = new Set(['read', 'sensitive', 'test', 'api']);

export class Accounts {
  readonly users = accountsTable();
  readonly groups = groupsTable();
  readonly #knobs: RouterKnobs;

  /** @param first an account with every right */
  constructor(knobs: RouterKnobs, first: Account) {
    this.#knobs = knobs;
    this.users.add(new Map(Object.entries({ ...first, group: 'full' })));
  }

  /** An account that may use the API, or undefined. */
  find(name: string): Account | undefined {
    const row = this.users.byKey(name);
    if (row === undefined || row['disabled'] === 'true') return undefined;
    const account = { name, password: row['password'] ?? '' };
    return this.policies(account).has('api') ? account : undefined;
  }

  /** Who is logged in, `/user/active`. */
  activeMenu(logins: () => readonly Login[]): Menu<Login & { id: string }> {
    const items = () =>
      logins().map((login, place) => ({ ...login, id: `*${(place + 1).toString(16).toUpperCase()}` }));
    return viewMenu<Login & { id: string }>(
      {
        '.id': login => login.id,
        when: login => new Date(login.since).toISOString().slice(0, 19).replace('T', ' '),
        name: login => login.name,
        address: login => login.address,
        via: () => 'api',
        group: login => this.users.byKey(login.name)?.['group'],
        radius: () => 'false',
      },
      { items, find: id => items().find(login => login.id === id) },
    );
  }

  policies(account: Account): ReadonlySet<string> {
    if (this.#knobs.readOnly) return READING;
    const group = this.users.byKey(account.name)?.['group'] ?? '';
    return new Set(this.groups.byKey(group)?.['policy']?.split(','));
  }
}
