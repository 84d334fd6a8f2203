/** What else of the router's network decides whether people get online, stay so, and pay for it. */
import type { Row } from '../link.ts';
import { contains, poolContains } from '../subnets.ts';
import { parseBoolean } from '../words.ts';
import type { Command } from './commands.ts';
import { isMarked, type PlanContext, removals } from './draft.ts';
import { isInForce } from './rows.ts';
import { networksOf } from './survey.ts';
import { addWithUndo } from './undo.ts';

const FILTER = '/ip/firewall/filter';
const FILTER6 = '/ipv6/firewall/filter';
const LEASES = '/ip/dhcp-server/lease';
const DISCOVERY = '/ipv6/nd';

/** A row of a menu where the first that matches decides. */
interface Rule {
  values: Readonly<Record<string, string>> & { readonly comment: string };
  /** It must stand before this one. */
  before?: Row | undefined;
  what: string;
  why: string;
}

/** A rule of the firewall, for the console: what it must stand before is told by `beside`. */
interface FilterRule extends Rule {
  menu: typeof FILTER;
  beside: string;
}

/** @param network `10.5.50.0/24` */
export function fastTrackRules(network: string): FilterRule[] {
  return (['src-address', 'dst-address'] as const).map(property => {
    const words = property === 'src-address' ? 'from' : 'to';
    return {
      menu: FILTER,
      values: {
        chain: 'forward',
        action: 'accept',
        'connection-state': 'established,related',
        [property]: network,
        comment: `lango:fasttrack ${words} ${network}`,
      },
      beside: 'action=fasttrack-connection',
      what: `Keep FastTrack off what goes ${words} the hotspot's network, ${network}.`,
      why: 'It bypasses the hotspot: speeds that were sold are not kept, and downloads outlive the paid time.',
    };
  });
}

/** @param port of the API that Lango uses now */
export function inputRule(host: string, port: number): FilterRule {
  return {
    menu: FILTER,
    values: {
      chain: 'input',
      action: 'accept',
      protocol: 'tcp',
      'src-address': host,
      'dst-port': [...new Set([port, 8729])].join(','),
      comment: `lango:api ${host}`,
    },
    beside: 'chain=input and action=drop',
    what: `Let the appliance, ${host}, reach the router's API.`,
    why: 'The firewall shuts out what comes from the hotspot’s network.',
  };
}

/** FastTrack must spare the hotspot, and the API must be open to the appliance. */
export function planFirewall(context: PlanContext): void {
  const { needs, found, settings, isOnHotspot } = context;
  const rows = found.rows(FILTER);
  const rules: Rule[] = [];
  const before = rows.find(row => row['action'] === 'fasttrack-connection' && isInForce(row) && isUnqualified(row));
  if (before !== undefined) {
    rules.push(
      ...networksOf(found)
        .flatMap(fastTrackRules)
        .map(rule => ({ ...rule, before })),
    );
  }
  const { portal } = needs;
  const shutting = rows.findIndex(row => shutsOut(row, found.interfaces, found.rows('/interface/list/member')));
  if (portal !== null && isOnHotspot && shutting !== -1) {
    const rule = inputRule(portal.host, settings.port);
    const isOwn = rows.some(row => row['comment'] === rule.values.comment);
    const isLetIn = rows.slice(0, shutting).some(row => letsIn(row, portal.host, settings.port, found.interfaces));
    if (isOwn || !isLetIn) rules.push({ ...rule, before: rows[shutting] });
  }
  compareRules(context, FILTER, rules);
}

/** Without a word on whom it is about. */
function isUnqualified(row: Row): boolean {
  return ['src-address', 'dst-address', 'src-address-list', 'in-interface', 'in-interface-list'].every(
    name => !row[name],
  );
}

/** Whether a rule drops what comes in by a hotspot's interface. */
function shutsOut(row: Row, interfaces: readonly string[], members: readonly Row[]): boolean {
  if (row['chain'] !== 'input' || !/^(drop|reject)$/.test(row['action'] ?? '') || !isInForce(row)) return false;
  const narrowing = ['protocol', 'src-address', 'src-address-list', 'dst-address', 'dst-port'];
  if (narrowing.some(name => row[name])) return false;
  if (row['connection-state'] && !row['connection-state'].includes('new')) return false;
  const isAbout = (name: string | undefined, has: (wanted: string, on: string) => boolean) => {
    if (!name) return true;
    const isNegated = name.startsWith('!');
    return interfaces.some(on => has(name.replace('!', ''), on) !== isNegated);
  };
  const isMember = (list: string, on: string) =>
    list === 'all' ||
    members.some(member => member['list'] === list && member['interface'] === on && isInForce(member));
  return isAbout(row['in-interface'], (wanted, on) => wanted === on) && isAbout(row['in-interface-list'], isMember);
}

function letsIn(row: Row, host: string, port: number, interfaces: readonly string[]): boolean {
  if (row['chain'] !== 'input' || row['action'] !== 'accept' || !isInForce(row)) return false;
  if (row['connection-state'] && !row['connection-state'].includes('new')) return false;
  if (row['src-address-list'] || row['in-interface-list'] || row['dst-address']) return false;
  const from = row['src-address'];
  return (
    (!row['protocol'] || row['protocol'] === 'tcp') &&
    (!row['dst-port'] || row['dst-port'].split(',').includes(String(port))) &&
    (!from || from === host || contains(from, host)) &&
    (!row['in-interface'] || interfaces.includes(row['in-interface']))
  );
}

/** The hotspot handles IPv4 only: a device with an IPv6 address on its interface is online without paying. */
export function planIpv6(context: PlanContext): void {
  const { found, draft } = context;
  const isOff = parseBoolean(found.rows('/ipv6/settings')[0]?.['disable-ipv6']);
  const open = found.interfaces.filter(
    name =>
      !isOff &&
      found
        .rows('/ipv6/address')
        .some(
          row =>
            row['interface'] === name && row['advertise'] !== 'false' && row['advertise'] !== 'no' && isInForce(row),
        ),
  );
  const why = 'The hotspot knows IPv4 alone, so IPv6 on its network is free internet.';
  const first = found.rows(FILTER6).find(row => isInForce(row) && row['chain'] === 'forward' && !isMarked(row));
  const rules = open.map(name => ({
    values: { chain: 'forward', action: 'drop', 'in-interface': name, comment: `lango:ipv6 ${name}` },
    before: first,
    what: `Forward no IPv6 from the hotspot's interface "${name}".`,
    why,
  }));
  compareRules(context, FILTER6, rules);

  const advertising = found.rows(DISCOVERY).filter(row => !parseBoolean(row['disabled']));
  for (const name of open) {
    const own = found.rows(DISCOVERY).find(row => row['interface'] === name);
    if (own === undefined && advertising.some(row => row['interface'] === 'all')) {
      draft.changes.push({
        what: `Tell phones on "${name}" that the router is no way to IPv6.`,
        why,
        commands: addWithUndo(found.undoScripts, DISCOVERY, { interface: name, 'ra-lifetime': 'none' }, 'interface'),
      });
    } else if (own !== undefined && advertising.includes(own) && own['ra-lifetime'] !== 'none') {
      draft.missing.push(
        `The router offers phones IPv6 on "${name}", and the hotspot knows IPv4 alone: run \`/ipv6 nd set [find interface=${name}] ra-lifetime=none\` in its terminal.`,
      );
    }
  }
}

/** Nobody else may get the appliance's address. */
export function planPools(context: PlanContext): void {
  const { needs, found, isOnHotspot, draft } = context;
  const host = needs.portal?.host ?? '';
  const servers = found.rows('/ip/dhcp-server').filter(row => found.interfaces.includes(row['interface'] ?? ''));
  const used = new Set([...servers, ...found.servers].map(row => row['address-pool']));
  const pool = found
    .rows('/ip/pool')
    .find(({ name, ranges }) => isOnHotspot && used.has(name) && poolContains(ranges ?? '', host));
  if (pool === undefined) return compareRules(context, LEASES, []);

  const mac = found.rows('/ip/arp')[0]?.['mac-address'];
  const comment = `lango:appliance ${host}`;
  const own = found.rows(LEASES).find(row => row['comment'] === comment);
  if (own !== undefined && (mac === undefined || own['mac-address'] === mac)) return;
  const foreign = found.rows(LEASES).find(row => row !== own);
  const danger = `The pool "${pool['name']}" may give the appliance's address, ${host}, to a phone`;
  const [server] = servers;
  if (foreign !== undefined && !parseBoolean(foreign['dynamic'])) return compareRules(context, LEASES, []);
  if (foreign !== undefined) {
    draft.missing.push(
      `${danger}: run \`/ip dhcp-server lease make-static [find address=${host}]\` in the router's terminal while the appliance has it.`,
    );
  } else if (server === undefined || mac === undefined) {
    draft.missing.push(
      `${danger}: take it out of the pool with \`/ip pool set [find name="${pool['name']}"] ranges=…\` in the router's terminal.`,
    );
  } else {
    const values = { address: host, 'mac-address': mac, server: server['name'] ?? '', comment };
    const before: Command[] = own === undefined ? [] : [{ menu: LEASES, verb: 'remove', id: own['.id'] ?? '' }];
    draft.changes.push({
      what: `Reserve the appliance's address, ${host}.`,
      why: 'It is in the pool, so a phone could get it: nobody would find the portal, and that phone would surf free.',
      commands: [...before, { menu: LEASES, verb: 'add', values }],
    });
  }
}

/** Hosts of the walled garden are found by name, by the router itself. */
export function planNames({ needs, found, draft: { missing, notes } }: PlanContext): void {
  const [names] = found.rows('/ip/dns');
  if (found.servers.length > 0 && names !== undefined && !names['servers'] && !names['dynamic-servers']) {
    missing.push(
      'The router knows no name server, so neither it nor the phones find a host by its name: run `/ip dns set servers=1.1.1.1,8.8.8.8` in its terminal, or those of your provider.',
    );
  }
  for (const host of needs.openHosts.filter(name => name.includes('*'))) {
    notes.push(`${host} opens everything below that name to phones that have not paid, not the payment page alone.`);
  }
}

/** Adds the rules that are not there, and takes out those of ours that nothing needs. */
function compareRules(
  { needs, found, draft }: PlanContext,
  menu: typeof FILTER | typeof FILTER6 | typeof LEASES,
  rules: readonly Rule[],
): void {
  const rows = found.rows(menu);
  const kept = new Set<Row>();
  for (const { values, before, what, why } of rules) {
    const until = before === undefined ? rows.length : rows.indexOf(before);
    const isSame = (row: Row) =>
      Object.entries(values).every(([name, value]) => name === 'comment' || row[name] === value);
    const there = rows
      .slice(0, until)
      .find(row => isInForce(row) && (row['comment'] === values.comment || isSame(row)));
    if (there !== undefined) kept.add(there);
    else {
      const place = before?.['.id'] === undefined ? {} : { 'place-before': before['.id'] };
      draft.changes.push({ what, why, commands: [{ menu, verb: 'add', values: { ...values, ...place } }] });
    }
  }
  if (needs.portal !== null) draft.changes.push(...removals(menu, rows, kept));
}
