/** What the owner asks of people with more than one phone, and of cashiers. */
import type { CashierRules, DevicePolicy, Settings } from '../../../src/contract/settings.ts';
import { Check, Field, Form, Select } from '../ui/form.tsx';
import { Section } from '../ui/page.tsx';
import { postAndToast } from '../ui/toast.tsx';

export function Rules({ settings: { devices, cashiers } }: { settings: Settings }) {
  return (
    <div class="two">
      <Devices rules={devices} />
      <Cashiers rules={cashiers} />
    </div>
  );
}

function Devices({ rules }: { rules: DevicePolicy }) {
  return (
    <Section title="Phones of one number">
      <p class="muted">
        Anybody can learn a phone number. Proof is what only the payer knows: an order number, a transaction number, a
        voucher code, or a code that Lango sends by SMS.
      </p>
      <Form submit="Save" onSubmit={values => postAndToast('/admin/settings/devices/', values)}>
        <Select
          name="device_swap"
          label="To take another phone’s place"
          value={rules.device_swap}
          options={[
            ['with_proof', 'Proof is needed'],
            ['when_away', 'No proof when the other was away for 24 hours'],
          ]}
          hint="A phone that paid always gets its place back, and may free another one."
        />
        <Select
          name="new_devices"
          label="To join where there is room"
          value={rules.new_devices}
          options={[
            ['by_number', 'The number is enough'],
            ['with_proof', 'Proof is needed'],
          ]}
          hint="If the number is enough, who knows it can use time that somebody else paid for."
        />
      </Form>
    </Section>
  );
}

function Cashiers({ rules }: { rules: CashierRules }) {
  return (
    <Section title="Cashiers">
      <Form
        submit="Save"
        onSubmit={({ sell_within_shift: within, vouchers_per_day: most }) =>
          postAndToast('/admin/settings/cashiers/', {
            sell_within_shift: within !== undefined,
            vouchers_per_day: most,
          })
        }
      >
        <Check
          name="sell_within_shift"
          label="Sell only within an open shift"
          hint="Every sale then belongs to a drawer that somebody counts."
          checked={rules.sell_within_shift}
        />
        <Field
          name="vouchers_per_day"
          label="Vouchers that a cashier makes in a day"
          value={rules.vouchers_per_day}
          number="whole"
          hint="At most. Whoever needs more asks a colleague who is no cashier."
          required
        />
      </Form>
    </Section>
  );
}
