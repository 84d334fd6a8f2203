/**
 * What `/ip hotspot setup` does on an interface that has no address yet, step by step: bridge, address, pool, DHCP,
 * name servers, masquerade, profile and server. Source: RouterOS manual, "HotSpot", "Setup".
 */
import type { PortalPlace, RouterNeeds } from '../../domain/provisioning.ts';
import { networkOf } from '../subnets.ts';
import type { Command } from './commands.ts';
import type { Change, PlanContext } from './draft.ts';
import { isInForce } from './rows.ts';
import type { SurveyedMenu } from './survey.ts';
import { addWithUndo, withUndo } from './undo.ts';

/** Its comment marks what can carry one; its name the rest. */
export const SETUP_MARK = 'lango:hotspot';
const NAME = 'lango';
const FIRST_OF_POOL = 10;
/** Where neither the portal's address nor the router says otherwise, as `/ip hotspot setup` has it. */
const DEFAULT_GATEWAY = '10.5.50.1';
const NAME_SERVERS = '1.1.1.1,8.8.8.8';

export interface SetUpRow {
  menu: SurveyedMenu;
  /** The property that tells this row from others. */
  key: 'name' | 'comment';
  values: Readonly<Record<string, string>>;
  what: string;
  why: string;
}

export interface SetUp {
  bridge: SetUpRow;
  /** In this order. */
  rows: readonly SetUpRow[];
  masquerade: SetUpRow;
  server: SetUpRow;
}

/** @param folder of the pages */
export function hotspotSetUp(needs: RouterNeeds & { interface: string }, folder: string): SetUp {
  const { interface: on, hotspot, portal } = needs;
  const gateway = gatewayBeside(portal);
  const network = networkOf(`${gateway}/24`);
  const marked = (menu: SurveyedMenu, values: Record<string, string>, what: string, why: string): SetUpRow => ({
    menu,
    key: 'comment',
    values: { ...values, comment: SETUP_MARK },
    what,
    why,
  });
  const named = (menu: SurveyedMenu, values: Record<string, string>, what: string, why: string): SetUpRow => ({
    menu,
    key: 'name',
    values,
    what,
    why,
  });
  return {
    bridge: marked(
      '/interface/bridge',
      { name: on },
      `Make the bridge "${on}" for the hotspot.`,
      'The router has no interface of that name. Put its ports and Wi-Fi into it: /interface bridge port add.',
    ),
    rows: [
      marked(
        '/ip/address',
        { address: `${gateway}/24`, interface: on },
        `Give the router the address ${gateway} on "${on}".`,
        'It is the customers’ way out.',
      ),
      named(
        '/ip/pool',
        { name: NAME, ranges: poolBeside(gateway, portal) },
        'Make a pool of addresses for phones.',
        'It leaves out the appliance’s own.',
      ),
      marked(
        '/ip/dhcp-server/network',
        { address: network, gateway, 'dns-server': gateway },
        `Tell phones on ${network} the way out.`,
        'They learn it by DHCP.',
      ),
      named(
        '/ip/dhcp-server',
        { name: NAME, interface: on, 'address-pool': NAME, 'lease-time': '1h', disabled: 'no' },
        `Give phones on "${on}" an address.`,
        'Without one nobody reaches the portal.',
      ),
      named(
        '/ip/hotspot/profile',
        { name: NAME, 'hotspot-address': gateway, 'login-by': 'cookie,http-chap,mac-cookie', 'html-directory': folder },
        `Add the hotspot profile "${NAME}".`,
        'Phones that paid come back by themselves with it (mac-cookie), also while the appliance is off.',
      ),
    ],
    masquerade: marked(
      '/ip/firewall/nat',
      { chain: 'srcnat', action: 'masquerade', 'src-address': network },
      `Let ${network} out under the router's own address (masquerade).`,
      'Nothing comes back from the Internet otherwise.',
    ),
    server: named(
      '/ip/hotspot',
      { name: hotspot ?? NAME, interface: on, 'address-pool': NAME, profile: NAME, disabled: 'no' },
      `Set up the hotspot on "${on}".`,
      'From now on nobody on it is online without having paid.',
    ),
  };
}

/** Adds to the draft what comes first. @returns the server, which comes once the appliance has been let through */
export function setUpHotspot({ needs, found, draft }: PlanContext): Change[] {
  const { interface: on } = needs;
  if (found.servers.length > 0 || on === null || needs.portal === null) return [];
  const foreign = found.rows('/ip/address').find(row => row['interface'] === on && row['comment'] !== SETUP_MARK);
  if (foreign !== undefined) {
    draft.missing.push(
      `"${on}" has the address ${foreign['address']} already, so its network is yours to decide on: run \`/ip hotspot setup\` for it in the router's terminal, or choose another interface.`,
    );
    return [];
  }
  const hasFlash = found.rows('/file').some(({ name }) => name === 'flash');
  const { bridge, rows, masquerade, server } = hotspotSetUp({ ...needs, interface: on }, pageFolderOf(hasFlash));
  const { changes } = draft;
  const isThere = ({ menu, key, values }: SetUpRow) => found.rows(menu).some(row => row[key] === values[key]);
  const changeOf = ({ menu, key, values, what, why }: SetUpRow): Change => ({
    what,
    why,
    commands: key === 'name' ? addWithUndo(found.undoScripts, menu, values) : [{ menu, verb: 'add', values }],
  });
  if (!found.rows('/interface').some(({ name }) => name === on)) changes.push(changeOf(bridge));
  changes.push(...rows.filter(row => !isThere(row)).map(changeOf));
  const hasMasquerade = found.rows('/ip/firewall/nat').some(row => row['action'] === 'masquerade' && isInForce(row));
  if (!hasMasquerade) changes.push(changeOf(masquerade));
  const [names] = found.rows('/ip/dns');
  if (names !== undefined && !names['servers'] && !names['dynamic-servers']) {
    changes.push({
      what: `Have the router ask ${NAME_SERVERS} for names.`,
      why: 'It knows no name server, so nobody would find a page by its name.',
      commands: withUndo(found.undoScripts, DNS_UNDO, DNS_COMMAND),
    });
  }
  return [changeOf(server)];
}

export const DNS_COMMAND: Command = { menu: '/ip/dns', verb: 'set', values: { servers: NAME_SERVERS } };
export const DNS_UNDO: Command = { menu: '/ip/dns', verb: 'set', values: { servers: '' } };

/** On boards with a folder of that name, what is outside of it is lost at each start. */
export function pageFolderOf(hasFlash: boolean): string {
  return hasFlash ? 'flash/hotspot' : 'hotspot';
}

/** The router's own address on a network that is made for the hotspot. */
export function gatewayBeside(portal: PortalPlace | null): string {
  if (portal === null || !portal.isAddress) return DEFAULT_GATEWAY;
  const [first, last] = [portal.host.replace(/\d+$/, '1'), portal.host.replace(/\d+$/, '254')];
  return portal.host === first ? last : first;
}

/** Of a /24, without the gateway and the appliance. */
function poolBeside(gateway: string, portal: PortalPlace | null): string {
  const start = gateway.replace(/\d+$/, '');
  const taken = [gateway, portal?.host ?? '']
    .filter(host => host.startsWith(start))
    .map(host => Number(host.split('.')[3]));
  const ranges: string[] = [];
  let first = FIRST_OF_POOL;
  for (const end of [...taken.filter(last => last >= FIRST_OF_POOL).toSorted((a, b) => a - b), 255]) {
    if (first < end) ranges.push(`${start}${first}-${start}${end - 1}`);
    first = end + 1;
  }
  return ranges.join(',');
}
