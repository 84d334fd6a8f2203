/** The menus under `/ip/hotspot` that hold configuration. */
import { type Hotspot, userKey } from './hotspot.ts';
import type { RouterKnobs } from './knobs.ts';
import { byName, Table } from './table.ts';
import {
  address,
  formatDuration,
  mac,
  noMatch,
  oneOf,
  text,
  time,
  timeOrNone,
  type Writer,
  whole,
  wholeOr,
  yesNo,
} from './values.ts';

const note = { comment: { write: text }, disabled: { write: yesNo, initial: 'false' } };

export function profilesTable(): Table {
  const table = new Table({
    key: { ...byName, taken: 'failure: already have user profile with such name' },
    properties: {
      name: { write: text, required: true },
      'address-pool': { write: text },
      'session-timeout': { write: time },
      'idle-timeout': { write: timeOrNone, initial: 'none' },
      'keepalive-timeout': { write: timeOrNone, initial: '2m' },
      'status-autorefresh': { write: timeOrNone, initial: '1m' },
      'shared-users': { write: wholeOr('unlimited'), initial: '1' },
      'add-mac-cookie': { write: yesNo, initial: 'true' },
      'mac-cookie-timeout': { write: time, initial: '3d' },
      'address-list': { write: text, initial: '' },
      'rate-limit': { write: text },
      'parent-queue': { write: text },
      'on-login': { write: text },
      'on-logout': { write: text },
      'transparent-proxy': { write: yesNo, initial: 'false' },
      default: {},
    },
  });
  table.install({
    '.id': '*0',
    name: 'default',
    'idle-timeout': 'none',
    'keepalive-timeout': '2m',
    'status-autorefresh': '1m',
    'shared-users': '1',
    'add-mac-cookie': 'true',
    'mac-cookie-timeout': '3d',
    'address-list': '',
    'transparent-proxy': 'false',
    default: 'true',
  });
  return table;
}

/** @param hotspot asked for when a row is read or changed: users and hotspot know each other. */
export function usersTable(profiles: Table, servers: Table, hotspot: () => Hotspot): Table {
  const table = new Table({
    key: {
      of: row => userKey(row['name'] ?? '', row['server'] ?? 'all'),
      taken: 'failure: already have user with this name for this server',
    },
    changed: (row, before) => hotspot().userChanged(row, before),
    properties: {
      server: { write: reference(servers, 'all'), initial: 'all' },
      name: { write: text, required: true },
      password: { write: text, secret: true },
      address: { write: address },
      'mac-address': { write: mac },
      profile: { write: reference(profiles), initial: 'default' },
      'limit-uptime': { write: time },
      'limit-bytes-in': { write: whole },
      'limit-bytes-out': { write: whole },
      'limit-bytes-total': { write: whole },
      routes: { write: text },
      email: { write: text },
      uptime: { read: row => formatDuration(hotspot().sessions.usedMs(row) / 1_000) },
      'bytes-in': { read: row => String(hotspot().sessions.carried(row).bytesIn) },
      'bytes-out': { read: row => String(hotspot().sessions.carried(row).bytesOut) },
      'packets-in': { read: row => String(hotspot().sessions.carried(row).packetsIn) },
      'packets-out': { read: row => String(hotspot().sessions.carried(row).packetsOut) },
      dynamic: { initial: 'false' },
      default: {},
      ...note,
    },
  });
  // It stands on every router, is no one's customer, and cannot be removed.
  table.install({
    '.id': '*0',
    server: 'all',
    name: 'default-trial',
    profile: 'default',
    comment: 'counters and limits for trial users',
    dynamic: 'false',
    default: 'true',
    disabled: 'false',
  });
  return table;
}

/** A board in the mode of a home router takes a hotspot, and does not run it. */
export function serversTable(knobs: RouterKnobs): Table {
  return new Table({
    key: byName,
    properties: {
      name: { write: text, required: true },
      interface: { write: text, required: true },
      'address-pool': { write: text, initial: 'none' },
      profile: { write: text, initial: 'default' },
      'idle-timeout': { write: timeOrNone, initial: '5m' },
      'keepalive-timeout': { write: timeOrNone, initial: 'none' },
      'login-timeout': { write: timeOrNone, initial: 'none' },
      'addresses-per-mac': { write: wholeOr('unlimited'), initial: '2' },
      'proxy-status': { initial: 'running' },
      invalid: { read: () => String(knobs.deviceMode === 'home') },
      HTTPS: { initial: 'false' },
      ...note,
    },
  });
}

export function serverProfilesTable(): Table {
  const table = new Table({
    key: byName,
    properties: {
      name: { write: text, required: true },
      'hotspot-address': { write: text, initial: '0.0.0.0' },
      'dns-name': { write: text, initial: '' },
      'html-directory': { write: text, initial: 'hotspot' },
      'html-directory-override': { write: text, initial: '' },
      'install-hotspot-queue': { write: yesNo, initial: 'false' },
      'rate-limit': { write: text, initial: '' },
      'http-proxy': { write: text, initial: '0.0.0.0:0' },
      'smtp-server': { write: text, initial: '0.0.0.0' },
      'login-by': { write: text, initial: 'cookie,http-chap' },
      'http-cookie-lifetime': { write: time, initial: '3d' },
      'split-user-domain': { write: yesNo, initial: 'false' },
      'mac-auth-mode': { write: text, initial: 'mac-as-username' },
      'mac-auth-password': { write: text, secret: true },
      'ssl-certificate': { write: text },
      'https-redirect': { write: yesNo },
      'trial-uptime-limit': { write: time },
      'trial-uptime-reset': { write: time },
      'trial-user-profile': { write: text },
      'use-radius': { write: yesNo, initial: 'false' },
      default: {},
    },
  });
  table.install({
    '.id': '*0',
    name: 'default',
    'hotspot-address': '0.0.0.0',
    'dns-name': '',
    'html-directory': 'hotspot',
    'html-directory-override': '',
    'install-hotspot-queue': 'false',
    'rate-limit': '',
    'http-proxy': '0.0.0.0:0',
    'smtp-server': '0.0.0.0',
    'login-by': 'cookie,http-chap',
    'http-cookie-lifetime': '3d',
    'split-user-domain': 'false',
    'use-radius': 'false',
    default: 'true',
  });
  return table;
}

export function bindingsTable(): Table {
  return new Table({
    properties: {
      'mac-address': { write: mac },
      address: { write: text },
      'to-address': { write: text },
      server: { write: text, initial: 'all' },
      type: { write: oneOf('regular', 'bypassed', 'blocked'), initial: 'regular' },
      ...note,
    },
  });
}

export function walledGardenTable(): Table {
  return new Table({
    addOnly: ['place-before'],
    properties: {
      server: { write: text },
      method: { write: text },
      'src-address': { write: text },
      'dst-address': { write: text },
      'dst-host': { write: text },
      'dst-port': { write: text },
      path: { write: text },
      action: { write: oneOf('allow', 'deny'), initial: 'allow' },
      hits: { initial: '0' },
      dynamic: { initial: 'false' },
      invalid: { initial: 'false' },
      ...note,
    },
  });
}

export function walledGardenIpTable(): Table {
  return new Table({
    addOnly: ['place-before'],
    properties: {
      server: { write: text },
      'src-address': { write: text },
      'src-address-list': { write: text },
      'dst-address': { write: text },
      'dst-address-list': { write: text },
      'dst-host': { write: text },
      'dst-port': { write: text },
      protocol: { write: text },
      action: { write: oneOf('accept', 'drop', 'reject'), initial: 'accept' },
      hits: { initial: '0' },
      dynamic: { initial: 'false' },
      invalid: { initial: 'false' },
      ...note,
    },
  });
}

/** Takes the name of a row of another table, and nothing else. */
function reference(table: Table, ...besides: string[]): Writer {
  return (value, property) => {
    if (!besides.includes(value) && table.find(value) === undefined) throw noMatch(property);
    return value;
  };
}
