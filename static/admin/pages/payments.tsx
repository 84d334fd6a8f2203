/** The money: every order, what became of it, and which ones want a person's eye. */
import type { listBundles } from '../../../src/contract/bundles.ts';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { listPayments, Payment } from '../../../src/contract/payments.ts';
import { download, withQuery } from '../lib/api.ts';
import { useApi, useFilters } from '../lib/data.ts';
import { count, dateTime, many, money } from '../lib/format.ts';
import { may } from '../lib/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { DayFilter, Filters, SearchFilter, SelectFilter } from '../ui/filters.tsx';
import { Page, Stat } from '../ui/page.tsx';
import { Pagination, usePagePath } from '../ui/pagination.tsx';
import { PaymentBadge } from '../ui/states.tsx';
import { type Column, List } from '../ui/table.tsx';
import { showError } from '../ui/toast.tsx';

const FILTERS = {
  search: 'search',
  status: 'status',
  method: 'method',
  bundle: 'bundle_id',
  from: 'date_from',
  to: 'date_to',
  review: 'review',
};

export function Payments() {
  const bundles = useApi<ReplyOf<typeof listBundles>>('/admin/bundles/');
  const filter = useFilters(FILTERS);
  const payments = useApi<ReplyOf<typeof listPayments>>(usePagePath('/admin/payments/', filter));
  const isFiltered = Object.values(filter).some(value => value !== '');
  const summary = payments.data?.summary;

  return (
    <Page
      title="Payments"
      actions={
        <>
          <LinkButton kind="primary" icon="plus" href="#/sell">
            Cash sale
          </LinkButton>
          {may('staff') && (
            <Button
              icon="download"
              onClick={() => download(withQuery('/admin/export/payments/', filter), 'payments.csv').catch(showError)}
            >
              CSV
            </Button>
          )}
        </>
      }
    >
      {summary !== undefined && (
        <div class="stats">
          <Stat label="Paid" value={money(summary.total_amount)} note={many(summary.completed_count, 'payment')} />
          <Stat label="Waiting" value={money(summary.pending_amount)} note={many(summary.pending_count, 'order')} />
          <Stat label="Failed" value={count(summary.failed_count)} note="cost nobody anything" />
        </div>
      )}
      <Filters of={payments} names={FILTERS}>
        <SearchFilter name="search" label="Phone number or reference" />
        <SelectFilter
          name="status"
          label="State"
          options={[
            ['', 'All'],
            ['completed', 'Paid'],
            ['pending', 'Waiting'],
            ['failed', 'Failed'],
            ['cancelled', 'Cancelled'],
          ]}
        />
        <SelectFilter
          name="method"
          label="How"
          options={[
            ['', 'All'],
            ['online', 'Phone money or card'],
            ['cash', 'Cash'],
          ]}
        />
        <SelectFilter
          name="bundle"
          label="Bundle"
          options={[['', 'All'], ...(bundles.data?.bundles ?? []).map(({ id, name }) => [id, name] as const)]}
        />
        <DayFilter name="from" label="From" />
        <DayFilter name="to" label="To" />
        <SelectFilter
          name="review"
          label="Wants a look"
          options={[
            ['', 'All'],
            ['true', 'Only these'],
          ]}
        />
      </Filters>
      <List
        label="Payments"
        from={payments}
        rowsOf={data => data.payments}
        id={payment => payment.id}
        href={payment => `#/payments/${payment.id}`}
        empty={
          isFiltered ? (
            <Empty icon="search" title="No payment matches.">
              <p>Take away a filter, or search for the last digits of the number.</p>
            </Empty>
          ) : (
            <Empty icon="payments" title="No payments yet.">
              <p>Orders from the portal appear here at once, paid or not.</p>
            </Empty>
          )
        }
        columns={[
          PAYMENT.phone,
          PAYMENT.state,
          PAYMENT.amount,
          PAYMENT.bundle,
          PAYMENT.how,
          PAYMENT.started,
          PAYMENT.reference,
        ]}
      />
      <Pagination total={payments.data?.pagination.total ?? 0} />
    </Page>
  );
}

/** What lists of payments tell of one. */
export const PAYMENT = {
  phone: { label: 'Phone', cell: payment => payment.phone_number },
  bundle: { label: 'Bundle', cell: payment => payment.bundle_name },
  state: {
    label: 'State',
    cell: payment => (
      <span class="badges">
        <PaymentBadge payment={payment} />
        {payment.review !== null && <Badge tone="warn">Look at this</Badge>}
      </span>
    ),
  },
  amount: {
    label: 'Amount',
    number: true,
    cell: payment => (
      <span>
        {money(payment.amount)}
        {Number(payment.refunded_amount) > 0 && <small>{money(payment.refunded_amount)} refunded</small>}
      </span>
    ),
  },
  how: { label: 'How', cell: payment => (payment.method === 'cash' ? 'Cash' : payment.payment_channel || 'Online') },
  started: { label: 'Started', cell: payment => dateTime(payment.created_at) },
  paid: { label: 'Paid', cell: payment => dateTime(payment.completed_at) },
  reference: {
    label: 'Reference',
    cell: payment => <span class="code">{payment.receipt_number ?? payment.order_reference}</span>,
  },
} satisfies Record<string, Column<Payment>>;
