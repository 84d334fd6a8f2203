/** Who changed what, when, from where. See docs/rules.md: Admins. */
import { readAuditLog } from '../../contract/audit-log.ts';
import { addDays, startOfDay } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import { paginationOf, rowsOf } from '../pagination.ts';
import type { Api } from '../route.ts';
import { auditView } from '../views/audit.ts';

export function auditRoutes(api: Api, { reads, policy }: Context): void {
  api.handle(readAuditLog, ({ query }) => {
    const { date_from: first, date_to: last } = query;
    const filter = {
      adminId: query.admin_id,
      action: query.action,
      subject: query.subject,
      subjectId: query.subject_id,
      from: first === undefined ? undefined : startOfDay(first, policy.timeZone),
      to: last === undefined ? undefined : startOfDay(addDays(last, 1), policy.timeZone),
    };
    const entries = reads.audit.list(filter, rowsOf(query)).map(row => auditView(row, { reads, policy }));
    return { success: true, entries, pagination: paginationOf(query, reads.audit.count(filter)) };
  });
}
