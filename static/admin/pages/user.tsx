/** One person: how they stand, and everything staff can do about it. */

import { useState } from 'preact/hooks';
import { post, put, remove } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { ago, bytes, dateTime, hours, money, secondsUntil, span, words } from '../lib/format.ts';
import type { Device, Grant, UserDetail } from '../lib/records.ts';
import { go } from '../lib/route.ts';
import { may } from '../lib/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field, Form } from '../ui/form.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { Page, Stat } from '../ui/page.tsx';
import { PaymentBadge, UserBadge, VoucherBadge } from '../ui/states.tsx';
import { Skeleton, Table } from '../ui/table.tsx';
import { Panel, Tabs, useTab } from '../ui/tabs.tsx';
import { soon, tell, tellFailure } from '../ui/toast.tsx';

const TABS = [
  ['devices', 'Devices'],
  ['payments', 'Payments'],
  ['time', 'Time given'],
  ['vouchers', 'Vouchers'],
] as const;

type Act = 'extend' | 'edit' | null;

export function UserPage({ id }: { id: string }) {
  const { data, error, reload } = useApi<{ user: UserDetail }>(`/admin/users/${id}/`, { everyMs: 30_000 });
  const tab = useTab(TABS);
  const [act, setAct] = useState<Act>(null);
  const user = data?.user;

  async function setBlocked(isBlocked: boolean) {
    await put(`/admin/users/${id}/update/`, { is_active: !isBlocked });
    reload();
  }
  const blockOrFree = (shown: UserDetail) =>
    setBlocked(shown.is_active).then(
      () =>
        tell(shown.is_active ? `${shown.phone_number} is blocked.` : `${shown.phone_number} is free again.`, () =>
          setBlocked(!shown.is_active),
        ),
      tellFailure,
    );
  const disconnect = (shown: UserDetail) =>
    soon(`Disconnecting ${shown.phone_number}`, async () => {
      tell((await post<{ message: string }>(`/admin/users/${id}/disconnect/`)).message);
      reload();
    });
  const erase = (shown: UserDetail) =>
    ask({
      title: `Delete ${shown.phone_number}?`,
      text: (
        <>
          <p>They go offline, lose the time that is left, and their number is erased. Payments stay for the books.</p>
          <p>This cannot be undone. To only stop them, block them instead.</p>
        </>
      ),
      act: 'Delete user',
      typed: 'DELETE',
      run: async () => {
        await remove(`/admin/users/${id}/delete/`);
        tell('The user is deleted.');
        go('/users');
      },
    });

  return (
    <Page
      title={user?.phone_number ?? 'User'}
      parent={['Users', '#/users']}
      state={user !== undefined && <UserBadge user={user} />}
      actions={
        user !== undefined && (
          <>
            {may('staff') && <Button onClick={() => setAct('edit')}>Edit</Button>}
            {may('staff') && (
              <Button kind={user.is_active ? 'danger' : 'plain'} onClick={() => blockOrFree(user)}>
                {user.is_active ? 'Block' : 'Unblock'}
              </Button>
            )}
            <Button onClick={() => disconnect(user)}>Disconnect</Button>
            <LinkButton href={`#/sell?phone=${encodeURIComponent(user.phone_number)}`}>Sell</LinkButton>
            {may('staff') && (
              <Button kind="primary" onClick={() => setAct('extend')}>
                Give time
              </Button>
            )}
          </>
        )
      }
    >
      {error !== null && <Problem error={error} retry={reload} />}
      {user === undefined && error === null && <Skeleton />}
      {user !== undefined && (
        <>
          {!user.is_active && (
            <Notice tone="warn">
              Blocked: no internet, whatever was paid. Time that is left runs on, and is theirs again once unblocked.
            </Notice>
          )}
          <div class="stats">
            <Stat
              label="Access until"
              value={dateTime(user.paid_until)}
              note={
                user.paid_until === null
                  ? 'never had any'
                  : user.has_active_access
                    ? `${span(secondsUntil(user.paid_until))} left`
                    : `ended ${ago(user.paid_until)}`
              }
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
              <Button small kind="danger" onClick={() => erase(user)}>
                Delete user
              </Button>
            </p>
          )}
          {act === 'extend' && <ExtendDialog user={user} close={() => setAct(null)} done={reload} />}
          {act === 'edit' && <EditDialog user={user} close={() => setAct(null)} done={reload} />}
        </>
      )}
    </Page>
  );
}

interface PartProps {
  user: UserDetail;
  reload: () => void;
}

function Devices({ user, reload }: PartProps) {
  const [renamed, setRenamed] = useState<Device | null>(null);
  const sessionOf = (device: Device) => user.sessions.find(session => session['mac-address'] === device.mac_address);
  const drop = (device: Device) =>
    soon(`Removing ${device.device_name || device.mac_address}`, async () => {
      await post(`/admin/users/${user.id}/devices/remove/`, { mac_address: device.mac_address });
      tell('The device is removed. It is offline now, and its place is free.');
      reload();
    });
  const rename = async (device: Device, name: string) => {
    await post(`/admin/users/${user.id}/devices/rename/`, { mac_address: device.mac_address, device_name: name });
    reload();
  };
  const devices = user.devices.filter(device => device.is_active);
  if (devices.length === 0) {
    return (
      <Empty icon="online" title="No device is registered.">
        <p>One is added by itself when the person pays, uses a voucher or connects.</p>
      </Empty>
    );
  }
  return (
    <>
      <Table
        label="Devices"
        rows={devices}
        id={device => device.id}
        columns={[
          { label: 'Device', cell: device => device.device_name || 'Without a name' },
          {
            label: 'State',
            cell: device =>
              sessionOf(device) === undefined ? <Badge tone="off">Offline</Badge> : <Badge tone="good">Online</Badge>,
          },
          { label: 'MAC address', cell: device => <span class="code">{device.mac_address}</span> },
          { label: 'IP address', cell: device => device.ip_address || '–' },
          { label: 'Last seen', cell: device => ago(device.last_seen) },
          {
            label: 'Data',
            number: true,
            cell: device => {
              const live = sessionOf(device);
              return live === undefined ? '–' : bytes(Number(live['bytes-in']) + Number(live['bytes-out']));
            },
          },
          {
            label: 'Actions',
            actions: true,
            cell: device => (
              <>
                <Button small onClick={() => setRenamed(device)}>
                  Rename
                </Button>
                <Button small kind="danger" onClick={() => drop(device)}>
                  Remove
                </Button>
              </>
            ),
          },
        ]}
      />
      {renamed !== null && (
        <Dialog title="Rename device" onClose={() => setRenamed(null)}>
          <Form
            submit="Save name"
            onCancel={() => setRenamed(null)}
            onSubmit={async values => {
              const before = renamed.device_name;
              await rename(renamed, values['device_name'] ?? '');
              setRenamed(null);
              tell('The device has a new name.', () => rename(renamed, before));
            }}
          >
            <Field
              name="device_name"
              label="Name"
              value={renamed.device_name}
              hint={`Asha’s Tecno. For ${renamed.mac_address}.`}
              required
              autoFocus
            />
          </Form>
        </Dialog>
      )}
    </>
  );
}

function PaymentsOf({ user }: { user: UserDetail }) {
  if (user.payments.length === 0) return <Empty icon="payments" title="No payments yet." />;
  return (
    <Table
      label="Payments"
      rows={user.payments}
      id={payment => payment.id}
      href={payment => `#/payments/${payment.id}`}
      columns={[
        { label: 'Bundle', cell: payment => payment.bundle_name },
        { label: 'State', cell: payment => <PaymentBadge status={payment.status} /> },
        { label: 'Amount', number: true, cell: payment => money(payment.amount) },
        { label: 'Started', cell: payment => dateTime(payment.created_at) },
        { label: 'Paid', cell: payment => dateTime(payment.completed_at) },
        { label: 'Order', cell: payment => <span class="code">{payment.order_reference}</span> },
      ]}
    />
  );
}

const SOURCES: Record<string, string> = {
  payment: 'Payment',
  voucher: 'Voucher',
  admin: 'Given by staff',
  refund: 'Taken back by a refund',
  credit: 'Made good for an outage',
};

const lengthOf = (grant: Grant) => {
  const length = grant.hours ?? (grant.seconds ?? 0) / 3_600;
  return `${length < 0 ? '− ' : '+ '}${hours(Math.abs(length))}`;
};

function GrantsOf({ user }: { user: UserDetail }) {
  if (user.grants.length === 0) return <Empty icon="audit" title="No time was ever given." />;
  return (
    <Table
      label="Time given"
      rows={user.grants}
      id={grant => grant.id}
      columns={[
        {
          label: 'From what',
          cell: grant => (
            <>
              {SOURCES[grant.source] ?? words(grant.source)}
              {grant.reason && <small>{grant.reason}</small>}
            </>
          ),
        },
        { label: 'Time', number: true, cell: lengthOf },
        { label: 'From', cell: grant => dateTime(grant.starts_at) },
        { label: 'Until', cell: grant => dateTime(grant.ends_at) },
        { label: 'By', cell: grant => grant.by ?? '–' },
      ]}
    />
  );
}

function VouchersOf({ user }: { user: UserDetail }) {
  if (user.vouchers.length === 0) return <Empty icon="vouchers" title="No voucher was used." />;
  return (
    <Table
      label="Vouchers"
      rows={user.vouchers}
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

interface ActProps {
  user: UserDetail;
  close: () => void;
  done: () => void;
}

function ExtendDialog({ user, close, done }: ActProps) {
  return (
    <Dialog title={`Give time to ${user.phone_number}`} onClose={close}>
      <p>
        {user.has_active_access
          ? `It is added to the end: ${dateTime(user.paid_until)}.`
          : 'It starts now, and the person is online at once.'}
      </p>
      <Form
        submit="Give time"
        onCancel={close}
        onSubmit={async values => {
          const given = await post<{ message: string }>(`/admin/users/${user.id}/grant/`, {
            hours: Number(values['hours']) || values['hours'],
            reason: values['reason'],
          });
          tell(given.message);
          close();
          done();
        }}
      >
        <Field name="hours" label="Hours" inputMode="decimal" hint="0.5 is half an hour." required autoFocus />
        <Field name="reason" label="Reason" hint="Goes into the books: paid, but the network was down." required />
      </Form>
    </Dialog>
  );
}

function EditDialog({ user, close, done }: ActProps) {
  return (
    <Dialog title={`Edit ${user.phone_number}`} onClose={close}>
      <Form
        submit="Save"
        onCancel={close}
        onSubmit={async values => {
          await put(`/admin/users/${user.id}/update/`, {
            phone_number: values['phone_number'],
            max_devices: Number(values['max_devices']),
            expected_version: user.version,
          });
          tell('Saved.');
          close();
          done();
        }}
      >
        <Field name="phone_number" label="Phone number" type="tel" value={user.phone_number} required />
        <Field
          name="max_devices"
          label="Devices at most"
          value={user.max_devices}
          inputMode="numeric"
          hint="How many may be registered at the same time."
          required
        />
      </Form>
    </Dialog>
  );
}
