/** Who changed what, when and from where. Nothing here can be changed. */
import type { Admin } from '../../../src/contract/admins.ts';
import type { readAuditLog } from '../../../src/contract/audit-log.ts';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import { useApi, useFilters } from '../lib/data.ts';
import { dateTime } from '../lib/format.ts';
import { Empty } from '../ui/empty.tsx';
import { DayFilter, Filters, SearchFilter, SelectFilter } from '../ui/filters.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Pagination, usePagePath } from '../ui/pagination.tsx';
import { WhenLoaded } from '../ui/table.tsx';

const FILTERS = { admin: 'admin_id', action: 'action', from: 'date_from', to: 'date_to' };

export function AuditLog() {
  const admins = useApi<{ admins: Admin[] }>('/admin/admins/');
  const filter = useFilters(FILTERS);
  const log = useApi<ReplyOf<typeof readAuditLog>>(usePagePath('/admin/audit-log/', filter));
  return (
    <Page title="Audit log">
      <Filters of={log} names={FILTERS}>
        <SelectFilter
          name="admin"
          label="Who"
          options={[
            ['', 'Everyone'],
            ...(admins.data?.admins ?? []).map(({ id, username }) => [id, username] as const),
          ]}
        />
        <SearchFilter name="action" label="Act" placeholder="bundle.update" />
        <DayFilter name="from" label="From" />
        <DayFilter name="to" label="To" />
      </Filters>
      <WhenLoaded from={log}>
        {({ entries }) =>
          entries.length === 0 ? (
            <Empty icon="audit" title="No entry matches." />
          ) : (
            <Section title="Newest first">
              {entries.map(entry => (
                <details key={entry.id} class="notification">
                  <summary>
                    <span class="sentence">{entry.sentence}</span>
                    <span class="muted">{dateTime(entry.at)}</span>
                  </summary>
                  <div class="two">
                    <div>
                      <h3>Before</h3>
                      <pre tabIndex={0}>{shown(entry.before)}</pre>
                    </div>
                    <div>
                      <h3>After</h3>
                      <pre tabIndex={0}>{shown(entry.after)}</pre>
                    </div>
                  </div>
                  <p class="small-print">
                    {entry.action}
                    {entry.ip !== null && `, from ${entry.ip}`}
                  </p>
                </details>
              ))}
            </Section>
          )
        }
      </WhenLoaded>
      <Pagination total={log.data?.pagination.total ?? 0} />
    </Page>
  );
}

const shown = (value: unknown) => (value === null || value === undefined ? 'nothing' : JSON.stringify(value, null, 2));
