/** The provider's notifications, for staff. See docs/interface.md: Notification. */
import { listWebhookLogs, readWebhookLog } from '../contract/webhook-logs.ts';
import { LangoError } from '../domain/errors.ts';
import type { Context } from './context.ts';
import { pageHeaders, sliceOf } from './pagination.ts';
import { json } from './reply.ts';
import type { Api } from './route.ts';
import { webhookLogView } from './views/webhook-logs.ts';

const LIST_WITHOUT_PAGE = 1_000;

export function webhookLogRoutes(api: Api, { reads }: Context): void {
  api.handle(listWebhookLogs, ({ query, search }) => {
    const { page, ...slice } = sliceOf(query, LIST_WITHOUT_PAGE);
    const rows = reads.webhookLogs.list(slice);
    const total = reads.webhookLogs.count();
    return json(
      200,
      rows.map(webhookLogView),
      pageHeaders('/api/webhook-logs/', search, { page, pageSize: slice.limit, total }),
    );
  });

  api.handle(readWebhookLog, ({ params }) => {
    const log = reads.webhookLogs.byId(params.log_id);
    if (log === null) throw new LangoError('NOT_FOUND', 'There is no notification with this id, or no longer.');
    return webhookLogView(log);
  });
}
