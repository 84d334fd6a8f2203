/** The provider's notifications, for staff. See docs/interface.md: Notification. */
import * as v from 'valibot';
import { LangoError } from '../domain/errors.ts';
import type { Context } from './context.ts';
import { fields, idText, pageSizeText, pageText } from './fields.ts';
import { pageHeaders } from './pagination.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';
import { webhookLogView } from './views.ts';

const LIST_WITHOUT_PAGE = 1_000;

const List = fields({
  page: v.optional(pageText() as v.GenericSchema<string, number>),
  page_size: v.optional(pageSizeText() as v.GenericSchema<string, number>),
});

export function webhookLogRoutes(api: Api, { reads }: Context): void {
  api.get(
    '/webhook-logs/',
    route({ auth: 'staff', query: List }, ({ query, search }) => {
      const isPaged = query.page !== undefined || query.page_size !== undefined;
      const page = query.page ?? 1;
      const limit = isPaged ? (query.page_size ?? 20) : LIST_WITHOUT_PAGE;
      const rows = reads.webhookLogs.list({ limit, offset: (page - 1) * limit });
      const total = reads.webhookLogs.count();
      return json(
        200,
        rows.map(webhookLogView),
        pageHeaders('/api/webhook-logs/', search, { page, pageSize: limit, total }),
      );
    }),
  );

  api.get(
    '/webhook-logs/:log_id/',
    route({ auth: 'staff', params: fields({ log_id: idText() }) }, ({ params }) => {
      const log = reads.webhookLogs.byId(params.log_id);
      if (log === null) throw new LangoError('NOT_FOUND', 'There is no notification with this id, or no longer.');
      return json(200, webhookLogView(log));
    }),
  );
}
