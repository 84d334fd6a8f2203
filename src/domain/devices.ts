/** Devices: the MAC addresses a person may be online with. See docs/interface.md: Device. */
import { hasAccess } from './access.ts';
import { devicePolicyOf } from './device-policy.ts';
import { LangoError } from './errors.ts';
import type { Mac } from './mac.ts';
import type { Phone } from './phone.ts';
import { addSeconds, type Instant } from './time.ts';
import type { StaffTx, Tx } from './transaction.ts';
import { refuseBlocked, type User } from './users.ts';

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
  /** Somebody bought or redeemed on it for its person, or showed a proof; false: the number alone let it in. */
  isProven: boolean;
  /** null while registered. */
  removedAt: Instant | null;
}

/** Registered devices only, unless a name says otherwise. */
export interface DeviceReads {
  /** Oldest first. */
  ofUser(userId: number): Device[];
  byMac(mac: Mac): Device | null;
  countOfUser(userId: number): number;
  /** Did a completed payment or a redemption of that person name that device, registered or not? */
  hasPaid(userId: number, mac: Mac): boolean;
}

export interface DeviceWrites extends DeviceReads {
  insert(device: Omit<Device, 'id' | 'removedAt'>): Device;
  remove(id: number, now: Instant): void;
  /** Removes it because its MAC goes to another person with access. */
  moveAway(id: number, now: Instant): void;
  /** How often the MAC went from one person with access to another since then. */
  countMoves(mac: Mac, since: Instant): number;
  prove(id: number): void;
  rename(id: number, name: string): void;
  /** Never moves `last_seen` back. */
  touch(id: number, ip: string | null, at: Instant): void;
  /** Records that a completed payment or a redemption of that person named that device. */
  markPaid(userId: number, mac: Mac): void;
  /** @param mac null: every device of that person */
  forgetPaid(userId: number, mac: Mac | null): void;
  /** Forgets devices that were removed before. @returns how many */
  pruneBefore(at: Instant, limit: number): number;
}

export interface SeenDevice {
  mac: Mac;
  ip: string | null;
}

export interface NamedDevice extends SeenDevice {
  /** It is certain that this device itself asks, or that staff do. */
  isItself: boolean;
}

/** What stands in the way: no place is left; no proof came; it is another person's; it went to and fro too often. */
export type PlacementRefusal = 'no_room' | 'unproven' | 'held' | 'moved_often';
export type Placed = 'already' | 'registered' | 'replaced';
type DevicePlacement = Placed | PlacementRefusal;

export function isPlaced(placement: DevicePlacement): placement is Placed {
  return placement === 'already' || placement === 'registered' || placement === 'replaced';
}

/**
 * Registers a device for a person, if there is room. A device that they have paid on takes its place back from the
 * newest one that nobody has proven. A MAC belongs to one person at a time: it moves here.
 * @param isProven a proof came along that the person is who they say
 */
export function placeDevice(tx: Tx, user: User, named: NamedDevice, isProven: boolean): DevicePlacement {
  const hasPaid = tx.devices.hasPaid(user.id, named.mac);
  return place(tx, user, named, { isProven, hasPaid, makeRoom: hasPaid ? newestUnproven : nobody });
}

/**
 * Registers the device that a payment or a redemption names. Money is never refused for want of room: the device that
 * was not seen for longest makes way, unless all are online.
 * @param online MACs with a live session
 */
export function placePaidDevice(tx: Tx, user: User, named: NamedDevice, online: readonly Mac[]): DevicePlacement {
  // Counts earlier payments only: paying now gives no right to another person's device.
  const hasPaid = tx.devices.hasPaid(user.id, named.mac);
  const makeRoom: Choice = devices => leastRecentlySeen(devices, online);
  const placement = place(tx, user, named, { isProven: true, hasPaid, makeRoom });
  if (isPlaced(placement) || placement === 'no_room') tx.devices.markPaid(user.id, named.mac);
  return placement;
}

/**
 * Registers the device that takes a free bundle, for a person whose time does not run: where there is no room, the one
 * that was not seen for longest makes way. Free time proves nothing.
 */
export function placeFreeDevice(tx: Tx, user: User, named: NamedDevice, isProven: boolean): DevicePlacement {
  const hasPaid = tx.devices.hasPaid(user.id, named.mac);
  return place(tx, user, named, { isProven, hasPaid, makeRoom: devices => leastRecentlySeen(devices, []) });
}

type Choice = (devices: readonly Device[]) => Device | undefined;

interface Placing {
  isProven: boolean;
  hasPaid: boolean;
  /** Which device makes way where there is no room. */
  makeRoom: Choice;
}

function place(tx: Tx, user: User, named: NamedDevice, placing: Placing): DevicePlacement {
  const { mac, ip, isItself } = named;
  const { hasPaid, makeRoom } = placing;
  const isProven = placing.isProven || hasPaid;
  const owned = tx.devices.byMac(mac);
  if (owned !== null && owned.userId === user.id) {
    tx.devices.touch(owned.id, ip, tx.now);
    if (isProven && !owned.isProven) tx.devices.prove(owned.id);
    return 'already';
  }
  const isRunning = owned !== null && isPaidFor(tx, owned);
  const refusal = isRunning ? refusalToMove(tx, owned, isItself || (hasPaid && !owned.isProven)) : null;
  if (refusal !== null) return refusal;
  const devices = tx.devices.ofUser(user.id);
  const room = devices.length < user.maxDevices;
  const dropped = room ? undefined : makeRoom(devices);
  if (!room && dropped === undefined) return 'no_room';
  if (!isProven && devicePolicyOf(tx).newDevices === 'with_proof') return 'unproven';

  // The device itself came to this person, so the former holder's payments no longer bring it back.
  if (owned !== null && isItself) tx.devices.forgetPaid(owned.userId, mac);
  if (isRunning) tx.devices.moveAway(owned.id, tx.now);
  else if (owned !== null) tx.devices.remove(owned.id, tx.now);
  if (dropped !== undefined) tx.devices.remove(dropped.id, tx.now);
  const slot = freeSlot(devices.filter(device => device !== dropped));
  tx.devices.insert({
    userId: user.id,
    mac,
    slot,
    name: `Device ${slot}`,
    ip,
    firstConnected: tx.now,
    lastSeen: tx.now,
    isProven,
  });
  return dropped === undefined ? 'registered' : 'replaced';
}

const MOST_MOVES = 5;
const MOVES_SECONDS = 3_600;

/** Whether the holder of the device has access now. */
function isPaidFor(tx: Tx, { userId }: Device): boolean {
  const holder = tx.users.byId(userId);
  return holder !== null && hasAccess(holder, tx.now);
}

/**
 * Moving a device takes it from its holder. While the holder's time runs, that needs the device itself or a proof, and
 * the number of moves is limited.
 */
function refusalToMove(tx: Tx, { mac }: Device, mayTake: boolean): 'held' | 'moved_often' | null {
  if (!mayTake) return 'held';
  return tx.devices.countMoves(mac, addSeconds(tx.now, -MOVES_SECONDS)) >= MOST_MOVES ? 'moved_often' : null;
}

const nobody: Choice = () => undefined;

const newestUnproven: Choice = devices => devices.filter(device => !device.isProven).at(-1);

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

interface ConnectDevice {
  phone: Phone;
  mac: Mac;
  /** MACs that the router shows online now; while another may make way, these do not. */
  onlineMacs: readonly Mac[];
}

interface Connected {
  device: Device;
  /** The one that made way. */
  replaced: Device | null;
}

/**
 * "This is my phone", as staff have seen: it gets a place, and should there be no room, that of another one.
 * @throws LangoError NOT_FOUND nobody has this number; USER_BLOCKED
 * @throws LangoError CONFLICT the person has no paid time, or the phone went to and fro too often
 */
export function connectDevice(tx: StaffTx, { phone, mac, onlineMacs }: ConnectDevice): Connected {
  const user = tx.users.byPhone(phone);
  refuseBlocked(user);
  if (user === null) throw new LangoError('NOT_FOUND', 'Nobody here has this number. Sell a bundle to it first.');
  if (!hasAccess(user, tx.now)) {
    throw new LangoError('CONFLICT', 'This person has no paid time. Sell a bundle first, then connect the phone.');
  }
  const before = tx.devices.ofUser(user.id);
  const makeRoom: Choice = devices => leastRecentlySeen(devices, onlineMacs) ?? leastRecentlySeen(devices, []);
  const named = { mac, ip: null, isItself: true };
  const placement = place(tx, user, named, { isProven: true, hasPaid: false, makeRoom });
  if (!isPlaced(placement)) {
    throw new LangoError('CONFLICT', 'This phone went from one person to another too often. Try again in an hour.');
  }
  const devices = tx.devices.ofUser(user.id);
  const replaced = before.find(({ id }) => !devices.some(device => device.id === id)) ?? null;
  const device = ownDevice(tx, user.id, mac);
  if (placement !== 'already') tx.record('device.connect', 'device', device.id, replaced, device);
  return { device, replaced };
}

interface RemoveDevice {
  userId: number;
  mac: Mac;
  /** True: the device itself, staff or a proof removes it, so payments on it do not bring it back. */
  isFinal: boolean;
}

/** @throws LangoError DEVICE_NOT_REGISTERED this person has no such device */
export function removeDevice(tx: Tx, { userId, mac, isFinal }: RemoveDevice): { remaining: number } {
  const device = ownDevice(tx, userId, mac);
  tx.devices.remove(device.id, tx.now);
  if (isFinal) tx.devices.forgetPaid(userId, mac);
  tx.record('device.remove', 'device', device.id, device);
  return { remaining: tx.devices.countOfUser(userId) };
}

/** @throws LangoError DEVICE_NOT_REGISTERED this person has no such device */
export function renameDevice(tx: StaffTx, { userId, mac, name }: { userId: number; mac: Mac; name: string }): Device {
  const before = ownDevice(tx, userId, mac);
  tx.devices.rename(before.id, name);
  const after = { ...before, name };
  tx.record('device.rename', 'device', before.id, before, after);
  return after;
}

function ownDevice(tx: Tx, userId: number, mac: Mac): Device {
  const device = tx.devices.byMac(mac);
  if (device === null || device.userId !== userId) {
    throw new LangoError('DEVICE_NOT_REGISTERED', 'This device is not registered for this number.');
  }
  return device;
}

interface Sighting {
  deviceId: number;
  ip: string | null;
  at: Instant;
}

/** Notes when devices were last seen, many at once: nothing here is paid for, so it may be batched. */
export function touchDevices(tx: Tx, { seen }: { seen: readonly Sighting[] }): void {
  for (const { deviceId, ip, at } of seen) tx.devices.touch(deviceId, ip, at);
}
