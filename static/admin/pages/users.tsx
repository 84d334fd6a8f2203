/** Everyone who ever paid or used a voucher, found while typing. */

import { useState } from 'preact/hooks';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { creditOutage } from '../../../src/contract/grants.ts';
import type { listUsers } from '../../../src/contract/users.ts';
import { download, post, withQuery } from '../lib/api.ts';
import { useApi, useFilters } from '../lib/data.ts';
import { ago, count, dateTime, many, money } from '../lib/format.ts';
import { may } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { Filters, SearchFilter, SelectFilter } from '../ui/filters.tsx';
import { Field, Form, type Values } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Pagination, usePagePath } from '../ui/pagination.tsx';
import { hasTimeLeft, timeLeft, UserBadge } from '../ui/states.tsx';
import { List } from '../ui/table.tsx';
import { showError, showToast } from '../ui/toast.tsx';
import { instantIn } from './instant.ts';

const FILTERS = { search: 'search', status: 'status' };

export function Users() {
  const [crediting, setCrediting] = useState(false);
  const filter = useFilters(FILTERS);
  const users = useApi<ReplyOf<typeof listUsers>>(usePagePath('/admin/users/', filter));
  return (
    <Page
      title="Users"
      actions={
        may('staff') && (
          <>
            <Button
              icon="download"
              onClick={() => download(withQuery('/admin/export/users/', filter), 'users.csv').catch(showError)}
            >
              CSV
            </Button>
            <Button onClick={() => setCrediting(true)}>Make good an outage</Button>
          </>
        )
      }
    >
      <Filters of={users} names={FILTERS}>
        <SearchFilter name="search" label="Phone number or name" placeholder="Any part of it" />
        <SelectFilter
          name="status"
          label="Show"
          options={[
            ['', 'Everyone'],
            ['active', 'With access'],
            ['expired', 'Expired'],
            ['blocked', 'Blocked'],
            ['never', 'Never paid'],
          ]}
        />
      </Filters>
      <List
        label="Users"
        from={users}
        rowsOf={data => data.users}
        id={user => user.id}
        href={user => `#/users/${user.id}`}
        empty={
          filter['search'] || filter['status'] ? (
            <Empty icon="search" title="Nobody matches.">
              <p>
                {filter['search'] === ''
                  ? 'Show everyone instead.'
                  : 'Try fewer digits, without the country code, or a part of the name.'}
              </p>
            </Empty>
          ) : (
            <Empty icon="users" title="No users yet.">
              <p>The first person who pays or uses a voucher appears here.</p>
            </Empty>
          )
        }
        columns={[
          {
            label: 'Phone',
            cell: user => (
              <span>
                {user.phone_number}
                {user.name !== null && <small>{user.name}</small>}
              </span>
            ),
          },
          { label: 'Status', cell: user => <UserBadge user={user} /> },
          {
            label: 'Access until',
            cell: user => (
              <span>
                {dateTime(user.paid_until)}
                {hasTimeLeft(user) && <small>{timeLeft(user)}</small>}
              </span>
            ),
          },
          { label: 'Devices', number: true, cell: user => `${user.device_count} of ${user.max_devices}` },
          { label: 'Payments', number: true, cell: user => count(user.payment_count) },
          {
            label: 'Last payment',
            cell: user =>
              user.last_payment === null ? null : (
                <span>
                  {money(user.last_payment.amount)}
                  <small>
                    {user.last_payment.bundle_name}, {ago(user.last_payment.completed_at)}
                  </small>
                </span>
              ),
          },
        ]}
      />
      <Pagination total={users.data?.pagination.total ?? 0} />
      {crediting && <CreditDialog close={() => setCrediting(false)} done={users.reload} />}
    </Page>
  );
}

type Credit = ReplyOf<typeof creditOutage>;

/** Everybody who had paid time during an outage gets some back; shown first, given then. */
function CreditDialog({ close, done }: { close: () => void; done: () => void }) {
  const [planned, setPlanned] = useState<{ body: Record<string, unknown>; credit: Credit } | null>(null);

  async function plan(values: Values) {
    const body = {
      from: instantIn(values['from']),
      to: instantIn(values['to']),
      hours: values['hours'],
      reason: values['reason'],
    };
    setPlanned({ body, credit: await post<Credit>('/admin/credit/', { ...body, preview: true }) });
  }

  if (planned === null) {
    return (
      <Dialog title="Make good an outage" onClose={close}>
        <p>Everyone whose paid time ran while the Wi-Fi was down gets hours back. You see who before it happens.</p>
        <Form submit="Show who gets it" onSubmit={plan} onCancel={close} columns>
          <Field name="from" label="Down from" type="datetime-local" required />
          <Field name="to" label="Up again at" type="datetime-local" required />
          <Field name="hours" label="Hours for each" number="decimal" required />
          <Field name="reason" label="Reason" hint="Goes into the books." required />
        </Form>
      </Dialog>
    );
  }
  const { body, credit } = planned;
  const others = credit.affected_users - credit.users.length;
  return (
    <Dialog title="Make good an outage" onClose={close}>
      {credit.affected_users === 0 ? (
        <Notice tone="calm">Nobody had paid time then. There is nothing to give back.</Notice>
      ) : (
        <>
          <p>
            <strong>{count(credit.affected_users)}</strong> {credit.affected_users === 1 ? 'person gets' : 'people get'}{' '}
            {many(Number(body['hours']), 'hour')} each, {many(credit.total_hours, 'hour')} together.
          </p>
          <ul class="plain-list">
            {credit.users.map(user => (
              <li key={user.id}>
                <span>{user.phone_number}</span> <span class="muted">{dateTime(user.paid_until)}</span>
              </li>
            ))}
            {others > 0 && <li class="muted">and {count(others)} more</li>}
          </ul>
          <Form
            submit="Give the hours"
            onCancel={() => setPlanned(null)}
            onSubmit={async () => {
              const given = await post<Credit>('/admin/credit/', { ...body, preview: false });
              showToast(given.message);
              done();
              close();
            }}
          >
            {null}
          </Form>
        </>
      )}
    </Dialog>
  );
}
