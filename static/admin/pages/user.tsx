/** One person: how they stand, and everything staff can do about it. */
import type { ComponentChildren } from 'preact';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { Grant } from '../../../src/contract/grants.ts';
import type { showUser, UserDetail } from '../../../src/contract/users.ts';
import { put, remove } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { dateTime, hours } from '../lib/format.ts';
import { go } from '../lib/route.ts';
import { may } from '../lib/session.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field } from '../ui/form.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { Page, Stat } from '../ui/page.tsx';
import { hasTimeLeft, timeLeft, UserBadge, VoucherBadge } from '../ui/states.tsx';
import { Skeleton, Table } from '../ui/table.tsx';
import { Panel, Tabs, useTab } from '../ui/tabs.tsx';
import { postAndToast, runUnlessCancelled, showError, showToast } from '../ui/toast.tsx';
import { PAYMENT } from './payments.tsx';
import { Devices } from './user-devices.tsx';

const TABS = [
  ['devices', 'Devices'],
  ['payments', 'Payments'],
  ['time', 'Time given'],
  ['vouchers', 'Vouchers'],
] as const;

export function UserPage({ id }: { id: string }) {
  const { data, error, reload } = useApi<ReplyOf<typeof showUser>>(`/admin/users/${id}/`, { everyMs: 30_000 });
  const problem = error !== null && <Problem error={error} retry={reload} />;
  if (data !== null) return <Person user={data.user} problem={problem} reload={reload} />;
  return (
    <Page title="User" parent={['Users', '#/users']}>
      {problem || <Skeleton />}
    </Page>
  );
}

interface PartProps {
  user: UserDetail;
  reload: () => void;
}

function Person({ user, problem, reload }: PartProps & { problem: ComponentChildren }) {
  const tab = useTab(TABS);
  const path = `/admin/users/${user.id}`;

  async function setBlocked(isBlocked: boolean) {
    await put(`${path}/update/`, { is_active: !isBlocked });
    reload();
  }
  const blockOrFree = () =>
    setBlocked(user.is_active).then(
      () =>
        showToast(user.is_active ? `${user.phone_number} is blocked.` : `${user.phone_number} is free again.`, () =>
          setBlocked(!user.is_active),
        ),
      showError,
    );
  const disconnect = () =>
    runUnlessCancelled(`Disconnecting ${user.phone_number}`, async () => {
      await postAndToast(`${path}/disconnect/`);
      reload();
    });
  const erase = () =>
    ask({
      title: `Delete ${user.phone_number}?`,
      text: (
        <>
          <p>They go offline, lose the time that is left, and their number is erased. Payments stay for the books.</p>
          <p>This cannot be undone. To only stop them, block them instead.</p>
        </>
      ),
      act: 'Delete user',
      run: async () => {
        await remove(`${path}/delete/`);
        showToast('The user is deleted.');
        go('/users');
      },
    });

  return (
    <Page
      title={user.name === null ? user.phone_number : `${user.name} · ${user.phone_number}`}
      parent={['Users', '#/users']}
      state={<UserBadge user={user} />}
      actions={
        <>
          <LinkButton kind="primary" href={`#/sell?phone=${encodeURIComponent(user.phone_number)}`}>
            Sell
          </LinkButton>
          {may('staff') && <Button onClick={() => extend(user, reload)}>Give time</Button>}
          {may('staff') && <Button onClick={() => edit(user, reload)}>Edit</Button>}
          <Button onClick={() => describe(user, reload)}>Name and note</Button>
          <Button onClick={disconnect}>Disconnect</Button>
          {may('staff') && (
            <Button kind={user.is_active ? 'danger' : 'plain'} onClick={blockOrFree}>
              {user.is_active ? 'Block' : 'Unblock'}
            </Button>
          )}
        </>
      }
    >
      {problem}
      {user.note !== null && <Notice tone="calm">{user.note}</Notice>}
      {!user.is_active && (
        <Notice tone="warn">
          Blocked: no internet, whatever was paid. Paid time runs on meanwhile; what is left of it then is theirs again
          once unblocked.
        </Notice>
      )}
      <div class="stats">
        <Stat
          label={user.is_active ? 'Access until' : 'Paid until'}
          value={dateTime(user.paid_until)}
          note={timeLeft(user)}
        />
        <Stat
          label="Online now"
          value={user.router_connected ? user.sessions.length : '–'}
          note={
            user.router_connected
              ? user.sessions.map(session => session.address).join(', ') || 'no device'
              : 'the router does not answer'
          }
        />
        <Stat label="Devices" value={`${user.device_count} of ${user.max_devices}`} />
        <Stat label="Payments" value={user.payment_count} note={`first seen ${dateTime(user.created_at)}`} />
      </div>
      <Tabs label="About this user" tabs={TABS} />
      <Panel name={tab}>
        {tab === 'devices' && <Devices user={user} reload={reload} />}
        {tab === 'payments' && <PaymentsOf user={user} />}
        {tab === 'time' && <GrantsOf user={user} />}
        {tab === 'vouchers' && <VouchersOf user={user} />}
      </Panel>
      {may('staff') && (
        <p>
          <Button small kind="danger" onClick={erase}>
            Delete user
          </Button>
        </p>
      )}
    </Page>
  );
}

function PaymentsOf({ user }: { user: UserDetail }) {
  return (
    <Table
      label="Payments"
      rows={user.payments}
      empty={<Empty icon="payments" title="No payments yet." />}
      id={payment => payment.id}
      href={payment => `#/payments/${payment.id}`}
      columns={[PAYMENT.bundle, PAYMENT.state, PAYMENT.amount, PAYMENT.started, PAYMENT.paid, PAYMENT.reference]}
    />
  );
}

const SOURCES: Record<Grant['source'], string> = {
  payment: 'Payment',
  voucher: 'Voucher',
  admin: 'Given by staff',
  refund: 'Taken back by a refund',
};

function GrantsOf({ user }: { user: UserDetail }) {
  return (
    <Table
      label="Time given"
      rows={user.grants}
      empty={<Empty icon="audit" title="No time was ever given." />}
      id={grant => grant.id}
      columns={[
        {
          label: 'From what',
          cell: grant => (
            <>
              {SOURCES[grant.source]}
              {grant.reason !== '' && <small>{grant.reason}</small>}
            </>
          ),
        },
        {
          label: 'Time',
          number: true,
          cell: grant => `${grant.hours < 0 ? '− ' : '+ '}${hours(Math.abs(grant.hours))}`,
        },
        { label: 'From', cell: grant => dateTime(grant.starts_at) },
        { label: 'Until', cell: grant => dateTime(grant.ends_at) },
        { label: 'By', cell: grant => grant.by },
      ]}
    />
  );
}

function VouchersOf({ user }: { user: UserDetail }) {
  return (
    <Table
      label="Vouchers"
      rows={user.vouchers}
      empty={<Empty icon="vouchers" title="No voucher was used." />}
      id={voucher => voucher.id}
      columns={[
        { label: 'Code', cell: voucher => <span class="code">{voucher.code}</span> },
        { label: 'State', cell: voucher => <VoucherBadge voucher={voucher} /> },
        { label: 'Bundle', cell: voucher => voucher.bundle },
        { label: 'Used', cell: voucher => dateTime(voucher.used_at) },
      ]}
    />
  );
}

const extend = (user: UserDetail, done: () => void) =>
  ask({
    title: `Give time to ${user.phone_number}`,
    text: (
      <p>
        {hasTimeLeft(user) ? `It is added to the end: ${dateTime(user.paid_until)}.` : 'It starts now.'}{' '}
        {user.is_active ? 'The person is online at once.' : 'Whoever is blocked stays offline until unblocked.'}
      </p>
    ),
    fields: (
      <>
        <Field name="hours" label="Hours" number="decimal" hint="0.5 is half an hour." required autoFocus />
        <Field name="reason" label="Reason" hint="Goes into the books: paid, but the network was down." required />
      </>
    ),
    act: 'Give time',
    kind: 'primary',
    run: async values => {
      await postAndToast(`/admin/users/${user.id}/grant/`, values);
      done();
    },
  });

const describe = (user: UserDetail, done: () => void) =>
  ask({
    title: `Who is ${user.phone_number}?`,
    text: <p>Only staff see this, and find the person by it. It goes with the person when they are deleted.</p>,
    fields: (
      <>
        <Field name="name" label="Name" value={user.name} autoFocus />
        <Field name="note" label="Note" value={user.note} hint="Pays on Fridays; her son’s phone is the second one." />
      </>
    ),
    act: 'Save',
    kind: 'primary',
    run: async values => {
      await postAndToast(`/admin/users/${user.id}/describe/`, values);
      done();
    },
  });

const edit = (user: UserDetail, done: () => void) =>
  ask({
    title: `Edit ${user.phone_number}`,
    fields: (
      <>
        <Field name="phone_number" label="Phone number" type="tel" value={user.phone_number} required />
        <Field
          name="max_devices"
          label="Devices at most"
          value={user.max_devices}
          number="whole"
          hint="How many may be registered at the same time."
          required
        />
      </>
    ),
    act: 'Save',
    kind: 'primary',
    run: async values => {
      await put(`/admin/users/${user.id}/update/`, { ...values, expected_version: user.version });
      showToast('Saved.');
      done();
    },
  });
