/**
 * What the hotspot runs when somebody comes or goes: the few words of RouterOS's language that such scripts are made of.
 * As on the router, a script is read whole before anything of it runs. Source: RouterOS manual, "Scripting".
 */
import type { EventEmitter } from 'node:events';
import type { Contents } from './contents.ts';
import type { PersonEvent, RouterEvents } from './events.ts';
import type { RouterKnobs } from './knobs.ts';
import { Scanner } from './scanner.ts';
import { Trap } from './trap.ts';

interface ScriptWorld {
  /** `user`, `mac-address`, `address` … */
  variables: ReadonlyMap<string, string>;
  /** What `$"` within a text is: the beginning of a variable's name, or a dollar sign and the end of the text. */
  quotedNames: RouterKnobs['quotedNames'];
  /** @throws whatever makes `/tool fetch` fail */
  fetch(request: ReadonlyMap<string, string>): Promise<void>;
  log(severity: string, message: string): void;
}

type Text = (world: ScriptWorld) => string;
type Statement = (world: ScriptWorld) => Promise<void>;

/** From now on, what a person's profile says at each login and logout. What it fails with goes into the log. */
export function runSessionScripts(
  events: EventEmitter<RouterEvents>,
  { users, profiles, log }: Pick<Contents, 'users' | 'profiles' | 'log'>,
  knobs: RouterKnobs,
  stopping: AbortSignal,
): void {
  const run = (which: 'on-login' | 'on-logout', { user, mac, address }: PersonEvent, cause = '') => {
    const profile = users.find(user)?.['profile'] ?? 'default';
    const script = profiles.find(profile)?.[which];
    if (!script) return;
    void runSessionScript(script, {
      variables: new Map(Object.entries({ user, address, 'mac-address': mac, cause })),
      quotedNames: knobs.quotedNames,
      fetch: request => fetchAsRouter(request, stopping),
      log: (severity, message) => log.add(`script,${severity}`, message),
    }).catch((error: Error) => log.add('script,error', `${which} of ${profile}: ${error.message}`));
  };
  events.on('login', event => {
    if (event.by !== 'admin' || knobs.apiLoginRunsScript) run('on-login', event);
  });
  events.on('logout', event => run('on-logout', event, event.cause));
}

/** @throws Trap the script cannot be read, or something in it fails */
async function runSessionScript(source: string, world: ScriptWorld): Promise<void> {
  const reader = new Reader(source, world.quotedNames);
  const statements = reader.statements(() => reader.isAtEnd);
  await inTurn(statements, world);
}

async function inTurn(statements: readonly Statement[], world: ScriptWorld): Promise<void> {
  for (const statement of statements) await statement(world);
}

class Reader extends Scanner {
  readonly #quotedNames: ScriptWorld['quotedNames'];

  constructor(source: string, quotedNames: ScriptWorld['quotedNames']) {
    super(source);
    this.#quotedNames = quotedNames;
  }

  statements(isEnd: () => boolean): Statement[] {
    const statements: Statement[] = [];
    for (;;) {
      while (this.take(/[\s;]+/y) !== null);
      if (isEnd()) return statements;
      statements.push(this.#statement());
    }
  }

  #statement(): Statement {
    if (this.take(/:do\b/y) !== null) {
      const act = this.#block();
      this.expect(/\s*on-error=/y);
      const otherwise = this.#block();
      return world => inTurn(act, world).catch(() => inTurn(otherwise, world));
    }
    const severity = this.take(/:log (?:debug|info|warning|error)\b/y)?.slice(':log '.length);
    if (severity !== undefined) {
      this.expect(/ +/y);
      const message = this.#text();
      return async world => world.log(severity, message(world));
    }
    this.expect(/\/tool fetch\b/y);
    const parameters: [string, Text][] = [];
    for (let name = this.take(/ +[a-z-]+=/y); name !== null; name = this.take(/ +[a-z-]+=/y)) {
      parameters.push([name.trim().slice(0, -1), this.#text()]);
    }
    return world => world.fetch(new Map(parameters.map(([name, text]) => [name, text(world)])));
  }

  #block(): Statement[] {
    this.expect(/\s*\{/y);
    return this.statements(() => this.take(/\}/y) !== null);
  }

  #text(): Text {
    if (this.take(/"/y) !== null) return this.#quoted();
    if (this.take(/\(/y) !== null) {
      const parts = [this.#text()];
      while (this.take(/ *\. */y) !== null) parts.push(this.#text());
      this.expect(/\)/y);
      return joined(parts);
    }
    const name = this.take(/\$(?:"[a-z-]+"|[a-z]+)/y);
    if (name !== null) return variable(name);
    const bare = this.expect(/[^\s;{}()"$]+/y);
    return () => bare;
  }

  #quoted(): Text {
    const parts: Text[] = [];
    while (this.take(/"/y) === null) {
      const name = this.take(this.#quotedNames === 'within-text' ? /\$(?:"[a-z-]+"|[a-z]+)/y : /\$[a-z]+/y);
      if (name !== null) parts.push(variable(name));
      else {
        const character = this.expect(/\\(?:[0-9A-F]{2}|.)|[^"]/y);
        parts.push(() => unescaped(character));
      }
    }
    return joined(parts);
  }
}

function joined(parts: readonly Text[]): Text {
  return world => parts.map(part => part(world)).join('');
}

function variable(name: string): Text {
  return world => world.variables.get(name.replace(/[$"]/g, '')) ?? '';
}

function unescaped(character: string): string {
  if (!character.startsWith('\\')) return character;
  if (character.length === 3) return String.fromCharCode(Number.parseInt(character.slice(1), 16));
  return { n: '\n', r: '\r', t: '\t' }[character[1] ?? ''] ?? character.slice(1);
}

/** `/tool fetch`: anything but a 2xx is a failure without a body. */
async function fetchAsRouter(request: ReadonlyMap<string, string>, signal: AbortSignal): Promise<void> {
  const response = await fetch(request.get('url') ?? '', {
    method: request.get('http-method') ?? 'get',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: request.get('http-data') ?? null,
    signal,
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Trap(`failure: Fetch failed with status ${response.status}`);
}
