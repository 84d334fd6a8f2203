/** What people, orders and messages are held to. */
import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { changeLimits, Limits as Held, LimitValues } from '../../../src/contract/settings.ts';
import { post } from '../lib/api.ts';
import { Field, Form, type Values } from '../ui/form.tsx';
import { Section } from '../ui/page.tsx';
import { showToast } from '../ui/toast.tsx';

const FIELDS: readonly (readonly [name: keyof LimitValues, label: string, hint: string])[] = [
  ['default_max_devices', 'Devices of a new person', '1 to 100. Who is there already keeps what they have.'],
  ['order_expiry_minutes', 'Minutes to pay an order', '5 to 1,440. After that, it counts as cancelled.'],
  ['sms_per_number_per_day', 'SMS a day to one number', 'What is beyond is not sent.'],
  ['sms_per_day', 'SMS a day in all', 'What is beyond is not sent. It bounds what messages may cost.'],
];

export function Limits({ limits, reload }: { limits: Held; reload: () => void }) {
  const [saved, setSaved] = useState(limits);
  async function save(values: Values) {
    const given = Object.fromEntries(FIELDS.map(([name]) => [name, values[name] === '' ? null : values[name]]));
    const reply = await post<ReplyOf<typeof changeLimits>>('/admin/settings/limits/', given);
    setSaved(reply.limits);
    showToast(reply.message);
    reload();
  }
  return (
    <div class="narrow">
      <Section title="Limits">
        <p class="muted">They hold at once. An empty field goes back to what is configured on the box.</p>
        <Form key={JSON.stringify(saved)} submit="Save" onSubmit={save} columns>
          {FIELDS.map(([name, label, hint]) => (
            <Field
              key={name}
              name={name}
              label={label}
              value={saved[name]}
              number="whole"
              hint={`${hint} Configured: ${saved.configured[name].toLocaleString('en')}.`}
            />
          ))}
        </Form>
      </Section>
    </div>
  );
}
