/** Who is on the Wi-Fi at this moment, as the routers say: one at a time, where there are several. */
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { activeUsers, RouterSession } from '../../../src/contract/router.ts';
import type { readStatus } from '../../../src/contract/system.ts';
import { withQuery } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { bytes, count, many } from '../lib/format.ts';
import { live } from '../lib/live.ts';
import { useFilter } from '../lib/route.ts';
import { may } from '../lib/session.ts';
import { useStore } from '../lib/store.ts';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { SearchFilter, SelectFilter } from '../ui/filters.tsx';
import { Page, Stat } from '../ui/page.tsx';
import { List } from '../ui/table.tsx';
import { postAndToast, runUnlessCancelled } from '../ui/toast.tsx';

const EVERY_MS = 5_000;

export function Online() {
  const site = useApi<ReplyOf<typeof readStatus>>('/admin/status/');
  const [chosen] = useFilter('router');
  const routers = site.data?.status.routers ?? [];
  const shown = routers.find(({ router_id }) => String(router_id) === chosen) ?? routers[0];
  return (
    <Page title="Online now">
      {routers.length > 1 && (
        <div class="search-field">
          <SelectFilter
            name="router"
            label="Router"
            options={routers.map(({ router_id, name }) => [router_id, name] as const)}
          />
        </div>
      )}
      {/* What one router said is not shown for the other. */}
      <Sessions key={chosen} router={chosen} place={routers.length > 1 ? ` on ${shown?.name}` : ''} />
    </Page>
  );
}

/** @param place in words, where there are several */
function Sessions({ router, place }: { router: string; place: string }) {
  const path = withQuery('/admin/router/active-users/', { router_id: router });
  const sessions = useApi<ReplyOf<typeof activeUsers>>(path, { everyMs: EVERY_MS });
  const [search] = useFilter('search');
  const { values } = useStore(live);
  const all = sessions.data?.active_users ?? [];
  const sum = (name: 'bytes-in' | 'bytes-out') => all.reduce((total, session) => total + Number(session[name]), 0);
  const matches = (session: RouterSession) =>
    [session.user, session.address, session['mac-address']].some(text =>
      text.toLowerCase().includes(search.trim().toLowerCase().replace(/^\+/, '')),
    );

  const disconnect = (session: RouterSession) =>
    runUnlessCancelled(`Disconnecting ${session.user}`, async () => {
      await postAndToast('/admin/router/disconnect-user/', { username: session.user });
      sessions.reload();
    });
  const disconnectAll = () =>
    ask({
      title: 'Disconnect everyone?',
      text: (
        <p>
          {many(all.length, 'session')}
          {place} will end. Whoever has paid time left may come back at once.
        </p>
      ),
      act: 'Disconnect everyone',
      run: async () => {
        await postAndToast('/admin/router/disconnect-all/', router === '' ? {} : { router_id: router });
        sessions.reload();
      },
    });

  return (
    <>
      <div class="stats">
        <Stat label="Sessions" value={sessions.data === null ? '–' : count(sessions.data.total_count)} />
        <Stat label="With paid time" value={values === null ? '–' : count(values.active_users)} note="online or not" />
        <Stat label="Sent by phones" value={bytes(sum('bytes-in'))} />
        <Stat label="Sent to phones" value={bytes(sum('bytes-out'))} />
      </div>
      {all.length > 0 && (
        <div class="search-field" role="search">
          <SearchFilter name="search" label="Phone, IP or MAC address" />
        </div>
      )}
      <List
        label="Sessions"
        from={sessions}
        rowsOf={data => data.active_users.filter(matches)}
        id={session => session.id}
        empty={
          search === '' ? (
            <Empty icon="online" title="Nobody is online.">
              <p>Sessions appear here within five seconds.</p>
            </Empty>
          ) : (
            <Empty icon="search" title="No session matches." />
          )
        }
        columns={[
          {
            label: 'User',
            cell: session => (
              <a href={`#/users?search=${encodeURIComponent(session.user.replace(/-\d+$/, ''))}`}>{session.user}</a>
            ),
          },
          { label: 'Online for', cell: session => session['session-time'] },
          { label: 'IP address', cell: session => session.address },
          { label: 'MAC address', cell: session => <span class="code">{session['mac-address']}</span> },
          { label: 'Sent', number: true, cell: session => bytes(session['bytes-in']) },
          { label: 'Received', number: true, cell: session => bytes(session['bytes-out']) },
        ]}
        actions={session => (
          <Button small kind="danger" label={`Disconnect ${session.user}`} onClick={() => disconnect(session)}>
            Disconnect
          </Button>
        )}
      />
      {all.length > 0 && may('staff') && (
        <p>
          <Button small kind="danger" onClick={disconnectAll}>
            Disconnect everyone
          </Button>
        </p>
      )}
    </>
  );
}
