/** The router: its state, its profiles, how Lango reaches it, and a restart. */
import { useState } from 'preact/hooks';
import type { RouterStatus } from '../../../src/contract/hotspot.ts';
import type { RouterConfiguration, RouterProfile, RouterResources } from '../../../src/contract/router.ts';
import { post } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { bytes } from '../lib/format.ts';
import { may } from '../lib/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Check, Field, Form, type Values } from '../ui/form.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { Facts, Page, Section, Stat } from '../ui/page.tsx';
import { List, Skeleton } from '../ui/table.tsx';
import { Panel, Tabs, useTab } from '../ui/tabs.tsx';
import { postAndToast, showToast } from '../ui/toast.tsx';
import { useTrial } from '../ui/trial.tsx';
import { SetUpPlan } from './router-plan.tsx';

const EVERY_MS = 5_000;

export function RouterPage() {
  const tabs = [
    ['status', 'Status'],
    ['profiles', 'Profiles'],
    ...(may('owner')
      ? ([
          ['configuration', 'Configuration'],
          ['plan', 'Set-up plan'],
        ] as const)
      : []),
  ] as const;
  const tab = useTab(tabs);
  return (
    <Page title="Router">
      <Tabs label="Router" tabs={tabs} />
      <Panel name={tab}>
        {tab === 'status' && <Status />}
        {tab === 'profiles' && <Profiles />}
        {tab === 'configuration' && <Configuration />}
        {tab === 'plan' && <SetUpPlan />}
      </Panel>
    </Page>
  );
}

function Status() {
  const status = useApi<RouterStatus>('/router/status/', { everyMs: EVERY_MS });
  const isUp = status.data?.connection_status === 'connected';
  const resources = useApi<{ system_resources: RouterResources }>(isUp ? '/admin/router/resources/' : null, {
    everyMs: EVERY_MS,
  });
  const reboot = () =>
    ask({
      title: 'Restart the router?',
      text: (
        <p>Everyone is offline for a minute or two. Their paid time runs on; they are let in again by themselves.</p>
      ),
      act: 'Restart the router',
      run: () => postAndToast('/admin/router/reboot/', { confirm: 'REBOOT_ROUTER' }),
    });
  if (status.error !== null) return <Problem error={status.error} retry={status.reload} />;
  if (status.data === null) return <Skeleton />;
  const { connection_details: details } = status.data;
  if (!isUp) {
    return (
      <Notice tone="bad">
        <p>{details.message}</p>
        <p>Check that the router is on and its cable is in, then that the configuration names its address and login.</p>
      </Notice>
    );
  }
  const shown = resources.data?.system_resources;
  const load = Number.parseInt(shown?.cpu_load ?? '0', 10);
  const used = shown === undefined ? 0 : 1 - memory(shown.free_memory) / memory(shown.total_memory);
  return (
    <>
      <div class="stats">
        <Stat label="Connection" value={<Badge tone="good">Connected</Badge>} note={details.message} />
        <Stat label="Online now" value={status.data.active_users} note={<a href="#/online">See who</a>} />
        <Stat
          label="Processor"
          value={shown === undefined ? '–' : `${load} %`}
          note={<Meter share={load / 100} label="Processor load" />}
        />
        <Stat
          label="Memory in use"
          value={shown === undefined ? '–' : `${Math.round(used * 100)} %`}
          note={<Meter share={used} label="Memory in use" />}
        />
      </div>
      <Section title={details.router_info?.identity ?? 'Router'}>
        <Facts
          facts={[
            ['Address', `${status.data.router_ip}, port ${status.data.router_port}`],
            ['Hotspot', status.data.hotspot_name || '–'],
            ['Board', shown?.board_name ?? '–'],
            ['RouterOS', shown?.version ?? '–'],
            ['Platform', shown?.platform ?? '–'],
            ['Up for', shown?.uptime ?? '–'],
            ['Free memory', shown === undefined ? '–' : `${size(shown.free_memory)} of ${size(shown.total_memory)}`],
          ]}
        />
        {may('owner') && (
          <Button kind="danger" small onClick={reboot}>
            Restart the router
          </Button>
        )}
      </Section>
    </>
  );
}

/** Bytes; the router may also write `212.4MiB`. */
function memory(text: string): number {
  const [, number = '0', unit = ''] = /^([\d.]+)\s*(K|M|G)?/i.exec(text) ?? [];
  return Number(number) * ({ K: 1_024, M: 1_024 ** 2, G: 1_024 ** 3 }[unit.toUpperCase()] ?? 1);
}
const size = (text: string) => bytes(memory(text));

function Meter({ share, label }: { share: number; label: string }) {
  return <meter min={0} max={1} high={0.85} value={share} aria-label={label} />;
}

function Profiles() {
  const profiles = useApi<{ profiles: RouterProfile[] }>('/admin/router/profiles/');
  const add = () =>
    ask({
      title: 'Add profile',
      fields: (
        <>
          <Field name="name" label="Name" required autoFocus />
          <Field name="rate_limit" label="Speed, up/down" hint="2M/5M" code />
          <Field name="session_timeout" label="Longest session" hint="8h. Bundles end by themselves." code />
          <Field name="idle_timeout" label="Idle until cut" hint="15m" code />
        </>
      ),
      columns: true,
      act: 'Add profile',
      kind: 'primary',
      run: async values => {
        const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
        await postAndToast('/admin/router/profiles/create/', given);
        profiles.reload();
      },
    });
  return (
    <>
      <div class="actions">
        {may('staff') && (
          <Button icon="plus" onClick={add}>
            Add profile
          </Button>
        )}
        <p class="muted">A profile sets the speed. Bundles may name one.</p>
      </div>
      <List
        label="Profiles"
        from={profiles}
        rowsOf={data => data.profiles}
        id={profile => profile.name}
        empty={<Empty icon="router" title="The router has no profiles." />}
        columns={[
          { label: 'Profile', cell: profile => profile.name },
          { label: 'Speed up/down', cell: profile => profile.rate_limit || 'no limit' },
          { label: 'Devices per login', number: true, cell: profile => profile.shared_users },
          { label: 'Longest session', cell: profile => profile.session_timeout || 'no limit' },
          { label: 'Idle until cut', cell: profile => profile.idle_timeout || '–' },
        ]}
      />
    </>
  );
}

function Configuration() {
  const config = useApi<{ configuration: RouterConfiguration }>('/admin/router/config/');
  const [saved, setSaved] = useState(0);
  const trial = useTrial('/admin/router/test-connection/');
  if (config.error !== null) return <Problem error={config.error} retry={config.reload} />;
  if (config.data === null) return <Skeleton />;
  const { configuration } = config.data;

  async function save(values: Values) {
    await post('/admin/router/config/', {
      router_ip: values['router_ip'],
      username: values['username'],
      api_port: values['api_port'],
      use_ssl: 'use_ssl' in values,
      ...(values['password'] ? { password: values['password'] } : {}),
      ssl_fingerprint: values['ssl_fingerprint'] || null,
      hotspot: values['hotspot'] || null,
      default_profile: values['default_profile'] || null,
    });
    showToast('The router answered. The configuration is kept.');
    trial.forget();
    config.reload();
    setSaved(saved + 1);
  }

  return (
    <div class="narrow">
      <Section
        title="How Lango reaches the router"
        actions={
          <Button small busy={trial.busy} onClick={trial.run}>
            Test what is saved
          </Button>
        }
      >
        {trial.notice}
        <p class="muted">It is tried before it is kept. If the router does not answer, nothing changes.</p>
        <Form key={saved} submit="Try and save" onSubmit={save} columns>
          <Field name="router_ip" label="Address" value={configuration.router_ip} required code />
          <Field name="api_port" label="API port" value={configuration.api_port} number="whole" required />
          <Field name="username" label="User name" value={configuration.username} autoComplete="off" required />
          <Field
            name="password"
            label="Password"
            type="password"
            autoComplete="new-password"
            hint={configuration.password_configured ? 'Empty: the one that is saved.' : 'None is saved yet.'}
          />
          <Field
            name="hotspot"
            label="Hotspot"
            value={configuration.hotspot}
            hint="Only where the router has several."
          />
          <Field name="default_profile" label="Default profile" value={configuration.default_profile} />
          <div class="wide">
            <Check name="use_ssl" label="Encrypt (api-ssl, port 8729)" checked={configuration.use_ssl} />
          </div>
          <div class="wide">
            <Field
              name="ssl_fingerprint"
              label="Fingerprint of the router’s certificate"
              value={configuration.ssl_fingerprint}
              hint="SHA-256. Lango then speaks with this router only."
              code
            />
          </div>
        </Form>
      </Section>
    </div>
  );
}
