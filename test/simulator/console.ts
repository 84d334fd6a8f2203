/**
 * The router's console, as far as the scripts need it that Lango hands out. As on the router, a script is read whole
 * before anything of it runs: a menu or a parameter that this version does not know spoils all of it, unless it stands
 * in a text for `:parse`. Source: RouterOS manual, "Scripting".
 */
import {
  calculated,
  isScript,
  lengthOf,
  listOf,
  type Names,
  type Script,
  type Step,
  scopeOf,
  textOf,
  unquote,
  type Value,
} from './console-values.ts';
import { isAtLeast } from './knobs.ts';
import type { RouterSimulator } from './router.ts';
import { Scanner } from './scanner.ts';
import { Trap } from './trap.ts';

/** Commands that came later than their menu. */
const SINCE: Readonly<Record<string, string>> = { '/file add': '7.9' };
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
  compile({ router, said, globals: new Map() }, source).run(new Map());
}

interface Console {
  router: RouterSimulator;
  said: (line: string) => void;
  globals: Names;
}

function compile(where: Console, source: string): Script {
  return { run: new Reader(where, source).script() };
}

class Reader extends Scanner {
  readonly #console: Console;
  readonly #router: RouterSimulator;
  /** A script sees those alone that it names. */
  readonly #globals = new Set<string>();
  /** The menu of the command that is being read, which a `find` within it is about. */
  #path = '';

  constructor(where: Console, source: string) {
    super(source);
    this.#console = where;
    this.#router = where.router;
  }

  script(): Step {
    const steps = this.#statements(() => this.isAtEnd);
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
      while (this.take(/[\s;]+|#[^\n]*/y) !== null);
      if (isEnd()) return steps;
      steps.push(this.#statement());
    }
  }

  #block(): Step {
    this.expect(/\{/y);
    const steps = this.#statements(() => this.take(/\}/y) !== null);
    return names => {
      const inner = scopeOf(names);
      for (const step of steps) step(inner);
      for (const name of names.keys()) names.set(name, inner.get(name));
      return undefined;
    };
  }

  #statement(): Step {
    const word = this.take(/:[a-z]+/y);
    if (word === null && this.take(/find\b/y) !== null) return this.#find(this.#path);
    if (word === null) return this.peek(/\[/y) ? this.#value() : this.#command();
    switch (word) {
      case ':if': {
        const condition = this.#argument();
        this.expect(/ +do=/y);
        const then = this.#block();
        const otherwise = this.take(/\s+else=/y) === null ? null : this.#block();
        return names => (condition(names) === true ? then(names) : otherwise?.(names));
      }
      case ':foreach': {
        const name = this.expect(/ +([a-z]+) +in=/y);
        const list = this.#value();
        this.expect(/ +do=/y);
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
        this.expect(/ +/y);
        const body = this.#block();
        this.expect(/ +on-error=/y);
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
        const name = this.expect(/ +([a-z]+)/y);
        const value = this.#argument();
        return names => {
          names.set(name, value(names));
          return undefined;
        };
      }
      case ':global': {
        const name = this.expect(/ +([a-z]+)/iy);
        this.#globals.add(name);
        const value = this.peek(/ +[^\s;]/y) ? this.#argument() : null;
        return names => {
          if (value !== null) this.#console.globals.set(name, value(names));
          return undefined;
        };
      }
      case ':put': {
        const value = this.#argument();
        return names => {
          this.#console.said(textOf(value(names)));
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
        return names => compile(this.#console, textOf(value(names)));
      }
      default:
        return this.fail(`bad command name ${word.slice(1)}`);
    }
  }

  #argument(): Step {
    this.expect(/ +/y);
    return this.#value();
  }

  #value(): Step {
    if (this.take(/\[/y) !== null) {
      const inner = this.#statement();
      this.expect(/ *\]/y);
      return names => {
        const value = inner(names);
        return isScript(value) ? value.run(new Map()) : value;
      };
    }
    if (this.take(/\(/y) !== null) {
      const inner = this.#expression();
      this.expect(/ *\)/y);
      return inner;
    }
    if (this.take(/\$/y) !== null) {
      const name = this.expect(/"?([a-z-]+)"?/iy);
      const isGlobal = this.#globals.has(name);
      return names => (isGlobal ? this.#console.globals : names).get(name);
    }
    const text = this.take(/"(?:[^"\\]|\\.)*"/y);
    if (text !== null) {
      const read = unquote(text);
      return () => read;
    }
    const bare = this.expect(/[^\s;{}[\]()"$]+/y);
    return () => (bare === 'true' || bare === 'false' ? bare === 'true' : bare);
  }

  /** Left to right; brackets say what goes together. */
  #expression(): Step {
    let left = this.#value();
    for (;;) {
      const sign = this.take(/ *(=|!=|>|\.|and\b|or\b) */y)?.trim();
      if (sign === undefined) return left;
      const [first, second] = [left, this.#value()];
      left = names => calculated(sign, first(names), () => second(names));
    }
  }

  #command(): Step {
    const words = this.expect(/\/([a-z0-9 -]+)(?=\s|\]|$)/y).split(' ');
    const place = words.findIndex(word => VERBS.has(word));
    const [verb = '', path] = [words[place], `/${words.slice(0, place).join('/')}`];
    // What follows the verb is read again, piece by piece.
    this.at -= words.slice(place + 1).join(' ').length + (words.length > place + 1 ? 1 : 0);
    const isKnown = place !== -1 && this.#router.menus().includes(path);
    const isThere = isAtLeast(this.#router.knobs.version, SINCE[`${path} ${verb}`] ?? '0.0');
    if (!isKnown || !isThere) this.fail(`bad command name ${words.join(' ')}`);
    this.#path = path;
    if (verb === 'find') return this.#find(path);
    const about = this.peek(/ +[a-z-]+=/y) || !this.peek(/ +[^\s\]};]/y) ? null : this.#argument();
    if (verb === 'get') {
      const property = this.peek(/ +[a-z]/y) ? this.expect(/ +([a-z-]+)/y) : null;
      return names => this.#get(path, about?.(names), property);
    }
    const values: [name: string, value: Step][] = [];
    for (let name = this.take(/ +([a-z-]+)=/y); name !== null; name = this.take(/ +([a-z-]+)=/y)) {
      const known = name.trim().slice(0, -1);
      if (!this.#router.properties(path).includes(known) && known !== 'place-before')
        this.fail(`expected end of command: ${known}`);
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
    this.take(/ +where(?= )/y);
    const terms: [name: string, isEqual: boolean, value: Step][] = [];
    for (let term = this.take(/ +(?:and +)?[a-z-]+!?=/y); term !== null; term = this.take(/ +(?:and +)?[a-z-]+!?=/y)) {
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
}
