/** Admins and their sessions. Never a hash, a secret or a token. */
import * as contract from '../../contract/admins.ts';
import type { Account, Profile } from '../../contract/auth.ts';
import type { Admin, AdminSession } from '../../domain/admins.ts';
import { viewOf } from '../names.ts';

export const adminView = (admin: Admin): Account => ({
  id: admin.id,
  username: admin.username,
  email: admin.email,
  is_staff: true,
  role: admin.role,
});

export const profileView = (admin: Admin): Profile => ({
  ...adminView(admin),
  first_name: admin.firstName,
  last_name: admin.lastName,
  totp_enabled: admin.hasTotp,
  date_joined: admin.createdAt,
});

export const adminRecordView = (admin: Admin): contract.Admin => ({
  ...profileView(admin),
  is_active: admin.isActive,
  last_login_at: admin.lastLoginAt,
});

const plainSession = viewOf(contract.AdminSession);

/** @param currentId the session that is asking */
export const adminSessionView = (session: AdminSession, currentId: number | null): contract.AdminSession => ({
  ...plainSession(session),
  last_seen_at: session.lastUsedAt,
  current: session.id === currentId,
});
