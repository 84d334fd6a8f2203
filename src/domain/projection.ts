/**
 * The router as a projection of the books: what it should hold, compared with what it holds, gives the steps
 * that mend the difference. Level-triggered: it never asks how the difference came about.
 *
 * One router user per entitled device, bound to its MAC. Rows without our mark are never touched: every step
 * that changes or ends something starts from a row that carries it.
 */
import { secondsLeft } from './access.ts';
import type { Entitlement } from './entitlements.ts';
import type { Mac } from './mac.ts';
import { routerUserName } from './phone.ts';
import type { RouterHost, RouterSession, RouterUser } from './ports.ts';
import type { Instant } from './time.ts';

export interface RouterView {
  users: readonly RouterUser[];
  sessions: readonly RouterSession[];
  hosts: readonly RouterHost[];
}

export type Step =
  /** Takes a user's access away: disable, end sessions, forget cookies, remove, in this order. */
  | { do: 'revoke'; user: RouterUser }
  | { do: 'add'; name: string; mac: Mac; profile: string; limitUptimeSeconds: number }
  | { do: 'update'; user: RouterUser; profile?: string; limitUptimeSeconds?: number; disabled?: false }
  /** Puts a device online that is on the Wi-Fi and entitled. */
  | { do: 'login'; name: string; mac: Mac; address: string; limitUptimeSeconds: number };

export interface ProjectionInput {
  entitlements: readonly Entitlement[];
  view: RouterView;
  defaultProfile: string;
  now: Instant;
}

/** While online, the router's own end of the session may differ from the books by this much. */
const ONLINE_TOLERANCE_SECONDS = 10;
/** While offline nobody uses the limit, so it is refreshed less often. */
const OFFLINE_TOLERANCE_SECONDS = 600;

export function planSteps({ entitlements, view, defaultProfile, now }: ProjectionInput): Step[] {
  const ours = new Map(view.users.filter(user => user.ours).map(user => [user.name, user]));
  const sessions = sessionsByMac(view.sessions);
  const hosts = new Map(view.hosts.map(host => [host.mac, host]));
  const desired = new Map(entitlements.map(entitlement => [nameOf(entitlement), entitlement]));

  const revoked: Step[] = [];
  for (const user of ours.values()) {
    if (desired.get(user.name)?.mac !== user.mac) revoked.push({ do: 'revoke', user });
  }
  const given = [...desired].flatMap(([name, entitlement]) => {
    const left = Math.max(1, secondsLeft(entitlement.paidUntil, now));
    const profile = entitlement.routerProfile ?? defaultProfile;
    const row = ours.get(name);
    const user = row?.mac === entitlement.mac ? row : undefined;
    const session = sessions.get(entitlement.mac);
    const online = session?.user === name ? session : undefined;
    const limitUptimeSeconds = user === undefined ? left : consumedSeconds(user, online) + left;
    const { mac } = entitlement;
    return [
      ...(user === undefined
        ? [{ do: 'add', name, mac, profile, limitUptimeSeconds } as const]
        : updateOf(user, online, profile, left, limitUptimeSeconds)),
      ...loginOf(hosts.get(mac), session, { do: 'login', name, mac, limitUptimeSeconds }),
    ];
  });
  // Revocations first: a name or a MAC may be needed by the person who has it now.
  return [...revoked, ...given];
}

function nameOf(entitlement: Entitlement): string {
  return routerUserName(entitlement.phone, entitlement.slot);
}

function sessionsByMac(sessions: readonly RouterSession[]): Map<Mac, RouterSession> {
  const byMac = new Map<Mac, RouterSession>();
  for (const session of sessions) if (session.mac !== null) byMac.set(session.mac, session);
  return byMac;
}

function updateOf(
  user: RouterUser,
  online: RouterSession | undefined,
  profile: string,
  left: number,
  limitUptimeSeconds: number,
): Step[] {
  const change: Omit<Extract<Step, { do: 'update' }>, 'do' | 'user'> = {
    ...(user.profile === profile ? {} : { profile }),
    ...(user.disabled ? { disabled: false } : {}),
    ...(limitDiffers(user, online, left, limitUptimeSeconds) ? { limitUptimeSeconds } : {}),
  };
  return Object.keys(change).length === 0 ? [] : [{ do: 'update', user, ...change }];
}

/**
 * The router ends a session when the user's uptime reaches `limit-uptime`. Whether that uptime counts the running
 * session is not certain (see "Verified on" in the README), so the router's own `session-time-left` decides where
 * it is known, within the two possible readings.
 */
function consumedSeconds(user: RouterUser, online: RouterSession | undefined): number {
  if (online === undefined) return user.uptimeSeconds;
  const most = user.uptimeSeconds + online.uptimeSeconds;
  if (online.timeLeftSeconds === null || user.limitUptimeSeconds === null) return most;
  return Math.min(most, Math.max(user.uptimeSeconds, user.limitUptimeSeconds - online.timeLeftSeconds));
}

function limitDiffers(user: RouterUser, online: RouterSession | undefined, left: number, wanted: number): boolean {
  if (user.limitUptimeSeconds === null) return true;
  const tolerance = online === undefined ? OFFLINE_TOLERANCE_SECONDS : ONLINE_TOLERANCE_SECONDS;
  if (online?.timeLeftSeconds != null && Math.abs(online.timeLeftSeconds - left) <= tolerance) return false;
  return Math.abs(user.limitUptimeSeconds - wanted) > tolerance;
}

/** A host that is on the Wi-Fi but not through: no click, next day too. Somebody else's session is not disturbed. */
function loginOf(
  host: RouterHost | undefined,
  session: RouterSession | undefined,
  login: Omit<Extract<Step, { do: 'login' }>, 'address'>,
): Step[] {
  if (host === undefined || host.authorized || host.bypassed || session !== undefined) return [];
  return [{ ...login, address: host.address }];
}
