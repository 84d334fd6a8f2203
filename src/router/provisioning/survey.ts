/** What provisioning wants to know of a router, read in one go. */
import { trapOf } from '../faults.ts';
import type { Caller, Row } from '../link.ts';
import { anyOf } from '../menu.ts';
import { DECIDING_MENUS, type DecidingMenu } from './rows.ts';

export interface RouterSurvey {
  /** `7.16 (stable)` */
  version: string;
  /** Of the router's own clock; null: it shows none. */
  year: number | null;
  /** null: it has no such client. */
  hasTimeServer: boolean | null;
  /** What our account may do; null: it cannot be seen. */
  policies: ReadonlySet<string> | null;
  /** The hotspot servers. */
  servers: readonly Row[];
  userProfiles: readonly Row[];
  /** Networks (`10.5.50.1/24`) of the hotspots' interfaces. */
  networks: readonly string[];
  /** Folders of the hotspots' pages, each once. */
  pageFolders: readonly string[];
  /** The files in these folders. */
  pages: readonly Row[];
  rows: ReadonlyMap<DecidingMenu, readonly Row[]>;
}

/** The page of a hotspot that phones see first, and where its predecessor is kept. */
export const pageFiles = (folder: string) => ({
  page: `${folder}/login.html`,
  kept: `${folder}/login-before-lango.html`,
});

/** @param hotspot the hotspot server that counts; null: all of them */
export async function survey(
  caller: Caller,
  hotspot: string | null,
  username: string,
  until: number,
): Promise<RouterSurvey> {
  const all = (menu: string, properties: string, queries: readonly string[] = []): Promise<Row[]> =>
    caller.call([`${menu}/print`, `=.proplist=${properties}`, ...queries], row => row, until);
  const decidingRows = async (menu: DecidingMenu) => {
    const { verdict, narrowing } = DECIDING_MENUS[menu];
    const properties = ['.id', 'comment', 'disabled', 'dynamic', verdict, ...narrowing];
    return [menu, await all(menu, properties.join(','))] as const;
  };

  const [resource, clock, timeClient, policies, everyServer, serverProfiles, userProfiles, addresses, deciding] =
    await Promise.all([
      all('/system/resource', 'version'),
      all('/system/clock', 'date'),
      orNothing(all('/system/ntp/client', 'enabled')),
      orNothing(policiesOf(all, username)),
      all('/ip/hotspot', '.id,name,interface,profile,disabled'),
      all('/ip/hotspot/profile', 'name,html-directory,html-directory-override'),
      all('/ip/hotspot/user/profile', 'name,keepalive-timeout,on-login'),
      all('/ip/address', 'address,interface,disabled'),
      Promise.all((Object.keys(DECIDING_MENUS) as DecidingMenu[]).map(decidingRows)),
    ]);
  const servers = everyServer.filter(server => hotspot === null || server['name'] === hotspot);
  const pageFolders = [...new Set(servers.map(server => pageFolder(server, serverProfiles)))];
  const pages = await Promise.all(
    pageFolders.map(folder => all('/file', '.id,name,contents', anyOf('name', Object.values(pageFiles(folder))))),
  );
  return {
    version: resource[0]?.['version'] ?? '',
    // `2026-11-21`, before 7.10 `nov/21/2026`.
    year: Number(/\d{4}/.exec(clock[0]?.['date'] ?? '')?.[0]) || null,
    hasTimeServer: timeClient === null ? null : /^(yes|true)$/.test(timeClient[0]?.['enabled'] ?? ''),
    policies,
    servers,
    userProfiles,
    networks: addresses
      .filter(({ interface: of }) => servers.some(server => server['interface'] === of))
      .map(({ address = '' }) => address),
    pageFolders,
    pages: pages.flat(),
    rows: new Map(deciding),
  };
}

function pageFolder(server: Row, profiles: readonly Row[]): string {
  const profile = profiles.find(({ name }) => name === server['profile']);
  return profile?.['html-directory-override'] || profile?.['html-directory'] || 'hotspot';
}

type Read = (menu: string, properties: string, queries?: readonly string[]) => Promise<Row[]>;

/** An account of a RADIUS server has no row. */
async function policiesOf(all: Read, username: string): Promise<ReadonlySet<string> | null> {
  const [account] = await all('/user', 'group', [`?name=${username}`]);
  if (account?.['group'] === undefined) return null;
  const [group] = await all('/user/group', 'policy', [`?name=${account['group']}`]);
  return group?.['policy'] === undefined ? null : new Set(group['policy'].split(','));
}

/** For what is only nice to know: a router that has no such menu, or does not show it to us, has nothing to say. */
async function orNothing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (trapOf(error) === null) throw error;
    return null;
  }
}
