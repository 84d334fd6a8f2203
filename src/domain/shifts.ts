/** A cashier's shift: what is in the drawer when it begins, what is sold for cash, what is counted at its end. */
import type { Actor } from './audit.ts';
import { LangoError } from './errors.ts';
import type { Instant } from './time.ts';
import type { StaffTx } from './transaction.ts';

/** Amounts in minor units of the configured currency. */
export interface Shift {
  id: number;
  adminId: number;
  adminName: string;
  openedAt: Instant;
  /** null while it runs. */
  closedAt: Instant | null;
  openingFloatMinor: number;
  /** Sold for cash during it. */
  sales: number;
  salesMinor: number;
  /** What was in the drawer at the end; null while it runs. */
  countedMinor: number | null;
  note: string;
}

export interface ShiftReads {
  byId(id: number): Shift | null;
  /** @param adminId null: nobody, who has none */
  openOf(adminId: number | null): Shift | null;
  /** Newest first; null: everybody's. */
  list(adminId: number | null, page: { limit: number; offset: number }): Shift[];
  count(adminId: number | null): number;
}

export interface ShiftWrites extends ShiftReads {
  insert(shift: { adminId: number; openedAt: Instant; openingFloatMinor: number }): Shift;
  close(id: number, closing: { closedAt: Instant; countedMinor: number; note: string }): void;
}

/** What should be in the drawer: what it began with and what was sold. */
export const expectedMinor = (shift: Shift): number => shift.openingFloatMinor + shift.salesMinor;

/** @throws LangoError CONFLICT one is open already; FORBIDDEN the configured token is no person */
export function openShift(tx: StaffTx, { openingFloatMinor }: { openingFloatMinor: number }): Shift {
  const adminId = requirePerson(tx.actor);
  if (tx.shifts.openOf(adminId) !== null) {
    throw new LangoError('CONFLICT', 'Your shift is open already. Close it before you open another one.');
  }
  const shift = tx.shifts.insert({ adminId, openedAt: tx.now, openingFloatMinor });
  tx.record('shift.open', 'shift', shift.id, null, shift);
  return shift;
}

/** Closes the shift of who asks. @throws LangoError CONFLICT none is open; FORBIDDEN the configured token is no person */
export function closeShift(tx: StaffTx, { countedMinor, note }: { countedMinor: number; note: string }): Shift {
  const before = tx.shifts.openOf(requirePerson(tx.actor));
  if (before === null) throw new LangoError('CONFLICT', 'You have no open shift.');
  tx.shifts.close(before.id, { closedAt: tx.now, countedMinor, note });
  const after = { ...before, closedAt: tx.now, countedMinor, note };
  tx.record('shift.close', 'shift', before.id, before, after);
  return after;
}

function requirePerson({ adminId }: Actor): number {
  if (adminId !== null) return adminId;
  throw new LangoError('FORBIDDEN', 'A shift belongs to a person: log in with a name and password.');
}
