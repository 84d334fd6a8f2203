/** Staff accounts and their sessions. Decisions: 10. */
import type { Actor } from './audit.ts';
import { LangoError } from './errors.ts';
import { addSeconds, type Instant, SECONDS_PER_HOUR } from './time.ts';
import type { Tx } from './transaction.ts';

/** Each role may do all that the ones after it may. */
export const ROLES = ['owner', 'staff', 'cashier'] as const;
export type Role = (typeof ROLES)[number];

export interface Admin {
  id: number;
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  isActive: boolean;
  createdAt: Instant;
  lastLoginAt: Instant | null;
}

export interface AdminSession {
  id: number;
  adminId: number;
  /** SHA-256 of the tokens, hex; the tokens themselves are nowhere. */
  tokenHash: string;
  accessHash: string;
  createdAt: Instant;
  lastUsedAt: Instant;
  /** Slides with use, up to `endsAt`. */
  expiresAt: Instant;
  endsAt: Instant;
  ip: string | null;
  userAgent: string | null;
}

export interface AdminReads {
  byId(id: number): Admin | null;
  byUsername(username: string): Admin | null;
  passwordHashOf(id: number): string | null;
  list(): Admin[];
  count(): number;
  /** Sessions that have not ended, of active admins. */
  sessionByToken(tokenHash: string, now: Instant): { session: AdminSession; admin: Admin } | null;
  sessionByAccess(accessHash: string, now: Instant): { session: AdminSession; admin: Admin } | null;
}

export interface AdminWrites extends AdminReads {
  insert(admin: Omit<Admin, 'id' | 'lastLoginAt'> & { passwordHash: string }): Admin;
  setPasswordHash(id: number, hash: string): void;
  setActive(id: number, isActive: boolean): void;
  noteLogin(id: number, now: Instant): void;
  insertSession(session: Omit<AdminSession, 'id'>): AdminSession;
  touchSession(id: number, usedAt: Instant, expiresAt: Instant): void;
  endSession(id: number): void;
  endSessionsOf(adminId: number): number;
  pruneSessions(now: Instant, limit: number): number;
}

const SLIDING_SECONDS = 12 * SECONDS_PER_HOUR;
const ABSOLUTE_SECONDS = 7 * 24 * SECONDS_PER_HOUR;

export interface CreateAdmin {
  username: string;
  passwordHash: string;
  email: string;
  role: Role;
  /** True: only when there is no admin at all yet (first start, set-up page). */
  onlyFirst: boolean;
  actor: Actor;
  now: Instant;
}

/** @throws LangoError CONFLICT the name is taken, or there is an admin already and this was for the first */
export function createAdmin(tx: Tx, input: CreateAdmin): Admin {
  const { username, passwordHash, email, role, actor, now } = input;
  if (input.onlyFirst && tx.admins.count() > 0) {
    throw new LangoError('CONFLICT', 'The appliance has been set up already. Please log in.');
  }
  if (tx.admins.byUsername(username) !== null) {
    throw new LangoError('CONFLICT', 'Another admin already has this name.', {
      details: { username: ['Another admin already has this name.'] },
    });
  }
  const names = { firstName: '', lastName: '' };
  const admin = tx.admins.insert({ username, email, ...names, role, isActive: true, createdAt: now, passwordHash });
  tx.settings.clear('setup');
  tx.audit.append({
    action: 'admin.create',
    subject: 'admin',
    subjectId: admin.id,
    before: null,
    after: admin,
    actor,
    now,
  });
  return admin;
}

export interface SetAdminPassword {
  adminId: number;
  passwordHash: string;
  actor: Actor;
  now: Instant;
}

/** Ends every session of that admin at once. */
export function setAdminPassword(
  tx: Tx,
  { adminId, passwordHash, actor, now }: SetAdminPassword,
): { sessionsEnded: number } {
  tx.admins.setPasswordHash(adminId, passwordHash);
  const sessionsEnded = tx.admins.endSessionsOf(adminId);
  const entry = { action: 'admin.password', subject: 'admin', subjectId: adminId, before: null, after: null };
  tx.audit.append({ ...entry, actor, now });
  return { sessionsEnded };
}

export interface SetAdminActive {
  adminId: number;
  isActive: boolean;
  actor: Actor;
  now: Instant;
}

/** Switching an admin off ends every session of theirs at once. @throws LangoError NOT_FOUND */
export function setAdminActive(tx: Tx, { adminId, isActive, actor, now }: SetAdminActive): Admin {
  const before = requireAdmin(tx, adminId);
  tx.admins.setActive(adminId, isActive);
  if (!isActive) tx.admins.endSessionsOf(adminId);
  const after = { ...before, isActive };
  tx.audit.append({ action: 'admin.update', subject: 'admin', subjectId: adminId, before, after, actor, now });
  return after;
}

export interface OpenSession {
  adminId: number;
  tokenHash: string;
  accessHash: string;
  ip: string | null;
  userAgent: string | null;
  now: Instant;
}

export function openSession(tx: Tx, { adminId, now, ...session }: OpenSession): AdminSession {
  tx.admins.noteLogin(adminId, now);
  return tx.admins.insertSession({
    adminId,
    ...session,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: addSeconds(now, SLIDING_SECONDS),
    endsAt: addSeconds(now, ABSOLUTE_SECONDS),
  });
}

export interface TouchSession {
  session: AdminSession;
  now: Instant;
}

/** Slides the end of a session that is being used; never past its absolute end. */
export function touchSession(tx: Tx, { session, now }: TouchSession): Record<string, never> {
  const sliding = addSeconds(now, SLIDING_SECONDS);
  tx.admins.touchSession(session.id, now, sliding < session.endsAt ? sliding : session.endsAt);
  return {};
}

export interface EndSession {
  sessionId: number;
}

export function endSession(tx: Tx, { sessionId }: EndSession): Record<string, never> {
  tx.admins.endSession(sessionId);
  return {};
}

export interface PruneSessions {
  now: Instant;
  limit: number;
}

export function pruneSessions(tx: Tx, { now, limit }: PruneSessions): { pruned: number } {
  return { pruned: tx.admins.pruneSessions(now, limit) };
}

/** @throws LangoError NOT_FOUND */
export function requireAdmin(reads: { admins: AdminReads }, id: number): Admin {
  const admin = reads.admins.byId(id);
  if (admin === null) throw new LangoError('NOT_FOUND', 'There is no admin with this id.');
  return admin;
}
