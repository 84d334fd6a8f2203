/** Fills a router with people, quickly and without events. */
import type { Contents } from './contents.ts';
import { userKey } from './hotspot.ts';
import { formatAddress, formatDuration, formatMac, parseAddress } from './values.ts';

export interface SeedOptions {
  /** How many people; each has a user bound to the MAC of one device. */
  people: number;
  /** How many of them have a device on the Wi-Fi. Default: all. */
  hosts?: number;
  /** How many of those are online. Default: all who are on the Wi-Fi. */
  sessions?: number;
  comment?: string;
  limitUptimeSeconds?: number;
}

export interface Seeded {
  user: string;
  password: string;
  mac: string;
  address: string;
}

const FIRST_ADDRESS = parseAddress('10.5.16.0') ?? 0;

/** @param first serial number of the first person; those of one router differ */
export function seed({ hotspot, users }: Contents, options: SeedOptions, first: number): Seeded[] {
  const { people, hosts = people, sessions = hosts, comment, limitUptimeSeconds } = options;
  return Array.from({ length: people }, (_, place) => {
    const serial = first + place;
    const user = String(255_710_000_000 + serial);
    const mac = formatMac(`0200${serial.toString(16).padStart(8, '0')}`);
    const address = formatAddress(FIRST_ADDRESS + serial);
    const password = `secret-${serial}`;
    const values = new Map([
      ['name', user],
      ['password', password],
      ['mac-address', mac],
    ]);
    if (comment !== undefined) values.set('comment', comment);
    if (limitUptimeSeconds !== undefined) values.set('limit-uptime', formatDuration(limitUptimeSeconds));
    users.add(values);
    if (place < hosts) {
      const host = hotspot.place({ mac, address, name: '' });
      const row = users.byKey(userKey(user, 'all'));
      if (place < sessions && row !== undefined) hotspot.open(host, row);
    }
    return { user, password, mac, address };
  });
}
