/** What was sold and given back over any days, told apart in several ways: the picture first, the numbers under it. */
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { RevenueGroup, RevenueRow, RevenueTotals, reportRevenue } from '../../../src/contract/reports.ts';
import { download, withQuery } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { calendarDay, count, daysAgo, money, today } from '../lib/format.ts';
import { useFilter } from '../lib/route.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { DayFilter, Filters, SelectFilter } from '../ui/filters.tsx';
import { Page, Section, Stat } from '../ui/page.tsx';
import { RevenueChart, Shares } from '../ui/revenue.tsx';
import { type Column, Table, WhenLoaded } from '../ui/table.tsx';
import { showError } from '../ui/toast.tsx';

type Report = ReplyOf<typeof reportRevenue>;

const GROUPS: readonly (readonly [RevenueGroup, string])[] = [
  ['day', 'Day'],
  ['bundle', 'Bundle'],
  ['method', 'Method'],
  ['cashier', 'Cashier'],
  ['hour', 'Hour of the day'],
  ['place', 'Place of sale'],
];

const NAMES: Readonly<Record<string, string>> = {
  online: 'Phone money or card',
  cash: 'Cash',
  voucher: 'Vouchers',
  portal: 'Portal, on people’s phones',
  counter: 'Counter',
};

const SHORT = { day: 'numeric', month: 'short' } as const;

export function Reports() {
  const [fromGiven] = useFilter('from');
  const [toGiven] = useFilter('to');
  const [chosen] = useFilter('group');
  const from = fromGiven || daysAgo(29);
  const to = toGiven || today();
  const [group, label] = GROUPS.find(([name]) => name === chosen) ?? (['day', 'Day'] as const);
  const query = { from, to, group };
  const report = useApi<Report>(withQuery('/admin/reports/revenue/', query));
  const save = () => download(withQuery('/admin/export/revenue/', query), `revenue-by-${group}.csv`).catch(showError);

  return (
    <Page
      title="Reports"
      actions={
        <>
          <Button icon="print" onClick={() => print()}>
            Print
          </Button>
          <Button icon="download" onClick={save}>
            CSV
          </Button>
        </>
      }
    >
      <div class="no-print">
        <Filters of={report} names={{ group: 'group', from: 'from', to: 'to' }}>
          <SelectFilter
            name="group"
            label="By"
            options={GROUPS.map(([name, text]) => [name === 'day' ? '' : name, text])}
          />
          <DayFilter name="from" label="From" unset={from} />
          <DayFilter name="to" label="To" unset={to} />
        </Filters>
      </div>
      <WhenLoaded from={report}>
        {data => {
          const rows = data.rows.filter(row => row.payments > 0 || Number(row.refunds) > 0);
          const title = `By ${label.toLowerCase()}, ${calendarDay(data.from, SHORT)} to ${calendarDay(data.to, { ...SHORT, year: 'numeric' })}`;
          return rows.length === 0 ? (
            <Empty icon="reports" title="Nothing was sold on these days." />
          ) : (
            <>
              <Section title={title}>
                <Picture rows={data.rows} />
              </Section>
              <Totals {...data} />
              <Numbers label={label} rows={rows.some(row => 'day' in row) ? rows.toReversed() : rows} />
            </>
          );
        }}
      </WhenLoaded>
    </Page>
  );
}

function Picture({ rows }: { rows: readonly RevenueRow[] }) {
  const named = rows.map(row => ({ name: nameOf(row, SHORT), value: Number(row.revenue) }));
  const [first] = rows;
  if (first === undefined || !('day' in first || 'hour' in first)) return <Shares rows={named} />;
  return <RevenueChart rows={rows} names={named.map(row => row.name)} />;
}

function Totals({ totals, previous }: Report) {
  return (
    <div class="stats">
      <Stat label="Revenue" value={money(totals.revenue)} note={`${count(totals.payments)} sold`} />
      <Stat label="Refunds" value={money(totals.refunds)} />
      <Stat label="Net" value={money(totals.net)} note={compared(totals, previous)} />
    </div>
  );
}

/** Against as many days right before. */
function compared({ net }: RevenueTotals, previous: Report['previous']): string {
  const before = Number(previous.net);
  const days = `${calendarDay(previous.from, SHORT)} to ${calendarDay(previous.to, SHORT)}`;
  if (before <= 0) return `${money(before)} from ${days}`;
  const change = Math.round((Number(net) / before - 1) * 100);
  return `${change > 0 ? '+' : ''}${change} % against ${money(before)} from ${days}`;
}

const LONG = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

function nameOf(row: RevenueRow, day: Intl.DateTimeFormatOptions): string {
  if ('day' in row) return calendarDay(row.day, day);
  if ('hour' in row) return `${String(row.hour).padStart(2, '0')}:00`;
  if ('bundle_id' in row) return row.bundle_name;
  if ('cashier' in row) return row.cashier ?? 'Nobody, on the portal';
  const name = 'method' in row ? row.method : row.place;
  return NAMES[name] ?? name;
}

function Numbers({ label, rows }: { label: string; rows: readonly RevenueRow[] }) {
  const total = rows.reduce((sum, row) => sum + Number(row.revenue), 0);
  const people: Column<RevenueRow> = {
    label: 'People',
    number: true,
    cell: row => ('payers' in row ? count(row.payers) : ''),
  };
  return (
    <Table
      label={`Revenue by ${label.toLowerCase()}`}
      rows={rows}
      id={row => nameOf(row, LONG)}
      columns={[
        { label, cell: row => nameOf(row, LONG) },
        { label: 'Sold', number: true, cell: row => count(row.payments) },
        ...(rows.some(row => 'payers' in row) ? [people] : []),
        {
          label: 'Share',
          number: true,
          cell: row => (total === 0 ? '–' : `${Math.round((Number(row.revenue) / total) * 100)} %`),
        },
        { label: 'Revenue', number: true, cell: row => money(row.revenue) },
        { label: 'Refunds', number: true, cell: row => (Number(row.refunds) === 0 ? '–' : money(row.refunds)) },
        { label: 'Net', number: true, cell: row => money(row.net) },
      ]}
    />
  );
}
