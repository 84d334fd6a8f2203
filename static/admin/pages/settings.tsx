/** What the business shows of itself, and how the appliance is configured. */
import { useState } from 'preact/hooks';
import { get, post } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { ago, business, dateTime } from '../lib/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Field, Form, Select, type Values } from '../ui/form.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { Skeleton } from '../ui/table.tsx';
import { tell } from '../ui/toast.tsx';

interface SettingsReply {
  router: { router_ip: string; hotspot_name: string; connection_status: string };
  payment_provider: {
    provider?: string;
    api_key_configured: boolean;
    webhook_url: string;
    environment: string;
    last_webhook_at?: string | null;
  };
  sms_provider: { provider?: string; api_key_configured: boolean; sender_id: string | null };
  system: { debug_mode: boolean; allowed_hosts: string[]; time_zone: string; language_code: string };
  branding: {
    business_name: string;
    logo_url: string | null;
    primary_color: string;
    support_phone: string | null;
    terms_url: string | null;
    language?: string;
  };
  clock: { trusted: boolean; wall_time: string; believed_time: string };
}

/** Each named in itself, as the portal's readers know it. */
const LANGUAGES = [
  ['en', 'English'],
  ['sw', 'Kiswahili'],
  ['fr', 'Français'],
  ['pt', 'Português'],
  ['es', 'Español'],
  ['ar', 'العربية'],
  ['hi', 'हिन्दी'],
] as const;

export function Settings() {
  const { data, error, reload } = useApi<{ settings: SettingsReply }>('/admin/settings/');
  const health = useApi<{ version: string }>('/health/');
  return (
    <Page title="Settings">
      {error !== null && <Problem error={error} retry={reload} />}
      {data === null && error === null && <Skeleton />}
      {data !== null && (
        <>
          {!data.settings.clock.trusted && <WrongClock clock={data.settings.clock} reload={reload} />}
          <div class="two">
            <Branding branding={data.settings.branding} language={data.settings.system.language_code} />
            <div class="stack">
              <Clock settings={data.settings} />
              <Providers settings={data.settings} />
              <Section title="Lango">
                <Facts
                  facts={[
                    ['Version', health.data?.version ?? '–'],
                    ['Currency', business.get().currency],
                  ]}
                />
                <p class="small-print">
                  What is not asked for here is set on the box itself, in its configuration file.
                </p>
              </Section>
            </div>
          </div>
        </>
      )}
    </Page>
  );
}

interface BrandingProps {
  branding: SettingsReply['branding'];
  language: string;
}

function Branding({ branding, language }: BrandingProps) {
  async function save(values: Values) {
    await post('/admin/settings/branding/', {
      business_name: values['business_name'],
      primary_color: values['primary_color'],
      language: values['language'],
      logo_url: values['logo_url'] || null,
      support_phone: values['support_phone'] || null,
      terms_url: values['terms_url'] || null,
    });
    const portal = await get<{ business_name: string }>('/portal/');
    business.set({ ...business.get(), name: portal.business_name });
    tell('Saved. The portal shows it from now on.');
  }
  return (
    <Section title="What customers see">
      <Form submit="Save" onSubmit={save}>
        <Field name="business_name" label="Business name" value={branding.business_name} required />
        <Field
          name="primary_color"
          label="Colour"
          type="color"
          value={branding.primary_color}
          hint="Of the portal’s head and buttons."
          required
        />
        <Select
          name="language"
          label="Portal language"
          value={branding.language ?? language}
          options={LANGUAGES}
          hint="For phones whose own language the portal does not speak. Messages use it too."
        />
        <Field
          name="support_phone"
          label="Support phone"
          type="tel"
          value={branding.support_phone}
          hint="Customers see it when something goes wrong."
        />
        <Field
          name="logo_url"
          label="Address of the logo"
          value={branding.logo_url}
          hint="On this network: /logo.svg"
        />
        <Field name="terms_url" label="Address of your terms" value={branding.terms_url} />
      </Form>
    </Section>
  );
}

function WrongClock({ clock, reload }: { clock: SettingsReply['clock']; reload: () => void }) {
  const confirm = () =>
    ask({
      title: 'Is the clock right?',
      text: (
        <>
          <p>
            The box says it is <strong>{dateTime(clock.wall_time)}</strong>. Compare with your own watch.
          </p>
          <p>If you confirm a wrong time, paid time ends too early or too late for everyone.</p>
        </>
      ),
      act: 'The clock is right',
      run: async () => {
        await post('/admin/clock/confirm/');
        tell('The clock is confirmed.');
        reload();
      },
    });
  return (
    <Notice tone="warn">
      <p>
        The box’s clock jumped to {dateTime(clock.wall_time)}; Lango goes by {dateTime(clock.believed_time)} until
        somebody says what is right.
      </p>
      <Button small onClick={confirm}>
        Check the clock
      </Button>
    </Notice>
  );
}

function Clock({ settings: { clock, system } }: { settings: SettingsReply }) {
  const [asked] = useState(clock.believed_time);
  return (
    <Section
      title="Clock"
      actions={<Badge tone={clock.trusted ? 'good' : 'warn'}>{clock.trusted ? 'Trusted' : 'Not certain'}</Badge>}
    >
      <Facts
        facts={[
          ['Lango’s time', dateTime(asked)],
          ['Time zone', system.time_zone],
        ]}
      />
    </Section>
  );
}

function Providers({ settings: { payment_provider: payment, sms_provider: sms } }: { settings: SettingsReply }) {
  return (
    <Section title="Providers">
      <Facts
        facts={[
          ['Payments', `${payment.provider ?? '–'}, ${payment.environment}`],
          ['Payment key', payment.api_key_configured ? 'set' : 'missing'],
          ['Last notification', payment.last_webhook_at == null ? 'none yet' : ago(payment.last_webhook_at)],
          ['SMS', sms.provider ?? (sms.api_key_configured ? 'set' : 'none')],
          ['SMS sender', sms.sender_id || '–'],
        ]}
      />
      <p>
        The provider sends notifications to <code>{payment.webhook_url}</code>
      </p>
    </Section>
  );
}
