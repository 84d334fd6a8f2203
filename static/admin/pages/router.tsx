/** The routers of the site: of each its state, its profiles, how Lango reaches it, its set-up plan, and a restart. */
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { RouterStatus } from '../../../src/contract/hotspot.ts';
import type { RouterProfile, RouterResources } from '../../../src/contract/router.ts';
import type { RouterState } from '../../../src/contract/routers.ts';
import type { readStatus } from '../../../src/contract/system.ts';
import { withQuery } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { bytes, count } from '../lib/format.ts';
import { may } from '../lib/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field } from '../ui/form.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { Facts, Page, Section, Stat } from '../ui/page.tsx';
import { RouterBadge } from '../ui/states.tsx';
import { List, Skeleton, Table, WhenLoaded } from '../ui/table.tsx';
import { Panel, Tabs, useTab } from '../ui/tabs.tsx';
import { postAndToast } from '../ui/toast.tsx';
import { askForRouter, Configuration } from './router-configuration.tsx';
import { SetUpPlan } from './router-plan.tsx';

const EVERY_MS = 5_000;

/** The list, once there are two, and each of them by its number; the only one needs neither. */
export function RouterPage({ id }: { id: string }) {
  const site = useApi<ReplyOf<typeof readStatus>>('/admin/status/', { everyMs: EVERY_MS });
  const routers = site.data?.status.routers ?? [];
  const areSeveral = routers.length > 1;
  const router = areSeveral ? routers.find(({ router_id }) => String(router_id) === id) : routers[0];
  const isOneOfSeveral = areSeveral && router !== undefined;
  return (
    <Page
      title={isOneOfSeveral ? router.name : areSeveral ? 'Routers' : 'Router'}
      {...(isOneOfSeveral ? { parent: ['Routers', '#/router'] as const, state: <RouterBadge router={router} /> } : {})}
      actions={
        may('owner') &&
        !isOneOfSeveral && (
          <Button icon="plus" onClick={askForRouter}>
            Add router
          </Button>
        )
      }
    >
      <WhenLoaded from={site}>
        {() =>
          router === undefined ? (
            <Routers routers={routers} />
          ) : (
            <Router router={router} called={areSeveral ? router.name : 'the router'} changed={site.reload} />
          )
        }
      </WhenLoaded>
    </Page>
  );
}

function Routers({ routers }: { routers: readonly RouterState[] }) {
  return (
    <Table
      label="Routers"
      rows={routers}
      id={router => router.router_id}
      href={router => `#/router/${router.router_id}`}
      columns={[
        { label: 'Router', cell: router => router.name },
        {
          label: 'State',
          cell: router => (
            <>
              <RouterBadge router={router} />
              {router.connection_status !== 'connected' && router.problem !== null && <small>{router.problem}</small>}
            </>
          ),
        },
        { label: 'Online now', number: true, cell: router => count(router.online) },
      ]}
    />
  );
}

interface RouterProps {
  router: RouterState;
  /** Its name, where there are several. */
  called: string;
}

function Router({ changed, ...shown }: RouterProps & { changed: () => void }) {
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
    <>
      <Tabs label="Router" tabs={tabs} />
      <Panel name={tab}>
        {tab === 'status' && <Status {...shown} />}
        {tab === 'profiles' && <Profiles {...shown} />}
        {tab === 'configuration' && <Configuration {...shown} changed={changed} />}
        {tab === 'plan' && <SetUpPlan {...shown} />}
      </Panel>
    </>
  );
}

function Status({ router: { router_id }, called }: RouterProps) {
  const status = useApi<RouterStatus>(withQuery('/router/status/', { router_id }), { everyMs: EVERY_MS });
  const isUp = status.data?.connection_status === 'connected';
  const resources = useApi<{ system_resources: RouterResources }>(
    isUp ? withQuery('/admin/router/resources/', { router_id }) : null,
    { everyMs: EVERY_MS },
  );
  const reboot = () =>
    ask({
      title: `Restart ${called}?`,
      text: (
        <p>
          Everyone there is offline for a minute or two. Their paid time runs on; they are let in again by themselves.
        </p>
      ),
      act: 'Restart the router',
      run: () => postAndToast('/admin/router/reboot/', { router_id, confirm: 'REBOOT_ROUTER' }),
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
        <Stat
          label="Online now"
          value={status.data.active_users}
          note={<a href={`#/online?router=${router_id}`}>See who</a>}
        />
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

function Profiles({ router: { router_id } }: RouterProps) {
  const profiles = useApi<{ profiles: RouterProfile[] }>(withQuery('/admin/router/profiles/', { router_id }));
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
        await postAndToast('/admin/router/profiles/create/', { router_id, ...given });
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
