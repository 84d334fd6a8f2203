/** Every notification that the payment provider sent, also those that were refused. */
import type { WebhookLog } from '../../../src/contract/webhook-logs.ts';
import { usePage } from '../lib/data.ts';
import { Empty } from '../ui/empty.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Pagination, usePagePath } from '../ui/pagination.tsx';
import { WhenLoaded } from '../ui/table.tsx';
import { Notification } from './notification.tsx';

export function Webhooks() {
  const logs = usePage<WebhookLog>(usePagePath('/webhook-logs/'), { everyMs: 15_000 });
  return (
    <Page title="Webhook log">
      <WhenLoaded from={logs}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty icon="webhooks" title="The provider has sent nothing yet.">
              <p>Payments are found all the same: Lango asks the provider about every order.</p>
            </Empty>
          ) : (
            <Section title="Newest first">
              {rows.map(log => (
                <Notification key={log.id} log={log} />
              ))}
            </Section>
          )
        }
      </WhenLoaded>
      <Pagination total={logs.data?.total ?? 0} />
    </Page>
  );
}
