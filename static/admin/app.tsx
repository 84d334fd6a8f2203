/** The frame around the pages: who may see which, the way to them, and what lies over them. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Portal } from '../../src/contract/portal.ts';
import { now } from '../shared/clock.ts';
import { get } from './lib/api.ts';
import { business, businessOf, dateTime } from './lib/format.ts';
import { live } from './lib/live.ts';
import { useRoute } from './lib/route.ts';
import { session } from './lib/session.ts';
import { useStore } from './lib/store.ts';
import { home, Navigation } from './navigation.tsx';
import { Login } from './pages/login.tsx';
import { NotFound } from './pages/not-found.tsx';
import { Questions } from './ui/confirm.tsx';
import { Prompts } from './ui/prompts.tsx';
import { Skeleton } from './ui/table.tsx';
import { Toaster } from './ui/toast.tsx';

type Pages = Record<string, () => Promise<ComponentType<{ id: string }>>>;

/** By the first step of the path, and with a second step (an id) as `name/:id`; each comes when it is first opened. */
const PAGES: Pages = {
  dashboard: async () => (await import('./pages/dashboard.tsx')).Dashboard,
  desk: async () => (await import('./pages/desk.tsx')).Desk,
  online: async () => (await import('./pages/online.tsx')).Online,
  users: async () => (await import('./pages/users.tsx')).Users,
  'users/:id': async () => (await import('./pages/user.tsx')).UserPage,
  payments: async () => (await import('./pages/payments.tsx')).Payments,
  'payments/:id': async () => (await import('./pages/payment.tsx')).PaymentPage,
  sell: async () => (await import('./pages/sell.tsx')).Sell,
  'receipts/:id': async () => (await import('./pages/receipt.tsx')).ReceiptPage,
  'shifts/:id': async () => (await import('./pages/shift.tsx')).ShiftPage,
  bundles: async () => (await import('./pages/bundles.tsx')).Bundles,
  vouchers: async () => (await import('./pages/vouchers.tsx')).Vouchers,
  'batches/:id': async () => (await import('./pages/batch.tsx')).BatchPage,
  'print/:id': async () => (await import('./pages/print.tsx')).PrintSheet,
  router: async () => (await import('./pages/router.tsx')).RouterPage,
  'router/:id': async () => (await import('./pages/router.tsx')).RouterPage,
  reports: async () => (await import('./pages/reports.tsx')).Reports,
  sms: async () => (await import('./pages/sms.tsx')).SmsPage,
  webhooks: async () => (await import('./pages/webhooks.tsx')).Webhooks,
  audit: async () => (await import('./pages/audit.tsx')).AuditLog,
  admins: async () => (await import('./pages/admins.tsx')).Admins,
  account: async () => (await import('./pages/account.tsx')).Account,
  settings: async () => (await import('./pages/settings.tsx')).Settings,
};

export function App() {
  const current = useStore(session);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    // Without names and units the pages still work; the next reload finds them.
    Promise.all([get<Portal>('/portal/'), get('/health/')])
      .then(([portal]) => business.set(businessOf(portal)))
      .catch(() => undefined)
      .finally(() => setReady(true));
  }, []);
  if (!ready) return null;
  return (
    <>
      {current === null ? <Login /> : <Frame />}
      {current !== null && <Questions />}
      {current !== null && <Prompts />}
      <Toaster />
    </>
  );
}

function Frame() {
  const { path } = useRoute();
  const [first = home(), id] = path;
  const name = id === undefined ? first : `${first}/:id`;
  const [shown, setShown] = useState<{ name: string; Content: ComponentType<{ id: string }> } | null>(null);

  useEffect(() => {
    let wanted = true;
    const load = PAGES[name] ?? (async () => NotFound);
    void load()
      // A page that cannot be fetched is of an older version of Lango: the document brings the newer one.
      .catch(() => Unfetched)
      .then(Content => wanted && setShown({ name, Content }));
    return () => {
      wanted = false;
    };
  }, [name]);

  const isLost = useStore(live).by === 'lost';

  return (
    <div class={isLost ? 'frame lost' : 'frame'}>
      <a
        class="skip"
        href="#main"
        onClick={event => {
          event.preventDefault();
          document.querySelector<HTMLElement>('h1')?.focus();
        }}
      >
        Skip to the page
      </a>
      <Navigation current={first} />
      <div>
        {isLost && <Lost />}
        {business.get().sandbox && (
          <aside class="banner no-print" aria-label="Sandbox">
            <strong>SANDBOX: no real money moves.</strong> Who pays online here pays nothing.
          </aside>
        )}
        {shown?.name === name ? (
          <shown.Content key={`${name} ${id ?? ''}`} id={id ?? ''} />
        ) : (
          <main class="page">
            <Skeleton />
          </main>
        )}
      </div>
    </div>
  );
}

/** Over every page: what it shows is of then, and not of now. */
function Lost() {
  const { heardAt } = useStore(live);
  const since = now() - (performance.now() - heardAt);
  return (
    <aside class="banner gone no-print" aria-label="Connection">
      <p role="alert">
        <strong>No answer from Lango since {dateTime(new Date(since).toISOString()).replace('Today', 'today')}.</strong>{' '}
        What you see is as it was then.
      </p>
    </aside>
  );
}

function Unfetched() {
  return (
    <main class="page">
      <h1>This page could not be loaded</h1>
      <p>Lango may have been updated, or the connection broke.</p>
      <button type="button" class="button primary" onClick={() => location.reload()}>
        Reload
      </button>
    </main>
  );
}
