/** Taking back what Lango put on the router: its own rows and nothing else, and the settings that it changed. */
import { many } from '../../domain/plural.ts';
import type { RouterSettings } from '../../domain/ports.ts';
import type { Caller, Row } from '../link.ts';
import { isOurs } from '../rows.ts';
import { type Command, consolePath, parseLine } from './commands.ts';
import type { Change, Draft } from './draft.ts';
import { isOurPage } from './login-page.ts';
import { orNone, pageFiles, type RouterSurvey } from './survey.ts';
import { UNDO_MENU } from './undo.ts';

/** Menus where a comment marks what is ours, in the order in which it can go: the way to the appliance last. */
const MARKED_MENUS = [
  '/ip/hotspot/walled-garden',
  '/ip/hotspot/walled-garden/ip',
  '/ip/dhcp-server/lease',
  '/ip/dhcp-server/network',
  '/ip/firewall/nat',
  '/ipv6/firewall/filter',
  '/ip/firewall/filter',
  '/ip/hotspot/ip-binding',
  '/ip/address',
  '/interface/bridge',
] as const;

/** Sessions, cookies and users of people, in the order in which they go. */
const PEOPLES_MENUS = ['/ip/hotspot/active', '/ip/hotspot/cookie', '/ip/hotspot/user'] as const;
/** Ids in one command. */
const MOST_AT_ONCE = 100;
const WHY = 'It takes back what Lango has put there.';

/** What there is of ours, by menu. */
export type OurRows = ReadonlyMap<string, readonly Row[]>;

export async function findOurs(caller: Caller, until: number): Promise<OurRows> {
  const all = (menu: string, properties: string) =>
    orNone(caller.call([`${menu}/print`, `=.proplist=${properties}`], (row: Row) => row, until));
  const ours = new Map<string, readonly Row[]>();
  for (const menu of [...MARKED_MENUS, '/ip/hotspot/user']) {
    ours.set(
      menu,
      (await all(menu, '.id,name,comment')).filter(({ comment = '' }) => isOurs(comment)),
    );
  }
  const people = new Set(ours.get('/ip/hotspot/user')?.map(({ name }) => name));
  for (const menu of ['/ip/hotspot/active', '/ip/hotspot/cookie']) {
    ours.set(
      menu,
      (await all(menu, '.id,user')).filter(({ user }) => people.has(user)),
    );
  }
  return ours;
}

export function draftRemoval(found: RouterSurvey, ours: OurRows, settings: RouterSettings): Draft {
  const draft: Draft = { changes: [], missing: [], notes: [], secureLine: null };
  const idsOf = (menu: string) => (ours.get(menu) ?? []).map(row => row['.id'] ?? '');
  const people = PEOPLES_MENUS.flatMap(menu =>
    chunks(idsOf(menu)).map(ids => ({ menu, verb: 'remove', id: ids }) as const),
  );
  if (people.length > 0) {
    const count = idsOf('/ip/hotspot/user').length;
    draft.changes.push({
      what: `Remove the ${many(count, 'user')} that Lango made, and end their sessions.`,
      why: WHY,
      commands: people,
    });
  }
  const ownLine: Change[] = [];
  draftUndo(found, settings, draft, ownLine);
  for (const folder of found.pageFolders) draftPageRemoval(found, folder, draft);
  for (const menu of MARKED_MENUS) {
    for (const { '.id': id = '', comment } of ours.get(menu) ?? []) {
      const what = `Remove "${comment}" from ${consolePath(menu)}.`;
      draft.changes.push({ what, why: WHY, commands: [{ menu, verb: 'remove', id }] });
    }
  }
  draft.changes.push(...ownLine);
  if (found.group === 'lango') {
    draft.notes.push(
      `The account cannot remove itself: once Lango is gone, run \`/user remove ${settings.username}; /user group remove lango\` in the router's terminal.`,
    );
  }
  return draft;
}

/**
 * The last change first: what was added later may need what was added before.
 * @param ownLine gets what our own connection may not outlive, which comes after everything else
 */
function draftUndo(found: RouterSurvey, { ssl }: RouterSettings, { changes, missing }: Draft, ownLine: Change[]): void {
  for (const { '.id': id = '', name, source = '' } of found.rows(UNDO_MENU).toReversed()) {
    const undo = parseLine(source);
    if (undo === null) {
      missing.push(`The script "${name}" is not as Lango wrote it: look what it does, run it, and remove it.`);
      continue;
    }
    const removal: Command = { menu: UNDO_MENU, verb: 'remove', id };
    const isUsed = undo.menu === '/ip/service' && undo.find?.[1] === (ssl ? 'api-ssl' : 'api');
    const commands = isUsed ? [removal, undo] : [undo, removal];
    const isLine = isUsed || (ssl && undo.menu === '/certificate');
    (isLine ? ownLine : changes).push({ what: `Take back: ${source}`, why: WHY, commands });
  }
}

function draftPageRemoval(found: RouterSurvey, folder: string, { changes, missing }: Draft): void {
  const files = pageFiles(folder);
  const [page, kept] = [files.page, files.kept].map(wanted => found.rows('/file').find(({ name }) => name === wanted));
  const isOwn = page !== undefined && isOurPage(page['contents'] ?? '');
  const commands: Command[] = [];
  if (isOwn && kept === undefined) commands.push({ menu: '/file', verb: 'remove', id: page['.id'] ?? '' });
  if (isOwn && kept !== undefined) {
    commands.push({ menu: '/file', verb: 'set', id: page['.id'] ?? '', values: { contents: kept['contents'] ?? '' } });
  }
  const isNeedless = kept !== undefined && (isOwn || kept['contents'] === page?.['contents']);
  if (isNeedless) commands.push({ menu: '/file', verb: 'remove', id: kept['.id'] ?? '' });
  if (commands.length > 0) {
    changes.push({ what: `Give ${files.page} back as it was before.`, why: WHY, commands } satisfies Change);
  } else if (kept !== undefined) {
    missing.push(
      `${files.page} is not Lango's any more, and ${files.kept} has what was there before: keep the one you want.`,
    );
  }
}

function chunks(ids: readonly string[]): string[] {
  const groups: string[] = [];
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) groups.push(ids.slice(at, at + MOST_AT_ONCE).join(','));
  return groups;
}
