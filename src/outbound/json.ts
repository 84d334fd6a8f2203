/**
 * JSON whose numbers keep the text they were written in. Money arrives as JSON numbers, and signatures
 * are computed over them: `1.0` must not become `1`, nor `9007199254740993` something near it.
 */

/** A JSON number, as it was written. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonObject = { readonly [key: string]: Json };
export type Json = null | boolean | string | JsonNumber | readonly Json[] | JsonObject;

/** The reviver's third argument (ECMAScript's JSON.parse source text access) is not in the compiler's library yet. */
type SourceReviver = (key: string, value: unknown, context: { source: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => Json;

/** @returns undefined when the text is not JSON, or is nested too deep to be read. */
export function parseJson(text: string): Json | undefined {
  try {
    return parseWithSource(text, (_key, value, context) =>
      typeof value === 'number' ? new JsonNumber(context.source) : value,
    );
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The same over bytes; bytes that are not UTF-8 are not JSON. */
export function parseJsonBytes(bytes: Uint8Array): Json | undefined {
  try {
    return parseJson(utf8.decode(bytes));
  } catch {
    return undefined;
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** The value at a path of keys; undefined where one of them is missing. */
export function field(value: Json | undefined, ...path: string[]): Json | undefined {
  let here = value;
  for (const key of path) here = isObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
  return here;
}

/** A string or a number at a path, as text; null when it is absent, empty, or of another type. */
export function textAt(value: Json | undefined, ...path: string[]): string | null {
  const found = field(value, ...path);
  if (found instanceof JsonNumber) return found.text;
  return typeof found === 'string' && found !== '' ? found : null;
}

/** A value for `JSON.stringify` that writes exactly this number text. @throws SyntaxError when it is no number */
export function rawNumber(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}
