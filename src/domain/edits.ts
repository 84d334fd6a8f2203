/** Edits by staff. Records that several people edit count them, so that nobody overwrites what they have not seen. */
import { LangoError } from './errors.ts';

/** What is left out stays as it is. */
export type Edit<Fields> = { [Name in keyof Fields]?: Fields[Name] | undefined };

export function edited<Item extends object, Name extends keyof Item>(item: Item, edit: Edit<Pick<Item, Name>>): Item {
  return { ...item, ...Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined)) };
}

/**
 * @param what the record, as staff call it
 * @param expected the version that the edit was made from; left out: whatever stands now is changed
 * @throws LangoError CONFLICT it was edited since
 */
export function requireVersion(what: string, current: number, expected: number | undefined): void {
  if (expected === undefined || expected === current) return;
  throw new LangoError('CONFLICT', `Somebody else has changed this ${what} meanwhile. Look at it again, then save.`, {
    details: { expected_version: [`This ${what} is at version ${current} now.`] },
  });
}
