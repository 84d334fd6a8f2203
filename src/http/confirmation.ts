/** Passwords and codes of admins: how often they may be tried, and what takes the password again. */
import { createHash } from 'node:crypto';
import { confirmedUntil } from '../domain/admin-sessions.ts';
import type { Admin } from '../domain/admins.ts';
import { type ErrorCode, LangoError } from '../domain/errors.ts';
import type { Context } from './context.ts';
import type { Caller } from './credentials.ts';
import { networkOf } from './rate-limits.ts';

/**
 * What only the person behind a session may do, not whoever found it open: the password must have been given within
 * the last ten minutes, at the login or since. The configured token is a machine's, and has no password to give.
 * @throws LangoError REAUTHENTICATION_REQUIRED
 */
export function requireConfirmed({ reads, clock }: Pick<Context, 'reads' | 'clock'>, caller: Caller): void {
  if (caller.kind === 'static-token' || confirmedUntil(caller.session.confirmedAt) > clock.now()) return;
  const hasTotp = reads.admins.byId(caller.session.admin.id)?.hasTotp ?? false;
  const message = hasTotp ? 'Give your password and a code again to do this.' : 'Give your password again to do this.';
  throw new LangoError('REAUTHENTICATION_REQUIRED', message, { facts: { second_factor: hasTotp } });
}

/** Unknown names share this many counters, so that inventing names fills no memory. */
const NAME_GROUPS = 4_096;

/**
 * The counter of a login attempt. An address where that admin has logged in before has a counter of its own, which
 * strangers who know the name cannot use up. Unknown names are counted too: else the limit would tell which exist.
 */
export function loginSubject({ reads }: Pick<Context, 'reads'>, username: string, admin: Admin | null, ip: string) {
  if (hasBeenAt({ reads }, admin, ip)) return `${admin.id} at ${networkOf(ip)}`;
  const digest = createHash('sha256').update(username.toLowerCase()).digest();
  return `name ${digest.readUInt32BE() % NAME_GROUPS}`;
}

/** Whether that admin has logged in from there before. */
export function hasBeenAt({ reads }: Pick<Context, 'reads'>, admin: Admin | null, ip: string): admin is Admin {
  return admin !== null && reads.admins.knowsNetwork(admin.id, networkOf(ip));
}

/** The counter of passwords tried within an open session, which takes its token. */
export const sessionSubject = (adminId: number): string => `session of ${adminId}`;

const WRONG: ReadonlySet<ErrorCode> = new Set(['LOGIN_FAILED', 'VALIDATION']);

/**
 * An attempt that was counted before it is looked at. A wrong one stays counted; one that was right, or that could
 * not be looked at, is given back.
 */
export async function attempt<Result>(giveBack: () => void, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work();
    giveBack();
    return result;
  } catch (error) {
    if (!(error instanceof LangoError && WRONG.has(error.code))) giveBack();
    throw error;
  }
}
