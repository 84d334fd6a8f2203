/** The way to every page that the role may see: beside the page on wide screens, below it on a phone. */
import { useEffect, useState } from 'preact/hooks';
import type { Role } from '../../src/contract/endpoint.ts';
import { post } from './lib/api.ts';
import { business, count } from './lib/format.ts';
import { live } from './lib/live.ts';
import { useRoute } from './lib/route.ts';
import { forgetSession, may, session } from './lib/session.ts';
import { useStore } from './lib/store.ts';
import { Button } from './ui/button.tsx';
import { Dialog } from './ui/dialog.tsx';
import { Icon, type IconName, Mark } from './ui/icon.tsx';

interface Entry {
  name: string;
  label: string;
  icon: IconName;
  role: Role;
  /** The pages that belong to it. */
  also?: readonly string[];
}

const DASHBOARD: Entry = { name: 'dashboard', label: 'Dashboard', icon: 'dashboard', role: 'cashier' };
const SELL: Entry = { name: 'sell', label: 'Cash sale', icon: 'sell', role: 'cashier', also: ['shifts'] };

const DAILY: readonly Entry[] = [
  { name: 'desk', label: '“I paid”', icon: 'search', role: 'cashier' },
  { name: 'online', label: 'Online now', icon: 'online', role: 'cashier' },
  { name: 'users', label: 'Users', icon: 'users', role: 'cashier' },
  { name: 'payments', label: 'Payments', icon: 'payments', role: 'cashier', also: ['receipts'] },
  { name: 'vouchers', label: 'Vouchers', icon: 'vouchers', role: 'cashier', also: ['batches'] },
  { name: 'bundles', label: 'Bundles', icon: 'bundles', role: 'cashier' },
];

const BEHIND: readonly Entry[] = [
  { name: 'reports', label: 'Reports', icon: 'reports', role: 'staff' },
  { name: 'router', label: 'Router', icon: 'router', role: 'staff' },
  { name: 'sms', label: 'SMS', icon: 'sms', role: 'staff' },
  { name: 'webhooks', label: 'Webhook log', icon: 'webhooks', role: 'staff' },
  { name: 'audit', label: 'Audit log', icon: 'audit', role: 'owner' },
  { name: 'admins', label: 'Admins', icon: 'admins', role: 'owner' },
  { name: 'settings', label: 'Settings', icon: 'settings', role: 'owner' },
];

/** Whoever only sells begins with that. The first is where a login leads to. */
const daily = (): readonly [Entry, ...Entry[]] =>
  may('staff') ? [DASHBOARD, SELL, ...DAILY] : [SELL, DASHBOARD, ...DAILY];

export const home = (): string => daily()[0].name;

/** On a phone these are always in reach, after the first; the rest is in the drawer. */
const atHand = () => [may('staff') ? 'users' : 'desk', 'payments', 'vouchers'];

export function Navigation({ current }: { current: string }) {
  const [open, setOpen] = useState(false);
  const route = useRoute();
  useEffect(() => setOpen(false), [route]);
  return (
    <>
      <nav class="side" aria-label="Pages">
        <Brand />
        <Ways current={current} />
      </nav>
      <nav class="bottom" aria-label="Pages">
        <ul>
          {daily()
            .filter(({ name }, index) => index === 0 || atHand().includes(name))
            .map(entry => (
              <Item key={entry.name} entry={entry} current={current} />
            ))}
          <li>
            <button type="button" onClick={() => setOpen(true)} aria-haspopup="dialog">
              <Icon name="more" />
              <span>More</span>
            </button>
          </li>
        </ul>
      </nav>
      {open && (
        <Dialog title={business.get().name} drawer onClose={() => setOpen(false)}>
          <nav class="in-drawer" aria-label="All pages">
            <Ways current={current} />
          </nav>
        </Dialog>
      )}
    </>
  );
}

function Ways({ current }: { current: string }) {
  return (
    <>
      <Entries entries={daily()} current={current} />
      <Entries entries={BEHIND} current={current} title="Behind the counter" />
      <Foot current={current} />
    </>
  );
}

function Brand() {
  const { name } = useStore(business);
  return (
    <a class="brand" href="#/">
      <Mark />
      <span>{name}</span>
    </a>
  );
}

function Entries({ entries, current, title }: { entries: readonly Entry[]; current: string; title?: string }) {
  const shown = entries.filter(({ role }) => may(role));
  if (shown.length === 0) return null;
  return (
    <>
      {title !== undefined && <p class="nav-title">{title}</p>}
      <ul>
        {shown.map(entry => (
          <Item key={entry.name} entry={entry} current={current} />
        ))}
      </ul>
    </>
  );
}

function Item({ entry, current }: { entry: Entry; current: string }) {
  const { values } = useStore(live);
  const isCurrent = entry.name === current || entry.also?.includes(current) === true;
  const number = { online: values?.online, payments: values?.pending_payments }[entry.name];
  return (
    <li>
      <a href={`#/${entry.name}`} aria-current={isCurrent ? 'page' : undefined}>
        <Icon name={entry.icon} />
        <span>{entry.label}</span>
        {number !== undefined && number > 0 && (
          <b class="nav-count">
            {count(number)}
            {entry.name === 'payments' && <span class="unseen"> pending</span>}
          </b>
        )}
      </a>
    </li>
  );
}

function Foot({ current }: { current: string }) {
  const user = useStore(session)?.user;
  return (
    <div class="nav-foot">
      <Pulse />
      <ul>
        <li>
          <a href="#/account" aria-current={current === 'account' ? 'page' : undefined}>
            <Icon name="account" />
            <span>{user?.username}</span>
          </a>
        </li>
      </ul>
      <Button
        kind="quiet"
        small
        icon="logout"
        onClick={() => {
          // Whatever the server answers, this browser forgets the token.
          post('/auth/logout/')
            .catch(() => undefined)
            .finally(() => forgetSession());
        }}
      >
        Log out
      </Button>
    </div>
  );
}

const PULSE = {
  nothing: ['off', 'Connecting…'],
  stream: ['good', 'Live'],
  polling: ['good', 'Every 10 seconds'],
  lost: ['bad', 'No connection'],
} as const;

/** Whether the numbers on the page are of now. */
function Pulse() {
  const [tone, text] = PULSE[useStore(live).by];
  return (
    <p class={`pulse ${tone}`} role="status">
      {text}
    </p>
  );
}
