/** Cashiers' shifts: opened, counted blind, closed, looked at. See docs/rules.md: Admins. */
import * as contract from '../../contract/shifts.ts';
import { requireShiftOf, type Shift } from '../../domain/shifts.ts';
import type { Context } from '../context.ts';
import { type Caller, hasRole } from '../credentials.ts';
import { paginationOf, rowsOf } from '../pagination.ts';
import type { Api } from '../route.ts';
import { sellerOf } from '../views/numbers.ts';
import { shiftDetailView, shiftView } from '../views/shifts.ts';

export function shiftRoutes(api: Api, { reads, commit, policy }: Context): void {
  const readerOf = (caller: Caller) => ({ currency: policy.currency, isBlind: !hasRole(caller, 'staff') });
  const detail = (shift: Shift, caller: Caller) =>
    shiftDetailView(shift, reads.shifts.movementsOf(shift.id), readerOf(caller));
  /** Whose shifts the caller sees; null: everybody's. */
  const seenBy = (caller: Caller): number | null => sellerOf(caller) ?? null;

  api.handle(contract.listShifts, ({ query, caller }) => {
    const adminId = seenBy(caller);
    const shifts = reads.shifts.list(adminId, rowsOf(query));
    const pagination = paginationOf(query, reads.shifts.count(adminId));
    return { success: true, shifts: shifts.map(shift => shiftView(shift, readerOf(caller))), pagination };
  });

  api.handle(contract.currentShift, ({ caller, actor }) => {
    const shift = reads.shifts.openOf(actor.adminId);
    return { success: true, shift: shift === null ? null : detail(shift, caller) };
  });

  api.handle(contract.openShift, async ({ body, caller, actor }) => {
    const shift = await commit('openShift', { openingFloatMinor: body.opening_float.minor }, actor);
    return { success: true, message: 'Your shift is open.', shift: detail(shift, caller) };
  });

  api.handle(contract.moveCash, async ({ body, caller, actor }) => {
    const { direction, amount, reason } = body;
    const amountMinor = direction === 'in' ? amount.minor : -amount.minor;
    const shift = await commit('moveCash', { amountMinor, reason }, actor);
    const message = direction === 'in' ? 'It is in the books as put in.' : 'It is in the books as taken out.';
    return { success: true, message, shift: detail(shift, caller) };
  });

  api.handle(contract.closeShift, async ({ body, caller, actor }) => {
    const shift = await commit('closeShift', { countedMinor: body.counted.minor, note: body.note ?? '' }, actor);
    return { success: true, message: 'Your shift is closed.', shift: detail(shift, caller) };
  });

  api.handle(contract.showShift, ({ params, caller }) => {
    const shift = requireShiftOf(reads, params.shift_id, seenBy(caller));
    return { success: true, shift: detail(shift, caller) };
  });

  api.handle(contract.explainShift, async ({ params, body, caller, actor }) => {
    const input = { shiftId: params.shift_id, adminId: seenBy(caller), note: body.note };
    const shift = await commit('explainShift', input, actor);
    return { success: true, message: 'Your note is kept with the shift.', shift: detail(shift, caller) };
  });
}
