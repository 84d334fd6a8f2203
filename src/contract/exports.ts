/** Users, payments, vouchers and revenue as CSV. */
import * as v from 'valibot';

import { endpoint } from './endpoint.ts';
import * as field from './fields.ts';
import { PaymentFilter } from './payments.ts';
import { RevenueFilter } from './reports.ts';
import { UserFilter } from './users.ts';
import * as value from './values.ts';

export const exportUsers = endpoint({
  method: 'GET',
  path: '/admin/export/users/',
  summary: 'People as CSV',
  auth: 'staff',
  query: UserFilter,
  reply: value.string,
  type: 'csv',
});

export const exportPayments = endpoint({
  method: 'GET',
  path: '/admin/export/payments/',
  summary: 'Payments as CSV',
  auth: 'staff',
  query: PaymentFilter,
  reply: value.string,
  type: 'csv',
});

export const exportVouchers = endpoint({
  method: 'GET',
  path: '/admin/export/vouchers/',
  summary: 'Vouchers as CSV',
  auth: 'staff',
  query: v.object({
    batch_id: field.filter(field.idText),
    bundle_id: field.filter(field.idText),
    is_used: field.filter(field.booleanText),
    code: field.optional(field.text(60)),
  }),
  reply: value.string,
  type: 'csv',
});

export const exportRevenue = endpoint({
  method: 'GET',
  path: '/admin/export/revenue/',
  summary: 'The rows of a report as CSV',
  auth: 'staff',
  query: RevenueFilter,
  reply: value.string,
  type: 'csv',
});
