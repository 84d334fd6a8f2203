/** What the business shows of itself, and how the appliance is configured. */
import { useState } from 'preact/hooks';
import type { Portal } from '../../../src/contract/portal.ts';
import type { Settings } from '../../../src/contract/settings.ts';
import { get, post } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { ago, business, businessOf, dateTime } from '../lib/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Field, Form, Select, type Values } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { WhenLoaded } from '../ui/table.tsx';
import { Panel, Tabs, useTab } from '../ui/tabs.tsx';
import { showToast } from '../ui/toast.tsx';
import { useTrial } from '../ui/trial.tsx';
import { LANGUAGES } from './languages.ts';
import { Limits } from './settings-limits.tsx';
import { Messages } from './settings-messages.tsx';
import { Rules } from './settings-rules.tsx';

const TABS = [
  ['business', 'Business'],
  ['messages', 'Messages'],
  ['limits', 'Limits'],
  ['rules', 'Rules'],
] as const;

export function Settings() {
  const settings = useApi<{ settings: Settings }>('/admin/settings/');
  const tab = useTab(TABS);
  const { data, reload } = settings;
  return (
    <Page title="Settings">
      {data !== null && !data.settings.clock.trusted && <WrongClock clock={data.settings.clock} reload={reload} />}
      <Tabs label="Settings" tabs={TABS} />
      <Panel name={tab}>
        <WhenLoaded from={settings}>
          {({ settings: shown }) => (
            <>
              {tab === 'business' && <Business settings={shown} />}
              {tab === 'messages' && <Messages settings={settings} />}
              {tab === 'limits' && <Limits limits={shown.limits} reload={reload} />}
              {tab === 'rules' && <Rules settings={shown} />}
            </>
          )}
        </WhenLoaded>
      </Panel>
    </Page>
  );
}

function Business({ settings }: { settings: Settings }) {
  const health = useApi<{ version: string }>('/health/');
  return (
    <div class="two">
      <Branding branding={settings.branding} language={settings.system.language_code} />
      <div class="stack">
        <Clock settings={settings} />
        <Providers settings={settings} />
        <Section title="Lango">
          <Facts
            facts={[
              ['Version', health.data?.version ?? '–'],
              ['Currency', business.get().currency],
            ]}
          />
          <p class="small-print">What is not asked for here is set on the box itself, in its configuration file.</p>
        </Section>
      </div>
    </div>
  );
}

interface BrandingProps {
  branding: Settings['branding'];
  language: string;
}

function Branding({ branding, language }: BrandingProps) {
  const [logo, setLogo] = useState(branding.logo_url);
  async function save(values: Values) {
    await post('/admin/settings/branding/', {
      business_name: values['business_name'],
      primary_color: values['primary_color'],
      language: values['language'],
      logo_url: logo,
      support_phone: values['support_phone'] || null,
      network_name: values['network_name'] || null,
      terms_url: values['terms_url'] || null,
    });
    business.set(businessOf(await get<Portal>('/portal/')));
    showToast('Saved. The portal shows it from now on.');
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
          hint="Customers see it when something goes wrong, and on vouchers and receipts."
        />
        <Field
          name="network_name"
          label="Name of the Wi-Fi"
          value={branding.network_name}
          hint="As phones list it. It is printed on vouchers and receipts."
        />
        <Logo value={logo} change={setLogo} />
        <Field name="terms_url" label="Address of your terms" value={branding.terms_url} />
      </Form>
    </Section>
  );
}

/** As much as the portal can bring along to a phone that is not online yet. */
const LARGEST_LOGO_KB = 24;

/** The picture travels inside the setting itself: the portal may fetch nothing from elsewhere. */
function Logo({ value, change }: { value: string | null; change: (value: string | null) => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  function read(file: File | undefined) {
    if (file === undefined) return;
    if (file.size > LARGEST_LOGO_KB * 1_024) {
      setProblem(`This picture has ${Math.ceil(file.size / 1_024)} KB. Choose one of ${LARGEST_LOGO_KB} KB at most.`);
      return;
    }
    const reader = new FileReader();
    reader.onload = () => {
      if (typeof reader.result !== 'string') return;
      setProblem(null);
      change(reader.result);
    };
    reader.readAsDataURL(file);
  }
  return (
    <div class="field">
      <label for="logo">
        Logo<span class="optional"> optional</span>
      </label>
      {value !== null && (
        <p class="logo">
          <img src={value} alt="The logo as it is" />
          <Button small onClick={() => change(null)}>
            Remove
          </Button>
        </p>
      )}
      <input
        id="logo"
        type="file"
        accept="image/png,image/jpeg,image/webp,image/svg+xml"
        aria-describedby="logo-hint"
        onChange={event => read(event.currentTarget.files?.[0])}
      />
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p class="hint" id="logo-hint">
        A square picture of {LARGEST_LOGO_KB} KB at most.
      </p>
    </div>
  );
}

function WrongClock({ clock, reload }: { clock: Settings['clock']; reload: () => void }) {
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
        showToast('The clock is confirmed.');
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

function Clock({ settings: { clock, system } }: { settings: Settings }) {
  return (
    <Section
      title="Clock"
      actions={<Badge tone={clock.trusted ? 'good' : 'warn'}>{clock.trusted ? 'Trusted' : 'Not certain'}</Badge>}
    >
      <Facts
        facts={[
          ['Lango’s time', dateTime(clock.believed_time)],
          ['Time zone', system.time_zone],
        ]}
      />
    </Section>
  );
}

function Providers({ settings: { payment_provider: payment, sms_provider: sms } }: { settings: Settings }) {
  const check = useTrial('/admin/settings/check-provider/');
  return (
    <Section
      title="Providers"
      actions={
        <Button small busy={check.busy} onClick={check.run}>
          Check the payment key
        </Button>
      }
    >
      {check.notice}
      <Facts
        facts={[
          ['Payments', `${payment.provider}, ${payment.environment}`],
          ['Payment key', payment.api_key_configured ? 'set' : 'missing'],
          ['Last notification', payment.last_webhook_at === null ? 'none yet' : ago(payment.last_webhook_at)],
          ['SMS', sms.provider],
          ['SMS sender', sms.sender_id || '–'],
        ]}
      />
      <p>
        The provider sends notifications to <code>{payment.webhook_url}</code>
      </p>
    </Section>
  );
}
