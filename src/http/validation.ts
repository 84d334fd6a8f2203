/** Validates the fields of a request: a field reports one issue, a request those of all its fields at once. */
import * as v from 'valibot';

import { isGiven } from '../contract/fields.ts';
import { LangoError } from '../domain/errors.ts';
import type { Fields } from './body.ts';

/** A part of a request, and the schema it has to meet. */
export type Part = readonly [schema: v.GenericSchema, fields: Fields];

/**
 * @returns the typed output of each part
 * @throws LangoError VALIDATION with the issues of all fields of all parts
 */
export function validate(parts: readonly Part[]): unknown[] {
  const details = new Map<string, string[]>();
  const outputs = parts.map(([schema, given]) => {
    const result = v.safeParse(schema, given);
    for (const issue of result.issues ?? []) addIssue(details, issue, nameSent(schema, given, fieldOf(issue)));
    return result.output;
  });
  if (details.size === 0) return outputs;
  throw new LangoError('VALIDATION', 'Some fields need attention.', { details: Object.fromEntries(details) });
}

/** The field that an issue is about; requests are flat, so it is the first step of the path. */
function fieldOf({ path }: v.BaseIssue<unknown>): string {
  const key = path?.[0].key;
  return typeof key === 'string' ? key : 'body';
}

/** The name under which the client sent a field; a missing one has the alias that goes with the others sent. */
function nameSent(schema: v.GenericSchema, given: Fields, name: string): string {
  const aliases = Object.entries((v.getMetadata(schema)['aliases'] ?? {}) as Record<string, string>);
  const sent = aliases.filter(
    ([alias, real]) => Object.hasOwn(given, alias) && (!isGiven(given, real) || given[alias] === given[real]),
  );
  const isMissing = !isGiven(given, name) && sent.length > 0;
  const [alias = name] = (isMissing ? aliases : sent).find(([, real]) => real === name) ?? [];
  return alias;
}

function addIssue(details: Map<string, string[]>, issue: v.BaseIssue<unknown>, field: string): void {
  const isMissing = issue.kind === 'schema' && issue.type === 'object' && issue.path !== undefined;
  const message = isMissing ? 'This field is required.' : issue.message;
  details.set(field, [...(details.get(field) ?? []), message]);
}
