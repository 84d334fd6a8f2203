/** What the router answers with `!trap`: its own words, and a category where the real one sends it. */
import { isAtLeast } from './knobs.ts';

export class Trap extends Error {
  override readonly name = 'Trap';
  /** 0 missing item or command, 1 bad argument, 2 interrupted, 3 script, 4 general, 5 API, 6 TTY, 7 return. */
  readonly category: number | undefined;

  constructor(message: string, category?: number) {
    super(message);
    this.category = category;
  }
}

export const noSuchItem = (): Trap => new Trap('no such item', 0);
export const noSuchCommand = (): Trap => new Trap('no such command', 0);
export const noSuchCommandPrefix = (): Trap => new Trap('no such command prefix', 0);
export const unknownParameter = (name: string): Trap => new Trap(`unknown parameter ${name}`, 0);
export const missingParameter = (name: string): Trap => new Trap(`missing value(s) of argument(s) ${name}`, 1);
export const notPermitted = (): Trap => new Trap('not enough permissions (9)');
export const badLogin = (version: string): Trap =>
  new Trap(isAtLeast(version, '6.43') ? 'invalid user name or password (6)' : 'cannot log in');
export const unknownHost = (address: string): Trap => new Trap(`unknown host IP ${address}`);
export const interrupted = (): Trap => new Trap('interrupted', 2);
