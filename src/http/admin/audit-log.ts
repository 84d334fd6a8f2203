/** Who changed what, when, from where. See docs/rules.md: Admins. */
import { addDays, startOfDay } from '../../domain/time.ts';
import type { Context } from '../context.ts';
import { fields, idText, pageSizeText, pageText, text } from '../fields.ts';
import { filterBy, filterByDay } from '../filters.ts';
import { paginationView } from '../pagination.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import { auditView } from '../views/admins.ts';

export function auditRoutes(api: Api, { reads, policy }: Context): void {
  const List = fields({
    page: pageText(),
    page_size: pageSizeText(),
    admin_id: filterBy(idText()),
    action: filterBy(text(100)),
    subject: filterBy(text(100)),
    subject_id: filterBy(idText()),
    date_from: filterByDay(policy.timeZone),
    date_to: filterByDay(policy.timeZone),
  });

  api.get(
    '/admin/audit-log/',
    route({ auth: 'owner', query: List }, ({ query }) => {
      const { page, page_size: pageSize, date_from: first, date_to: last } = query;
      const filter = {
        adminId: query.admin_id,
        action: query.action,
        subject: query.subject,
        subjectId: query.subject_id,
        from: first === undefined ? undefined : startOfDay(first, policy.timeZone),
        to: last === undefined ? undefined : startOfDay(addDays(last, 1), policy.timeZone),
      };
      const entries = reads.audit.list(filter, { limit: pageSize, offset: (page - 1) * pageSize }).map(auditView);
      const pagination = paginationView({ page, pageSize, total: reads.audit.count(filter) });
      return json(200, { success: true, entries, pagination });
    }),
  );
}
