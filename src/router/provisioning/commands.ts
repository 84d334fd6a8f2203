/**
 * One command for a router: as words of its API, and as a line for its console.
 * Source: RouterOS manual, "Scripting", "Constant Escape Sequences".
 */

export interface Command {
  /** `/ip/hotspot/walled-garden` */
  menu: string;
  verb: 'add' | 'set' | 'remove' | 'sign';
  /** Of the row that it is about, or its name where nothing else can have that name. */
  id?: string;
  /** The rows that it is about, where ids may have changed meanwhile: all those whose property has this value. */
  find?: readonly [property: string, value: string];
  values?: Readonly<Record<string, string>>;
  /** For values that a person had better not read: how the console can find them by itself. */
  expressions?: Readonly<Record<string, string>>;
}

/** @param id of the row, where it had to be found first */
export function apiWords({ menu, verb, id, values = {} }: Command, found = id): string[] {
  const attributes = Object.entries(values).map(([name, value]) => `=${name}=${value}`);
  return [`${menu}/${verb}`, ...(found === undefined ? [] : [`=.id=${found}`]), ...attributes];
}

export function consoleLine({ menu, verb, id, find, values = {}, expressions = {} }: Command): string {
  const attributes = Object.entries(values).map(([name, value]) => `${name}=${expressions[name] ?? word(value)}`);
  const about = id === undefined ? [] : [id];
  if (find !== undefined) about.push(`[find ${find[0]}=${quoted(find[1])}]`);
  return [consolePath(menu), verb, ...about, ...attributes].join(' ');
}

const VALUE = '"(?:[^"\\\\]|\\\\.)*"';
const LINE = new RegExp(
  `^(/[a-z0-9 -]+) (set|remove)(?: \\[find ([a-z-]+)=(${VALUE})\\])?((?: [a-z-]+=(?:${VALUE}|[^ "]+))*)$`,
);
const ATTRIBUTE = new RegExp(` ([a-z-]+)=(${VALUE}|[^ "]+)`, 'g');

/** A line that consoleLine() made of a change or a removal by `find`; null: of anything else. */
export function parseLine(line: string): Command | null {
  const [, path, verb, property, value, rest = ''] = LINE.exec(line) ?? [];
  if (path === undefined) return null;
  const attributes = [...rest.matchAll(ATTRIBUTE)].map(([, name = '', written = '']) => [name, unquoted(written)]);
  return {
    menu: path.replaceAll(' ', '/'),
    verb: verb as 'set' | 'remove',
    ...(property === undefined || value === undefined ? {} : { find: [property, unquoted(value)] }),
    values: Object.fromEntries(attributes),
  };
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

/** The value that word() wrote. */
export function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  const bytes = text.slice(1, -1).replace(/\\([0-9A-F]{2}|.)/g, (_, code: string) => {
    if (code === 'n') return '\n';
    return code.length === 2 ? String.fromCharCode(Number.parseInt(code, 16)) : code;
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function hexadecimal(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
