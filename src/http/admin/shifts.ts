/** Cashiers' shifts: opened, closed, looked at. */
import type { Context } from '../context.ts';
import { hasRole } from '../credentials.ts';
import { amount, fields, optional, pageSizeText, pageText, text } from '../fields.ts';
import { paginationView } from '../pagination.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import { shiftView } from '../views/shifts.ts';

const List = fields({ page: pageText(), page_size: pageSizeText() });

export function shiftRoutes(api: Api, { reads, commit, policy }: Context): void {
  const { currency } = policy;
  const Open = fields({ opening_float: amount(currency) });
  const Close = fields({ counted: amount(currency), note: optional(text(500)) });

  api.get(
    '/admin/shifts/',
    route({ auth: 'cashier', query: List }, ({ query, caller, actor }) => {
      // A cashier sees their own; nobody has the id 0.
      const adminId = hasRole(caller, 'staff') ? null : (actor.adminId ?? 0);
      const { page, page_size: pageSize } = query;
      const shifts = reads.shifts.list(adminId, { limit: pageSize, offset: (page - 1) * pageSize });
      const pagination = paginationView({ page, pageSize, total: reads.shifts.count(adminId) });
      return json(200, { success: true, shifts: shifts.map(shift => shiftView(shift, currency)), pagination });
    }),
  );

  api.get(
    '/admin/shifts/current/',
    route({ auth: 'cashier' }, ({ actor }) => {
      const shift = actor.adminId === null ? null : reads.shifts.openOf(actor.adminId);
      return json(200, { success: true, shift: shift === null ? null : shiftView(shift, currency) });
    }),
  );

  api.post(
    '/admin/shifts/open/',
    route({ auth: 'cashier', body: Open }, async ({ body, actor }) => {
      const input = { openingFloatMinor: body.opening_float.minor };
      const shift = await commit('openShift', input, actor);
      return json(201, { success: true, message: 'Your shift is open.', shift: shiftView(shift, currency) });
    }),
  );

  api.post(
    '/admin/shifts/close/',
    route({ auth: 'cashier', body: Close }, async ({ body, actor }) => {
      const input = { countedMinor: body.counted.minor, note: body.note ?? '' };
      const shift = await commit('closeShift', input, actor);
      return json(200, { success: true, message: 'Your shift is closed.', shift: shiftView(shift, currency) });
    }),
  );
}
