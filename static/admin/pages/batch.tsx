/** One batch of vouchers: what is left of it, its codes, its print sheet. */
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { showBatch, VoucherBatch } from '../../../src/contract/voucher-batches.ts';
import type { sellVouchers } from '../../../src/contract/voucher-sales.ts';
import type { Voucher } from '../../../src/contract/vouchers.ts';
import { download, post, withQuery } from '../lib/api.ts';
import { useApi, usePage } from '../lib/data.ts';
import { count, date, dateTime, hours, many, money } from '../lib/format.ts';
import { useSale } from '../lib/sale.ts';
import { may, session } from '../lib/session.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Amount, Field } from '../ui/form.tsx';
import { Facts, Page, Section, Stat } from '../ui/page.tsx';
import { Pagination, usePagePath } from '../ui/pagination.tsx';
import { BatchBadge } from '../ui/states.tsx';
import { WhenLoaded } from '../ui/table.tsx';
import { showError, showToast } from '../ui/toast.tsx';
import { VoucherList } from './vouchers.tsx';

export function BatchPage({ id }: { id: string }) {
  const loaded = useApi<ReplyOf<typeof showBatch>>(`/admin/voucher-batches/${id}/`);
  const vouchers = usePage<Voucher>(usePagePath('/vouchers/list/', { batch_id: id }));
  const { sell: send } = useSale<ReplyOf<typeof sellVouchers>>('/admin/voucher-sales/');
  const batch = loaded.data?.batch;
  const refresh = () => {
    loaded.reload();
    vouchers.reload();
  };

  const revoke = (shown: VoucherBatch) =>
    ask({
      title: `Revoke what is left of batch ${shown.id}?`,
      text: (
        <>
          <p>
            {many(shown.available, 'code')} can then no longer be used, printed or not. Codes that are used already keep
            their time.
          </p>
          <p>This cannot be undone.</p>
        </>
      ),
      fields: <Field name="reason" label="Why" hint="Goes into the audit log." />,
      act: `Revoke ${many(shown.available, 'code')}`,
      run: async ({ reason }) => {
        await post(`/admin/voucher-batches/${id}/revoke/`, reason ? { reason } : {});
        showToast('The codes are revoked.');
        refresh();
      },
    });
  const sell = (shown: VoucherBatch) =>
    ask({
      title: `Sell vouchers of batch ${shown.id}`,
      fields: (
        <>
          <Field
            name="quantity"
            label="How many"
            value={shown.in_stock}
            number="whole"
            hint="All that are left, unless you change it. They go in the order in which they are printed."
            required
          />
          {may('staff') && <Amount name="price" label="Price of one" value={Number(shown.price)} />}
        </>
      ),
      act: 'Sold',
      kind: 'primary',
      run: async values => {
        const { message } = await send({ ...values, batch_id: shown.id }, [shown.id, values['quantity']]);
        showToast(message);
        refresh();
      },
    });
  const save = () =>
    download(withQuery('/admin/export/vouchers/', { batch_id: id }), `vouchers-${id}.csv`).catch(showError);

  return (
    <Page
      title={batch === undefined ? 'Batch' : `${batch.bundle}, no. ${batch.id}`}
      parent={['Vouchers', '#/vouchers']}
      state={batch !== undefined && <BatchBadge batch={batch} />}
      actions={
        batch !== undefined && (
          <>
            {(may('staff') || batch.created_by === session.get()?.user.username) && (
              <LinkButton kind="primary" icon="print" href={`#/print/${id}`}>
                Print
              </LinkButton>
            )}
            {batch.in_stock > 0 && <Button onClick={() => sell(batch)}>Sell</Button>}
            {may('staff') && (
              <Button icon="download" onClick={save}>
                CSV
              </Button>
            )}
            {may('staff') && batch.available > 0 && (
              <Button kind="danger" onClick={() => revoke(batch)}>
                Revoke
              </Button>
            )}
          </>
        )
      }
    >
      <WhenLoaded from={loaded} lines={2}>
        {({ batch: shown }) => (
          <>
            <div class="stats">
              <Stat
                label={shown.kind === 'giveaway' ? 'Left to give away' : 'In stock'}
                value={count(shown.kind === 'giveaway' ? shown.available : shown.in_stock)}
                note={`of ${count(shown.quantity)} made`}
              />
              {shown.kind === 'stock' && (
                <Stat
                  label="Sold"
                  value={<a href={`#/vouchers?tab=sales&batch=${id}`}>{count(shown.sold)}</a>}
                  note={`${money(shown.price)} each`}
                />
              )}
              <Stat
                label="Used"
                value={count(shown.used)}
                note={
                  shown.kind === 'stock' && shown.used_unsold > 0 ? `${count(shown.used_unsold)} that nobody sold` : ''
                }
              />
              <Stat label="Gives internet for" value={hours(shown.duration_hours)} note="from when a code is used" />
              <Stat label="Use the code before" value={date(shown.expires_at)} />
            </div>
            <Section title="Codes">
              <Facts
                facts={[
                  ['Made', dateTime(shown.created_at)],
                  ['By', shown.created_by],
                  ['Revoked', count(shown.revoked)],
                ]}
              />
              <VoucherList vouchers={vouchers} reload={refresh} />
            </Section>
            <Pagination total={vouchers.data?.total ?? 0} />
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}
