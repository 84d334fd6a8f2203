/** What was earned: by day, by bundle, and at a glance. */
import * as v from 'valibot';

import { endpoint, found } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

const sums = { payments: value.integer, revenue: value.amount, payers: value.integer };

export const RevenueOfDay = v.object({ day: value.day, ...sums });
export type RevenueOfDay = v.InferOutput<typeof RevenueOfDay>;

export const RevenueOfBundle = v.object({ bundle_id: value.id, bundle_name: value.string, ...sums });
export type RevenueOfBundle = v.InferOutput<typeof RevenueOfBundle>;

export const reportRevenue = endpoint({
  method: 'GET',
  path: '/admin/reports/revenue/',
  summary: 'What was earned, by day or by bundle; over several days, payers count once a day',
  auth: 'staff',
  query: v.object({
    from: field.filter(field.day),
    to: field.filter(field.day),
    group: field.enumFilter(['day', 'bundle']),
  }),
  reply: found({
    from: value.day,
    to: value.day,
    currency: value.string,
    total: value.amount,
    rows: v.array(v.union([RevenueOfDay, RevenueOfBundle])),
  }),
});

/** Of a number of days, today the last of them. */
export const Revenue = v.object({
  period_days: value.integer,
  total_revenue: value.amount,
  total_transactions: value.integer,
  unique_users: value.integer,
  average_per_user: value.amount,
});
export type Revenue = v.InferOutput<typeof Revenue>;

export const showDashboard = endpoint({
  method: 'GET',
  path: '/dashboard-stats/',
  summary: 'The business at a glance',
  auth: 'staff',
  reply: found({
    total_users: value.integer,
    active_users: value.integer,
    total_payments: value.integer,
    today_revenue: value.amount,
    pending_payments: value.integer,
    vouchers_available: value.integer,
    revenue_30d: Revenue,
    revenue_7d: Revenue,
    revenue_today: Revenue,
    recent_payments: v.array(
      v.object({
        id: value.id,
        phone_number: value.phone,
        amount: value.amount,
        bundle_name: value.string,
        status: v.picklist(['PENDING', 'COMPLETED', 'FAILED', 'CANCELLED']),
        date: value.instant,
      }),
    ),
    recent_users: v.array(
      v.object({
        id: value.id,
        phone_number: value.phone,
        is_active: value.boolean,
        paid_until: v.nullable(value.instant),
        created_at: value.instant,
        has_active_access: value.boolean,
      }),
    ),
    payment_stats: v.object({
      total: value.integer,
      completed: value.integer,
      pending: value.integer,
      failed: value.integer,
      cancelled: value.integer,
    }),
    voucher_stats: v.object({
      total: value.integer,
      used: value.integer,
      available: value.integer,
      revoked: value.integer,
      expired: value.integer,
    }),
    device_stats: v.object({ total: value.integer, online: value.integer }),
    timestamp: value.instant,
  }),
});
