/** Admins, their sessions, and the trace they leave. Never a hash, a secret or a token. */
import type { AuditEntry } from '../../contract/audit-log.ts';
import type { Account, Profile } from '../../contract/auth.ts';
import type { Admin, AdminSession } from '../../domain/admins.ts';
import type { AuditRow } from '../../domain/audit.ts';

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

export const adminRecordView = (admin: Admin) => ({
  ...profileView(admin),
  is_active: admin.isActive,
  last_login_at: admin.lastLoginAt,
});

/** @param currentId the session that is asking */
export const adminSessionView = (session: AdminSession, currentId: number | null) => ({
  id: session.id,
  created_at: session.createdAt,
  last_seen_at: session.lastUsedAt,
  expires_at: session.expiresAt,
  ip: session.ip,
  user_agent: session.userAgent,
  current: session.id === currentId,
});

export const auditView = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.now,
  admin_id: row.actor.adminId,
  admin: row.actor.name,
  ip: row.actor.ip,
  action: row.action,
  subject: row.subject,
  subject_id: row.subjectId,
  before: row.before,
  after: row.after,
});
