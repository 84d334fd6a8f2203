/**
 * The appliance's time, not this device's: what is paid for ends by the appliance's clock, and that of a cheap or old
 * phone is often hours or years away.
 */
let ahead = 0;

/** @param date as a reply carries it */
export function setServerTime(date: string | null): void {
  const at = Date.parse(date || '');
  if (!Number.isNaN(at)) ahead = at - Date.now();
}

/** Milliseconds since 1970, by the appliance. */
export function now(): number {
  return Date.now() + ahead;
}
