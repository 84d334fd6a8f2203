/** What a script of the router's console reckons with. */

export type Value = string | boolean | readonly string[] | undefined | Script;
export type Names = Map<string, Value>;
export type Step = (names: Names) => Value;
export interface Script {
  run: Step;
}

export function scopeOf(names: Names): Names {
  return new Map(names);
}

export function isScript(value: Value): value is Script {
  return typeof value === 'object' && 'run' in value;
}

export function calculated(sign: string, left: Value, right: () => Value): Value {
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

export function textOf(value: Value): string {
  if (value === undefined || isScript(value)) return '';
  return typeof value === 'object' ? value.join(';') : String(value);
}

export function listOf(value: Value): readonly string[] {
  if (value === undefined || isScript(value)) return [];
  return typeof value === 'object' ? value : [String(value)];
}

export function lengthOf(value: Value): number {
  return typeof value === 'object' && !isScript(value) ? value.length : textOf(value).length;
}

/** Bytes beyond ASCII, and what the console would act on, come as hexadecimal. */
export function unquote(text: string): string {
  const bytes = text.slice(1, -1).replace(/\\([0-9A-F]{2}|["\\$nrt])/g, (_, code: string) => {
    if (code.length === 2) return String.fromCharCode(Number.parseInt(code, 16));
    return { n: '\n', r: '\r', t: '\t' }[code] ?? code;
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
