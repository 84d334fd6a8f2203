/** What the router does with a command sentence, apart from connections. */
import type { Menu } from './menu.ts';
import { compileQuery } from './query.ts';
import type { Request } from './request.ts';
import {
  missingParameter,
  noSuchCommand,
  noSuchCommandPrefix,
  noSuchItem,
  notPermitted,
  Trap,
  unknownParameter,
} from './trap.ts';
import { parseDuration } from './values.ts';

export type Outcome =
  | { kind: 'done'; ret?: string }
  /** Rows come lazily, each as its `=name=value` words: ten thousand are never held at once. */
  | { kind: 'rows'; rows: Iterable<string[]> }
  /** Rows as they change, until the command is cancelled. */
  | ({ kind: 'follow' } & Following)
  | { kind: 'reboot' };

export interface Following {
  /** Whether what is there already comes first. */
  fromStart: boolean;
  /** All rows again and again, each time after so many milliseconds; null: those that change, when they do. */
  everyMs: number | null;
  /** What is to be shown now, by `.id`; `state` stays the same for as long as only counters move. */
  look(): Map<string, { words: string[]; state: string }>;
}

export type Menus = ReadonlyMap<string, Menu>;

const PRINT_PARAMETERS = new Set([
  '.proplist',
  'count-only',
  'detail',
  'stats',
  'from',
  '.id',
  'numbers',
  'without-paging',
  'terse',
  'show-sensitive',
  'follow',
  'follow-only',
  'interval',
]);

/** What moves by itself: no change of a row that anybody would be told of. */
const COUNTERS =
  /^(uptime|(idle|session)-time.*|expires-in|(bytes|packets)-.*|time|last-modified|free-memory|cpu-load|host-dead-time)$/;

/** Which policy a command asks for; whatever is not named here needs `write`. */
const POLICY_OF: Record<string, string> = {
  print: 'read',
  getall: 'read',
  get: 'read',
  find: 'read',
  listen: 'read',
  reboot: 'reboot',
};

/**
 * @param policies what the account may do
 * @throws Trap with the router's words
 */
export function execute(menus: Menus, request: Request, policies: ReadonlySet<string>): Outcome {
  if (!request.command.startsWith('/')) throw noSuchCommandPrefix();
  const { path, verb } = splitCommand(request.command);
  const menu = menus.get(path);
  if (menu === undefined && ![...menus.keys()].some(known => known.startsWith(`${path}/`))) throw noSuchCommandPrefix();

  const run = path === '/system' && verb === 'reboot' ? REBOOT : menu && handlerFor(menu, verb);
  if (run === undefined) throw noSuchCommand();
  const isAccountMenu = path === '/user' || path.startsWith('/user/');
  const needed = POLICY_OF[verb] ?? (isAccountMenu ? 'policy' : 'write');
  if (!policies.has(needed)) throw notPermitted();
  return run(request, policies);
}

export function splitCommand(command: string): { path: string; verb: string } {
  const slash = command.lastIndexOf('/');
  return { path: command.slice(0, slash), verb: command.slice(slash + 1) };
}

type Handler = (request: Request, policies: ReadonlySet<string>) => Outcome;

const DONE: Outcome = { kind: 'done' };
const REBOOT: Handler = () => ({ kind: 'reboot' });

function handlerFor(menu: Menu, verb: string): Handler | undefined {
  const extra = menu.extras?.get(verb);
  if (extra !== undefined) {
    return request => {
      extra(request.attributes);
      return DONE;
    };
  }
  switch (verb) {
    case 'print':
    case 'getall':
      return (request, policies) => print(menu, request, policies);
    case 'listen':
      return (request, policies) => print(menu, withAttribute(request, 'follow-only'), policies);
    case 'get':
      return request => get(menu, request);
    case 'add':
      return menu.add && (request => ({ kind: 'done', ret: menu.add?.(request.attributes) ?? '' }));
    case 'set':
      return menu.set && (request => set(menu, request, withoutReference(request.attributes)));
    case 'enable':
    case 'disable':
      if (!menu.properties.includes('disabled')) return undefined;
      return (
        menu.set &&
        (request => set(menu, onlyReference(request), new Map([['disabled', verb === 'disable' ? 'yes' : 'no']])))
      );
    case 'comment':
      if (!menu.properties.includes('comment')) return undefined;
      return menu.set && (request => set(menu, request, withoutReference(request.attributes)));
    case 'unset':
      return menu.unset && (request => unset(menu, request));
    case 'remove':
      return menu.remove && (request => remove(menu, onlyReference(request)));
    default:
      return undefined;
  }
}

function print(menu: Menu, request: Request, policies: ReadonlySet<string>): Outcome {
  for (const name of request.attributes.keys()) if (!PRINT_PARAMETERS.has(name)) throw unknownParameter(name);
  const matches = compileQuery(request.queries);
  const chosen = request.attributes.get('from') ?? referenceIn(request.attributes);
  const candidates = chosen === undefined ? menu.items() : resolve(menu, chosen);
  // A snapshot: rows that are removed while a long reply is on its way are still in it, as on the router.
  const now = (from: Iterable<unknown>) => [...from].filter(item => matches(name => menu.read(item, name)));
  const items = now(candidates);
  if (request.attributes.has('count-only')) return { kind: 'done', ret: String(items.length) };
  const wanted = request.attributes.get('.proplist');
  const shown =
    wanted === undefined ? menu.properties : wanted.split(',').filter(name => menu.properties.includes(name));
  const properties = policies.has('sensitive') ? shown : shown.filter(name => !menu.secrets.has(name));
  const interval = request.attributes.get('interval');
  const isFollowed = request.attributes.has('follow') || request.attributes.has('follow-only');
  if (interval === undefined && !isFollowed) return { kind: 'rows', rows: attributeWords(menu, items, properties) };
  return {
    kind: 'follow',
    fromStart: !request.attributes.has('follow-only'),
    everyMs: interval === undefined ? null : (parseDuration(interval) ?? 1) * 1_000,
    look: () =>
      new Map(
        now(menu.items()).map(item => [
          menu.read(item, '.id') ?? '',
          { words: [...attributeWords(menu, [item], properties)].flat(), state: stateOf(menu, item) },
        ]),
      ),
  };
}

function stateOf(menu: Menu, item: unknown): string {
  return menu.properties
    .filter(property => !COUNTERS.test(property))
    .map(property => `${property}=${menu.read(item, property)}`)
    .join('\n');
}

function* attributeWords(menu: Menu, items: readonly unknown[], properties: readonly string[]): Iterable<string[]> {
  for (const item of items) {
    const words: string[] = [];
    for (const property of properties) {
      const value = menu.read(item, property);
      if (value !== undefined) words.push(`=${property}=${value}`);
    }
    yield words;
  }
}

function get(menu: Menu, request: Request): Outcome {
  const property = request.attributes.get('value-name');
  if (property === undefined) throw missingParameter('value-name');
  const [item] = targets(menu, request.attributes);
  if (!menu.properties.includes(property)) throw new Trap('unknown value name', 1);
  return { kind: 'done', ret: menu.read(item, property) ?? '' };
}

function set(menu: Menu, request: Request, values: ReadonlyMap<string, string>): Outcome {
  for (const item of targets(menu, request.attributes)) menu.set?.(item, values);
  return DONE;
}

function unset(menu: Menu, request: Request): Outcome {
  const property = request.attributes.get('value-name');
  if (property === undefined) throw missingParameter('value-name');
  for (const item of targets(menu, request.attributes)) menu.unset?.(item, property);
  return DONE;
}

function remove(menu: Menu, request: Request): Outcome {
  for (const item of targets(menu, request.attributes)) menu.remove?.(item);
  return DONE;
}

/** The rows a change is about. All of them are looked up before any is touched. */
function targets(menu: Menu, attributes: ReadonlyMap<string, string>): unknown[] {
  if (menu.single) return [...menu.items()];
  const reference = referenceIn(attributes);
  if (reference === undefined) throw missingParameter('numbers');
  return resolve(menu, reference);
}

function resolve(menu: Menu, reference: string): unknown[] {
  return reference.split(',').map(one => {
    const item = menu.find(one);
    if (item === undefined) throw noSuchItem();
    return item;
  });
}

function referenceIn(attributes: ReadonlyMap<string, string>): string | undefined {
  return attributes.get('.id') ?? attributes.get('numbers');
}

function withoutReference(attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...attributes].filter(([name]) => name !== '.id' && name !== 'numbers'));
}

function withAttribute(request: Request, name: string): Request {
  return { ...request, attributes: new Map([...request.attributes, [name, '']]) };
}

function onlyReference(request: Request): Request {
  for (const name of withoutReference(request.attributes).keys()) throw unknownParameter(name);
  return request;
}
