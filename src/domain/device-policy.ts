/** How strict the owner is with devices. */
import { type Edit, edited } from './edits.ts';
import type { SettingReads } from './settings.ts';
import type { StaffTx } from './transaction.ts';

export interface DevicePolicy {
  /** `when_away`: a device that nobody has seen for a day may be removed by whoever knows the number. */
  swap: 'with_proof' | 'when_away';
  /** `by_number`: whoever knows the number and finds room may join. */
  newDevices: 'by_number' | 'with_proof';
}

export function devicePolicyOf({ settings }: { settings: SettingReads }): DevicePolicy {
  return settings.get('devices') ?? { swap: 'with_proof', newDevices: 'by_number' };
}

export function changeDevicePolicy(tx: StaffTx, { change }: { change: Edit<DevicePolicy> }): DevicePolicy {
  const before = devicePolicyOf(tx);
  const after = edited(before, change);
  tx.settings.set('devices', after, tx.now);
  tx.record('settings.devices', 'settings', null, before, after);
  return after;
}
