/** The provider's notifications, for staff. See docs/interface.md: Notification. */
import { LangoError } from '../domain/errors.ts';
import type { Context } from './context.ts';
import { fields, idText } from './fields.ts';
import { pageHeaders, sliceFields, sliceOf } from './pagination.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';
import { webhookLogView } from './views/webhook-logs.ts';

const LIST_WITHOUT_PAGE = 1_000;

export function webhookLogRoutes(api: Api, { reads }: Context): void {
  api.get(
    '/webhook-logs/',
    route({ auth: 'staff', query: fields(sliceFields) }, ({ query, search }) => {
      const { page, ...slice } = sliceOf(query, LIST_WITHOUT_PAGE);
      const rows = reads.webhookLogs.list(slice);
      const total = reads.webhookLogs.count();
      return json(
        200,
        rows.map(webhookLogView),
        pageHeaders('/api/webhook-logs/', search, { page, pageSize: slice.limit, total }),
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
