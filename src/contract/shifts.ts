/** Cashiers' shifts: opened, closed, looked at. */
import * as v from 'valibot';

import { done, endpoint, found, paged } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

export const Shift = v.object({
  id: value.id,
  admin: value.string,
  opened_at: value.instant,
  closed_at: v.nullable(value.instant),
  opening_float: value.amount,
  sales_count: value.integer,
  sales_total: value.amount,
  expected: value.amount,
  counted: v.nullable(value.amount),
  /** What was counted over what should have been there; negative when money is missing. */
  difference: v.nullable(value.amount),
  note: value.string,
});
export type Shift = v.InferOutput<typeof Shift>;

export const listShifts = endpoint({
  method: 'GET',
  path: '/admin/shifts/',
  summary: 'Shifts; a cashier sees their own',
  auth: 'cashier',
  query: v.object(field.pages),
  reply: paged('shifts', Shift, {}),
});

export const currentShift = endpoint({
  method: 'GET',
  path: '/admin/shifts/current/',
  summary: 'The own open shift',
  auth: 'cashier',
  reply: found({ shift: v.nullable(Shift) }),
});

export const openShift = endpoint({
  method: 'POST',
  path: '/admin/shifts/open/',
  summary: 'Begin a shift',
  auth: 'cashier',
  body: v.object({ opening_float: field.amount }),
  status: 201,
  reply: done({ shift: Shift }),
  refuses: [409],
});

export const closeShift = endpoint({
  method: 'POST',
  path: '/admin/shifts/close/',
  summary: 'End the own shift, with what was counted',
  auth: 'cashier',
  body: v.object({ counted: field.amount, note: field.optional(field.text(500)) }),
  reply: done({ shift: Shift }),
  refuses: [409],
});
