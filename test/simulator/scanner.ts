/** Goes through a script of the router's own language, one pattern after the other. Every pattern is sticky. */
import { Trap } from './trap.ts';

export class Scanner {
  readonly #source: string;
  protected at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#source.length;
  }

  protected peek(pattern: RegExp): boolean {
    return this.#match(pattern) !== null;
  }

  /** @returns what was passed; null: something else stands here */
  protected take(pattern: RegExp): string | null {
    const found = this.#match(pattern);
    if (found === null) return null;
    this.at += found[0].length;
    return found[0];
  }

  /**
   * @returns what stands in the pattern's brackets, or all of it
   * @throws Trap something else stands here
   */
  protected expect(pattern: RegExp): string {
    const found = this.#match(pattern);
    if (found === null) return this.fail('syntax error');
    this.at += found[0].length;
    return found[1] ?? found[0];
  }

  protected fail(why: string): never {
    const before = this.#source.slice(0, this.at).split('\n');
    throw new Trap(`${why} (line ${before.length} column ${(before.at(-1) ?? '').length + 1})`);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.#source);
  }
}
