/** Who may work here, and what they may do. */
import { useState } from 'preact/hooks';
import type { Admin } from '../../../src/contract/admins.ts';
import { post, put } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { ago, date } from '../lib/format.ts';
import { session } from '../lib/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { NewPassword } from '../ui/credentials.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field, Select } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { List } from '../ui/table.tsx';
import { showError, showToast } from '../ui/toast.tsx';
import { SessionList } from './sessions.tsx';

const ROLES = [
  ['cashier', 'Cashier: sells, makes vouchers, looks people up'],
  ['staff', 'Staff: all of that, and users, refunds asked for, reports'],
  ['owner', 'Owner: everything'],
] as const;

export function Admins() {
  const admins = useApi<{ admins: Admin[] }>('/admin/admins/');
  const [lookedAt, setLookedAt] = useState<Admin | null>(null);
  const self = session.get()?.user.id;
  const done = (text: string) => {
    admins.reload();
    showToast(text);
  };

  const add = () =>
    ask({
      title: 'Add admin',
      fields: (
        <>
          <Field name="username" label="User name" required autoFocus autoComplete="off" />
          <NewPassword note="They can change it themselves." />
          <Field name="email" label="Email" type="email" autoComplete="off" />
          <Select name="role" label="Role" value="cashier" options={ROLES} />
        </>
      ),
      act: 'Add admin',
      kind: 'primary',
      run: async values => {
        await post('/admin/admins/', values);
        done(`${values['username']} may log in.`);
      },
    });
  const edit = (admin: Admin) =>
    ask({
      title: `Edit ${admin.username}`,
      fields: (
        <>
          <Select name="role" label="Role" value={admin.role} options={ROLES} />
          <Field name="first_name" label="First name" value={admin.first_name} autoComplete="off" />
          <Field name="last_name" label="Last name" value={admin.last_name} autoComplete="off" />
          <Field name="email" label="Email" type="email" value={admin.email} autoComplete="off" />
        </>
      ),
      act: 'Save',
      kind: 'primary',
      run: async values => {
        await put(`/admin/admins/${admin.id}/`, values);
        done('Saved.');
      },
    });
  const setPassword = (admin: Admin) =>
    ask({
      title: `New password for ${admin.username}`,
      text: <p>They are logged out everywhere and use this one from now on.</p>,
      fields: <NewPassword autoFocus />,
      act: 'Set password',
      kind: 'primary',
      run: async values => {
        await post(`/admin/admins/${admin.id}/password/`, values);
        done('The password is set.');
      },
    });

  async function setActive(admin: Admin, isActive: boolean) {
    await put(`/admin/admins/${admin.id}/`, { is_active: isActive });
    admins.reload();
  }
  const stop = (admin: Admin) =>
    ask({
      title: `Stop ${admin.username}?`,
      text: <p>They are logged out everywhere, now, and cannot log in again until you let them.</p>,
      act: 'Stop the account',
      run: async () => {
        await setActive(admin, false);
        showToast(`${admin.username} is stopped.`, () => setActive(admin, true));
      },
    });
  const start = (admin: Admin) =>
    setActive(admin, true).then(() => showToast(`${admin.username} may log in again.`), showError);

  return (
    <Page
      title="Admins"
      actions={
        <Button kind="primary" icon="plus" onClick={add}>
          Add admin
        </Button>
      }
    >
      <List
        label="Admins"
        from={admins}
        rowsOf={data => data.admins}
        id={admin => admin.id}
        empty={<Empty icon="admins" title="Nobody but the configured token." />}
        columns={[
          {
            label: 'Name',
            cell: admin => (
              <>
                {admin.username}
                {admin.id === self && <small>you</small>}
              </>
            ),
          },
          {
            label: 'State',
            cell: admin => (
              <Badge tone={admin.is_active ? 'good' : 'bad'}>{admin.is_active ? 'May log in' : 'Stopped'}</Badge>
            ),
          },
          { label: 'Role', cell: admin => admin.role.charAt(0).toUpperCase() + admin.role.slice(1) },
          { label: 'Email', cell: admin => admin.email },
          { label: 'Second factor', cell: admin => (admin.totp_enabled ? 'On' : 'Off') },
          {
            label: 'Last login',
            cell: admin => (admin.last_login_at === null ? 'never' : ago(admin.last_login_at)),
          },
          { label: 'Since', cell: admin => date(admin.date_joined) },
        ]}
        actions={admin => (
          <>
            <Button small label={`Edit ${admin.username}`} onClick={() => edit(admin)}>
              Edit
            </Button>
            <Button small onClick={() => setLookedAt(admin)}>
              Sessions
            </Button>
            {admin.id !== self && (
              <Button small onClick={() => setPassword(admin)}>
                Password
              </Button>
            )}
            {admin.id !== self && admin.is_active && (
              <Button small kind="danger" onClick={() => stop(admin)}>
                Stop
              </Button>
            )}
            {!admin.is_active && (
              <Button small onClick={() => start(admin)}>
                Let in
              </Button>
            )}
          </>
        )}
      />
      {lookedAt !== null && (
        <Dialog title={`Where ${lookedAt.username} is logged in`} onClose={() => setLookedAt(null)}>
          <SessionList adminId={lookedAt.id} />
        </Dialog>
      )}
    </Page>
  );
}
