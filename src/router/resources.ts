/** What a router is and how it fares. */
import type { RouterResources } from '../domain/ports.ts';
import { isMissingCommand } from './faults.ts';
import type { Caller, Row } from './link.ts';

export async function readResources(caller: Caller, until: number): Promise<RouterResources> {
  const one = async (path: string, properties: string): Promise<Row> => {
    const [row] = await caller.call([`${path}/print`, `=.proplist=${properties}`], found => found, until);
    return row ?? {};
  };
  const [resource, identity] = await Promise.all([
    one('/system/resource', 'uptime,version,board-name,platform,cpu-load,free-memory,total-memory'),
    one('/system/identity', 'name'),
  ]);
  return {
    identity: identity['name'] ?? '',
    uptime: resource['uptime'] ?? '',
    version: resource['version'] ?? '',
    boardName: resource['board-name'] || (await boardModel(one)),
    platform: resource['platform'] ?? '',
    cpuLoad: resource['cpu-load'] ?? '',
    freeMemory: resource['free-memory'] ?? '',
    totalMemory: resource['total-memory'] ?? '',
  };
}

/** CHR and x86 have no `/system/routerboard`. */
async function boardModel(one: (path: string, properties: string) => Promise<Row>): Promise<string> {
  try {
    return (await one('/system/routerboard', 'model'))['model'] ?? '';
  } catch (error) {
    if (isMissingCommand(error)) return '';
    throw error;
  }
}
