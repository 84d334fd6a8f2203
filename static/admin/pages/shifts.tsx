/** The drawer: opened, cash put in and taken out, counted blind and closed; the shifts before. */
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { closeShift, currentShift, listShifts } from '../../../src/contract/shifts.ts';
import { post } from '../lib/api.ts';
import { type Loaded, useApi } from '../lib/data.ts';
import { dateTime, money } from '../lib/format.ts';
import { go } from '../lib/route.ts';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Amount, Field, Form } from '../ui/form.tsx';
import { Facts, Section } from '../ui/page.tsx';
import { Pagination, usePagePath } from '../ui/pagination.tsx';
import { OpeningFloat, openShift } from '../ui/prompts.tsx';
import { List, WhenLoaded } from '../ui/table.tsx';
import { postAndToast, showToast } from '../ui/toast.tsx';

export function OwnShift({ shift: loaded }: { shift: Loaded<ReplyOf<typeof currentShift>> }) {
  const { reload } = loaded;
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
                  ['Put in', money(shift.cash_in)],
                  ['Taken out', money(shift.cash_out)],
                ]}
              />
              <div class="actions">
                <Button onClick={() => moveCash('in', reload)}>Put cash in</Button>
                <Button onClick={() => moveCash('out', reload)}>Take cash out</Button>
                <Button onClick={countAndClose}>Count and close</Button>
              </div>
            </>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

/** What should be there is told afterwards: a count that knows it is no count. */
const countAndClose = () =>
  ask({
    title: 'Count and close your shift',
    text: <p>Count all the cash in the drawer. Lango then tells what should be there.</p>,
    fields: <Amount name="counted" label="Counted" required autoFocus />,
    act: 'Close shift',
    kind: 'primary',
    run: async values => {
      const { shift } = await post<ReplyOf<typeof closeShift>>('/admin/shifts/close/', values);
      go(`/shifts/${shift.id}`);
    },
  });

const moveCash = (direction: 'in' | 'out', done: () => void) =>
  ask({
    title: direction === 'in' ? 'Put cash into the drawer' : 'Take cash out of the drawer',
    fields: (
      <>
        <Amount name="amount" label="Amount" required autoFocus />
        <Field name="reason" label="Reason" hint="Goes onto the slip of the shift: change from the bank." required />
      </>
    ),
    act: direction === 'in' ? 'Put in' : 'Take out',
    kind: 'primary',
    run: async values => {
      await postAndToast('/admin/shifts/cash/', { ...values, direction });
      done();
    },
  });

export function Shifts() {
  const shifts = useApi<ReplyOf<typeof listShifts>>(usePagePath('/admin/shifts/'));
  const amount = (value: string | null) => (value === null ? '–' : money(value));
  return (
    <Section title="Shifts">
      <List
        label="Shifts"
        from={shifts}
        rowsOf={data => data.shifts}
        id={shift => shift.id}
        href={shift => `#/shifts/${shift.id}`}
        empty={<Empty icon="sell" title="No shift was opened yet." />}
        columns={[
          { label: 'Opened', cell: shift => dateTime(shift.opened_at) },
          { label: 'Who', cell: shift => shift.admin },
          { label: 'Closed', cell: shift => dateTime(shift.closed_at) },
          { label: 'Expected', number: true, cell: shift => amount(shift.expected) },
          { label: 'Counted', number: true, cell: shift => amount(shift.counted) },
          { label: 'Difference', number: true, cell: shift => amount(shift.difference) },
          { label: 'Note', cell: shift => shift.note },
        ]}
      />
      <Pagination total={shifts.data?.pagination.total ?? 0} />
    </Section>
  );
}
