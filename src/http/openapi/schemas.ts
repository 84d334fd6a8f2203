/** The words in which replies are described, and the records that more than one of them holds. */

import { records } from '../../contract/index.ts';
import type { JsonSchema } from '../fields.ts';

// --------------------------------------------------------------------------------------------- words

export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
export const integer: JsonSchema = { type: 'integer' };
export const number: JsonSchema = { type: 'number' };
export const instant: JsonSchema = { type: 'string', format: 'date-time' };
export const day: JsonSchema = { type: 'string', format: 'date' };
export const anything: JsonSchema = {};
/** In major units, with the decimals of the currency. */
export const amount: JsonSchema = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };
export const phone: JsonSchema = { type: 'string', pattern: '^\\+\\d{6,15}$' };
export const mac: JsonSchema = { type: 'string', pattern: '^([0-9A-F]{2}:){5}[0-9A-F]{2}$' };

export const word = (...words: readonly string[]): JsonSchema => ({ type: 'string', enum: words });
export const exactly = (value: unknown): JsonSchema => ({ const: value });
export const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

const absent = Symbol('may be absent');

/** A field that is not in every reply. */
export const maybe = (schema: JsonSchema): JsonSchema => ({ ...schema, [absent]: true });

/** Every field is in every reply, but for those that are marked `maybe`. */
export function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const required = Object.entries(properties)
    .filter(([, schema]) => !(absent in schema))
    .map(([name]) => name);
  return { type: 'object', properties, required };
}

/** Of the component with that name. */
const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

// ------------------------------------------------------------------------------------------- records

/** Named once in the document, and referred to everywhere else. */
export const components = {
  Pagination: object({ total: integer, page: integer, page_size: integer, total_pages: integer }),
} satisfies Record<string, JsonSchema>;

/** References to the components. */
export const the = Object.fromEntries(
  Object.keys({ ...components, ...records }).map(name => [name, ref(name)]),
) as Record<keyof typeof components | keyof typeof records, JsonSchema>;
