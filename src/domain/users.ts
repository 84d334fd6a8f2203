/** People, known by their phone number. See docs/interface.md: User. */
import { type Edit, requireVersion } from './edits.ts';
import { found, LangoError, refuseField } from './errors.ts';
import { limitsOf } from './limits.ts';
import type { Phone, PhoneSearch, TextSearch } from './phone.ts';
import type { Instant } from './time.ts';
import type { IdRange, StaffTx, Tx } from './transaction.ts';

export interface User {
  id: number;
  phone: Phone;
  /** What staff call the person, and what they should know of them; null: nothing was written down. */
  name: string | null;
  note: string | null;
  /** The admin's block switch alone; running out of paid time never flips it. */
  isActive: boolean;
  maxDevices: number;
  /** Cached end of the grants ledger; null: never had any paid time. */
  paidUntil: Instant | null;
  /** Language for messages, such as `sw`: that of the portal when it was used last; null: the appliance's own. */
  language: string | null;
  /** Router profile of the bundle that was bought last; null: the appliance's default. */
  routerProfile: string | null;
  createdAt: Instant;
  /** Goes up with every edit by staff. */
  version: number;
}

/** `never`: has had no paid time yet. */
export type AccessState = 'active' | 'expired' | 'blocked' | 'never';

export interface UserFilter {
  phone?: PhoneSearch | undefined;
  /** A part of the name or the note, or what `phone` finds. */
  search?: TextSearch | undefined;
  isActive?: boolean | undefined;
  access?: AccessState | undefined;
}

/** Deleted users are in none of these. */
export interface UserReads {
  /** Newest first. */
  page(filter: UserFilter, now: Instant, page: { limit: number; offset: number }): User[];
  count(filter: UserFilter, now: Instant): number;
  /** Reads those of the filter among some ids, newest first: bounded work, whatever the filter. */
  walk(filter: UserFilter, now: Instant): (ids: IdRange) => User[];
  lastId(): number;
  byId(id: number): User | null;
  byPhone(phone: Phone): User | null;
}

export interface UserWrites extends UserReads {
  /** The user with that phone, made now if there is none. */
  ensure(phone: Phone, maxDevices: number, now: Instant): User;
  setLanguage(id: number, language: string): void;
  setAccess(id: number, access: { paidUntil: Instant; routerProfile: string | null }): void;
  update(id: number, change: UserChange & { version?: number }): void;
  /** Frees the phone number, forgets name and note, and hides the row; its money stays in the books. */
  anonymise(id: number, now: Instant): void;
}

/** The user with that phone, made now if there is none. */
export function ensureUser(tx: Tx, phone: Phone): User {
  return tx.users.ensure(phone, limitsOf(tx).defaultMaxDevices, tx.now);
}

/** @param language what they use the portal in; null: not known, it stays */
export function setLanguage(tx: Tx, user: User, language: string | null): User {
  if (language === null || language === user.language) return user;
  tx.users.setLanguage(user.id, language);
  return { ...user, language };
}

type UserChange = Edit<Pick<User, 'isActive' | 'maxDevices' | 'phone' | 'name' | 'note'>>;

interface UpdateUser {
  userId: number;
  /** The version that the edit was made from; left out: whatever stands now is changed. */
  version?: number | undefined;
  change: UserChange;
}

/**
 * Changes the given fields. `maxDevices` may be fewer than are registered: those stay, and no other one is added.
 * @throws LangoError NOT_FOUND no such user
 * @throws LangoError CONFLICT the phone number is somebody else's, or the user was edited since `version`
 */
export function updateUser(tx: StaffTx, { userId, version, change }: UpdateUser): User {
  const before = requireUser(tx, userId);
  requireVersion('user', before.version, version);
  if (change.phone !== undefined && change.phone !== before.phone && tx.users.byPhone(change.phone) !== null) {
    refuseField('CONFLICT', 'phone_number', 'Another user already has this phone number.');
  }
  tx.users.update(userId, { ...change, version: before.version + 1 });
  const after = requireUser(tx, userId);
  tx.record('user.update', 'user', userId, before, after);
  return after;
}

/**
 * Frees the person's devices, and forgets the number and what staff wrote down. Payments stay for the books.
 * @throws LangoError NOT_FOUND no such user
 */
export function deleteUser(tx: StaffTx, { userId }: { userId: number }): void {
  const before = requireUser(tx, userId);
  for (const device of tx.devices.ofUser(userId)) tx.devices.remove(device.id, tx.now);
  tx.devices.forgetPaid(userId, null);
  tx.sms.forget(userId);
  tx.freeClaims.forget(userId);
  tx.users.anonymise(userId, tx.now);
  // The number is not kept anywhere but in payments: forgetting it is what deletion is for.
  tx.record('user.delete', 'user', userId, before);
  tx.forgetPerson(userId);
}

/** @throws LangoError NOT_FOUND */
export function requireUser(reads: { users: UserReads }, userId: number): User {
  return found(reads.users.byId(userId), 'user');
}

/** @throws LangoError USER_BLOCKED an admin has blocked this person */
export function refuseBlocked(user: User | null): void {
  if (user !== null && !user.isActive) {
    throw new LangoError('USER_BLOCKED', 'This number is blocked. Please ask the staff.');
  }
}
