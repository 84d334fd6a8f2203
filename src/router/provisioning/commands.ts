/**
 * One command for a router: as words of its API, and as a line for its console.
 * Source: RouterOS manual, "Scripting", "Constant Escape Sequences".
 */

export interface Command {
  /** `/ip/hotspot/walled-garden` */
  menu: string;
  verb: 'add' | 'set' | 'remove';
  /** Of the row that is changed or removed. */
  id?: string;
  values?: Readonly<Record<string, string>>;
  /** For values that a person had better not read: how the console can find them by itself. */
  expressions?: Readonly<Record<string, string>>;
}

export function apiWords({ menu, verb, id, values = {} }: Command): string[] {
  const attributes = Object.entries(values).map(([name, value]) => `=${name}=${value}`);
  return [`${menu}/${verb}`, ...(id === undefined ? [] : [`=.id=${id}`]), ...attributes];
}

export function consoleLine({ menu, verb, id, values = {}, expressions = {} }: Command): string {
  const attributes = Object.entries(values).map(([name, value]) => `${name}=${expressions[name] ?? word(value)}`);
  return [consolePath(menu), verb, ...(id === undefined ? [] : [id]), ...attributes].join(' ');
}

/** `/ip/hotspot/user` → `/ip hotspot user`, which every version reads. */
export function consolePath(menu: string): string {
  return `/${menu.slice(1).replaceAll('/', ' ')}`;
}

/** A value as the console reads it: bare where nothing in it has a meaning of its own. */
export function word(value: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9.:/-]*$/.test(value) ? value : quoted(value);
}

/**
 * A text in quotes. Question marks ask the console for help even within them, and bytes beyond ASCII depend on the
 * terminal: both go as hexadecimal, in the capitals that the console insists on.
 */
export function quoted(text: string): string {
  let inside = '';
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte);
    if (character === '\n') inside += '\\n';
    else if (character === '"' || character === '\\' || character === '$') inside += `\\${character}`;
    else if (byte < 0x20 || byte > 0x7e || character === '?') inside += `\\${hexadecimal(byte)}`;
    else inside += character;
  }
  return `"${inside}"`;
}

function hexadecimal(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
