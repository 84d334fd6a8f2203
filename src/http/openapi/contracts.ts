/** Schemas of contracts as JSON Schema. */
import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';

import type { JsonSchema } from '../../contract/fields.ts';
import { records } from '../../contract/index.ts';

const CONVERSION: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

const definitions = records as unknown as Record<string, v.GenericSchema>;

/** The fields of a body, query or path, those of other names among them. */
export function fieldsOf(schema: v.GenericSchema): JsonSchema & { properties: Record<string, JsonSchema> } {
  const { aliases = {}, fields = schema } = v.getMetadata(schema) as Aliased;
  const { properties = {}, required = [], ...converted } = jsonSchemaOf(fields) as Partial<ObjectSchema>;
  const others = Object.entries(aliases).map(([alias, name]) => [
    alias,
    { type: 'string', description: `Another name of ${name}.` },
  ]);
  // Who knows a field under its other name sends that.
  const needed = required.filter(name => !Object.values(aliases).includes(name));
  return {
    ...converted,
    properties: { ...properties, ...Object.fromEntries(others) },
    ...(needed.length === 0 ? {} : { required: needed }),
  };
}

interface Aliased {
  aliases?: Readonly<Record<string, string>>;
  fields?: v.GenericSchema;
}

interface ObjectSchema {
  properties: Record<string, JsonSchema>;
  required: readonly string[];
}

/** Fields say of themselves what may be sent; of replies, the schema says it all. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const converted: Record<string, unknown> = { ...toJsonSchema(schema, { ...CONVERSION, definitions }) };
  delete converted['$schema'];
  delete converted['$defs'];
  return converted;
}

/** Every record, by its name. */
export const recordSchemas = () => toJsonSchemaDefs(definitions, CONVERSION);
