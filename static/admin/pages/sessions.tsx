import type { AdminSession } from '../../../src/contract/admins.ts';
import { post } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { ago, dateTime } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { List } from '../ui/table.tsx';
import { runUnlessCancelled, showToast } from '../ui/toast.tsx';

/** Where somebody is logged in; each place can be logged out. */
export function SessionList({ adminId }: { adminId: number }) {
  const sessions = useApi<{ sessions: AdminSession[] }>(`/admin/admins/${adminId}/sessions/`);
  const end = (ended: AdminSession) =>
    runUnlessCancelled(`Logging out ${browserOf(ended)}`, async () => {
      await post(`/admin/sessions/${ended.id}/end/`);
      showToast('That session has ended.');
      sessions.reload();
    });
  return (
    <List
      label="Sessions"
      from={sessions}
      rowsOf={data => data.sessions}
      id={session => session.id}
      empty={<Empty icon="account" title="Not logged in anywhere." />}
      columns={[
        { label: 'Browser', cell: session => browserOf(session) },
        { label: 'From', cell: session => session.ip ?? '–' },
        { label: 'Since', cell: session => dateTime(session.created_at) },
        { label: 'Seen', cell: session => ago(session.last_seen_at) },
      ]}
      actions={session =>
        session.current ? (
          'this one'
        ) : (
          <Button small kind="danger" onClick={() => end(session)}>
            Log out
          </Button>
        )
      }
    />
  );
}

/** Enough of a user agent to know one's own phone by: `Chrome on Android`. */
function browserOf({ user_agent }: AdminSession): string {
  const agent = user_agent ?? '';
  const browser = /Edg|Firefox|Chrome|Safari/.exec(agent)?.[0]?.replace('Edg', 'Edge');
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0];
  if (browser === undefined) return agent.slice(0, 40) || 'Unknown browser';
  return system === undefined ? browser : `${browser} on ${system}`;
}
