import type { AuditWrites } from '../domain/audit.ts';
import type { Database } from './database.ts';

export function auditRepository(db: Database): AuditWrites {
  const insert = db.prepare(
    `INSERT INTO audit_log (at, admin_id, admin_name, action, subject, subject_id, before, after, ip_address)
     VALUES (@now, @adminId, @adminName, @action, @subject, @subjectId, @before, @after, @ip)`,
  );
  const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));
  return {
    append({ actor, before, after, ...entry }) {
      const who = { adminId: actor.adminId, adminName: actor.name, ip: actor.ip };
      insert.run({ ...entry, ...who, before: json(before), after: json(after) });
    },
  };
}
