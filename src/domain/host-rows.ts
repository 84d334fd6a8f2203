/**
 * Which of a device's rows in the hotspot's host table it is behind. A phone may have two, one of them an address that
 * it gave itself; an address may change during a session; a phone may have been seen by two hotspot servers.
 */
import type { Mac } from './mac.ts';
import type { RouterHost, RouterSession } from './ports.ts';

/** A row that idles no longer than this is taken over another only for a reason better than a moment's silence. */
const NO_DIFFERENCE_SECONDS = 10;

/** The request that a device sent last, if that was just now. */
export interface Asked {
  address: string;
  secondsAgo: number;
}

/** null: the device has not asked. */
export type AskedFrom = (mac: Mac) => Asked | null;

export function bestRow<Row extends RouterHost>(rows: readonly Row[], asked: Asked | null): Row | undefined {
  // What it asked before it got another address does not say which one it has now.
  const isOutdated = rows.some(
    row => asked !== null && row.address !== asked.address && row.isOnNetwork && row.uptimeSeconds < asked.secondsAgo,
  );
  const hasAsked = (row: Row) => !isOutdated && row.address === asked?.address;
  const rank = (row: Row) => [row.isOnNetwork ? 0 : 1, hasAsked(row) ? 0 : 1, row.idleSeconds];
  const [best] = rows.toSorted((a, b) => compare(rank(a), rank(b)) || a.uptimeSeconds - b.uptimeSeconds);
  return best;
}

/** Each device with the row that it is behind. */
export function behindOneRow<Row extends RouterHost>(
  rows: readonly Row[],
  askedFrom: AskedFrom,
): ReadonlyMap<Mac, Row> {
  const devices = new Map<Mac, Row>();
  for (const [mac, own] of Map.groupBy(rows, row => row.mac)) {
    const row = bestRow(own, askedFrom(mac));
    if (row !== undefined) devices.set(mac, row);
  }
  return devices;
}

function standsOn(session: RouterSession, row: RouterHost): boolean {
  return session.address === row.address || session.address === row.ownAddress;
}

/**
 * Whether a session holds an address that its device has left for `best`. Where both live, as behind a repeater, the
 * session stays where it is: it moves once, to a row that is younger than itself, or when its own has fallen silent.
 */
export function isMisplaced(session: RouterSession, best: RouterHost, rows: readonly RouterHost[]): boolean {
  if (standsOn(session, best)) return false;
  const own = rows.find(row => standsOn(session, row));
  if (own === undefined || own.isOnNetwork !== best.isOnNetwork) return true;
  const isYounger = best.uptimeSeconds <= session.uptimeSeconds;
  return own.idleSeconds > best.idleSeconds + (isYounger ? 0 : NO_DIFFERENCE_SECONDS);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [place, value] of a.entries()) {
    const difference = value - (b[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
