/** Staff accounts and their sessions. See docs/rules.md: Admins. */
import { createHash } from 'node:crypto';
import { type Edit, edited } from './edits.ts';
import { found, LangoError, refuseField } from './errors.ts';
import type { Instant } from './time.ts';
import type { StaffTx } from './transaction.ts';

/** Each role may do all that the ones after it may. */
export type Role = 'owner' | 'staff' | 'cashier';

export function isUsername(name: string): boolean {
  return /^[\p{L}\p{N}._@+-]{1,150}$/u.test(name);
}

export interface Admin {
  id: number;
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  role: Role;
  isActive: boolean;
  /** True: a login needs a second factor. */
  hasTotp: boolean;
  createdAt: Instant;
  lastLoginAt: Instant | null;
}

/** What owners edit. */
type AdminFields = Pick<Admin, 'email' | 'firstName' | 'lastName' | 'role' | 'isActive'>;

/** The second factor of an admin; kept away from `Admin`, so that no view can show it. */
export interface SecondFactor {
  /** Base32; null: never started. */
  secret: string | null;
  /** null: started, and not confirmed with a first code yet. */
  confirmedAt: Instant | null;
  /** Step of the code that was accepted last. */
  lastStep: number | null;
  /** SHA-256 of each recovery code that has not been used, hex. */
  recoveryHashes: readonly string[];
}

export interface AdminSession {
  id: number;
  adminId: number;
  /** SHA-256 of the tokens, hex; the tokens themselves are nowhere. */
  tokenHash: string;
  accessHash: string;
  createdAt: Instant;
  /** When the password was given last: at the login, or again since. */
  confirmedAt: Instant;
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
  secondFactorOf(id: number): SecondFactor;
  /** A session that has not ended, of an active admin. */
  liveSession(id: number, now: Instant): AdminSession | null;
  /** Those that have not ended, the latest used first. */
  liveSessionsOf(adminId: number, now: Instant): AdminSession[];
  /** Sessions that have not ended, of active admins. */
  sessionByToken(tokenHash: string, now: Instant): { session: AdminSession; admin: Admin } | null;
  sessionByAccess(accessHash: string, now: Instant): { session: AdminSession; admin: Admin } | null;
  /** Whether the admin has logged in from there before. */
  knowsNetwork(adminId: number, network: string): boolean;
}

export interface AdminWrites extends AdminReads {
  insert(admin: Omit<Admin, 'id' | 'lastLoginAt' | 'hasTotp'> & { passwordHash: string }): Admin;
  update(id: number, admin: AdminFields): void;
  setPasswordHash(id: number, hash: string): void;
  setSecondFactor(id: number, factor: SecondFactor): void;
  /** The network is remembered; of many, the latest. */
  recordLogin(id: number, network: string | null, now: Instant): void;
  insertSession(session: Omit<AdminSession, 'id'>): AdminSession;
  confirmSession(id: number, now: Instant): void;
  touchSession(id: number, usedAt: Instant, expiresAt: Instant): void;
  endSession(id: number): void;
  endSessionsOf(adminId: number): void;
  pruneSessions(now: Instant, limit: number): number;
}

interface CreateAdmin {
  username: string;
  passwordHash: string;
  email: string;
  role: Role;
  /** True: only when there is no admin at all yet (first start, set-up page). */
  onlyFirst: boolean;
}

/** @throws LangoError CONFLICT the name is taken, or there is an admin already and this was for the first */
export function createAdmin(tx: StaffTx, input: CreateAdmin): Admin {
  const { username, passwordHash, email, role } = input;
  if (input.onlyFirst && tx.admins.count() > 0) {
    throw new LangoError('CONFLICT', 'The appliance has been set up already. Please log in.');
  }
  if (tx.admins.byUsername(username) !== null) {
    refuseField('CONFLICT', 'username', 'Another admin already has this name.');
  }
  const names = { firstName: '', lastName: '' };
  const admin = tx.admins.insert({ username, email, ...names, role, isActive: true, createdAt: tx.now, passwordHash });
  tx.settings.clear('setup');
  tx.record('admin.create', 'admin', admin.id, null, admin);
  return admin;
}

export interface SetUp {
  /** As it was typed. */
  setupCode: string;
  username: string;
  passwordHash: string;
  email: string;
}

/**
 * Makes the first owner, for the holder of the one-time code.
 * @throws LangoError LOGIN_FAILED the code is wrong
 * @throws LangoError CONFLICT there is an admin already
 */
export function setUp(tx: StaffTx, { setupCode, ...owner }: SetUp): Admin {
  const setup = tx.settings.get('setup');
  if (tx.admins.count() === 0 && setup?.codeHash !== setupCodeHash(setupCode)) {
    throw new LangoError('LOGIN_FAILED', 'The set-up code is wrong. It stands in the log of the appliance.');
  }
  return createAdmin(tx, { ...owner, role: 'owner', onlyFirst: true });
}

/** What is kept of a set-up code: SHA-256, hex. Case, spaces and dashes do not count. */
export function setupCodeHash(code: string): string {
  const plain = code.toLowerCase().replaceAll(/[^0-9a-z]/g, '');
  return createHash('sha256').update(plain).digest('hex');
}

/** Ends every session of that admin at once. @throws LangoError NOT_FOUND */
export function setAdminPassword(tx: StaffTx, input: { adminId: number; passwordHash: string }): void {
  const { id } = requireAdmin(tx, input.adminId);
  tx.admins.setPasswordHash(id, input.passwordHash);
  tx.admins.endSessionsOf(id);
  tx.record('admin.password', 'admin', id);
}

/**
 * Switching an admin off ends every session of theirs at once.
 * @throws LangoError NOT_FOUND
 * @throws LangoError CONFLICT nobody would be left who may do everything
 */
export function updateAdmin(tx: StaffTx, { adminId, change }: { adminId: number; change: Edit<AdminFields> }): Admin {
  const before = requireAdmin(tx, adminId);
  const after = edited(before, change);
  if (isActiveOwner(before) && !isActiveOwner(after) && tx.admins.list().filter(isActiveOwner).length === 1) {
    const message = 'This is the last active owner. Make another admin an owner first.';
    throw new LangoError('CONFLICT', message);
  }
  tx.admins.update(adminId, after);
  if (!after.isActive) tx.admins.endSessionsOf(adminId);
  tx.record('admin.update', 'admin', adminId, before, after);
  return after;
}

const isActiveOwner = (admin: Admin): boolean => admin.isActive && admin.role === 'owner';

/** @throws LangoError NOT_FOUND */
export function requireAdmin(reads: { admins: AdminReads }, id: number): Admin {
  return found(reads.admins.byId(id), 'admin');
}
