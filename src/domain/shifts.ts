/**
 * A cashier's shift: what is in the drawer when it begins, what comes in and goes out, what is counted at its end.
 * It is counted blind: whoever counts is told what should be there once they have said what is.
 */
import type { Actor } from './audit.ts';
import { found, invalid, LangoError, refuseField } from './errors.ts';
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
  /** Put into the drawer and taken out of it besides. */
  cashInMinor: number;
  cashOutMinor: number;
  /** Vouchers sold during it, each code one. */
  vouchers: number;
  vouchersMinor: number;
  /** Given back in cash from its drawer. */
  refunds: number;
  refundsMinor: number;
  /** What was in the drawer at the end; null while it runs. */
  countedMinor: number | null;
  note: string;
}

/** Cash that was put into the drawer, or taken out of it, for another reason than a sale. */
export interface CashMovement {
  id: number;
  shiftId: number;
  /** Minor units; negative: taken out. */
  amountMinor: number;
  reason: string;
  at: Instant;
}

export interface ShiftReads {
  byId(id: number): Shift | null;
  /** @param adminId null: nobody, who has none */
  openOf(adminId: number | null): Shift | null;
  /** Newest first; null: everybody's. */
  list(adminId: number | null, page: { limit: number; offset: number }): Shift[];
  count(adminId: number | null): number;
  /** Oldest first. */
  movementsOf(shiftId: number): CashMovement[];
}

export interface ShiftWrites extends ShiftReads {
  insert(shift: { adminId: number; openedAt: Instant; openingFloatMinor: number }): Shift;
  close(id: number, closing: { closedAt: Instant; countedMinor: number; note: string }): void;
  explain(id: number, note: string): void;
  addMovement(movement: Omit<CashMovement, 'id'>): CashMovement;
}

/** What should be in the drawer: what it began with, what was sold and given back, put in and taken out. */
export const expectedMinor = (shift: Shift): number =>
  shift.openingFloatMinor +
  shift.salesMinor +
  shift.vouchersMinor -
  shift.refundsMinor +
  shift.cashInMinor -
  shift.cashOutMinor;

/** Whose drawer money is given back from: of who gives it, else of who sold it. null: neither has a shift open. */
export function payingShift(
  { shifts }: { shifts: ShiftReads },
  { adminId, soldIn }: { adminId: number | null; soldIn: number | null },
): Shift | null {
  const seller = soldIn === null ? null : (shifts.byId(soldIn)?.adminId ?? null);
  return shifts.openOf(adminId) ?? shifts.openOf(seller);
}

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

/**
 * Into or out of the drawer of who asks. Nothing is compared with what should be there: a refusal would tell it.
 * @throws LangoError CONFLICT none is open; FORBIDDEN the configured token is no person
 */
export function moveCash(tx: StaffTx, { amountMinor, reason }: { amountMinor: number; reason: string }): Shift {
  const { id } = requireOpenShift(tx);
  if (amountMinor === 0) invalid('amount', 'Give an amount above 0.');
  const movement = tx.shifts.addMovement({ shiftId: id, amountMinor, reason, at: tx.now });
  tx.record('shift.cash', 'shift', id, null, movement);
  return requireOpenShift(tx);
}

/** Closes the shift of who asks. @throws LangoError CONFLICT none is open; FORBIDDEN the configured token is no person */
export function closeShift(tx: StaffTx, { countedMinor, note }: { countedMinor: number; note: string }): Shift {
  const before = requireOpenShift(tx);
  tx.shifts.close(before.id, { closedAt: tx.now, countedMinor, note });
  const after = { ...before, closedAt: tx.now, countedMinor, note };
  tx.record('shift.close', 'shift', before.id, before, after);
  return after;
}

/**
 * Says why a closed shift's count differs. What was said stays.
 * @param adminId whose shift it has to be; null: anybody's
 * @throws LangoError NOT_FOUND; CONFLICT it runs, or has its note
 */
export function explainShift(
  tx: StaffTx,
  { shiftId, adminId, note }: { shiftId: number; adminId: number | null; note: string },
): Shift {
  const before = requireShiftOf(tx, shiftId, adminId);
  if (before.closedAt === null) throw new LangoError('CONFLICT', 'Count and close this shift first.');
  if (before.note !== '') refuseField('CONFLICT', 'note', 'This shift has its note, which stays.');
  tx.shifts.explain(shiftId, note);
  tx.record('shift.explain', 'shift', shiftId, { note: '' }, { note });
  return { ...before, note };
}

/** @param adminId whose shift it has to be; null: anybody's. @throws LangoError NOT_FOUND */
export function requireShiftOf(reads: { shifts: ShiftReads }, id: number, adminId: number | null): Shift {
  const shift = reads.shifts.byId(id);
  return found(adminId === null || shift?.adminId === adminId ? shift : null, 'shift');
}

function requireOpenShift(tx: StaffTx): Shift {
  const shift = tx.shifts.openOf(requirePerson(tx.actor));
  if (shift === null) throw new LangoError('CONFLICT', 'You have no open shift.');
  return shift;
}

function requirePerson({ adminId }: Actor): number {
  if (adminId !== null) return adminId;
  throw new LangoError('FORBIDDEN', 'A shift belongs to a person: log in with a name and password.');
}
