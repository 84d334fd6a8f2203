/**
 * `?` words: a small stack machine that is run over every row.
 * Source: MikroTik manual, "API", "Queries".
 */
import { cutAtEquals } from './request.ts';
import { Trap } from './trap.ts';
import { parseAddress, parseDuration } from './values.ts';

/** Reads one property of the row in question; undefined when the row has none. */
export type ReadProperty = (name: string) => string | undefined;
export type Query = (read: ReadProperty) => boolean;

type Step = (stack: boolean[], read: ReadProperty) => void;

/**
 * @param words query words without their question mark
 * @returns a test that holds when every value left on the stack is true
 * @throws Trap when a word makes no sense
 */
export function compileQuery(words: readonly string[]): Query {
  const steps = words.flatMap(word => (word.startsWith('#') ? operations(word.slice(1)) : [comparison(word)]));
  return read => {
    const stack: boolean[] = [];
    for (const step of steps) step(stack, read);
    return stack.every(Boolean);
  };
}

function comparison(word: string): Step {
  const operator = /^[-=<>]/.test(word) ? word.charAt(0) : '';
  const [name, operand] = cutAtEquals(word.slice(operator.length));
  if (operator === '-') return (stack, read) => void stack.push(read(name) === undefined);
  if (operand === undefined) return (stack, read) => void stack.push(read(name) !== undefined);
  if (operator === '<' || operator === '>') {
    const wanted = operator === '<' ? -1 : 1;
    return (stack, read) => {
      const value = read(name);
      stack.push(value !== undefined && compareValues(value, operand) === wanted);
    };
  }
  return (stack, read) => void stack.push(read(name) === operand);
}

/** Numbers, durations and addresses by their size, everything else by its letters. */
export function compareValues(a: string, b: string): -1 | 0 | 1 {
  for (const parse of [parseWhole, parseDuration, parseAddress]) {
    const [left, right] = [parse(a), parse(b)];
    if (left !== null && right !== null) return sign(left, right);
  }
  return sign(a, b);
}

function parseWhole(text: string): number | null {
  return /^-?\d+$/.test(text) ? Number(text) : null;
}

function sign<T extends number | string>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * `?#` followed by operations, read from left to right. A number that ends the word keeps only the value at that
 * place (0 is the top); a number before anything else pushes a copy of it. A dot after anything but a number
 * pushes a copy of the top. Below what was pushed the stack holds true, infinitely often, as the manual says.
 */
function operations(text: string): Step[] {
  const tokens = text.match(/\d+\.?|[!&|.]/g) ?? [];
  if (tokens.join('') !== text) throw badQuery(text);
  return tokens.map((token, place) => {
    if (/^\d/.test(token)) {
      const index = Number.parseInt(token, 10);
      const endsTheWord = place === tokens.length - 1 && !token.endsWith('.');
      return stack => {
        const value = stack.at(-1 - index) ?? true;
        if (endsTheWord) stack.length = 0;
        stack.push(value);
      };
    }
    return stack => {
      const top = stack.pop() ?? true;
      if (token === '!') stack.push(!top);
      else if (token === '.') stack.push(top, top);
      else {
        const below = stack.pop() ?? true;
        stack.push(token === '&' ? below && top : below || top);
      }
    };
  });
}

function badQuery(text: string): Trap {
  return new Trap(`invalid query operations ${text}`, 1);
}
