/** What provisioning wants to know of a router, read in one go. */
import type { RouterNeeds } from '../../domain/provisioning.ts';
import { trapOf } from '../faults.ts';
import type { Caller, Row } from '../link.ts';
import { anyOf } from '../menu.ts';
import { networkOf } from '../subnets.ts';
import { parseBoolean } from '../words.ts';
import { DECIDING_MENUS } from './rows.ts';
import { gatewayBeside } from './setup.ts';
import { UNDO_MARK, UNDO_MENU } from './undo.ts';

/** What is read of every router, by menu. */
const ESSENTIAL = {
  '/system/resource': ['version'],
  '/system/clock': ['date'],
  '/ip/hotspot': ['.id', 'name', 'interface', 'address-pool', 'profile', 'invalid', 'disabled'],
  '/ip/hotspot/profile': [
    '.id',
    'name',
    'login-by',
    'html-directory',
    'html-directory-override',
    'ssl-certificate',
    'hotspot-address',
  ],
  '/ip/hotspot/user/profile': ['.id', 'name', 'keepalive-timeout', 'add-mac-cookie', 'rate-limit', 'on-login'],
  '/ip/address': ['.id', 'address', 'interface', 'comment', 'disabled'],
} as const;

const RULE = [
  '.id',
  'chain',
  'action',
  'protocol',
  'src-address',
  'dst-address',
  'src-address-list',
  'dst-port',
  'in-interface',
  'in-interface-list',
  'connection-state',
  'comment',
  'disabled',
  'dynamic',
] as const;

/** What some versions, boards and accounts have no view of. */
const OPTIONAL = {
  '/system/ntp/client': ['enabled'],
  '/system/license': ['nlevel'],
  '/system/device-mode': ['mode', 'hotspot', 'fetch'],
  '/interface': ['name'],
  '/interface/bridge': ['.id', 'name', 'comment'],
  '/interface/list/member': ['list', 'interface', 'disabled'],
  '/ip/service': [
    '.id',
    'name',
    'port',
    'address',
    'available-from',
    'certificate',
    'disabled',
    'dynamic',
    'connection',
  ],
  '/certificate': ['.id', 'name', 'fingerprint'],
  '/ip/pool': ['.id', 'name', 'ranges'],
  '/ip/dns': ['servers', 'dynamic-servers'],
  '/ip/dhcp-server': ['.id', 'name', 'interface', 'address-pool', 'disabled'],
  '/ip/dhcp-server/network': ['.id', 'address', 'comment'],
  '/ip/dhcp-server/option': ['name', 'code', 'value'],
  '/ip/firewall/filter': RULE,
  '/ip/firewall/nat': RULE,
  '/ipv6/settings': ['disable-ipv6'],
  '/ipv6/address': ['interface', 'address', 'advertise', 'disabled'],
  '/ipv6/nd': ['.id', 'interface', 'ra-lifetime', 'disabled'],
  '/ipv6/firewall/filter': RULE,
} as const;

/** Where the appliance's own address has rows. */
const OF_APPLIANCE = {
  '/ip/arp': ['mac-address'],
  '/ip/dhcp-server/lease': ['.id', 'address', 'mac-address', 'dynamic', 'comment', 'disabled'],
} as const;

type Menus = typeof ESSENTIAL & typeof OPTIONAL & typeof DECIDING_MENUS & typeof OF_APPLIANCE;
/** Of files and scripts only those that concern us are read. */
export type SurveyedMenu = keyof Menus | '/file' | typeof UNDO_MENU;

export interface RouterSurvey {
  /** `7.16 (stable)` */
  version: string;
  /** What our account may do; null: it cannot be seen. */
  policies: ReadonlySet<string> | null;
  /** The group of our account; null: it cannot be seen. */
  group: string | null;
  /** The hotspot servers that count. */
  servers: readonly Row[];
  /** Their interfaces; where there is no server yet, the one that was chosen for it. */
  interfaces: readonly string[];
  /** The interfaces' own addresses with their networks' sizes, `10.5.50.1/24`; the one to be, where there is none yet. */
  addresses: readonly string[];
  /** Folders of the hotspots' pages, each once. */
  pageFolders: readonly string[];
  /** As they stand on the router, in its order; none where it has no such menu, or does not show it to us. */
  rows: (menu: SurveyedMenu) => readonly Row[];
  /** The names of the scripts that undo what was changed. */
  undoScripts: ReadonlySet<string>;
}

/** The page of a hotspot that phones see first, and where its predecessor is kept. */
export const pageFiles = (folder: string) => ({
  page: `${folder}/login.html`,
  kept: `${folder}/login-before-lango.html`,
});

export async function survey(
  caller: Caller,
  needs: RouterNeeds,
  username: string,
  until: number,
): Promise<RouterSurvey> {
  const all: Read = (menu, properties, queries = []) =>
    caller.call([`${menu}/print`, `=.proplist=${properties.join(',')}`, ...queries], row => row, until);
  const account = await accountOf(all, username);
  const found = new Map<string, readonly Row[]>();
  // One after another: a small router that is asked thirty things at once answers none of them in time.
  for (const [menu, properties] of Object.entries(ESSENTIAL)) found.set(menu, await all(menu, properties));
  for (const [menu, { verdict, narrowing }] of Object.entries(DECIDING_MENUS)) {
    found.set(menu, await all(menu, ['.id', 'comment', 'disabled', 'dynamic', verdict, ...narrowing]));
  }
  for (const [menu, properties] of Object.entries(OPTIONAL)) found.set(menu, await orNone(all(menu, properties)));
  for (const [menu, properties] of Object.entries(OF_APPLIANCE)) {
    if (!needs.portal?.isAddress) break;
    found.set(menu, await orNone(all(menu, properties, [`?address=${needs.portal.host}`])));
  }
  const scripts = all(UNDO_MENU, ['.id', 'name', 'source', 'comment'], [`?comment=${UNDO_MARK}`]);
  found.set(UNDO_MENU, await orNone(scripts));
  const rows = (menu: SurveyedMenu) => found.get(menu) ?? [];
  const servers = rows('/ip/hotspot').filter(({ name }) => needs.hotspot === null || name === needs.hotspot);
  const pageFolders = [...new Set(servers.map(server => pageFolder(server, rows('/ip/hotspot/profile'))))];
  const names = ['flash', ...pageFolders.flatMap(folder => Object.values(pageFiles(folder)))];
  found.set('/file', await all('/file', ['.id', 'name', 'contents'], anyOf('name', names)));
  const chosen = needs.interface === null ? [] : [needs.interface];
  const interfaces = servers.length === 0 ? chosen : servers.map(server => server['interface'] ?? '');
  const addresses = rows('/ip/address')
    .filter(row => interfaces.includes(row['interface'] ?? '') && !parseBoolean(row['disabled']))
    .map(({ address = '' }) => address)
    .filter(address => address.includes('/'));
  const isToBe = servers.length === 0 && needs.interface !== null && addresses.length === 0;
  return {
    version: rows('/system/resource')[0]?.['version'] ?? '',
    ...account,
    servers,
    interfaces,
    addresses: isToBe ? [`${gatewayBeside(needs.portal)}/24`] : addresses,
    pageFolders,
    rows,
    undoScripts: new Set(rows(UNDO_MENU).map(({ name = '' }) => name)),
  };
}

/** `10.5.50.0/24`, of each interface of a hotspot. */
export function networksOf({ addresses }: Pick<RouterSurvey, 'addresses'>): string[] {
  return addresses.map(networkOf);
}

function pageFolder(server: Row, profiles: readonly Row[]): string {
  const profile = profiles.find(({ name }) => name === server['profile']);
  return profile?.['html-directory-override'] || profile?.['html-directory'] || 'hotspot';
}

type Read = (menu: string, properties: readonly string[], queries?: readonly string[]) => Promise<Row[]>;

/** An account of a RADIUS server has no row. */
async function accountOf(all: Read, username: string): Promise<Pick<RouterSurvey, 'policies' | 'group'>> {
  const [account] = await orNone(all('/user', ['group'], [`?name=${username}`]));
  const group = account?.['group'] ?? null;
  if (group === null) return { policies: null, group };
  const [row] = await orNone(all('/user/group', ['policy'], [`?name=${group}`]));
  return { policies: row?.['policy'] === undefined ? null : new Set(row['policy'].split(',')), group };
}

/** For what some versions, boards and accounts have no view of: no rows. */
export async function orNone(answer: Promise<Row[]>): Promise<Row[]> {
  try {
    return await answer;
  } catch (error) {
    if (trapOf(error) === null) throw error;
    return [];
  }
}
