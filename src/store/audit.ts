import type { AuditFilter, AuditRow, AuditWrites } from '../domain/audit.ts';
import type { Instant } from '../domain/time.ts';
import type { Database } from './database.ts';

const COLUMNS = 'id, at, admin_id, admin_name, action, subject, subject_id, before, after, ip_address';

interface Row {
  id: number;
  at: Instant;
  admin_id: number | null;
  admin_name: string;
  action: string;
  subject: string;
  subject_id: number | null;
  before: string | null;
  after: string | null;
  ip_address: string | null;
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

const toRow = (row: Row): AuditRow => ({
  id: row.id,
  now: row.at,
  actor: { adminId: row.admin_id, name: row.admin_name, ip: row.ip_address },
  action: row.action,
  subject: row.subject,
  subjectId: row.subject_id,
  before: parsed(row.before),
  after: parsed(row.after),
});

const TERMS: Readonly<Record<keyof AuditFilter, string>> = {
  adminId: 'admin_id = @adminId',
  action: 'action = @action',
  subject: 'subject = @subject',
  subjectId: 'subject_id = @subjectId',
  from: 'at >= @from',
  to: 'at < @to',
};

function whereOf(filter: AuditFilter): string {
  const terms = Object.entries(TERMS)
    .filter(([name]) => filter[name as keyof AuditFilter] !== undefined)
    .map(([, term]) => term);
  return terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;
}

export function auditRepository(db: Database): AuditWrites {
  const insert = db.prepare(
    `INSERT INTO audit_log (at, admin_id, admin_name, action, subject, subject_id, before, after, ip_address)
     VALUES (@now, @adminId, @adminName, @action, @subject, @subjectId, @before, @after, @ip)`,
  );
  const json = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value));
  return {
    list(filter, page) {
      const sql = `SELECT ${COLUMNS} FROM audit_log ${whereOf(filter)} ORDER BY id DESC LIMIT @limit OFFSET @offset`;
      return db
        .prepare<[object], Row>(sql)
        .all({ ...filter, ...page })
        .map(toRow);
    },
    count(filter) {
      const sql = `SELECT count(*) FROM audit_log ${whereOf(filter)}`;
      return db.prepare<[object], number>(sql).pluck().get(filter) as number;
    },
    append({ actor, before, after, ...entry }) {
      const who = { adminId: actor.adminId, adminName: actor.name, ip: actor.ip };
      insert.run({ ...entry, ...who, before: json(before), after: json(after) });
    },
  };
}
