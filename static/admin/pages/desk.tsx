/** "I paid", says somebody who is not online: why, in a sentence, and what mends it; and who waits at the gate. */
import type { ComponentChildren } from 'preact';
import type { DeskCase, GatePhone, listGate, lookUp } from '../../../src/contract/desk.ts';
import type { ReplyOf } from '../../../src/contract/endpoint.ts';
import type { readRouterStatus } from '../../../src/contract/hotspot.ts';
import { get, put, withQuery } from '../lib/api.ts';
import { useApi, useFilters } from '../lib/data.ts';
import { ago, count, dateTime, money } from '../lib/format.ts';
import { may } from '../lib/session.ts';
import { ActButton } from '../ui/act-button.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Filters, SearchFilter } from '../ui/filters.tsx';
import { Field, Select } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Facts, Page, Section } from '../ui/page.tsx';
import { PaymentBadge, UserBadge, VoucherBadge } from '../ui/states.tsx';
import { List, WhenLoaded } from '../ui/table.tsx';
import { postAndToast, showToast } from '../ui/toast.tsx';

const FILTERS = { search: 'search' };
const EVERY_MS = 10_000;

export function Desk() {
  const { search = '' } = useFilters(FILTERS);
  const found = useApi<ReplyOf<typeof lookUp>>(search === '' ? null : withQuery('/admin/desk/', { search }));
  const gate = useApi<ReplyOf<typeof listGate>>('/admin/gate/', { everyMs: EVERY_MS });
  const reload = () => {
    found.reload();
    gate.reload();
  };
  return (
    <Page title="“I paid” desk">
      <Filters of={found} names={FILTERS}>
        <SearchFilter name="search" label="Who, or what, paid?" placeholder="Number, name, reference, code, MAC" />
      </Filters>
      {search !== '' && (
        <WhenLoaded from={found} lines={3}>
          {({ cases, more }) => (
            <div class="list" aria-busy={found.loading}>
              {cases.map(each => (
                <Case key={each.user?.id ?? each.payment?.id ?? 0} found={each} search={search} reload={reload} />
              ))}
              {more && <p class="muted">There are others. Give more of the number or the name.</p>}
            </div>
          )}
        </WhenLoaded>
      )}
      <Section title="Phones at the gate">
        <p class="muted">On the Wi-Fi and not online. A phone that pays or is connected leaves this list.</p>
        {gate.data?.router_connected === false && <Notice tone="warn">The router does not answer.</Notice>}
        <List
          label="Phones at the gate"
          from={gate}
          rowsOf={data => data.phones}
          id={phone => phone.mac_address}
          empty={<Empty icon="online" title="Nobody waits at the gate." />}
          columns={[
            { label: 'MAC address', cell: phone => <span class="code">{phone.mac_address}</span> },
            { label: 'Whose', cell: phone => <Person of={phone} /> },
            { label: 'Joined', cell: phone => ago(phone.joined_at) },
            { label: 'IP address', cell: phone => phone.ip_address },
          ]}
          actions={phone => (
            <>
              <Button small onClick={() => askWhose(phone.mac_address, phone.user?.phone_number, reload)}>
                Connect
              </Button>
              <Sell phone={phone.user?.phone_number} mac={phone.mac_address} small />
            </>
          )}
        />
        {gate.data !== null && gate.data.total > gate.data.phones.length && (
          <p class="muted">and {count(gate.data.total - gate.data.phones.length)} more</p>
        )}
      </Section>
    </Page>
  );
}

function Person({ of: { user } }: { of: Pick<GatePhone, 'user'> }) {
  if (user === null) return <>Nobody’s yet</>;
  return (
    <span>
      <a href={`#/users/${user.id}`}>{user.phone_number}</a>
      {user.name !== null && <small>{user.name}</small>}
    </span>
  );
}

function Sell({
  phone,
  mac,
  small = false,
}: {
  phone?: string | undefined;
  mac?: string | undefined;
  small?: boolean;
}) {
  return (
    <LinkButton small={small} kind={small ? 'plain' : 'primary'} href={`#${withQuery('/sell', { phone, mac })}`}>
      Sell
    </LinkButton>
  );
}

interface CaseProps {
  found: DeskCase;
  search: string;
  reload: () => void;
}

function Case({ found, search, reload }: CaseProps) {
  const { user, payment, voucher, sentence } = found;
  const facts: (readonly [string, ComponentChildren])[] = [];
  if (user !== null) facts.push(['Person', <Person of={found} />], ['Access', <UserBadge user={user} />]);
  if (user !== null && user.paid_until !== null) facts.push(['Until', dateTime(user.paid_until)]);
  if (payment !== null) {
    const what = `${money(payment.amount)}, ${payment.bundle_name}`;
    facts.push(['Payment', <a href={`#/payments/${payment.id}`}>{what}</a>]);
    facts.push(['Payment is', <PaymentBadge payment={payment} />]);
  }
  if (voucher !== null) {
    facts.push(['Voucher', <span class="code">{voucher.code}</span>]);
    facts.push(['Voucher is', <VoucherBadge voucher={voucher} />]);
  }
  return (
    <Section
      title={user?.name ?? user?.phone_number ?? payment?.phone_number ?? (voucher === null ? search : 'Voucher')}
    >
      <p class="prose">
        <strong>{sentence}</strong>
      </p>
      <p>
        <Act found={found} search={search} reload={reload} />
      </p>
      {facts.length > 0 && <Facts facts={facts} />}
    </Section>
  );
}

/** The one thing that mends it. */
function Act({ found: { act, user, payment, mac_addresses: macs, ...found }, search, reload }: CaseProps) {
  const phone = user?.phone_number ?? payment?.phone_number;
  switch (act) {
    case 'sell':
      return <Sell phone={phone ?? (/^[\d\s+().-]+$/.test(search) ? search : undefined)} />;
    case 'ask_provider':
      return (
        <ActButton
          kind="primary"
          act={async () => {
            await postAndToast(`/admin/payments/${payment?.id}/recheck/`);
            reload();
          }}
        >
          Ask the provider again
        </ActButton>
      );
    case 'open_payment':
      return (
        <LinkButton kind="primary" href={`#/payments/${payment?.id}`}>
          Open the payment
        </LinkButton>
      );
    case 'redeem':
      return (
        <Button kind="primary" onClick={() => askForNumber(search, reload)}>
          Use it for a number
        </Button>
      );
    case 'unblock':
      if (!may('staff')) return null;
      return (
        <ActButton
          kind="primary"
          act={async () => {
            await put(`/admin/users/${user?.id}/update/`, { is_active: true });
            showToast(`${phone} is free again.`);
            reload();
          }}
        >
          Unblock
        </ActButton>
      );
    case 'connect': {
      const [mac = ''] = macs;
      const isCertain = macs.length === 1 && found.reason !== 'online' && phone !== undefined;
      const connect = async () => {
        if (isCertain) {
          await postAndToast('/admin/devices/connect/', { phone_number: phone, mac_address: mac });
          reload();
        } else if (phone === undefined) askWhose(mac, undefined, reload);
        else askWhich(phone, macs, reload);
      };
      return (
        <ActButton kind={found.reason === 'online' ? 'plain' : 'primary'} act={connect}>
          {found.reason === 'online' ? 'Connect another phone' : 'Connect this phone'}
        </ActButton>
      );
    }
    case 'wake_router':
      return (
        <ActButton
          kind="primary"
          act={async () => {
            const status = await get<ReplyOf<typeof readRouterStatus>>(
              withQuery('/router/status/', { router_id: found.router_id }),
            );
            showToast(status.connection_details.message);
            reload();
          }}
        >
          Ask the router again
        </ActButton>
      );
    case 'look_again':
      return <Button onClick={reload}>Look again</Button>;
    default:
      return null;
  }
}

const PhoneNumber = ({ value }: { value?: string | undefined }) => (
  <Field name="phone_number" label="Phone number" type="tel" value={value} required autoFocus autoComplete="off" />
);

const askForNumber = (code: string, done: () => void) =>
  ask({
    title: 'Use this voucher for whom?',
    fields: <PhoneNumber />,
    act: 'Use the voucher',
    kind: 'primary',
    run: async values => {
      await postAndToast('/vouchers/redeem/', { ...values, voucher_code: code });
      done();
    },
  });

const askWhose = (mac: string, phone: string | undefined, done: () => void) =>
  ask({
    title: 'Connect this phone',
    text: (
      <p>For somebody with paid time. Where they have no room left, it takes the place of another of their phones.</p>
    ),
    fields: <PhoneNumber value={phone} />,
    act: 'Connect',
    kind: 'primary',
    run: async values => {
      await postAndToast('/admin/devices/connect/', { ...values, mac_address: mac });
      done();
    },
  });

const askWhich = (phone: string, macs: readonly string[], done: () => void) =>
  ask({
    title: 'Which phone is it?',
    text: <p>Its settings tell its MAC address, beside the name of the Wi-Fi. Who joined last stands first.</p>,
    fields: <Select name="mac_address" label="Phone at the gate" options={macs.map(mac => [mac, mac])} />,
    act: 'Connect',
    kind: 'primary',
    run: async values => {
      await postAndToast('/admin/devices/connect/', { ...values, phone_number: phone });
      done();
    },
  });
