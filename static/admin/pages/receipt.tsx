/** The receipt of a cash sale, with what to do next, for a 58 mm printer. */
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { showPayment } from '../../../src/contract/payments.ts';
import { useApi } from '../lib/data.ts';
import { business, money, onPaper } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Slip } from '../ui/slip.tsx';
import { WhenLoaded } from '../ui/table.tsx';

export function ReceiptPage({ id }: { id: string }) {
  const loaded = useApi<ReplyOf<typeof showPayment>>(`/admin/payments/${id}/`);
  const { networkName, supportPhone } = business.get();
  return (
    <Page
      title="Receipt"
      parent={['Payment', `#/payments/${id}`]}
      actions={
        loaded.data !== null && (
          <Button kind="primary" icon="print" onClick={() => print()}>
            Print the receipt
          </Button>
        )
      }
    >
      <WhenLoaded from={loaded}>
        {({ payment }) => (
          <Slip
            title={`Receipt ${payment.receipt_number ?? payment.order_reference}`}
            lines={[
              ['When', payment.completed_at && onPaper(payment.completed_at)],
              ['Bundle', payment.bundle_name],
              ['Paid', money(payment.amount)],
              ['Given back', Number(payment.refunded_amount) > 0 ? money(payment.refunded_amount) : null],
              ['For the number', payment.phone_number],
              ['Internet until', payment.grant && !payment.is_refunded ? onPaper(payment.grant.ends_at) : null],
              ['Sold by', payment.sold_by],
            ]}
          >
            <p>
              <strong>What to do now:</strong> join the Wi-Fi{networkName !== null && ` “${networkName}”`}. A page opens
              by itself. If it asks for your number, type the one above.
            </p>
            {supportPhone !== null && <p>Help: {supportPhone}</p>}
          </Slip>
        )}
      </WhenLoaded>
    </Page>
  );
}
