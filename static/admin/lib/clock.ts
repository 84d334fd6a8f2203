/**
 * The appliance's time, not this device's: what is paid for ends by the appliance's clock, and the clock of a shop's
 * old phone is often wrong.
 */
let offsetMs = 0;

/** @param timestamp as a reply carries it */
export function noteServerTime(timestamp: string): void {
  const server = Date.parse(timestamp);
  if (!Number.isNaN(server)) offsetMs = server - Date.now();
}

/** Milliseconds since 1970, by the appliance. */
export const now = (): number => Date.now() + offsetMs;
