/** Who changed what, when and from where. Nothing here can be changed. */
import type { Admin } from '../../../src/contract/admins.ts';
import type { readAuditLog } from '../../../src/contract/audit-log.ts';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import { withQuery } from '../lib/api.ts';
import { useApi, useDebounced } from '../lib/data.ts';
import { dateTime, words } from '../lib/format.ts';
import { useFilter, usePageNumber } from '../lib/route.ts';
import { Empty } from '../ui/empty.tsx';
import { Field, Select } from '../ui/form.tsx';
import { Problem } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { PAGE_SIZE, Pagination } from '../ui/pagination.tsx';
import { Skeleton } from '../ui/table.tsx';

export function AuditLog() {
  const [admin, setAdmin] = useFilter('admin');
  const [action, setAction] = useFilter('action');
  const [from, setFrom] = useFilter('from');
  const [to, setTo] = useFilter('to');
  const page = usePageNumber();
  const admins = useApi<{ admins: Admin[] }>('/admin/admins/');
  const filter = useDebounced({ admin_id: admin, action, date_from: from, date_to: to });
  const { data, error, reload } = useApi<ReplyOf<typeof readAuditLog>>(
    withQuery('/admin/audit-log/', { ...filter, page, page_size: PAGE_SIZE }),
  );
  return (
    <Page title="Audit log">
      <div class="filters" role="search">
        <Select
          name="admin"
          label="Who"
          value={admin}
          onChange={setAdmin}
          options={[
            ['', 'Everyone'],
            ...(admins.data?.admins ?? []).map(({ id, username }) => [id, username] as const),
          ]}
        />
        <Field name="action" label="Act" type="search" placeholder="bundle.update" value={action} onInput={setAction} />
        <Field name="from" label="From" type="date" value={from} onInput={setFrom} />
        <Field name="to" label="To" type="date" value={to} onInput={setTo} />
      </div>
      {error !== null && <Problem error={error} retry={reload} />}
      {data === null && error === null && <Skeleton />}
      {data?.entries.length === 0 && <Empty icon="audit" title="No entry matches." />}
      {data !== null && data.entries.length > 0 && (
        <Section title="Newest first">
          {data.entries.map(entry => (
            <details key={entry.id} class="notification">
              <summary>
                <span>
                  {dateTime(entry.at)} · {words(entry.action)}
                </span>
                <span class="muted">
                  {entry.admin}
                  {entry.subject_id !== null && `, ${entry.subject} ${entry.subject_id}`}
                </span>
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
              {entry.ip !== null && <p class="small-print">From {entry.ip}</p>}
            </details>
          ))}
        </Section>
      )}
      <Pagination total={data?.pagination.total ?? 0} />
    </Page>
  );
}

const shown = (value: unknown) => (value === null || value === undefined ? 'nothing' : JSON.stringify(value, null, 2));
