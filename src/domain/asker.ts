/** Which device sends a request, as far as anybody can tell: phones show no papers, but the router knows who is where. */
import type { Device } from './devices.ts';
import type { Mac } from './mac.ts';
import { addSeconds, type Instant } from './time.ts';

/**
 * A MAC: the router's host table shows the request's address behind that device. `unknown`: it shows nothing, the
 * router does not answer, or the address is its own. `no_router`: there is none to ask, so a MAC is taken as it is named.
 */
export type Asker = Mac | 'unknown' | 'no_router';

/** Is it certain that this device itself asks? */
export function isDevice(asker: Asker, mac: Mac): boolean {
  return asker === 'no_router' || asker === mac;
}

/** May the request name this device as the one that is to go online? Not if it is known to come from another one. */
export function mayName(asker: Asker, mac: Mac): boolean {
  return asker === 'unknown' || isDevice(asker, mac);
}

/** A device that joined by number alone does not speak for the others of its person before this time is over. */
const PROBATION_SECONDS = 3_600;

/** May the asker remove this device, one of `devices` of the same person, without proving anything? */
export function mayRemove(asker: Asker, device: Device, devices: readonly Device[], now: Instant): boolean {
  if (isDevice(asker, device.mac)) return true;
  const since = addSeconds(now, -PROBATION_SECONDS);
  return devices.some(other => other.mac === asker && (other.isProven || other.firstConnected <= since));
}
