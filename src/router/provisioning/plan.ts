/** What a router lacks, and the commands that mend it: the difference of what it needs and what it has. */
import type { RouterSettings } from '../../domain/ports.ts';
import type { RouterNeeds } from '../../domain/provisioning.ts';
import type { Row } from '../link.ts';
import { contains } from '../subnets.ts';
import { consolePath, word } from './commands.ts';
import { type Draft, isMarked, type PlanContext, removals } from './draft.ts';
import { planHotspot, planProfile, planServerProfiles } from './plan-hotspot.ts';
import { planAccount, planLine, planMachine } from './plan-machine.ts';
import { planFirewall, planIpv6, planNames, planPools } from './plan-network.ts';
import { planPage } from './plan-page.ts';
import {
  agrees,
  applianceBinding,
  covers,
  DECIDING_MENUS,
  type DecidingMenu,
  isInForce,
  LINK_LOCAL,
  openPlaces,
} from './rows.ts';
import { setUpHotspot } from './setup.ts';
import type { RouterSurvey } from './survey.ts';

export function draftPlan(needs: RouterNeeds, found: RouterSurvey, settings: RouterSettings): Draft {
  const draft: Draft = { changes: [], missing: [], notes: [], secureLine: null };
  const { portal } = needs;
  const isOnHotspot = portal?.isAddress === true && found.addresses.some(network => contains(network, portal.host));
  const context: PlanContext = { needs, found, settings, isOnHotspot, draft };
  planAccount(context);
  planHotspot(context);
  const server = setUpHotspot(context);
  planProfile(context);
  planServerProfiles(context);
  compareRows(context);
  // Once it is there, devices without a binding are cut off: the appliance itself, too.
  draft.changes.push(...server);
  planFirewall(context);
  planIpv6(context);
  planPools(context);
  planNames(context);
  if (portal === null) draft.missing.push(needs.portalProblem ?? '');
  else for (const folder of found.pageFolders) planPage(context, portal, folder);
  planLine(context);
  planMachine(context);
  return draft;
}

function compareRows({ needs, found, isOnHotspot, draft: { changes, missing } }: PlanContext): void {
  const { portal } = needs;
  const wanted = [...openPlaces(needs), LINK_LOCAL];
  if (portal !== null && isOnHotspot) {
    const { menu, values } = applianceBinding(portal, null);
    // The router forgets an address that it has not seen for a while; what is bound stays bound.
    const bound = found.rows(menu).find(({ comment }) => comment === values.comment);
    const mac = (found.rows('/ip/arp')[0] ?? bound)?.['mac-address'] || null;
    wanted.push(applianceBinding(portal, mac));
  }
  const kept = new Set<Row>();
  for (const row of wanted) {
    const candidates = found.rows(row.menu).filter(candidate => isInForce(candidate) && covers(candidate, row));
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
  if (portal === null) return;
  for (const menu of Object.keys(DECIDING_MENUS) as DecidingMenu[]) {
    changes.push(...removals(menu, found.rows(menu), kept));
  }
}

/** As the operator finds it on the router. */
function described(row: Row): string {
  const { '.id': _, ...shown } = row;
  return Object.entries(shown)
    .filter(([, value]) => value !== '' && value !== 'false')
    .map(([name, value = '']) => `${name}=${word(value)}`)
    .join(' ');
}
