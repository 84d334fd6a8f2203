/** The devices of one person: which of them is online, and their names. */
import type { Device } from '../../../src/contract/devices.ts';
import type { UserDetail } from '../../../src/contract/users.ts';
import { post } from '../lib/api.ts';
import { ago, bytes } from '../lib/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/confirm.tsx';
import { Empty } from '../ui/empty.tsx';
import { Field } from '../ui/form.tsx';
import { Table } from '../ui/table.tsx';
import { runUnlessCancelled, showToast } from '../ui/toast.tsx';

export function Devices({ user, reload }: { user: UserDetail; reload: () => void }) {
  const sessionOf = (device: Device) => user.sessions.find(session => session['mac-address'] === device.mac_address);
  const drop = (device: Device) =>
    runUnlessCancelled(`Removing ${device.device_name || device.mac_address}`, async () => {
      await post(`/admin/users/${user.id}/devices/remove/`, { mac_address: device.mac_address });
      showToast('The device is removed. It is offline now, and its place is free.');
      reload();
    });
  const rename = async (device: Device, name: string) => {
    await post(`/admin/users/${user.id}/devices/rename/`, { mac_address: device.mac_address, device_name: name });
    reload();
  };
  const askName = (device: Device) =>
    ask({
      title: 'Rename device',
      fields: (
        <Field
          name="device_name"
          label="Name"
          value={device.device_name}
          hint={`Asha’s Tecno. For ${device.mac_address}.`}
          required
          autoFocus
        />
      ),
      act: 'Save name',
      kind: 'primary',
      run: async ({ device_name = '' }) => {
        await rename(device, device_name);
        showToast('The device has a new name.', () => rename(device, device.device_name));
      },
    });
  return (
    <Table
      label="Devices"
      rows={user.devices.filter(device => device.is_active)}
      id={device => device.id}
      empty={
        <Empty icon="online" title="No device is registered.">
          <p>One is added by itself when the person pays, uses a voucher or connects.</p>
        </Empty>
      }
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
      ]}
      actions={device => (
        <>
          <Button small onClick={() => askName(device)}>
            Rename
          </Button>
          <Button small kind="danger" onClick={() => drop(device)}>
            Remove
          </Button>
        </>
      )}
    />
  );
}
