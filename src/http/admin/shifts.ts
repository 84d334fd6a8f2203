/** Cashiers' shifts: opened, closed, looked at. */
import { closeShift, currentShift, listShifts, openShift } from '../../contract/shifts.ts';
import type { Context } from '../context.ts';
import { hasRole } from '../credentials.ts';
import { paginationOf, rowsOf } from '../pagination.ts';
import type { Api } from '../route.ts';
import { shiftView } from '../views/shifts.ts';

export function shiftRoutes(api: Api, { reads, commit, policy }: Context): void {
  const { currency } = policy;

  api.handle(listShifts, ({ query, caller, actor }) => {
    // A cashier sees their own; nobody has the id 0.
    const adminId = hasRole(caller, 'staff') ? null : (actor.adminId ?? 0);
    const shifts = reads.shifts.list(adminId, rowsOf(query));
    const pagination = paginationOf(query, reads.shifts.count(adminId));
    return { success: true, shifts: shifts.map(shift => shiftView(shift, currency)), pagination };
  });

  api.handle(currentShift, ({ actor }) => {
    const shift = reads.shifts.openOf(actor.adminId);
    return { success: true, shift: shift === null ? null : shiftView(shift, currency) };
  });

  api.handle(openShift, async ({ body, actor }) => {
    const shift = await commit('openShift', { openingFloatMinor: body.opening_float.minor }, actor);
    return { success: true, message: 'Your shift is open.', shift: shiftView(shift, currency) };
  });

  api.handle(closeShift, async ({ body, actor }) => {
    const shift = await commit('closeShift', { countedMinor: body.counted.minor, note: body.note ?? '' }, actor);
    return { success: true, message: 'Your shift is closed.', shift: shiftView(shift, currency) };
  });
}
