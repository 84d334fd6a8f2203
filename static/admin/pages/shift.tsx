/** One shift: what was counted beside what should have been there, why they differ, and the slip of it. */
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { explainShift, ShiftDetail, showShift } from '../../../src/contract/shifts.ts';
import { post } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { count, money, onPaper } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { Field, Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page, Section } from '../ui/page.tsx';
import { Slip } from '../ui/slip.tsx';
import { WhenLoaded } from '../ui/table.tsx';

export function ShiftPage({ id }: { id: string }) {
  const loaded = useApi<ReplyOf<typeof showShift>>(`/admin/shifts/${id}/`);
  const shift = loaded.data?.shift;
  return (
    <Page
      title={shift === undefined ? 'Shift' : `Shift of ${shift.admin}`}
      parent={['Cash sale', '#/sell']}
      actions={
        shift?.counted != null && (
          <Button kind="primary" icon="print" onClick={() => print()}>
            Print the slip
          </Button>
        )
      }
    >
      <WhenLoaded from={loaded}>
        {({ shift: shown }) => (
          <>
            <Comparison shift={shown} reload={loaded.reload} />
            <Slip title={`Shift ${shown.id}`} lines={linesOf(shown)}>
              {shown.counted !== null && <p class="signature">Signed</p>}
            </Slip>
          </>
        )}
      </WhenLoaded>
    </Page>
  );
}

function Comparison({ shift, reload }: { shift: ShiftDetail; reload: () => void }) {
  if (shift.difference === null) {
    return (
      <Notice tone="calm">This shift is open. What should be in the drawer is compared once it is counted.</Notice>
    );
  }
  const difference = Number(shift.difference);
  const amount = money(Math.abs(difference));
  return (
    <div class="no-print stack">
      <Notice tone={difference === 0 ? 'good' : 'warn'}>
        <p>
          {money(shift.counted ?? 0)} was counted, and {money(shift.expected ?? 0)} should be there.{' '}
          <strong>
            {difference === 0 ? 'It adds up.' : difference < 0 ? `${amount} is missing.` : `${amount} is too much.`}
          </strong>
        </p>
      </Notice>
      {difference !== 0 && shift.note === '' && (
        <Section title="Why does it differ?">
          <Form
            submit="Keep the note"
            onSubmit={async values => {
              await post<ReplyOf<typeof explainShift>>(`/admin/shifts/${shift.id}/note/`, values);
              reload();
            }}
          >
            <Field name="note" label="Note" hint="It stays with the shift." required />
          </Form>
        </Section>
      )}
    </div>
  );
}

function linesOf(shift: ShiftDetail): readonly (readonly [name: string, value: string | null])[] {
  const amount = (value: string | null) => value && money(value);
  return [
    ['Who', shift.admin],
    ['Opened', onPaper(shift.opened_at)],
    ['Closed', shift.closed_at && onPaper(shift.closed_at)],
    ['Drawer at start', money(shift.opening_float)],
    [`Sold for cash (${count(shift.sales_count ?? 0)})`, amount(shift.sales_total)],
    [`Vouchers sold (${count(shift.vouchers_count ?? 0)})`, shift.vouchers_count ? amount(shift.vouchers_total) : null],
    [`Given back (${count(shift.refunds_count ?? 0)})`, shift.refunds_count ? amount(shift.refunds_total) : null],
    ...shift.movements.map(
      move => [`${move.direction === 'in' ? 'In' : 'Out'}: ${move.reason}`, money(move.amount)] as const,
    ),
    ['Should be there', amount(shift.expected)],
    ['Counted', amount(shift.counted)],
    ['Difference', amount(shift.difference)],
    ['Note', shift.note || null],
  ];
}
