/** The time by the appliance's clock: that of a cheap phone is often hours or years away. */

let ahead = 0;

/** @param date a reply's `Date` header */
export function noteServerTime(date: string | null): void {
  const at = Date.parse(date || '');
  if (!Number.isNaN(at)) ahead = at - Date.now();
}

/** Milliseconds since 1970. */
export function now(): number {
  return Date.now() + ahead;
}
