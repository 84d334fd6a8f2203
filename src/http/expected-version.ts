/** The version of a record that an edit was made from; the plain field `version` is ignored. */
import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../domain/errors.ts';

/**
 * @param given the field `expected_version`
 * @returns undefined: the edit counts whatever stands now
 * @throws LangoError VALIDATION an `If-Match` that is no version, or another one than the field's
 */
export function expectedVersion(headers: IncomingHttpHeaders, given: number | undefined): number | undefined {
  const tag = headers['if-match']?.trim();
  if (tag === undefined || tag === '*') return given;
  const version = /^(?:W\/)?"?(\d{1,15})"?$/.exec(tag)?.[1];
  if (version === undefined) invalid('If-Match', 'Give the version of the record in quotes, such as "3".');
  if (given !== undefined && given !== Number(version)) invalid('expected_version', 'Give the version of If-Match.');
  return Number(version);
}
