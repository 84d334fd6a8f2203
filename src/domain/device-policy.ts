/** How strict the owner is with devices. */
import type { Actor } from './audit.ts';
import type { SettingReads } from './settings.ts';
import type { Instant } from './time.ts';
import type { Tx } from './transaction.ts';

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
  actor: Actor;
  now: Instant;
}

export function changeDevicePolicy(tx: Tx, { change, actor, now }: ChangeDevicePolicy): DevicePolicy {
  const before = devicePolicyOf(tx);
  const after = { swap: change.swap ?? before.swap, newDevices: change.newDevices ?? before.newDevices };
  tx.settings.set('devices', after, now);
  const entry = { action: 'settings.devices', subject: 'settings', subjectId: null };
  tx.audit.append({ ...entry, before, after, actor, now });
  return after;
}
