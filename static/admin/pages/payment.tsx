/** One payment: what happened to it step by step, and what can be done. */

import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { PaymentDetail, showPayment } from '../../../src/contract/payments.ts';
import { post } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { dateTime, many, money } from '../lib/format.ts';
import { may } from '../lib/session.ts';
import { ActButton } from '../ui/act-button.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Amount, Check, Field } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { PaymentBadge, RefundBadge } from '../ui/states.tsx';
import { Table, WhenLoaded } from '../ui/table.tsx';
import { postAndToast, showToast } from '../ui/toast.tsx';
import { Notification } from './notification.tsx';

export function PaymentPage({ id }: { id: string }) {
  const loaded = useApi<ReplyOf<typeof showPayment>>(`/admin/payments/${id}/`);
  const { reload } = loaded;
  const payment = loaded.data?.payment;

  async function recheck() {
    await postAndToast(`/admin/payments/${id}/recheck/`);
    reload();
  }
  const refund = (shown: PaymentDetail) => {
    const { refundable_amount: left, refund_drawer: drawer } = shown;
    ask({
      title: `Refund ${shown.phone_number}?`,
      text: <p>A full refund also takes the hours back. A part of it leaves them.</p>,
      fields: (
        <>
          <Amount name="amount" label="Amount" value={Number(left)} hint={`${money(left)} at most.`} required />
          <Field name="reason" label="Reason" required />
          {drawer !== null && (
            <Check
              name="from_drawer"
              label={`Out of the drawer of ${drawer}`}
              hint="That shift then expects less. Otherwise no drawer is short of it."
              checked
            />
          )}
        </>
      ),
      act: 'Refund',
      run: async values => {
        await postAndToast(`/admin/payments/${id}/refund/`, { ...values, from_drawer: 'from_drawer' in values });
        reload();
      },
    });
  };
  const clear = () =>
    ask({
      title: 'Is this one settled?',
      text: <p>It leaves the list of payments to be looked at. Your note stays with it.</p>,
      fields: <Field name="note" label="What you found" required />,
      act: 'Settled',
      run: async ({ note }) => {
        await post(`/admin/payments/${id}/review/`, { note });
        showToast('The flag is cleared.');
        reload();
      },
    });

  return (
    <Page
      title={payment === undefined ? 'Payment' : money(payment.amount)}
      parent={['Payments', '#/payments']}
      state={payment !== undefined && <PaymentBadge payment={payment} />}
      actions={
        payment !== undefined && (
          <>
            {payment.method !== 'cash' && (
              <ActButton kind="primary" act={recheck}>
                Ask the provider
              </ActButton>
            )}
            {payment.status === 'completed' && (
              <LinkButton icon="print" href={`#/receipts/${payment.id}`}>
                Receipt
              </LinkButton>
            )}
            {may('owner') && Number(payment.refundable_amount) > 0 && (
              <Button kind="danger" onClick={() => refund(payment)}>
                Refund
              </Button>
            )}
          </>
        )
      }
    >
      <WhenLoaded from={loaded}>{({ payment: shown }) => <Story payment={shown} settle={clear} />}</WhenLoaded>
    </Page>
  );
}

function Story({ payment, settle }: { payment: PaymentDetail; settle: () => void }) {
  const isOnline = payment.method !== 'cash';
  return (
    <>
      {payment.review !== null && (
        <Notice tone="warn">
          <p>{payment.review_advice}</p>
          {may('staff') && (
            <Button small onClick={settle}>
              It is settled
            </Button>
          )}
        </Notice>
      )}
      <Section title="Order">
        <Facts
          facts={[
            ['Phone', <a href={`#/users/${payment.user_id}`}>{payment.phone_number}</a>],
            ['Bundle', payment.bundle_name],
            ['How', payment.method === 'cash' ? 'Cash' : payment.payment_channel || 'Online'],
            ['Came in', payment.paid_amount === null ? '–' : money(payment.paid_amount)],
            ['Started', dateTime(payment.created_at)],
            ['Paid', dateTime(payment.completed_at)],
            payment.is_refunded
              ? ['Access', 'Taken back with the money']
              : ['Gave access until', dateTime(payment.grant?.ends_at)],
            ['Order reference', <span class="code">{payment.order_reference}</span>],
            ['Provider’s reference', <span class="code">{payment.payment_reference || '–'}</span>],
            ['Transaction', <span class="code">{payment.transaction_id || '–'}</span>],
            ...(isOnline
              ? [
                  [
                    'Provider asked',
                    `${many(payment.checks.count, 'time')}${payment.checks.next_at === null ? '' : `, next ${dateTime(payment.checks.next_at)}`}`,
                  ] as const,
                ]
              : [
                  ['Receipt', <span class="code">{payment.receipt_number}</span>] as const,
                  ['Sold by', payment.sold_by ?? '–'] as const,
                ]),
          ]}
        />
      </Section>
      {payment.refunds.length > 0 && (
        <Section title="Refunds">
          {payment.refunds.map(
            item =>
              item.message && (
                <Notice key={item.id} tone="warn">
                  <strong>{money(item.amount)}:</strong> {item.message}
                </Notice>
              ),
          )}
          <Table
            label="Refunds"
            rows={payment.refunds}
            id={item => item.id}
            columns={[
              { label: 'Amount', cell: item => money(item.amount) },
              {
                label: 'State',
                cell: item => <RefundBadge status={item.status} />,
              },
              { label: 'Reason', cell: item => item.reason },
              { label: 'When', cell: item => dateTime(item.created_at) },
            ]}
          />
        </Section>
      )}
      {isOnline && (
        <Section title="What the provider sent">
          {payment.webhook_logs.length === 0 ? (
            <Empty icon="webhooks" title="No notification has come.">
              <p>Lango asks the provider by itself, so a lost notification loses no money.</p>
            </Empty>
          ) : (
            payment.webhook_logs.map(log => <Notification key={log.id} log={log} />)
          )}
        </Section>
      )}
    </>
  );
}
