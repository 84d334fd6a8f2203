/**
 * Undoing what Lango changed on the router and cannot mark there, because such rows carry no comment. Before each
 * change, a script that undoes it is added on the router itself: Lango reads it, and a person may run it.
 */
import { type Command, consoleLine } from './commands.ts';

export const UNDO_MENU = '/system/script';
export const UNDO_MARK = 'lango:undo';

/** The command, after one that adds its undo script unless the router has that already. */
export function withUndo(known: ReadonlySet<string>, undo: Command, command: Command): Command[] {
  const name = undoName(undo);
  if (known.has(name)) return [command];
  return [{ menu: UNDO_MENU, verb: 'add', values: undoScript(undo) }, command];
}

/** Adds a row under a name that no row on the router has yet. */
export function addWithUndo(
  known: ReadonlySet<string>,
  menu: string,
  values: Readonly<Record<string, string>>,
  property = 'name',
): Command[] {
  return withUndo(known, removalOf(menu, property, values), { menu, verb: 'add', values });
}

export function removalOf(menu: string, property: string, values: Readonly<Record<string, string>>): Command {
  return { menu, verb: 'remove', find: [property, values[property] ?? ''] };
}

export function undoScript(undo: Command): Record<string, string> {
  return { name: undoName(undo), policy: 'read,write', source: consoleLine(undo), comment: UNDO_MARK };
}

export function isUndoScript({ menu, verb }: Command): boolean {
  return menu === UNDO_MENU && verb === 'add';
}

function undoName({ menu, find }: Command): string {
  return ['lango-undo', menu, ...(find === undefined ? [] : [find[1]])].join(' ');
}
