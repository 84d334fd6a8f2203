/** What can be done with any menu of a router: print it, in whole or in part, and remove from it. */
import { isMissingItem } from './faults.ts';
import type { Caller, Row } from './link.ts';

/** One kind of object of the router. */
export interface Menu<T> {
  path: string;
  properties: readonly string[];
  /** Never throws; null for a row that is of no use. */
  read: (row: Row) => T | null;
}

/** @param queries from anyOf() and both(); none: every row */
export async function print<T>(caller: Caller, menu: Menu<T>, queries: readonly string[], until: number): Promise<T[]> {
  const words = [`${menu.path}/print`, `=.proplist=${menu.properties.join(',')}`, ...queries];
  const rows = await caller.call(words, menu.read, until);
  return rows.filter(row => row !== null);
}

/** @returns false when it was gone already */
export async function remove(caller: Caller, menu: Menu<unknown>, id: string, until: number): Promise<boolean> {
  try {
    await caller.call([`${menu.path}/remove`, `=.id=${id}`], () => null, until);
    return true;
  } catch (error) {
    if (isMissingItem(error)) return false;
    throw error;
  }
}

/** Queries are evaluated on a stack: each term pushes, `?#|` and `?#&` take two and push one. */
export function anyOf(property: string, values: readonly string[]): string[] {
  return values.flatMap((value, index) => [`?${property}=${value}`, ...(index === 0 ? [] : ['?#|'])]);
}

export function both(first: readonly string[], second: readonly string[]): string[] {
  return [...first, ...second, ...(first.length > 0 && second.length > 0 ? ['?#&'] : [])];
}
