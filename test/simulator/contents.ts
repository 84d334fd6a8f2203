/** Every menu of the router, and what stands in them when it starts. */
import type { EventEmitter } from 'node:events';
import { Accounts, type Login } from './accounts.ts';
import type { SimulatorClock } from './clock.ts';
import type { Menus } from './commands.ts';
import { addressesTable, filesTable, servicesMenu } from './configuration-menus.ts';
import type { Account } from './connection.ts';
import type { RouterEvents } from './events.ts';
import { Hotspot } from './hotspot.ts';
import {
  bindingsTable,
  profilesTable,
  serverProfilesTable,
  serversTable,
  usersTable,
  walledGardenIpTable,
  walledGardenTable,
} from './hotspot-menus.ts';
import { activeMenu, cookieMenu, hostMenu } from './hotspot-views.ts';
import { RouterLog } from './log.ts';
import type { Menu } from './menu.ts';
import { networkMenus } from './network-menus.ts';
import {
  clockMenu,
  identityTable,
  type Machine,
  resourceMenu,
  routerboardMenu,
  timeClientTable,
} from './system-menus.ts';
import type { Row, Table } from './table.ts';

export interface Contents {
  readonly accounts: Accounts;
  readonly users: Table;
  readonly profiles: Table;
  readonly hotspot: Hotspot;
  readonly log: RouterLog;
  /** What is there at this moment: without a board there is no menu of it. */
  menus(): Menus;
  /** Whether `api-ssl` is on and has a certificate to show. */
  isSecure(): boolean;
  placeSecureApi(port: number): void;
}

export function createContents(parts: {
  clock: SimulatorClock;
  machine: Machine;
  events: EventEmitter<RouterEvents>;
  /** API account with every right. */
  account: Account;
  identity: string;
  /** Never set up: no hotspot. */
  blank: boolean;
  /** Of the hotspot's profile. */
  loginBy: string;
  /** Who is logged in to the API. */
  logins: () => readonly Login[];
}): Contents {
  const { clock, machine } = parts;
  const now = () => clock.now();
  const accounts = new Accounts(machine.knobs, parts.account);
  const profiles = profilesTable();
  const servers = serversTable(machine.knobs);
  const serverProfiles = serverProfilesTable();
  const bindings = bindingsTable();
  const addresses = addressesTable();
  const users = usersTable(profiles, servers, () => hotspot);
  const hotspot = new Hotspot({
    clock,
    knobs: machine.knobs,
    events: parts.events,
    tables: { users, profiles, servers, serverProfiles, bindings },
  });
  const log = new RouterLog(now, parts.events);
  const network = networkMenus(machine.knobs);
  const menus = new Map<string, Menu>([
    ['/ip/hotspot', servers],
    ['/ip/hotspot/profile', serverProfiles],
    ['/ip/hotspot/active', activeMenu(hotspot, now)],
    ['/ip/hotspot/host', hostMenu(hotspot, now)],
    ['/ip/hotspot/user', users],
    ['/ip/hotspot/user/profile', profiles],
    ['/ip/hotspot/cookie', cookieMenu(hotspot, now)],
    ['/ip/hotspot/ip-binding', bindings],
    ['/ip/hotspot/walled-garden', walledGardenTable()],
    ['/ip/hotspot/walled-garden/ip', walledGardenIpTable()],
    ['/system/identity', identityTable(parts.identity)],
    ['/system/resource', resourceMenu(machine)],
    ['/system/clock', clockMenu(machine)],
    ['/system/ntp/client', timeClientTable()],
    ['/user', accounts.users],
    ['/user/group', accounts.groups],
    ['/user/active', accounts.activeMenu(parts.logins)],
    ['/log', log.menu()],
    ['/ip/address', addresses],
    ['/ip/service', servicesMenu(machine.knobs)],
    ['/file', filesTable(now)],
  ]);
  const board = routerboardMenu(machine);
  const present = remembered(
    () => `${machine.knobs.version} ${machine.knobs.routerboard}`,
    () =>
      new Map([
        ...menus,
        ...network(),
        ...(machine.knobs.routerboard ? [['/system/routerboard', board] as const] : []),
      ]),
  );
  const table = (path: string) => present().get(path) as Table;
  if (!parts.blank) {
    add(addresses, { address: '10.5.0.1/16', interface: 'bridge' });
    add(serverProfiles, {
      name: 'hsprof1',
      'hotspot-address': '10.5.0.1',
      'login-by': parts.loginBy,
    });
    add(table('/ip/pool'), { name: 'hs-pool-1', ranges: '10.5.0.10-10.5.255.254' });
    add(servers, { name: 'hotspot1', interface: 'bridge', 'address-pool': 'hs-pool-1', profile: 'hsprof1' });
  }
  const secure = () => present().get('/ip/service')?.find('api-ssl') as Row;
  return {
    accounts,
    users,
    profiles,
    hotspot,
    log,
    menus: present,
    isSecure: () =>
      secure()['disabled'] !== 'true' &&
      table('/certificate').find(secure()['certificate'] ?? '')?.['fingerprint'] !== undefined,
    placeSecureApi: port => void (secure()['port'] = String(port)),
  };
}

function add(table: Table, values: Record<string, string>): void {
  table.add(new Map(Object.entries(values)));
}

/** What is worked out anew only when what it depends on has changed. */
function remembered<T>(key: () => string, make: () => T): () => T {
  let known: { key: string; value: T } | null = null;
  return () => {
    if (known?.key !== key()) known = { key: key(), value: make() };
    return known.value;
  };
}
