/**
 * How to take back what Lango changed on the router and cannot mark there, because such rows carry no comment. Each
 * change is noted on the router itself before it is made, as a script: Lango reads it, and a person may run it.
 */
import { type Command, consoleLine } from './commands.ts';

export const UNDO_MENU = '/system/script';
export const UNDO_MARK = 'lango:undo';

/** The command as it is made, and before it the note of how to take it back, unless the router has that already. */
export function noted(known: ReadonlySet<string>, undo: Command, command: Command): Command[] {
  const name = noteName(undo);
  if (known.has(name)) return [command];
  return [{ menu: UNDO_MENU, verb: 'add', values: noteOf(undo) }, command];
}

/** A row that is added under a name, which nothing on the router has. */
export function addNoted(
  known: ReadonlySet<string>,
  menu: string,
  values: Readonly<Record<string, string>>,
  property = 'name',
): Command[] {
  return noted(known, takingOut(menu, property, values), { menu, verb: 'add', values });
}

export function takingOut(menu: string, property: string, values: Readonly<Record<string, string>>): Command {
  return { menu, verb: 'remove', find: [property, values[property] ?? ''] };
}

export function noteOf(undo: Command): Record<string, string> {
  return { name: noteName(undo), policy: 'read,write', source: consoleLine(undo), comment: UNDO_MARK };
}

export function isNote({ menu, verb }: Command): boolean {
  return menu === UNDO_MENU && verb === 'add';
}

function noteName({ menu, find }: Command): string {
  return ['lango-undo', menu, ...(find === undefined ? [] : [find[1]])].join(' ');
}
