/** Who may work here, and what they may do. */
import { useState } from 'preact/hooks';
import type { Admin } from '../../../src/contract/admins.ts';
import { post, put } from '../lib/api.ts';
import { useApi } from '../lib/data.ts';
import { ago, date } from '../lib/format.ts';
import { PASSWORD_RULE, session } from '../lib/session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field, Form, Select } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { List } from '../ui/table.tsx';
import { showError, showToast } from '../ui/toast.tsx';
import { SessionList } from './sessions.tsx';

const ROLES = [
  ['cashier', 'Cashier: sells, makes vouchers, looks people up'],
  ['staff', 'Staff: all of that, and users, refunds asked for, reports'],
  ['owner', 'Owner: everything'],
] as const;

type Act = { kind: 'add' } | { kind: 'edit' | 'password' | 'sessions'; admin: Admin };

export function Admins() {
  const admins = useApi<{ admins: Admin[] }>('/admin/admins/');
  const [act, setAct] = useState<Act | null>(null);
  const self = session.get()?.user.id;
  const close = () => setAct(null);
  const done = (text: string) => {
    close();
    admins.reload();
    showToast(text);
  };

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
        <Button kind="primary" icon="plus" onClick={() => setAct({ kind: 'add' })}>
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
          {
            label: 'Actions',
            actions: true,
            cell: admin => (
              <>
                <Button small label={`Edit ${admin.username}`} onClick={() => setAct({ kind: 'edit', admin })}>
                  Edit
                </Button>
                <Button small onClick={() => setAct({ kind: 'sessions', admin })}>
                  Sessions
                </Button>
                {admin.id !== self && (
                  <Button small onClick={() => setAct({ kind: 'password', admin })}>
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
            ),
          },
        ]}
      />
      {act?.kind === 'add' && (
        <Dialog title="Add admin" onClose={close}>
          <Form
            submit="Add admin"
            onCancel={close}
            onSubmit={async values => {
              await post('/admin/admins/', values);
              done(`${values['username']} may log in.`);
            }}
          >
            <Field name="username" label="User name" required autoFocus autoComplete="off" />
            <Field
              name="password"
              label="Password"
              type="password"
              hint={`${PASSWORD_RULE} They can change it themselves.`}
              required
              autoComplete="new-password"
            />
            <Field name="email" label="Email" type="email" autoComplete="off" />
            <Select name="role" label="Role" value="cashier" options={ROLES} />
          </Form>
        </Dialog>
      )}
      {act?.kind === 'edit' && (
        <Dialog title={`Edit ${act.admin.username}`} onClose={close}>
          <Form
            submit="Save"
            onCancel={close}
            onSubmit={async values => {
              await put(`/admin/admins/${act.admin.id}/`, values);
              done('Saved.');
            }}
          >
            <Select name="role" label="Role" value={act.admin.role} options={ROLES} />
            <Field name="first_name" label="First name" value={act.admin.first_name} autoComplete="off" />
            <Field name="last_name" label="Last name" value={act.admin.last_name} autoComplete="off" />
            <Field name="email" label="Email" type="email" value={act.admin.email} autoComplete="off" />
          </Form>
        </Dialog>
      )}
      {act?.kind === 'password' && (
        <Dialog title={`New password for ${act.admin.username}`} onClose={close}>
          <p>They are logged out everywhere and use this one from now on.</p>
          <Form
            submit="Set password"
            onCancel={close}
            onSubmit={async values => {
              await post(`/admin/admins/${act.admin.id}/password/`, values);
              done('The password is set.');
            }}
          >
            <Field
              name="password"
              label="Password"
              type="password"
              hint={PASSWORD_RULE}
              required
              autoFocus
              autoComplete="new-password"
            />
          </Form>
        </Dialog>
      )}
      {act?.kind === 'sessions' && (
        <Dialog title={`Where ${act.admin.username} is logged in`} onClose={close}>
          <SessionList adminId={act.admin.id} />
        </Dialog>
      )}
    </Page>
  );
}
