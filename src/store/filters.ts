/** What filters of lists share, as SQL. */
import type { PhoneSearch } from '../domain/phone.ts';

export interface Conditions {
  terms: string[];
  params: Record<string, unknown>;
}

/** The terms of those fields that a filter names. Each finds its value under the field's name. */
export function termsOf<Filter extends object>(
  filter: Filter,
  terms: { readonly [Field in keyof Filter]?: string },
): string[] {
  const fields = Object.keys(terms) as (keyof Filter)[];
  return fields.filter(field => filter[field] !== undefined).map(field => terms[field] as string);
}

/** Nothing where there are no terms: SQLite counts a whole table at once, and looks at each row for `WHERE TRUE`. */
export const where = (terms: readonly string[]): string => (terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`);

/** Those of an `IdRange`. */
export const AMONG = ['id >= @lowest', 'id < @below'];

/** @param name of the parameter, which is added to `params` */
export function phoneTerm(phone: PhoneSearch, name: string, params: Conditions['params']): string {
  // Canonical numbers that hold these digits. A deleted person's column holds no number, so never fits.
  params[name] = 'is' in phone ? phone.is : `+*${phone.contains}*`;
  return 'is' in phone ? `phone = @${name}` : `phone GLOB @${name}`;
}

/**
 * Any of the terms.
 * @param as `set`: as the union of what each index finds, for one statement over the whole table; `row`: as a question
 *   about one row, for walking the table piece by piece
 */
export function anyOf(terms: readonly string[], table: string, as: 'set' | 'row'): string {
  if (as === 'row') return `(${terms.map(term => `(${term})`).join(' OR ')})`;
  return `id IN (${terms.map(term => `SELECT id FROM ${table} WHERE ${term}`).join(' UNION ')})`;
}
