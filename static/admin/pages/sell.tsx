/** Cash over the counter: a number, a bundle, a receipt, and the person is online. The shift counts the drawer. */

import { useState } from 'preact/hooks';
import type { listBundles } from '../../../src/contract/bundles.ts';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { sellForCash } from '../../../src/contract/sales.ts';
import type { closeShift, currentShift, listShifts } from '../../../src/contract/shifts.ts';
import { post } from '../lib/api.ts';
import { type Loaded, useApi } from '../lib/data.ts';
import { business, count, dateTime, hours, money } from '../lib/format.ts';
import { useRoute } from '../lib/route.ts';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field, Form, numeric, Select } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { OpeningFloat, openShift } from '../ui/prompts.tsx';
import { Table, WhenLoaded } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';

export function Sell() {
  const phone = useRoute().query.get('phone') ?? '';
  const bundles = useApi<ReplyOf<typeof listBundles>>('/admin/bundles/');
  const shift = useApi<ReplyOf<typeof currentShift>>('/admin/shifts/current/');
  const [sold, setSold] = useState<ReplyOf<typeof sellForCash> | null>(null);
  const sellable = bundles.data?.bundles.filter(bundle => bundle.is_active) ?? [];

  return (
    <Page title="Cash sale" parent={['Payments', '#/payments']}>
      <div class="two">
        <Section title="Sell a bundle">
          <WhenLoaded from={bundles} lines={3}>
            {() =>
              sellable.length === 0 && (
                <Empty icon="bundles" title="Nothing is on sale.">
                  <a href="#/bundles">Open the bundles</a>
                </Empty>
              )
            }
          </WhenLoaded>
          {sold !== null && (
            <Notice tone="good">
              <p>
                {sold.user.phone_number} has internet until <strong>{dateTime(sold.user.paid_until)}</strong>.{' '}
                {money(sold.payment.amount)} in cash, receipt {sold.payment.receipt_number}.
              </p>
            </Notice>
          )}
          {sellable.length > 0 && (
            <Form
              key={sold?.payment.id ?? 0}
              submit="Sell"
              onSubmit={async values => {
                setSold(
                  await post('/admin/sales/', {
                    phone_number: values['phone_number'],
                    bundle_id: Number(values['bundle_id']),
                    receipt_number: values['receipt_number'],
                  }),
                );
                shift.reload();
              }}
            >
              <Field
                name="phone_number"
                label="Phone number"
                type="tel"
                value={sold === null ? phone : ''}
                hint="Type it, then read it back to the customer."
                required
                autoComplete="off"
              />
              <Select
                name="bundle_id"
                label="Bundle"
                options={sellable.map(bundle => [
                  bundle.id,
                  `${money(bundle.price)} · ${bundle.name} · ${hours(bundle.duration_hours)}`,
                ])}
              />
              <Field
                name="receipt_number"
                label="Receipt number"
                hint="From your receipt book. Each number once, so that a sale cannot be entered twice."
                required
                autoComplete="off"
                code
              />
            </Form>
          )}
        </Section>
        <ShiftCard shift={shift} />
      </div>
      <PastShifts />
    </Page>
  );
}

function ShiftCard({ shift: loaded }: { shift: Loaded<ReplyOf<typeof currentShift>> }) {
  const { reload } = loaded;
  const close = (expected: string) =>
    ask({
      title: 'Close your shift',
      text: <p>Count the drawer first. It should hold {money(expected)}.</p>,
      fields: (
        <>
          <Field
            name="counted"
            label={`Counted, in ${business.get().currency}`}
            inputMode="decimal"
            required
            autoFocus
          />
          <Field name="note" label="Note" hint="Why it differs, if it does." />
        </>
      ),
      act: 'Close shift',
      kind: 'primary',
      run: async ({ counted, note }) => {
        const closed = await post<ReplyOf<typeof closeShift>>('/admin/shifts/close/', {
          counted: numeric(counted),
          note,
        });
        showToast(`Shift closed. Difference: ${money(closed.shift.difference ?? 0)}.`);
        reload();
      },
    });
  return (
    <Section title="Your shift">
      <WhenLoaded from={loaded} lines={2}>
        {({ shift }) =>
          shift === null ? (
            <>
              <p>No shift is open. Open one before you sell: Lango then knows what should be in the drawer.</p>
              <Form
                submit="Open a shift"
                onSubmit={async values => {
                  await openShift(values);
                  showToast('Your shift is open.');
                  reload();
                }}
              >
                <OpeningFloat />
              </Form>
            </>
          ) : (
            <>
              <Facts
                facts={[
                  ['Open since', dateTime(shift.opened_at)],
                  ['Drawer at start', money(shift.opening_float)],
                  ['Sales', `${count(shift.sales_count)}, ${money(shift.sales_total)}`],
                  ['Should be in the drawer', <strong>{money(shift.expected)}</strong>],
                ]}
              />
              <Button onClick={() => close(shift.expected)}>Count and close</Button>
            </>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

function PastShifts() {
  const { data } = useApi<ReplyOf<typeof listShifts>>('/admin/shifts/');
  const closed = data?.shifts.filter(shift => shift.closed_at !== null) ?? [];
  if (closed.length === 0) return null;
  return (
    <Section title="Closed shifts">
      <Table
        label="Closed shifts"
        rows={closed}
        id={shift => shift.id}
        columns={[
          { label: 'Who', cell: shift => shift.admin },
          { label: 'Opened', cell: shift => dateTime(shift.opened_at) },
          { label: 'Closed', cell: shift => dateTime(shift.closed_at) },
          { label: 'Sales', number: true, cell: shift => money(shift.sales_total) },
          { label: 'Expected', number: true, cell: shift => money(shift.expected) },
          { label: 'Counted', number: true, cell: shift => money(shift.counted ?? 0) },
          { label: 'Difference', number: true, cell: shift => money(shift.difference ?? 0) },
          { label: 'Note', cell: shift => shift.note },
        ]}
      />
    </Section>
  );
}
