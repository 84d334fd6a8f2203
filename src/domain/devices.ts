/** Devices: the MAC addresses a person may be online with. Interface: "Device". */
import type { Actor } from './audit.ts';
import { LangoError } from './errors.ts';
import type { Mac } from './mac.ts';
import type { Instant } from './time.ts';
import type { Tx } from './transaction.ts';
import type { User } from './users.ts';

export interface Device {
  id: number;
  userId: number;
  mac: Mac;
  /** Which of the person's router user names is this device's: 1 has no suffix, 2 is `-2` … */
  slot: number;
  name: string;
  ip: string | null;
  firstConnected: Instant;
  lastSeen: Instant;
  /** null while registered. */
  removedAt: Instant | null;
}

/** Registered devices only, unless a name says otherwise. */
export interface DeviceReads {
  /** Oldest first. */
  ofUser(userId: number): Device[];
  /** With those removed, newest first. */
  historyOfUser(userId: number): Device[];
  byMac(mac: Mac): Device | null;
  countOfUser(userId: number): number;
}

export interface DeviceWrites extends DeviceReads {
  insert(device: Omit<Device, 'id' | 'removedAt'>): Device;
  remove(id: number, now: Instant): void;
  rename(id: number, name: string): void;
  /** Never moves `last_seen` back. */
  touch(id: number, ip: string | null, at: Instant): void;
  /** Forgets devices that were removed before. @returns how many */
  pruneBefore(at: Instant, limit: number): number;
}

export interface SeenDevice {
  mac: Mac;
  ip: string | null;
}

export type DevicePlacement = 'already' | 'registered' | 'replaced' | 'no_room';

/**
 * Registers a device for a person, if there is room. A MAC belongs to one person at a time: it moves here.
 * @param makeRoom MACs that are online now when room is to be made by dropping the least recently seen
 *   device that is not among them (money is never refused for want of room); null: nothing is dropped.
 */
export function placeDevice(
  tx: Tx,
  user: User,
  seen: SeenDevice,
  makeRoom: readonly Mac[] | null,
  now: Instant,
): DevicePlacement {
  const owned = tx.devices.byMac(seen.mac);
  if (owned !== null && owned.userId === user.id) {
    tx.devices.touch(owned.id, seen.ip, now);
    return 'already';
  }
  const devices = tx.devices.ofUser(user.id);
  const room = devices.length < user.maxDevices;
  const dropped = room || makeRoom === null ? undefined : leastRecentlySeen(devices, makeRoom);
  if (!room && dropped === undefined) return 'no_room';

  if (dropped !== undefined) tx.devices.remove(dropped.id, now);
  if (owned !== null) tx.devices.remove(owned.id, now);
  const slot = freeSlot(devices.filter(device => device !== dropped));
  tx.devices.insert({
    userId: user.id,
    mac: seen.mac,
    slot,
    name: `Device ${slot}`,
    ip: seen.ip,
    firstConnected: now,
    lastSeen: now,
  });
  return dropped === undefined ? 'registered' : 'replaced';
}

function leastRecentlySeen(devices: readonly Device[], online: readonly Mac[]): Device | undefined {
  return devices
    .filter(device => !online.includes(device.mac))
    .toSorted((a, b) => (a.lastSeen < b.lastSeen ? -1 : a.lastSeen > b.lastSeen ? 1 : a.id - b.id))[0];
}

function freeSlot(devices: readonly Device[]): number {
  const taken = new Set(devices.map(device => device.slot));
  let slot = 1;
  while (taken.has(slot)) slot += 1;
  return slot;
}

export interface RemoveDevice {
  userId: number;
  mac: Mac;
  /** null: the person removed it on the portal. */
  actor: Actor | null;
  now: Instant;
}

/** @throws LangoError DEVICE_NOT_REGISTERED this person has no such device */
export function removeDevice(tx: Tx, { userId, mac, actor, now }: RemoveDevice): { device: Device; remaining: number } {
  const device = ownDevice(tx, userId, mac);
  tx.devices.remove(device.id, now);
  if (actor !== null) {
    const entry = { action: 'device.remove', subject: 'device', subjectId: device.id, before: device, after: null };
    tx.audit.append({ ...entry, actor, now });
  }
  return { device, remaining: tx.devices.countOfUser(userId) };
}

export interface RenameDevice {
  userId: number;
  mac: Mac;
  name: string;
  actor: Actor;
  now: Instant;
}

/** @throws LangoError DEVICE_NOT_REGISTERED this person has no such device */
export function renameDevice(tx: Tx, { userId, mac, name, actor, now }: RenameDevice): Device {
  const before = ownDevice(tx, userId, mac);
  tx.devices.rename(before.id, name);
  const after = { ...before, name };
  tx.audit.append({ action: 'device.rename', subject: 'device', subjectId: before.id, before, after, actor, now });
  return after;
}

function ownDevice(tx: Tx, userId: number, mac: Mac): Device {
  const device = tx.devices.byMac(mac);
  if (device === null || device.userId !== userId) {
    throw new LangoError('DEVICE_NOT_REGISTERED', 'This device is not registered for this number.');
  }
  return device;
}

export interface TouchDevices {
  seen: readonly { deviceId: number; ip: string | null; at: Instant }[];
}

/** Notes when devices were last seen, many at once: nothing here is paid for, so it may be batched. */
export function touchDevices(tx: Tx, { seen }: TouchDevices): { touched: number } {
  for (const { deviceId, ip, at } of seen) tx.devices.touch(deviceId, ip, at);
  return { touched: seen.length };
}

export interface PruneDevices {
  before: Instant;
  limit: number;
}

export function pruneDevices(tx: Tx, { before, limit }: PruneDevices): { pruned: number } {
  return { pruned: tx.devices.pruneBefore(before, limit) };
}
