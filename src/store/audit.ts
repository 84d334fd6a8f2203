import type { AuditFilter, AuditRow, AuditWrites } from '../domain/audit.ts';
import type { Database } from './database.ts';
import { termsOf, where } from './filters.ts';
import { changes, numberOf } from './statements.ts';
import { type Columns, json, table } from './table.ts';

interface Row extends Omit<AuditRow, 'actor'> {
  adminId: number | null;
  adminName: string;
  ip: string | null;
}

const COLUMNS: Columns<Row> = {
  id: 'id',
  now: 'at',
  adminId: 'admin_id',
  adminName: 'admin_name',
  action: 'action',
  subject: 'subject',
  subjectId: 'subject_id',
  before: json('before'),
  after: json('after'),
  ip: 'ip_address',
};

const TERMS = {
  adminId: 'admin_id = @adminId',
  action: 'action = @action',
  subject: 'subject = @subject',
  subjectId: 'subject_id = @subjectId',
  from: 'at >= @from',
  to: 'at < @to',
};

const whereOf = (filter: AuditFilter): string => where(termsOf(filter, TERMS));

export function auditRepository(db: Database): AuditWrites {
  const log = table(db, 'audit_log', COLUMNS);
  const without = (column: string) => `${column} = json_remove(${column}, '$.phone', '$.name', '$.note')`;
  return {
    list(filter, page) {
      const rows = log.select(`${whereOf(filter)} ORDER BY id DESC LIMIT @limit OFFSET @offset`);
      return rows
        .all({ ...filter, ...page })
        .map(({ adminId, adminName, ip, ...row }) => ({ ...row, actor: { adminId, name: adminName, ip } }));
    },
    count: filter => numberOf(db, `SELECT count(*) FROM audit_log ${whereOf(filter)}`)(filter),
    append: ({ actor: { adminId, name, ip }, ...entry }) => log.insert({ ...entry, adminId, adminName: name, ip }),
    forgetPerson: changes(
      db,
      `UPDATE audit_log SET ${without('before')}, ${without('after')} WHERE subject = 'user' AND subject_id = ?`,
    ),
  };
}
