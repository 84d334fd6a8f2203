/** What requests may hold, told by the very schemas that read them. */
import type * as v from 'valibot';
import type { JsonSchema, Schema } from '../fields.ts';

/** A schema of valibot, as far as it shows itself at run time. */
interface Node {
  kind: string;
  type: string;
  pipe?: readonly Node[];
  entries?: Readonly<Record<string, Node>>;
  wrapped?: Node;
  default?: unknown;
  options?: readonly unknown[];
  requirement?: unknown;
  message?: unknown;
  metadata?: { jsonSchema?: JsonSchema; aliases?: Readonly<Record<string, string>> };
}

export interface RequestField {
  name: string;
  schema: JsonSchema;
  required: boolean;
}

/** The fields of a body, query or path. */
export function requestFields(schema: Schema): RequestField[] {
  const node = schema as v.GenericSchema as unknown as Node;
  const aliases = Object.entries(node.pipe?.find(part => part.metadata?.aliases)?.metadata?.aliases ?? {});
  const fields = Object.entries(settled(node).entries ?? {}).map(([name, field]) => ({
    name,
    schema: jsonSchemaOf(field),
    // Who knows it under its other name sends that.
    required: settled(field).type !== 'optional' && !aliases.some(([, real]) => real === name),
  }));
  const others = aliases.map(([name, real]) => ({
    name,
    schema: { type: 'string', description: `Another name of ${real}.` },
    required: false,
  }));
  return [...fields, ...others];
}

export function objectSchema(fields: readonly RequestField[]): JsonSchema {
  const required = fields.filter(field => field.required).map(field => field.name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Of schemas one behind the other, the one that says what is wanted in the end. */
function settled(node: Node): Node {
  const schemas = (node.pipe ?? []).filter(part => part.kind === 'schema');
  const last = schemas.at(-1);
  const saysNoMore = last === undefined || (last.type === node.type && last.pipe === undefined);
  return saysNoMore ? node : settled(last);
}

function jsonSchemaOf(given: Node): JsonSchema {
  const node = settled(given);
  if (node.wrapped !== undefined) {
    const inner = jsonSchemaOf(node.wrapped);
    if (node.type === 'nullable') return { anyOf: [inner, { type: 'null' }] };
    return node.default === undefined ? inner : { ...inner, default: defaultOf(node.default, inner) };
  }
  const parts = node.pipe ?? [];
  const described = parts.find(part => part.metadata?.jsonSchema !== undefined)?.metadata?.jsonSchema;
  const message = typeof node.message === 'string' ? { description: node.message } : {};
  return { ...typeOf(node), ...message, ...Object.assign({}, ...parts.map(constraintOf)), ...described };
}

/** Queries have text only; their defaults are told as what they stand for. */
const defaultOf = (value: unknown, { type }: JsonSchema): unknown => (type === 'integer' ? Number(value) : value);

function typeOf(node: Node): JsonSchema {
  switch (node.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { type: node.type };
    case 'picklist':
      return { type: 'string', enum: node.options };
    case 'union':
      return { anyOf: (node.options as readonly Node[]).map(typeOf) };
    case 'unknown':
      return {};
    default:
      throw new Error(`A schema of the type ${node.type} has no JSON Schema yet.`);
  }
}

function constraintOf({ kind, type, requirement }: Node): JsonSchema {
  if (kind !== 'validation') return {};
  switch (type) {
    case 'safe_integer':
      return { type: 'integer' };
    case 'min_value':
      return { minimum: requirement };
    case 'max_value':
      return { maximum: requirement };
    case 'max_length':
      return { maxLength: requirement };
    case 'regex':
      return { pattern: (requirement as RegExp).source };
    default:
      return {};
  }
}
