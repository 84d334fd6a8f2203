/** Revenue over any days, by day or by bundle. */
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { RevenueOfDay, RevenueRow, reportRevenue } from '../../../src/contract/reports.ts';
import { withQuery } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { calendarDay, count, daysAgo, money, today } from '../lib/format.ts';
import { useFilter } from '../lib/route.ts';
import { Empty } from '../ui/empty.tsx';
import { DayFilter, Filters, SelectFilter } from '../ui/filters.tsx';
import { Problem } from '../ui/notice.tsx';
import { Page, Section, Stat } from '../ui/page.tsx';
import { RevenueChart } from '../ui/revenue.tsx';
import { Skeleton, Table } from '../ui/table.tsx';

export function Reports() {
  const [fromGiven] = useFilter('from');
  const [toGiven] = useFilter('to');
  const [group] = useFilter('group');
  const from = fromGiven || daysAgo(29);
  const to = toGiven || today();
  const byBundle = group === 'bundle';
  const report = useApi<ReplyOf<typeof reportRevenue>>(
    withQuery('/admin/reports/revenue/', { from, to, group: byBundle ? 'bundle' : 'day' }),
  );
  const { data, error } = report;
  const sold = data?.rows.filter(row => row.payments > 0) ?? [];
  const payments = data?.totals.payments ?? 0;

  return (
    <Page title="Reports">
      <Filters of={report} names={{ from: 'from', to: 'to', group: 'group' }}>
        <DayFilter name="from" label="From" unset={from} />
        <DayFilter name="to" label="To" unset={to} />
        <SelectFilter
          name="group"
          label="By"
          options={[
            ['', 'Day'],
            ['bundle', 'Bundle'],
          ]}
        />
      </Filters>
      {error !== null && <Problem error={error} retry={report.reload} />}
      {data === null && error === null && <Skeleton />}
      {data !== null && error === null && (
        <>
          <div class="stats">
            <Stat label="Revenue" value={money(data.total)} />
            <Stat label="Payments" value={count(payments)} />
            <Stat
              label="An average payment"
              value={payments === 0 ? '–' : money(Math.round(Number(data.total) / payments))}
            />
          </div>
          {sold.length === 0 ? (
            <Empty icon="reports" title="Nothing was sold on these days." />
          ) : byBundle ? (
            <ByBundle rows={sold.filter(row => 'bundle_id' in row)} total={Number(data.total)} />
          ) : (
            <ByDay rows={data.rows.filter(row => 'day' in row)} />
          )}
        </>
      )}
    </Page>
  );
}

const newestFirst = (rows: readonly RevenueOfDay[]) => rows.filter(row => row.payments > 0).toReversed();

function ByDay({ rows }: { rows: readonly RevenueOfDay[] }) {
  return (
    <>
      <Section title="Day by day">
        <RevenueChart rows={rows} />
      </Section>
      <Table
        label="Revenue by day"
        rows={newestFirst(rows)}
        id={row => row.day}
        columns={[
          { label: 'Day', cell: row => calendarDay(row.day, LONG) },
          { label: 'Payments', number: true, cell: row => count(row.payments) },
          { label: 'People', number: true, cell: row => count(row.payers) },
          { label: 'Revenue', number: true, cell: row => money(row.revenue) },
        ]}
      />
    </>
  );
}

const LONG = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

function ByBundle({ rows, total }: { rows: readonly Extract<RevenueRow, { bundle_id: number }>[]; total: number }) {
  return (
    <Table
      label="Revenue by bundle"
      rows={rows}
      id={row => row.bundle_id}
      columns={[
        { label: 'Bundle', cell: row => row.bundle_name },
        { label: 'Payments', number: true, cell: row => count(row.payments) },
        { label: 'People', number: true, cell: row => count(row.payers) },
        {
          label: 'Share',
          number: true,
          cell: row => (total === 0 ? '–' : `${Math.round((Number(row.revenue) / total) * 100)} %`),
        },
        { label: 'Revenue', number: true, cell: row => money(row.revenue) },
      ]}
    />
  );
}
