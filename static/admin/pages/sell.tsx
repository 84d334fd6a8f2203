/** Cash over the counter: a number, a bundle, a receipt, and the person is online. */
import type { listBundles } from '../../../src/contract/bundles.ts';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { sellForCash } from '../../../src/contract/sales.ts';
import type { currentShift } from '../../../src/contract/shifts.ts';
import { useApi } from '../lib/data.ts';
import { dateTime, hours, money } from '../lib/format.ts';
import { useRoute } from '../lib/route.ts';
import { useSale } from '../lib/sale.ts';
import { LinkButton } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field, Form, Select } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { WhenLoaded } from '../ui/table.tsx';
import { SellVoucher } from './sell-voucher.tsx';
import { OwnShift, Shifts } from './shifts.tsx';

export function Sell() {
  const { query } = useRoute();
  const phone = query.get('phone') ?? '';
  /** Of the phone that stands at the gate. */
  const mac = query.get('mac');
  const bundles = useApi<ReplyOf<typeof listBundles>>('/admin/bundles/');
  const shift = useApi<ReplyOf<typeof currentShift>>('/admin/shifts/current/');
  const { key, sold, sell } = useSale<ReplyOf<typeof sellForCash>>('/admin/sales/');
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
          {sold !== null && <Sold sale={sold} />}
          {mac !== null && sold === null && (
            <p class="muted">
              For the phone at the gate, <span class="code">{mac}</span>.
            </p>
          )}
          {sellable.length > 0 && (
            <Form
              key={key}
              submit="Sell"
              onSubmit={async values => {
                const what = { ...values, mac_address: sold === null ? mac : null };
                await sell(what, [values['phone_number'], values['bundle_id']]);
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
                hint="Empty: Lango numbers it. From your receipt book, each number counts once."
                autoComplete="off"
                code
              />
            </Form>
          )}
        </Section>
        <OwnShift shift={shift} />
      </div>
      <SellVoucher
        bundles={sellable}
        reload={() => {
          bundles.reload();
          shift.reload();
        }}
      />
      <Shifts />
    </Page>
  );
}

function Sold({ sale: { user, payment, receipt_by_sms: isSent } }: { sale: ReplyOf<typeof sellForCash> }) {
  return (
    <Notice tone="good">
      <p>
        {user.phone_number} has internet until <strong>{dateTime(user.paid_until)}</strong>. {money(payment.amount)} in
        cash, receipt {payment.receipt_number}.{isSent && ' The receipt is on its way by SMS.'}
      </p>
      <LinkButton small icon="print" href={`#/receipts/${payment.id}`}>
        Print the receipt
      </LinkButton>
    </Notice>
  );
}
