/** Cashiers' shifts: opened, counted blind, closed, looked at. */
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
  /** null: a cashier is told these seven once they have counted. */
  sales_count: v.nullable(value.integer),
  sales_total: v.nullable(value.amount),
  /** Vouchers sold, each code one. */
  vouchers_count: v.nullable(value.integer),
  vouchers_total: v.nullable(value.amount),
  /** Given back in cash from its drawer. */
  refunds_count: v.nullable(value.integer),
  refunds_total: v.nullable(value.amount),
  expected: v.nullable(value.amount),
  /** Put into the drawer and taken out of it besides sales. */
  cash_in: value.amount,
  cash_out: value.amount,
  counted: v.nullable(value.amount),
  /** What was counted over what should have been there; negative when money is missing. */
  difference: v.nullable(value.amount),
  note: value.string,
});
export type Shift = v.InferOutput<typeof Shift>;

const DIRECTIONS = ['in', 'out'] as const;

export const ShiftDetail = v.object({
  ...Shift.entries,
  movements: v.array(
    v.object({
      id: value.id,
      direction: v.picklist(DIRECTIONS),
      amount: value.amount,
      reason: value.string,
      at: value.instant,
    }),
  ),
});
export type ShiftDetail = v.InferOutput<typeof ShiftDetail>;

const OneShift = v.object({ shift_id: field.idText });

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
  reply: found({ shift: v.nullable(ShiftDetail) }),
});

export const openShift = endpoint({
  method: 'POST',
  path: '/admin/shifts/open/',
  summary: 'Begin a shift',
  auth: 'cashier',
  body: v.object({ opening_float: field.amount }),
  status: 201,
  reply: done({ shift: ShiftDetail }),
  refuses: [409],
});

export const moveCash = endpoint({
  method: 'POST',
  path: '/admin/shifts/cash/',
  summary: 'Put cash into the own drawer or take some out, with a reason',
  auth: 'cashier',
  body: v.object({ direction: field.enumOf(DIRECTIONS), amount: field.amount, reason: field.text(200) }),
  reply: done({ shift: ShiftDetail }),
  refuses: [409],
});

export const closeShift = endpoint({
  method: 'POST',
  path: '/admin/shifts/close/',
  summary: 'End the own shift, with what was counted',
  auth: 'cashier',
  body: v.object({ counted: field.amount, note: field.optional(field.text(500)) }),
  reply: done({ shift: ShiftDetail }),
  refuses: [409],
});

export const showShift = endpoint({
  method: 'GET',
  path: '/admin/shifts/:shift_id/',
  summary: 'A shift with what was put in and taken out; a cashier sees their own',
  auth: 'cashier',
  params: OneShift,
  reply: found({ shift: ShiftDetail }),
});

export const explainShift = endpoint({
  method: 'POST',
  path: '/admin/shifts/:shift_id/note/',
  summary: 'Say why the count of a closed shift differs, where nothing was said yet; a cashier of their own',
  auth: 'cashier',
  params: OneShift,
  body: v.object({ note: field.text(500) }),
  reply: done({ shift: ShiftDetail }),
  refuses: [409],
});
