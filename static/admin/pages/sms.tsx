/** The messages that went out, or wait to. */
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { listMessages } from '../../../src/contract/system.ts';
import { useApi } from '../lib/data.ts';
import { dateTime, words } from '../lib/format.ts';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';
import { Pagination, usePagePath } from '../ui/pagination.tsx';
import { SmsBadge } from '../ui/states.tsx';
import { List } from '../ui/table.tsx';

export function SmsPage() {
  const messages = useApi<ReplyOf<typeof listMessages>>(usePagePath('/admin/sms/'), {
    everyMs: 15_000,
  });
  return (
    <Page title="SMS">
      <List
        label="Messages"
        from={messages}
        rowsOf={data => data.messages}
        id={sms => sms.id}
        empty={
          <Empty icon="sms" title="No messages yet.">
            <p>Lango writes when somebody has paid, when their time runs out, and when it is refunded.</p>
          </Empty>
        }
        columns={[
          { label: 'To', cell: sms => sms.phone_number },
          { label: 'State', cell: sms => <SmsBadge status={sms.status} /> },
          { label: 'About', cell: sms => words(sms.kind) },
          {
            label: 'Text',
            cell: sms => (
              <span class="text">
                {sms.text}
                {sms.message !== null && sms.status !== 'sent' && <small>{sms.message}</small>}
              </span>
            ),
          },
          {
            label: 'When',
            cell: sms => (
              <span>
                {dateTime(sms.sent_at ?? sms.created_at)}
                {sms.attempts > 1 && <small>{sms.attempts} tries</small>}
              </span>
            ),
          },
        ]}
      />
      <Pagination total={messages.data?.pagination.total ?? 0} />
    </Page>
  );
}
