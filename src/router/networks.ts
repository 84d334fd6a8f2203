/** The networks of a router's hotspots: where an address that a device was given lies. */
import { trapOf } from './faults.ts';
import type { Caller, Row } from './link.ts';

/** By the name of the hotspot server; one that is missing says nothing about its network. */
export type HotspotNetworks = ReadonlyMap<string, readonly string[]>;

/** @returns of no server anything, where the account may not look */
export async function readNetworks(caller: Caller, until: number): Promise<HotspotNetworks> {
  const print = (menu: string, properties: string): Promise<Row[]> =>
    caller.call([`${menu}/print`, `=.proplist=${properties}`], row => row, until);
  try {
    const [servers, addresses] = await Promise.all([
      print('/ip/hotspot', 'name,interface'),
      print('/ip/address', 'address,interface,actual-interface,disabled'),
    ]);
    return new Map(
      servers.flatMap(({ name = '', interface: of }) => {
        const isThere = (row: Row) =>
          (row['actual-interface'] ?? row['interface']) === of && row['disabled'] !== 'true';
        const networks = addresses.filter(isThere);
        return networks.length === 0 ? [] : [[name, networks.map(({ address = '' }) => address)]];
      }),
    );
  } catch (error) {
    if (trapOf(error) === null) throw error;
    return new Map();
  }
}
