/** Cash over the counter: a number, a bundle, a receipt, and the person is online. */

import { useState } from 'preact/hooks';
import type { listBundles } from '../../../src/contract/bundles.ts';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { sellForCash } from '../../../src/contract/sales.ts';
import type { currentShift } from '../../../src/contract/shifts.ts';
import { post } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { dateTime, hours, money } from '../lib/format.ts';
import { useRoute } from '../lib/route.ts';
import { Empty } from '../ui/empty.tsx';
import { Field, Form, Select } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { WhenLoaded } from '../ui/table.tsx';
import { OwnShift, PastShifts } from './shifts.tsx';

export function Sell() {
  const { query } = useRoute();
  const phone = query.get('phone') ?? '';
  /** Of the phone that stands at the gate. */
  const mac = query.get('mac');
  const bundles = useApi<ReplyOf<typeof listBundles>>('/admin/bundles/');
  const shift = useApi<ReplyOf<typeof currentShift>>('/admin/shifts/current/');
  const [sold, setSold] = useState<ReplyOf<typeof sellForCash> | null>(null);
  const sellable = bundles.data?.bundles.filter(bundle => bundle.is_active) ?? [];

  return (
    <Page title="Cash sale">
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
                    mac_address: sold === null ? mac : null,
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
        <OwnShift shift={shift} />
      </div>
      <PastShifts />
    </Page>
  );
}
