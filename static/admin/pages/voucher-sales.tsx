/** Vouchers that were sold, by whom, and what of them is taken back. */
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { listVoucherSales, VoucherSale } from '../../../src/contract/voucher-sales.ts';
import { useApi, useFilters } from '../lib/data.ts';
import { count, dateTime, many, money } from '../lib/format.ts';
import { may } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Filters, SearchFilter } from '../ui/filters.tsx';
import { Check, Field } from '../ui/form.tsx';
import { Pagination, usePagePath } from '../ui/pagination.tsx';
import { List } from '../ui/table.tsx';
import { postAndToast } from '../ui/toast.tsx';

const FILTERS = { batch: 'batch_id' };

export function VoucherSales() {
  const sales = useApi<ReplyOf<typeof listVoucherSales>>(usePagePath('/admin/voucher-sales/', useFilters(FILTERS)));
  const takeBack = ({ id, unused, price }: VoucherSale) =>
    ask({
      title: `Take ${many(unused, 'unused voucher')} back?`,
      text: (
        <p>
          Give back <strong>{money(unused * Number(price))}</strong>. Nobody can use{' '}
          {unused === 1 ? 'its code' : 'their codes'} any more.
        </p>
      ),
      fields: (
        <>
          <Field name="reason" label="Reason" required />
          <Check
            name="from_drawer"
            label="Out of a drawer"
            hint="Your open shift, else that of who sold them, then expects less. Otherwise no drawer is short of it."
            checked
          />
        </>
      ),
      act: 'Take back',
      run: async values => {
        await postAndToast(`/admin/voucher-sales/${id}/refund/`, { ...values, from_drawer: 'from_drawer' in values });
        sales.reload();
      },
    });
  return (
    <>
      <Filters of={sales} names={FILTERS}>
        <SearchFilter name="batch" label="Number of the batch" />
      </Filters>
      <List
        label="Sales of vouchers"
        from={sales}
        rowsOf={data => data.sales}
        id={sale => sale.id}
        href={sale => `#/batches/${sale.batch_id}`}
        empty={<Empty icon="vouchers" title="No voucher was sold." />}
        columns={[
          { label: 'Sold', cell: sale => dateTime(sale.sold_at) },
          { label: 'Batch', cell: sale => `${sale.bundle}, no. ${sale.batch_id}` },
          { label: 'By', cell: sale => sale.sold_by },
          { label: 'How many', number: true, cell: sale => count(sale.quantity) },
          { label: 'Money', number: true, cell: sale => money(sale.total) },
          { label: 'Not used', number: true, cell: sale => count(sale.unused) },
          {
            label: 'Taken back',
            cell: sale =>
              sale.returned_at === null ? null : (
                <span>
                  {count(sale.returned)} by {sale.returned_by}
                  <small>{dateTime(sale.returned_at)}</small>
                </span>
              ),
          },
        ]}
        actions={
          may('owner')
            ? sale =>
                sale.unused > 0 && (
                  <Button small kind="danger" onClick={() => takeBack(sale)}>
                    Take back
                  </Button>
                )
            : undefined
        }
      />
      <Pagination total={sales.data?.pagination.total ?? 0} />
    </>
  );
}
