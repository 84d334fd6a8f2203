/** Every notification that the payment provider sent, also those that were refused. */
import type { WebhookLog } from '../../../src/contract/webhook-logs.ts';
import { withQuery } from '../lib/api.ts';
import { usePage } from '../lib/data.ts';
import { usePageNumber } from '../lib/route.ts';
import { Empty } from '../ui/empty.tsx';
import { Problem } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { PAGE_SIZE, Pagination } from '../ui/pagination.tsx';
import { Skeleton } from '../ui/table.tsx';
import { Notification } from './notification.tsx';

export function Webhooks() {
  const page = usePageNumber();
  const { data, error, reload } = usePage<WebhookLog>(withQuery('/webhook-logs/', { page, page_size: PAGE_SIZE }), {
    everyMs: 15_000,
  });
  return (
    <Page title="Webhook log">
      {error !== null && <Problem error={error} retry={reload} />}
      {data === null && error === null && <Skeleton />}
      {data?.rows.length === 0 && (
        <Empty icon="webhooks" title="The provider has sent nothing yet.">
          <p>Payments are found all the same: Lango asks the provider about every order.</p>
        </Empty>
      )}
      {data !== null && data.rows.length > 0 && (
        <Section title="Newest first">
          {data.rows.map(log => (
            <Notification key={log.id} log={log} />
          ))}
        </Section>
      )}
      <Pagination total={data?.total ?? 0} />
    </Page>
  );
}
