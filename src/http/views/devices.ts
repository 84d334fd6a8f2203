/** A person's devices. See docs/interface.md: Device. */
import type * as contract from '../../contract/devices.ts';
import type { Device } from '../../domain/devices.ts';

export const deviceView = (device: Device): contract.Device => ({
  id: device.id,
  mac_address: device.mac,
  device_name: device.name,
  ip_address: device.ip ?? '',
  first_connected: device.firstConnected,
  last_seen: device.lastSeen,
  is_active: device.removedAt === null,
});
