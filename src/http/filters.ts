/** Filters of lists. Absent, empty and `all`, in any case, filter nothing: web forms send what was not chosen so. */
import * as v from 'valibot';

import { type Day, dayOf, parseDay, parseInstant } from '../domain/time.ts';
import { oneOf, parsedText } from './fields.ts';

export function filterBy<Output>(schema: v.GenericSchema<string, Output>) {
  const chosen = v.transform((value: unknown) => (isUnchosen(value) ? undefined : value));
  return v.optional(v.pipe(v.unknown(), chosen, v.optional(schema as v.GenericSchema<unknown, Output>)));
}

/** One of a few words, in any case. */
export function filterByWord<const Words extends readonly string[]>(words: Words) {
  const chosen = v.transform((value: unknown) =>
    isUnchosen(value) ? undefined : typeof value === 'string' ? value.trim().toLowerCase() : value,
  );
  return v.optional(v.pipe(v.unknown(), chosen, v.optional(oneOf(words) as v.GenericSchema<unknown, Words[number]>)));
}

/** @param zone of a date with a time, the day counts that it is there */
export function filterByDay(zone: string) {
  const message = 'Give a date as YYYY-MM-DD.';
  return filterBy(parsedText(value => parseDay(value) ?? dayOfDateTime(value, zone), message, { format: 'date' }));
}

function isUnchosen(value: unknown): boolean {
  return value === null || (typeof value === 'string' && /^\s*(all)?\s*$/i.test(value));
}

/** A plus that was not escaped in a query arrives as a space. */
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?: ?(Z)|([+ -])(\d\d):?(\d\d))?$/i;

function dayOfDateTime(value: string, zone: string): Day | null {
  const [, date = '', time = '', utc, sign = '', hours = '', minutes = ''] = DATE_TIME.exec(value) ?? [];
  const day = parseDay(date);
  if (day === null) return null;
  const offset = hours === '' ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes}`;
  try {
    const instant = parseInstant(`${date}T${time}${offset}`);
    return utc === undefined && hours === '' ? day : dayOf(instant, zone);
  } catch {
    return null;
  }
}
