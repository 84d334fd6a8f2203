/** Where admins are logged in: opened by a login, confirmed again by the password, ended. */
import { type AdminSession, requireAdmin } from './admins.ts';
import { found, LangoError } from './errors.ts';
import { useSecondFactor } from './second-factor.ts';
import { addSeconds, type Instant, SECONDS_PER_DAY, SECONDS_PER_HOUR } from './time.ts';
import type { StaffTx, Tx } from './transaction.ts';

const SLIDING_SECONDS = 12 * SECONDS_PER_HOUR;
const ABSOLUTE_SECONDS = 7 * SECONDS_PER_DAY;
const CONFIRMED_SECONDS = 10 * 60;

interface OpenSession {
  adminId: number;
  tokenHash: string;
  accessHash: string;
  /** As it was typed: a code of the authenticator app, or a recovery code. Not looked at without a second factor. */
  code: string | null;
  ip: string | null;
  /** What counts as one place with that address; remembered. null: not known. */
  network: string | null;
  userAgent: string | null;
}

/**
 * For somebody whose password was right. A code is used up by the login that it opens.
 * @throws LangoError LOGIN_FAILED the second factor is missing or wrong, or the admin was switched off meanwhile
 */
export function openSession(tx: Tx, { adminId, code, network, ...session }: OpenSession): AdminSession {
  const admin = requireAdmin(tx, adminId);
  if (!admin.isActive) throw new LangoError('LOGIN_FAILED', 'This admin has been switched off.');
  if (admin.hasTotp && !useSecondFactor(tx, adminId, code ?? '')) {
    throw new LangoError('LOGIN_FAILED', 'The code is wrong, or was used already.', { facts: { totp_required: true } });
  }
  tx.admins.recordLogin(adminId, network, tx.now);
  return tx.admins.insertSession({
    adminId,
    ...session,
    createdAt: tx.now,
    confirmedAt: tx.now,
    lastUsedAt: tx.now,
    expiresAt: addSeconds(tx.now, SLIDING_SECONDS),
    endsAt: addSeconds(tx.now, ABSOLUTE_SECONDS),
  });
}

interface ConfirmSession {
  sessionId: number;
  adminId: number;
  passwordIsRight: boolean;
  /** As it was typed. Not looked at without a second factor. */
  code: string | null;
}

/**
 * The person behind a session has shown again who they are. A wrong password uses up no code.
 * @throws LangoError LOGIN_FAILED, in the same words whatever was wrong
 */
export function confirmSession(tx: Tx, { sessionId, adminId, passwordIsRight, code }: ConfirmSession): Instant {
  const { hasTotp } = requireAdmin(tx, adminId);
  if (!passwordIsRight || (hasTotp && !useSecondFactor(tx, adminId, code ?? ''))) {
    const what = hasTotp
      ? 'The password or the code is wrong, or the code was used already.'
      : 'The password is wrong.';
    throw new LangoError('LOGIN_FAILED', what);
  }
  tx.admins.confirmSession(sessionId, tx.now);
  return confirmedUntil(tx.now);
}

/** Until then, the password is not asked for again. */
export const confirmedUntil = (confirmedAt: Instant): Instant => addSeconds(confirmedAt, CONFIRMED_SECONDS);

/** Slides the end of a session that is being used; never past its absolute end. */
export function touchSession(tx: Tx, { session }: { session: AdminSession }): void {
  const sliding = addSeconds(tx.now, SLIDING_SECONDS);
  tx.admins.touchSession(session.id, tx.now, sliding < session.endsAt ? sliding : session.endsAt);
}

export function endSession(tx: Tx, { sessionId }: { sessionId: number }): void {
  tx.admins.endSession(sessionId);
}

/** Ends a session that another one asks to end. @throws LangoError NOT_FOUND it has ended already */
export function endAdminSession(tx: StaffTx, { sessionId }: { sessionId: number }): void {
  const session = found(tx.admins.liveSession(sessionId, tx.now), 'session');
  tx.admins.endSession(sessionId);
  const before = { adminId: session.adminId, ip: session.ip, createdAt: session.createdAt };
  tx.record('session.end', 'session', sessionId, before);
}
