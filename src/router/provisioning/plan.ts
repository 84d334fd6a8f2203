/** What a router lacks, and the commands that mend it: the difference of what it needs and what it has. */
import ipaddr from 'ipaddr.js';
import type { PortalPlace, RouterNeeds } from '../../domain/provisioning.ts';
import type { Row } from '../link.ts';
import { isOurs } from '../rows.ts';
import { type Command, consolePath, quoted, word } from './commands.ts';
import { isOurPage, leadsToPortal, loginPage } from './login-page.ts';
import { agrees, applianceBinding, covers, isInForce, newProfile, openPlaces } from './rows.ts';
import { pageFiles, type RouterSurvey } from './survey.ts';

export interface Change {
  what: string;
  why: string;
  /** Carried out in this order; none after one that is refused. */
  commands: readonly Command[];
}

export interface Draft {
  changes: Change[];
  missing: string[];
  notes: string[];
}

/** Below it the API's login is the old one. */
const RECOMMENDED_VERSION = [6, 43] as const;
/** The first that can make a file by command. */
const FILES_VERSION = [7, 9] as const;
/** A clock that was never set counts from 1970; this program is younger than that. */
const EARLIEST_YEAR = 2024;

/** @param account the user name of our account on the router */
export function draftPlan(needs: RouterNeeds, found: RouterSurvey, account: string): Draft {
  const draft: Draft = { changes: [], missing: [], notes: [] };
  lookAtAccount(found, account, draft);
  lookForHotspot(needs, found, draft);
  lookForProfile(needs, found, draft);
  compareRows(needs, found, draft);
  if (needs.portal === null) draft.missing.push(needs.portalProblem ?? '');
  else for (const folder of found.pageFolders) lookAtPage(needs.portal, folder, found, draft);
  lookAtMachine(found, draft);
  return draft;
}

function lookAtAccount({ policies }: RouterSurvey, account: string, { missing }: Draft): void {
  if (policies === null || policies.has('write')) return;
  missing.push(
    `The account "${account}" may only read on the router, so nobody can be put online: add the policy "write" to its group under /user group.`,
  );
}

function lookForHotspot({ hotspot }: RouterNeeds, { servers }: RouterSurvey, { missing }: Draft): void {
  const setUp = 'run `/ip hotspot setup` in the router’s terminal, which asks for the interface and the network.';
  if (servers.length === 0) {
    missing.push(
      hotspot === null
        ? `The router has no hotspot: ${setUp}`
        : `The router has no hotspot named "${hotspot}": correct LANGO_ROUTER_HOTSPOT, or ${setUp}`,
    );
  } else if (servers.every(server => !isInForce(server))) {
    missing.push('The hotspot is switched off: run `/ip hotspot enable [find]` in the router’s terminal.');
  }
}

function lookForProfile({ profile }: RouterNeeds, { userProfiles }: RouterSurvey, { changes, notes }: Draft): void {
  const existing = userProfiles.find(({ name }) => name === profile);
  if (existing === undefined) {
    changes.push({
      what: `Add the user profile "${profile}".`,
      why: 'People who paid are put online with it. Set its rate-limit as you like; Lango leaves it alone.',
      commands: [{ menu: '/ip/hotspot/user/profile', verb: 'add', values: newProfile(profile) }],
    });
    return;
  }
  if (existing['keepalive-timeout'] === 'none') {
    notes.push(
      `The profile "${profile}" has no keepalive-timeout, so a phone that left counts as online until its time ends; 2m is usual.`,
    );
  }
  if (!existing['on-login']) {
    notes.push(
      `The profile "${profile}" runs no on-login script: Lango finds out who came and went within 15 seconds by itself. The README has scripts that tell it at once.`,
    );
  }
}

function compareRows(needs: RouterNeeds, { rows, networks }: RouterSurvey, { changes, missing }: Draft): void {
  const { portal } = needs;
  const wanted = openPlaces(needs);
  if (portal?.isAddress && networks.some(network => contains(network, portal.host))) {
    wanted.push(applianceBinding(portal));
  }
  const kept = new Set<Row>();
  for (const row of wanted) {
    const candidates = (rows.get(row.menu) ?? []).filter(candidate => isInForce(candidate) && covers(candidate, row));
    const own = candidates.find(({ comment }) => comment === row.values.comment);
    const isOwn = own !== undefined && agrees(own, row);
    if (isOwn) kept.add(own);
    const decides = candidates.find(candidate => (isOwn && candidate === own) || !isMarked(candidate));
    if (decides === undefined) {
      changes.push({ what: row.what, why: row.why, commands: [{ menu: row.menu, verb: 'add', values: row.values }] });
    } else if (!agrees(decides, row)) {
      missing.push(
        `${row.what} An entry of yours in ${consolePath(row.menu)} comes first and says otherwise: ${described(decides)}`,
      );
    }
  }
  // As long as nobody knows where the portal is, nothing of it is out of date.
  if (portal !== null) for (const [menu, found] of rows) changes.push(...removals(menu, found, kept));
}

function removals(menu: string, rows: readonly Row[], kept: ReadonlySet<Row>): Change[] {
  return rows
    .filter(row => isMarked(row) && !kept.has(row))
    .map(row => ({
      what: `Remove Lango's own entry "${row['comment']}".`,
      why: 'What it was made for has gone, or it has been changed since.',
      commands: [{ menu, verb: 'remove', id: row['.id'] ?? '' }],
    }));
}

function isMarked(row: Row): boolean {
  return isOurs(row['comment'] ?? '');
}

/** Whatever page is there now is kept beside ours. */
function lookAtPage(portal: PortalPlace, folder: string, { pages, version }: RouterSurvey, draft: Draft): void {
  const files = pageFiles(folder);
  const contents = loginPage(portal);
  const page = pages.find(({ name }) => name === files.page);
  const kept = pages.find(({ name }) => name === files.kept);
  const current = page?.['contents'] ?? '';
  const isForeign = page !== undefined && !isOurPage(current);
  if (current.trim() === contents.trim() || (isForeign && leadsToPortal(current, portal))) return;

  const obstacle = (): string | null => {
    if ((page === undefined || isForeign) && !isAtLeast(version, FILES_VERSION)) {
      return `RouterOS ${version} cannot make files by command`;
    }
    if (isForeign && current === '') return 'the page there now cannot be read, to be kept safe first';
    if (isForeign && kept !== undefined && kept['contents'] !== current) {
      return `the page there now is not Lango's, nor the one that was kept before as ${files.kept}`;
    }
    return null;
  };
  const why = obstacle();
  if (why !== null) {
    draft.missing.push(
      `${files.page} must send phones to the portal, and ${why}: save the page of the README ("On your router") by hand, with WinBox or FTP.`,
    );
    return;
  }
  const commands: Command[] = [];
  if (isForeign && kept === undefined) {
    commands.push({
      menu: '/file',
      verb: 'add',
      values: { name: files.kept, contents: current },
      expressions: { contents: `[/file get [find name=${quoted(files.page)}] contents]` },
    });
  }
  commands.push(
    page === undefined
      ? { menu: '/file', verb: 'add', values: { name: files.page, contents } }
      : { menu: '/file', verb: 'set', id: page['.id'] ?? '', values: { contents } },
  );
  draft.changes.push({
    what: `Let ${files.page} send phones to the portal${isForeign ? `; the page there now is kept as ${files.kept}` : ''}.`,
    why: 'It is what a phone is shown when it joins the Wi-Fi.',
    commands,
  });
}

function lookAtMachine({ version, year, hasTimeServer }: RouterSurvey, { notes }: Draft): void {
  if (!isAtLeast(version, RECOMMENDED_VERSION)) {
    notes.push(
      `RouterOS ${version} sends passwords in an old way: an update to ${RECOMMENDED_VERSION.join('.')} or newer is recommended.`,
    );
  }
  if (year !== null && year < EARLIEST_YEAR) {
    notes.push(
      `The router's clock says it is ${year}. Lango does not go by it, but certificates and the router's log do.`,
    );
  }
  if (hasTimeServer === false) {
    notes.push(
      'The router asks no time server, so its clock is wrong after each power cut: `/system ntp client set enabled=yes` and give it servers, such as pool.ntp.org.',
    );
  }
}

function contains(network: string, address: string): boolean {
  return ipaddr.IPv4.isValidCIDR(network) && ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parseCIDR(network));
}

/** As the operator finds it on the router. */
function described(row: Row): string {
  const { '.id': _, ...shown } = row;
  return Object.entries(shown)
    .filter(([, value]) => value !== '' && value !== 'false')
    .map(([name, value = '']) => `${name}=${word(value)}`)
    .join(' ');
}

/** `7.16 (stable)`, `7.18beta2`; one that cannot be read passes, because the router itself will say no. */
function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const match = /^(\d+)\.(\d+)/.exec(version);
  if (match === null) return true;
  const [have, haveMinor] = [Number(match[1]), Number(match[2])];
  return have > major || (have === major && haveMinor >= minor);
}
