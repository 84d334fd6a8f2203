/**
 * The router's console, as far as the scripts need it that Lango hands out. As on the router, a script is read whole
 * before anything of it runs: a menu or a parameter that this version does not know spoils all of it, unless it stands
 * in a text for `:parse`. Source: RouterOS manual, "Scripting".
 */
import type { RouterSimulator } from './router.ts';
import { Trap } from './trap.ts';

type Value = string | boolean | readonly string[] | undefined | Script;
type Names = Map<string, Value>;
type Step = (names: Names) => Value;
interface Script {
  run: Step;
}

const VERBS = new Set(['add', 'set', 'remove', 'find', 'get', 'sign', 'run']);
/** Carries a value out of everything that surrounds it. */
class Returned {
  readonly value: Value;
  constructor(value: Value) {
    this.value = value;
  }
}

/**
 * @param said is told what the script puts on the screen
 * @throws Trap with the router's words, or what is wrong with the script's
 */
export function runScript(router: RouterSimulator, source: string, said: (line: string) => void = () => {}): void {
  compile(router, source, said).run(new Map());
}

function compile(router: RouterSimulator, source: string, said: (line: string) => void): Script {
  return { run: new Reader(router, source, said).script() };
}

class Reader {
  readonly #router: RouterSimulator;
  readonly #source: string;
  readonly #said: (line: string) => void;
  #at = 0;
  /** The menu of the command that is being read, which a `find` within it is about. */
  #path = '';

  constructor(router: RouterSimulator, source: string, said: (line: string) => void) {
    this.#router = router;
    this.#source = source;
    this.#said = said;
  }

  script(): Step {
    const steps = this.#statements(() => this.#at >= this.#source.length);
    return names => {
      try {
        let last: Value;
        for (const step of steps) last = step(names);
        return last;
      } catch (thrown) {
        if (thrown instanceof Returned) return thrown.value;
        throw thrown;
      }
    };
  }

  #statements(isEnd: () => boolean): Step[] {
    const steps: Step[] = [];
    for (;;) {
      while (this.#take(/[\s;]+|#[^\n]*/y) !== null);
      if (isEnd()) return steps;
      steps.push(this.#statement());
    }
  }

  #block(): Step {
    this.#expect(/\{/y);
    const steps = this.#statements(() => this.#take(/\}/y) !== null);
    return names => {
      const inner = scopeOf(names);
      for (const step of steps) step(inner);
      for (const name of names.keys()) names.set(name, inner.get(name));
      return undefined;
    };
  }

  #statement(): Step {
    const word = this.#take(/:[a-z]+/y);
    if (word === null && this.#take(/find\b/y) !== null) return this.#find(this.#path);
    if (word === null) return this.#peek(/\[/y) ? this.#value() : this.#command();
    switch (word) {
      case ':if': {
        const condition = this.#argument();
        this.#expect(/ +do=/y);
        const then = this.#block();
        const otherwise = this.#take(/\s+else=/y) === null ? null : this.#block();
        return names => (condition(names) === true ? then(names) : otherwise?.(names));
      }
      case ':foreach': {
        const name = this.#expect(/ +([a-z]+) +in=/y);
        const list = this.#value();
        this.#expect(/ +do=/y);
        const body = this.#block();
        return names => {
          for (const one of listOf(list(names))) {
            const inner = scopeOf(names).set(name, one);
            body(inner);
          }
          return undefined;
        };
      }
      case ':do': {
        this.#expect(/ +/y);
        const body = this.#block();
        this.#expect(/ +on-error=/y);
        const otherwise = this.#block();
        return names => {
          try {
            return body(names);
          } catch (error) {
            if (!(error instanceof Trap)) throw error;
            return otherwise(names);
          }
        };
      }
      case ':local':
      case ':set': {
        const name = this.#expect(/ +([a-z]+)/y);
        const value = this.#argument();
        return names => {
          names.set(name, value(names));
          return undefined;
        };
      }
      case ':put': {
        const value = this.#argument();
        return names => {
          this.#said(textOf(value(names)));
          return undefined;
        };
      }
      case ':return': {
        const value = this.#argument();
        return names => {
          throw new Returned(value(names));
        };
      }
      case ':len': {
        const value = this.#argument();
        return names => String(lengthOf(value(names)));
      }
      case ':pick': {
        const [list, place] = [this.#argument(), this.#argument()];
        return names => listOf(list(names))[Number(textOf(place(names)))];
      }
      case ':find': {
        const [text, wanted] = [this.#argument(), this.#argument()];
        return names => {
          const place = textOf(text(names)).indexOf(textOf(wanted(names)));
          return place === -1 ? undefined : String(place);
        };
      }
      case ':parse': {
        const value = this.#argument();
        return names => compile(this.#router, textOf(value(names)), this.#said);
      }
      default:
        return this.#fail(`bad command name ${word.slice(1)}`);
    }
  }

  #argument(): Step {
    this.#expect(/ +/y);
    return this.#value();
  }

  #value(): Step {
    if (this.#take(/\[/y) !== null) {
      const inner = this.#statement();
      this.#expect(/ *\]/y);
      return names => {
        const value = inner(names);
        return isScript(value) ? value.run(new Map()) : value;
      };
    }
    if (this.#take(/\(/y) !== null) {
      const inner = this.#expression();
      this.#expect(/ *\)/y);
      return inner;
    }
    if (this.#take(/\$/y) !== null) {
      const name = this.#expect(/"?([a-z-]+)"?/y);
      return names => names.get(name);
    }
    const text = this.#take(/"(?:[^"\\]|\\.)*"/y);
    if (text !== null) {
      const read = unquote(text);
      return () => read;
    }
    const bare = this.#expect(/[^\s;{}[\]()"$]+/y);
    return () => (bare === 'true' || bare === 'false' ? bare === 'true' : bare);
  }

  /** Left to right; brackets say what goes together. */
  #expression(): Step {
    let left = this.#value();
    for (;;) {
      const sign = this.#take(/ *(=|!=|>|\.|and\b|or\b) */y)?.trim();
      if (sign === undefined) return left;
      const [first, second] = [left, this.#value()];
      left = names => calculated(sign, first(names), () => second(names));
    }
  }

  #command(): Step {
    const words = this.#expect(/\/([a-z0-9 -]+)(?=\s|\]|$)/y).split(' ');
    const place = words.findIndex(word => VERBS.has(word));
    const [verb = '', path] = [words[place], `/${words.slice(0, place).join('/')}`];
    // What follows the verb is read again, piece by piece.
    this.#at -= words.slice(place + 1).join(' ').length + (words.length > place + 1 ? 1 : 0);
    if (place === -1 || !this.#router.menus().includes(path)) this.#fail(`bad command name ${words.join(' ')}`);
    this.#path = path;
    if (verb === 'find') return this.#find(path);
    const about = this.#peek(/ +[a-z-]+=/y) || !this.#peek(/ +[^\s\]};]/y) ? null : this.#argument();
    if (verb === 'get') {
      const property = this.#peek(/ +[a-z]/y) ? this.#expect(/ +([a-z-]+)/y) : null;
      return names => this.#get(path, about?.(names), property);
    }
    const values: [name: string, value: Step][] = [];
    for (let name = this.#take(/ +([a-z-]+)=/y); name !== null; name = this.#take(/ +([a-z-]+)=/y)) {
      const known = name.trim().slice(0, -1);
      if (!this.#router.properties(path).includes(known) && known !== 'place-before')
        this.#fail(`expected end of command: ${known}`);
      values.push([known, this.#value()]);
    }
    return names => {
      const attributes = Object.fromEntries(values.map(([name, value]) => [name, textOf(value(names))]));
      if (about === null) return this.#router.run(`${path}/${verb}`, attributes);
      for (const id of listOf(about(names))) this.#router.run(`${path}/${verb}`, { '.id': id, ...attributes });
      return undefined;
    };
  }

  #find(path: string): Step {
    this.#take(/ +where(?= )/y);
    const terms: [name: string, isEqual: boolean, value: Step][] = [];
    for (
      let term = this.#take(/ +(?:and +)?[a-z-]+!?=/y);
      term !== null;
      term = this.#take(/ +(?:and +)?[a-z-]+!?=/y)
    ) {
      const [, name = '', sign] = /([a-z-]+)(!?=)$/.exec(term) ?? [];
      terms.push([name, sign === '=', this.#value()]);
    }
    return names =>
      this.#router
        .table(path)
        .filter(row => terms.every(([name, isEqual, value]) => (row[name] === textOf(value(names))) === isEqual))
        .map(row => row['.id'] ?? '');
  }

  /** Of a menu that is one record, its only argument is the property. */
  #get(path: string, about: Value, property: string | null): Value {
    const rows = this.#router.table(path);
    const ids = listOf(about);
    const row =
      property === null ? rows[0] : rows.find(one => ids.includes(one['.id'] ?? '') || ids.includes(one['name'] ?? ''));
    const name = property ?? textOf(about);
    if (row === undefined) throw new Trap('no such item');
    if (!this.#router.properties(path).includes(name)) throw new Trap('unknown value name');
    const value = row[name];
    return value === 'true' || value === 'false' ? value === 'true' : value;
  }

  #peek(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#source);
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found === null) return null;
    this.#at += found[0].length;
    return found[0];
  }

  /** @returns what stands in the pattern's brackets, or all of it */
  #expect(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found === null) return this.#fail('syntax error');
    this.#at += found[0].length;
    return found[1] ?? found[0];
  }

  #fail(why: string): never {
    const before = this.#source.slice(0, this.#at).split('\n');
    throw new Trap(`${why} (line ${before.length} column ${(before.at(-1) ?? '').length + 1})`);
  }
}

function scopeOf(names: Names): Names {
  return new Map(names);
}

function isScript(value: Value): value is Script {
  return typeof value === 'object' && 'run' in value;
}

function calculated(sign: string, left: Value, right: () => Value): Value {
  switch (sign) {
    case 'and':
      return left === true && right() === true;
    case 'or':
      return left === true || right() === true;
    case '.':
      return textOf(left) + textOf(right());
    case '>':
      return Number(textOf(left)) > Number(textOf(right()));
    default:
      return (textOf(left) === textOf(right())) === (sign === '=');
  }
}

function textOf(value: Value): string {
  if (value === undefined || isScript(value)) return '';
  return typeof value === 'object' ? value.join(';') : String(value);
}

function listOf(value: Value): readonly string[] {
  if (value === undefined || isScript(value)) return [];
  return typeof value === 'object' ? value : [String(value)];
}

function lengthOf(value: Value): number {
  return typeof value === 'object' && !isScript(value) ? value.length : textOf(value).length;
}

/** Bytes beyond ASCII, and what the console would act on, come as hexadecimal. */
function unquote(text: string): string {
  const bytes = text.slice(1, -1).replace(/\\([0-9A-F]{2}|["\\$nrt])/g, (_, code: string) => {
    if (code.length === 2) return String.fromCharCode(Number.parseInt(code, 16));
    return { n: '\n', r: '\r', t: '\t' }[code] ?? code;
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
