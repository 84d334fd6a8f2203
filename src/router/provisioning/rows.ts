/** The rows that a router must have, and whether rows that it has will do. Source: RouterOS manual, "HotSpot". */
import type { PortalPlace, RouterNeeds } from '../../domain/provisioning.ts';
import type { Row } from '../link.ts';
import { parseBoolean } from '../words.ts';

/** Menus where the first row that matches decides, and what can make a row match less. */
export const DECIDING_MENUS = {
  '/ip/hotspot/walled-garden': {
    verdict: 'action',
    narrowing: ['server', 'method', 'src-address', 'dst-address', 'dst-host', 'dst-port', 'path'],
  },
  '/ip/hotspot/walled-garden/ip': {
    verdict: 'action',
    narrowing: [
      'server',
      'src-address',
      'src-address-list',
      'dst-address',
      'dst-address-list',
      'dst-host',
      'dst-port',
      'protocol',
    ],
  },
  '/ip/hotspot/ip-binding': { verdict: 'type', narrowing: ['server', 'address', 'mac-address'] },
} as const;

export type DecidingMenu = keyof typeof DECIDING_MENUS;

export interface WantedRow {
  menu: DecidingMenu;
  /** The comment is our mark, and of this one row. */
  values: Readonly<Record<string, string>> & { readonly comment: string };
  what: string;
  why: string;
}

/** What a profile is made with when the router has none of that name; one that exists is the operator's. */
export function newProfile(name: string): Record<string, string> {
  return { name, 'shared-users': '1', 'keepalive-timeout': '15m', 'add-mac-cookie': 'yes' };
}

/** What phones may reach before they are online. */
export function openPlaces({ portal, openHosts, hotspot }: RouterNeeds): WantedRow[] {
  const server = hotspot === null ? {} : { server: hotspot };
  const rows: WantedRow[] = [];
  if (portal !== null) {
    const { host, port, isAddress } = portal;
    rows.push({
      menu: '/ip/hotspot/walled-garden/ip',
      values: {
        action: 'accept',
        ...(isAddress ? { 'dst-address': host } : { 'dst-host': host }),
        protocol: 'tcp',
        'dst-port': String(port),
        ...server,
        comment: `lango:portal ${host}:${port}`,
      },
      what: `Open the portal, ${host} port ${port}, to phones that are not online yet.`,
      why: 'Without it no phone reaches the page that sells.',
    });
  }
  for (const host of openHosts) {
    // By address the router knows no wildcards; by name it does, from what the phone asks for.
    const isWildcard = host.includes('*');
    rows.push({
      menu: isWildcard ? '/ip/hotspot/walled-garden' : '/ip/hotspot/walled-garden/ip',
      values: {
        action: isWildcard ? 'allow' : 'accept',
        'dst-host': host,
        ...server,
        comment: `lango:payment ${host}`,
      },
      what: `Open ${host} to phones that are not online yet.`,
      why: 'The page where people pay needs it.',
    });
  }
  return rows;
}

/**
 * Lets the appliance itself through the hotspot.
 * @param mac of the appliance; null: not known, so any device that takes its address is let through too
 */
export function applianceBinding({ host }: PortalPlace, mac: string | null): WantedRow {
  return {
    menu: '/ip/hotspot/ip-binding',
    values: {
      ...(mac === null ? {} : { 'mac-address': mac }),
      address: host,
      type: 'bypassed',
      comment: `lango:appliance ${host}`,
    },
    what: `Let the appliance, ${host}, through the hotspot without a login.`,
    why: 'It stands on the hotspot’s network, and must reach the payment provider and be reached itself.',
  };
}

/** Phones that got no address give themselves one of these, and the router then counts them twice. */
export const LINK_LOCAL: WantedRow = {
  menu: '/ip/hotspot/ip-binding',
  values: { address: '169.254.0.1-169.254.255.254', type: 'blocked', comment: 'lango:link-local' },
  what: 'Keep addresses that phones make up, 169.254.*, out of the hotspot.',
  why: 'The router may put a phone online on such an address, where nothing works, and refuse the right one.',
};

export function isInForce(row: Row): boolean {
  return !parseBoolean(row['disabled']) && !parseBoolean(row['dynamic']);
}

/** Whether a row matches everything that the wanted one is about. */
export function covers(row: Row, wanted: WantedRow): boolean {
  return DECIDING_MENUS[wanted.menu].narrowing.every(property => {
    const value = row[property] ?? '';
    const isAny = value === '' || (property === 'server' && value === 'all');
    return isAny || value.replace(/\/32$/, '') === wanted.values[property];
  });
}

/** Whether a row decides as the wanted one would. */
export function agrees(row: Row, wanted: WantedRow): boolean {
  const { verdict } = DECIDING_MENUS[wanted.menu];
  return row[verdict] === wanted.values[verdict];
}
