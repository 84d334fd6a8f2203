/** How strict the owner is with devices. */
import type { SettingReads } from './settings.ts';
import type { StaffTx } from './transaction.ts';

/** `when_away`: a device that nobody has seen for a day may be removed by whoever knows the number. */
export const DEVICE_SWAPS = ['with_proof', 'when_away'] as const;
/** `by_number`: whoever knows the number and finds room may join. */
export const NEW_DEVICES = ['by_number', 'with_proof'] as const;

export interface DevicePolicy {
  swap: (typeof DEVICE_SWAPS)[number];
  newDevices: (typeof NEW_DEVICES)[number];
}

export function devicePolicyOf({ settings }: { settings: SettingReads }): DevicePolicy {
  return settings.get('devices') ?? { swap: 'with_proof', newDevices: 'by_number' };
}

export interface ChangeDevicePolicy {
  /** What is left out stays. */
  change: { swap?: DevicePolicy['swap'] | undefined; newDevices?: DevicePolicy['newDevices'] | undefined };
}

export function changeDevicePolicy(tx: StaffTx, { change }: ChangeDevicePolicy): DevicePolicy {
  const before = devicePolicyOf(tx);
  const after = { swap: change.swap ?? before.swap, newDevices: change.newDevices ?? before.newDevices };
  tx.settings.set('devices', after, tx.now);
  tx.record('settings.devices', 'settings', null, before, after);
  return after;
}
