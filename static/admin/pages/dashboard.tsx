/** How the business stands, at a glance: the money, the people, and everything that has to work for both. */

import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { reportRevenue, showDashboard } from '../../../src/contract/reports.ts';
import type { RouterState } from '../../../src/contract/routers.ts';
import type { readSettings, Settings } from '../../../src/contract/settings.ts';
import type { Job, LiveNumbers, listJobs, readStatus } from '../../../src/contract/system.ts';
import { withQuery } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { ago, calendarDay, count, dateTime, daysAgo, many, money, today, words } from '../lib/format.ts';
import { live } from '../lib/live.ts';
import { may } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { LinkButton } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page, Section, Stat } from '../ui/page.tsx';
import { RevenueChart } from '../ui/revenue.tsx';
import { PaymentBadge } from '../ui/states.tsx';
import { List, Skeleton } from '../ui/table.tsx';

type Stats = ReplyOf<typeof showDashboard>;

const MINUTE = 60_000;
const WEEKDAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;

export function Dashboard() {
  const { values } = useStore(live);
  const stats = useApi<Stats>(may('staff') ? '/dashboard-stats/' : null, { everyMs: MINUTE });
  const data = stats.data;
  const online = values?.online ?? data?.device_stats.online;
  return (
    <Page
      title="Dashboard"
      actions={
        <>
          <LinkButton kind="primary" href="#/sell">
            Cash sale
          </LinkButton>
          <LinkButton href="#/users">Find a user</LinkButton>
        </>
      }
    >
      {values !== null && values.problems.length > 0 && (
        <Notice tone="warn">
          {values.problems.map(problem => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      <div class="stats">
        <Stat
          label="Revenue today"
          value={values === null ? '–' : money(values.revenue_today)}
          note={
            values === null
              ? 'on its way'
              : `${count(values.payments_today)} sold${Number(values.refunds_today) === 0 ? '' : `, ${money(values.refunds_today)} given back`}`
          }
        />
        <Stat
          label="Online now"
          value={online === undefined ? '–' : count(online)}
          note={values === null ? '' : `${many(values.active_users, 'person', 'people')} with paid time`}
        />
        <Stat
          label="Waiting for money"
          value={values === null ? '–' : count(values.pending_payments)}
          note={<a href="#/payments?status=pending">orders not paid yet</a>}
        />
        {may('staff') && (
          <Stat
            label="Vouchers in stock"
            value={data === null ? '–' : count(data.voucher_stats.in_stock)}
            note={
              data?.voucher_stats.in_stock === 0 ? (
                <a href="#/vouchers">none left, make some</a>
              ) : (
                'codes that can be sold'
              )
            }
          />
        )}
      </div>
      {may('staff') && <Health />}
      {may('staff') && <Revenue stats={data} />}
      {may('staff') && (
        <Section title="Latest payments" actions={<a href="#/payments">All payments</a>}>
          <List
            label="Latest payments"
            from={stats}
            rowsOf={loaded => loaded.recent_payments}
            id={payment => payment.id}
            href={payment => `#/payments/${payment.id}`}
            empty={<Empty icon="payments" title="No payments yet." />}
            columns={[
              { label: 'Phone', cell: payment => payment.phone_number },
              { label: 'Bundle', cell: payment => payment.bundle_name },
              { label: 'State', cell: payment => <PaymentBadge payment={payment} /> },
              { label: 'Amount', number: true, cell: payment => money(payment.amount) },
              { label: 'When', cell: payment => dateTime(payment.date) },
            ]}
          />
        </Section>
      )}
    </Page>
  );
}

function Revenue({ stats }: { stats: Stats | null }) {
  const [days, setDays] = useState<7 | 30>(30);
  const query = withQuery('/admin/reports/revenue/', { from: daysAgo(29), to: today(), group: 'day' });
  const report = useApi<ReplyOf<typeof reportRevenue>>(query, { everyMs: 5 * MINUTE });
  const rows = report.data?.rows.filter(row => 'day' in row).slice(-days);
  const period = days === 7 ? stats?.revenue_7d : stats?.revenue_30d;
  return (
    <Section
      title={`Revenue, last ${days} days`}
      actions={
        <div class="choice" role="group" aria-label="Period">
          {([7, 30] as const).map(choice => (
            <button key={choice} type="button" aria-pressed={choice === days} onClick={() => setDays(choice)}>
              {choice} days
            </button>
          ))}
        </div>
      }
    >
      {period !== undefined && (
        <p class="headline">
          <strong>{money(period.total_revenue)}</strong>{' '}
          <span class="muted">
            {count(period.total_transactions)} sold, {money(period.net_revenue)} net of refunds
          </span>
        </p>
      )}
      {rows === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <RevenueChart rows={rows} names={rows.map(row => calendarDay(row.day, WEEKDAY))} />
      )}
    </Section>
  );
}

type Lamp = readonly [name: string, tone: 'good' | 'warn' | 'bad' | 'off', text: string, href?: string];

const ROUTER: Record<LiveNumbers['router'], Lamp> = {
  connected: ['Router', 'good', 'Connected', '#/router'],
  disconnected: ['Router', 'bad', 'Does not answer. Is it on, and the cable in?', '#/router'],
  not_configured: ['Router', 'warn', 'Not set up yet', '#/router?tab=configuration'],
};

/** One lamp for each thing that has to work. */
function Health() {
  const status = useApi<ReplyOf<typeof readStatus>>('/admin/status/', { everyMs: MINUTE / 2 });
  const jobs = useApi<ReplyOf<typeof listJobs>>('/admin/jobs/', { everyMs: MINUTE });
  const settings = useApi<ReplyOf<typeof readSettings>>(may('owner') ? '/admin/settings/' : null);
  const { values } = useStore(live);
  if (status.data === null) return <Skeleton lines={1} />;
  const { database_status, router_status, routers, uptime, memory_usage, disk_usage } = status.data.status;
  const lamps: Lamp[] = routers.length > 1 ? routers.map(routerLamp) : [ROUTER[values?.router ?? router_status]];
  if (settings.data !== null) lamps.push(providerLamp(settings.data.settings.payment_provider));
  if (jobs.data !== null) lamps.push(jobsLamp(jobs.data.jobs));
  const isFull = Number(/(\d+)(\.\d+)? ?%/.exec(disk_usage)?.[1] ?? 0) >= 90;
  lamps.push(
    ['Disk', isFull ? 'bad' : 'good', isFull ? `${disk_usage}. Make room soon.` : disk_usage],
    ['Database', database_status === 'connected' ? 'good' : 'bad', database_status],
    ['Lango', 'good', `Up ${uptime}, ${memory_usage}`],
  );
  return (
    <section aria-label="Health">
      <ul class="lamps">
        {lamps.map(([name, tone, text, href]) => (
          <li key={name} class={`lamp ${tone}`}>
            <b>{href === undefined ? name : <a href={href}>{name}</a>}</b>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** One of several. */
function routerLamp({ router_id, name, connection_status }: RouterState): Lamp {
  const [, tone, text] = ROUTER[connection_status];
  return [name, tone, text, `#/router/${router_id}`];
}

function providerLamp(provider: Settings['payment_provider']): Lamp {
  if (provider.provider === 'none') return ['Payments', 'good', 'Vouchers and cash only', '#/settings'];
  const name = words(provider.provider ?? 'payment provider');
  if (provider.sandbox) return ['Payments', 'warn', `${name}: no real money moves`, '#/settings'];
  if (!provider.api_key_configured) return ['Payments', 'bad', `${name}: its key is missing`, '#/settings'];
  const last = provider.last_webhook_at;
  return ['Payments', 'good', last == null ? name : `${name}, last heard of ${ago(last)}`, '#/webhooks'];
}

function jobsLamp(jobs: readonly Job[]): Lamp {
  const failed = jobs.filter(job => job.last_error !== null);
  const late = jobs.filter(job => job.late);
  if (failed.length > 0) return ['Jobs', 'bad', `${failed.map(job => job.name).join(', ')} failed`];
  if (late.length > 0) return ['Jobs', 'warn', `${late.map(job => job.name).join(', ')} late`];
  return ['Jobs', 'good', `${jobs.length} run as they should`];
}
