/**
 * The router as a projection of the books: what it should hold, compared with what it holds, gives the steps
 * that mend the difference. Level-triggered: it never asks how the difference came about.
 *
 * One router user per entitled device, bound to its MAC. Rows without our mark are never touched: every step
 * that changes or ends something starts from a row that carries it.
 */
import { secondsLeft } from './access.ts';
import type { Entitlement } from './entitlements.ts';
import { type AskedFrom, bestRow, isMisplaced } from './host-rows.ts';
import type { Mac } from './mac.ts';
import { routerUserName } from './phone.ts';
import type { RouterHost, RouterSession, RouterUser } from './ports.ts';
import type { Instant } from './time.ts';
import type { Place } from './whereabouts.ts';

interface RouterView {
  users: readonly RouterUser[];
  sessions: readonly RouterSession[];
  hosts: readonly RouterHost[];
}

export interface UserUpdate {
  do: 'update';
  user: RouterUser;
  profile?: string;
  limitUptimeSeconds?: number;
  disabled?: false;
}

export type Step =
  | { do: 'add'; profile: string; limitUptimeSeconds: number }
  | UserUpdate
  /** Ends the device's session: it holds an address or a router that the device has left, or a limit that has moved. */
  | { do: 'end' }
  /** Puts a device online that is on the Wi-Fi and entitled. */
  | { do: 'login'; host: RouterHost };

/** What one device lacks, in this order. */
export interface Given {
  name: string;
  mac: Mac;
  steps: readonly Step[];
}

export interface Plan {
  /** Users of ours that nobody is entitled to. First: a name or a MAC may be needed by the person who has it now. */
  revoked: readonly RouterUser[];
  /** Those who wait on the Wi-Fi come first. */
  given: readonly Given[];
  /** Of the rows that grant an absent device more than it has left, the one that is furthest off. */
  overstated: UserUpdate | null;
}

interface ProjectionInput {
  entitlements: readonly Entitlement[];
  view: RouterView;
  defaultProfile: string;
  now: Instant;
  askedFrom: AskedFrom;
  /** Where a device is that another router of the site may be seeing too. */
  placeOf: (mac: Mac) => Place;
}

/** What a row or a session may be off by, at least and as a share of what is left: each write wears the router's flash. */
const TOLERANCE_SECONDS = 600;
const TOLERANCE_SHARE = 0.05;
/** What is set to the time that is left may be off by this. */
const EXACT_SECONDS = 10;
/** A row of an absent device may grant too little by this. */
const TOO_LITTLE_SECONDS = 60;
/** A session whose limit does not follow its user's is begun anew so long before its end, which four passes see. */
const RENEW_BEFORE_SECONDS = 60;

export function planSteps(input: ProjectionInput): Plan {
  const { entitlements, view, defaultProfile, now, askedFrom, placeOf } = input;
  const ours = new Map(view.users.filter(user => user.ours).map(user => [user.name, user]));
  const desired = new Map(entitlements.map(entitlement => [nameOf(entitlement), entitlement]));
  const revoked = [...ours.values()].filter(user => desired.get(user.name)?.mac !== user.mac);
  const revokedNames = new Set(revoked.map(user => user.name));
  const sessions = Map.groupBy(
    view.sessions.filter(session => !revokedNames.has(session.user)),
    session => session.mac,
  );
  const wereRevoked = new Set(
    view.sessions.filter(session => revokedNames.has(session.user)).map(session => session.mac),
  );
  const hosts = Map.groupBy(view.hosts, host => host.mac);

  const given: Given[] = [];
  let overstated: { by: number; update: UserUpdate } | null = null;
  for (const [name, { mac, paidUntil, routerProfile }] of desired) {
    const row = ours.get(name);
    const rows = hosts.get(mac) ?? [];
    const device: Device = {
      user: row?.mac === mac ? row : undefined,
      left: Math.max(1, secondsLeft(paidUntil, now)),
      profile: routerProfile ?? defaultProfile,
      rows,
      best: bestRow(rows, askedFrom(mac)),
      session: sessions.get(mac)?.find(session => session.user === name),
      // Somebody else's session is not disturbed.
      isTaken: sessions.get(mac)?.some(session => session.user !== name) ?? false,
      wasRevoked: wereRevoked.has(mac),
      place: placeOf(mac),
    };
    const steps = stepsOf(device);
    if (steps.length > 0) given.push({ name, mac, steps });
    else {
      const excess = excessOf(device);
      if (excess !== null && excess.by > (overstated?.by ?? 0)) overstated = excess;
    }
  }
  const isWaiting = ({ steps }: Given) => steps.some(step => step.do === 'login');
  return {
    revoked,
    given: [...given.filter(isWaiting), ...given.filter(device => !isWaiting(device))],
    overstated: overstated?.update ?? null,
  };
}

/** One entitled device, and what the router knows of it. */
interface Device {
  user: RouterUser | undefined;
  /** Seconds of paid time, at least one. */
  left: number;
  profile: string;
  rows: readonly RouterHost[];
  best: RouterHost | undefined;
  session: RouterSession | undefined;
  isTaken: boolean;
  wasRevoked: boolean;
  place: Place;
}

function nameOf(entitlement: Entitlement): string {
  return routerUserName(entitlement.phone, entitlement.slot);
}

function stepsOf(device: Device): Step[] {
  const { user, profile, left, session, best } = device;
  const moves = session !== undefined && best !== undefined && isMisplaced(session, best, device.rows);
  const renews = session !== undefined && user !== undefined && isToBeRenewed(user, session, left);
  const login = loginOf(device, moves || renews);
  const ends = session !== undefined && (login.length > 0 || device.place === 'elsewhere');
  const ending: Step[] = ends ? [{ do: 'end' }] : [];
  if (user === undefined) return [{ do: 'add', profile, limitUptimeSeconds: left }, ...ending, ...login];
  const limitUptimeSeconds = wantedLimit(user, session, left, login.length > 0);
  const update: UserUpdate = {
    do: 'update',
    user,
    ...(user.profile === profile ? {} : { profile }),
    ...(user.disabled ? { disabled: false } : {}),
    ...(limitUptimeSeconds === null ? {} : { limitUptimeSeconds }),
  };
  return [...(Object.keys(update).length > 2 ? [update] : []), ...ending, ...login];
}

/** A host that is on the Wi-Fi but not through: no click, next day too. */
function loginOf({ best, session, isTaken, wasRevoked, place }: Device, isAgain: boolean): Step[] {
  if (place !== 'here') return [];
  if (best === undefined || best.bypassed || isTaken || !best.isOnNetwork) return [];
  const waits = session === undefined && (!best.authorized || wasRevoked);
  return waits || isAgain ? [{ do: 'login', host: best }] : [];
}

// ------------------------------------------------------------------------------------------------ limits
// The router ends a session when its user's uptime reaches `limit-uptime`, as that stood at the login. Whether the
// uptime that it shows counts the running session, and whether a limit that is changed reaches that, is not certain
// (see "Verified on" in the README): each reading leads to the right end.

/** @returns null: the limit is near enough to what is left */
function wantedLimit(
  user: RouterUser,
  session: RouterSession | undefined,
  left: number,
  logsIn: boolean,
): number | null {
  if (session !== undefined) {
    if (isEndRight(session, left) && user.limitUptimeSeconds !== null) return null;
    return isLimitRight(user, session, left) ? null : consumedSeconds(user, session) + left;
  }
  const wanted = user.uptimeSeconds + left;
  if (user.limitUptimeSeconds === null) return wanted;
  const excess = user.limitUptimeSeconds - wanted;
  const isOff = logsIn ? Math.abs(excess) > EXACT_SECONDS : excess < -TOO_LITTLE_SECONDS;
  return isOff ? wanted : null;
}

/** What an absent device's row grants too much: it would use that only if it came back while Lango is down. */
function excessOf({ user, session, left }: Device): { by: number; update: UserUpdate } | null {
  if (user === undefined || session !== undefined || user.limitUptimeSeconds === null) return null;
  const limitUptimeSeconds = user.uptimeSeconds + left;
  const excess = user.limitUptimeSeconds - limitUptimeSeconds;
  if (excess <= toleranceOf(left)) return null;
  return { by: excess / left, update: { do: 'update', user, limitUptimeSeconds } };
}

function toleranceOf(left: number): number {
  return Math.max(TOLERANCE_SECONDS, left * TOLERANCE_SHARE);
}

/** Whether the router will end the session about when the books do; one that is about to end is looked at closely. */
function isEndRight({ timeLeftSeconds }: RouterSession, left: number): boolean {
  if (timeLeftSeconds === null) return true;
  const isAboutToEnd = timeLeftSeconds < 2 * RENEW_BEFORE_SECONDS && left > timeLeftSeconds + EXACT_SECONDS;
  return !isAboutToEnd && Math.abs(timeLeftSeconds - left) <= toleranceOf(left);
}

/** Whether the next session of this user would end when the books say, by either reading of its uptime. */
function isLimitRight(
  { uptimeSeconds, limitUptimeSeconds }: RouterUser,
  session: RouterSession,
  left: number,
): boolean {
  if (limitUptimeSeconds === null) return false;
  return [uptimeSeconds, uptimeSeconds + session.uptimeSeconds].some(
    used => Math.abs(limitUptimeSeconds - used - left) <= EXACT_SECONDS,
  );
}

/** The limit is right and the session does not follow it: it is begun anew, and one that ends too early late enough. */
function isToBeRenewed(user: RouterUser, session: RouterSession, left: number): boolean {
  const { timeLeftSeconds, uptimeSeconds } = session;
  if (timeLeftSeconds === null || isEndRight(session, left) || !isLimitRight(user, session, left)) return false;
  const isTooLong = timeLeftSeconds > left && uptimeSeconds >= RENEW_BEFORE_SECONDS;
  return isTooLong || timeLeftSeconds < RENEW_BEFORE_SECONDS;
}

/** The router's own `session-time-left` decides, where it is known, within the two readings of a user's uptime. */
function consumedSeconds(user: RouterUser, session: RouterSession): number {
  const most = user.uptimeSeconds + session.uptimeSeconds;
  if (session.timeLeftSeconds === null || user.limitUptimeSeconds === null) return most;
  return Math.min(most, Math.max(user.uptimeSeconds, user.limitUptimeSeconds - session.timeLeftSeconds));
}
