/** Codes to sell over the counter: made in batches, printed, looked up. */

import { useState } from 'preact/hooks';
import type { listBundles } from '../../../src/contract/bundles.ts';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { listBatches } from '../../../src/contract/voucher-batches.ts';
import type { generateVouchers, Voucher } from '../../../src/contract/vouchers.ts';
import { download, post } from '../lib/api.ts';
import { useApi, useFilters, usePage } from '../lib/data.ts';
import { count, date, dateTime, hours, many, money } from '../lib/format.ts';
import { go } from '../lib/route.ts';
import { may } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { Filters, SearchFilter, SelectFilter } from '../ui/filters.tsx';
import { Field, Form, Select, type Values } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { Pagination, usePagePath } from '../ui/pagination.tsx';
import { BatchBadge, VoucherBadge } from '../ui/states.tsx';
import { List, WhenLoaded } from '../ui/table.tsx';
import { Panel, Tabs, useTab } from '../ui/tabs.tsx';
import { runUnlessCancelled, showError, showToast } from '../ui/toast.tsx';
import { VoucherSales } from './voucher-sales.tsx';

const TABS = [
  ['batches', 'Batches'],
  ['codes', 'Find a code'],
  ['sales', 'Sales'],
] as const;

const TAB_PAGES = { batches: <Batches />, codes: <Codes />, sales: <VoucherSales /> };

export function Vouchers() {
  const tab = useTab(TABS);
  const [making, setMaking] = useState(false);
  const save = () => download('/admin/export/vouchers/', 'vouchers.csv').catch(showError);
  return (
    <Page
      title="Vouchers"
      actions={
        <>
          <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
            Make vouchers
          </Button>
          {may('staff') && (
            <Button icon="download" onClick={save}>
              All as CSV
            </Button>
          )}
        </>
      }
    >
      <Tabs label="Vouchers" tabs={TABS} />
      <Panel name={tab}>{TAB_PAGES[tab]}</Panel>
      {making && <MakeDialog close={() => setMaking(false)} />}
    </Page>
  );
}

function Batches() {
  const batches = useApi<ReplyOf<typeof listBatches>>(usePagePath('/admin/voucher-batches/'));
  return (
    <>
      <List
        label="Batches of vouchers"
        from={batches}
        rowsOf={data => data.batches}
        id={batch => batch.id}
        href={batch => `#/batches/${batch.id}`}
        empty={
          <Empty icon="vouchers" title="No vouchers yet.">
            <p>Make a batch, print it, and sell the codes over the counter: no phone money needed.</p>
          </Empty>
        }
        columns={[
          { label: 'Batch', cell: batch => `${batch.bundle}, no. ${batch.id}` },
          { label: 'State', cell: batch => <BatchBadge batch={batch} /> },
          {
            label: 'In stock',
            number: true,
            cell: batch =>
              batch.kind === 'giveaway' ? 'Given away' : `${count(batch.in_stock)} of ${count(batch.quantity)}`,
          },
          { label: 'Sold', number: true, cell: batch => count(batch.sold) },
          { label: 'Used', number: true, cell: batch => count(batch.used) },
          { label: 'Gives internet for', cell: batch => hours(batch.duration_hours) },
          { label: 'Use the code before', cell: batch => date(batch.expires_at) },
          {
            label: 'Made',
            cell: batch => (
              <span>
                {dateTime(batch.created_at)}
                <small>by {batch.created_by}</small>
              </span>
            ),
          },
        ]}
      />
      <Pagination total={batches.data?.pagination.total ?? 0} />
    </>
  );
}

const FILTERS = { code: 'code', number: 'id', used: 'is_used' };

function Codes() {
  const filter = useFilters(FILTERS);
  const vouchers = usePage<Voucher>(usePagePath('/vouchers/list/', filter));
  return (
    <>
      <Filters of={vouchers} names={FILTERS}>
        <SearchFilter name="code" label="Code" code />
        <SearchFilter name="number" label="Number on the card" />
        <SelectFilter
          name="used"
          label="Show"
          options={[
            ['', 'All'],
            ['false', 'Not used'],
            ['true', 'Used'],
          ]}
        />
      </Filters>
      <VoucherList vouchers={vouchers} reload={vouchers.reload} />
      <Pagination total={vouchers.data?.total ?? 0} />
    </>
  );
}

interface VoucherListProps {
  vouchers: ReturnType<typeof usePage<Voucher>>;
  reload: () => void;
}

export function VoucherList({ vouchers, reload }: VoucherListProps) {
  /** A revoked code cannot be given back, so there are a few seconds in which to think again. */
  const revoke = (voucher: Voucher) =>
    runUnlessCancelled(`Revoking ${voucher.code}`, async () => {
      await post(`/admin/vouchers/${voucher.id}/revoke/`);
      showToast(`${voucher.code} is revoked. Nobody can use it.`);
      reload();
    });
  return (
    <List
      label="Vouchers"
      from={vouchers}
      rowsOf={data => data.rows}
      id={voucher => voucher.id}
      empty={<Empty icon="search" title="No voucher matches." />}
      columns={[
        {
          label: 'Code',
          cell: voucher => (
            <span>
              <span class="code">{voucher.code}</span>
              <small>
                No. {voucher.id}
                {voucher.code_masked === true && ', somebody else made it'}
              </small>
            </span>
          ),
        },
        { label: 'State', cell: voucher => <VoucherBadge voucher={voucher} /> },
        { label: 'Bundle', cell: voucher => voucher.bundle },
        { label: 'Use the code before', cell: voucher => date(voucher.expires_at) },
        {
          label: 'Used by',
          cell: voucher =>
            voucher.used_by === null ? null : (
              <span>
                {voucher.used_by}
                <small>{dateTime(voucher.used_at)}</small>
              </span>
            ),
        },
      ]}
      actions={
        may('staff')
          ? voucher =>
              voucher.is_used || voucher.is_revoked ? null : (
                <Button small kind="danger" onClick={() => revoke(voucher)}>
                  Revoke
                </Button>
              )
          : undefined
      }
    />
  );
}

function MakeDialog({ close }: { close: () => void }) {
  const bundles = useApi<ReplyOf<typeof listBundles>>('/admin/bundles/');

  async function make(values: Values) {
    const made = await post<ReplyOf<typeof generateVouchers>>('/vouchers/generate/', {
      bundle_id: Number(values['bundle_id']),
      quantity: values['quantity'],
      expiry_days: values['expiry_days'],
      kind: values['kind'],
      ...(values['phone_number'] ? { phone_number: values['phone_number'] } : {}),
    });
    showToast(`${many(made.vouchers_generated, 'voucher')} made.`);
    close();
    go(`/batches/${made.batch_id}`);
  }

  return (
    <Dialog title="Make vouchers" onClose={close}>
      <WhenLoaded from={bundles} lines={3}>
        {data =>
          data.bundles.length === 0 ? (
            <Empty icon="bundles" title="There is no bundle to make vouchers for.">
              <a href="#/bundles">Add a bundle first</a>
            </Empty>
          ) : (
            <Form submit="Make vouchers" onSubmit={make} onCancel={close}>
              <Select
                name="bundle_id"
                label="Gives internet for"
                options={data.bundles.map(bundle => [
                  bundle.id,
                  `${hours(bundle.duration_hours)} · ${bundle.name} · ${money(bundle.price)}`,
                ])}
                hint="This clock starts when the customer uses the code."
              />
              <Field
                name="quantity"
                label="How many"
                value={24}
                number="whole"
                hint="1 to 10,000. 24 fill an A4 sheet."
                required
              />
              {may('staff') && (
                <Select
                  name="kind"
                  label="What they are for"
                  options={[
                    ['stock', 'To sell, at the price of the bundle'],
                    ['giveaway', 'To give away'],
                  ]}
                />
              )}
              <Field
                name="expiry_days"
                label="Use the code before this many days have passed"
                value={365}
                number="whole"
                hint="This clock starts now. After it, a code that nobody used is worth nothing."
                required
              />
              <Field
                name="phone_number"
                label="Send the codes by SMS to"
                type="tel"
                hint="A phone number, for 10 codes at most. Needs SMS to be set up."
              />
            </Form>
          )
        }
      </WhenLoaded>
    </Dialog>
  );
}
