/** What was sold and given back: told apart in several ways, and at a glance. */
import * as v from 'valibot';

import { endpoint, found } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

export const RevenueTotals = v.object({
  /** What was sold; a voucher counts as one. */
  payments: value.integer,
  /** Gross. */
  revenue: value.amount,
  refunds: value.amount,
  net: value.amount,
});
export type RevenueTotals = v.InferOutput<typeof RevenueTotals>;

const sums = RevenueTotals.entries;
/** People who paid by themselves; of who buys a voucher nothing is known. */
const payers = value.integer;

/** What a row of the report is of, by what its rows tell apart. */
export const REVENUE_ROWS = {
  day: v.object({ day: value.day, ...sums, payers }),
  bundle: v.object({ bundle_id: value.id, bundle_name: value.string, ...sums, payers }),
  method: v.object({ method: value.string, ...sums }),
  /** Who sold it; null: nobody of the staff. */
  cashier: v.object({ cashier: v.nullable(value.string), ...sums }),
  /** Of the day, 0 to 23. */
  hour: v.object({ hour: value.integer, ...sums }),
  /** The portal, or the counter. */
  place: v.object({ place: value.string, ...sums }),
};
export type RevenueGroup = keyof typeof REVENUE_ROWS;
const RevenueRow = v.union(Object.values(REVENUE_ROWS));
export type RevenueRow = v.InferOutput<typeof RevenueRow>;

/** The filter of the report and of its export. */
export const RevenueFilter = v.object({
  from: field.filter(field.day),
  to: field.filter(field.day),
  group: field.enumFilter(Object.keys(REVENUE_ROWS) as RevenueGroup[]),
});

export const reportRevenue = endpoint({
  method: 'GET',
  path: '/admin/reports/revenue/',
  summary: 'What was sold and given back; over several days, payers count once a day',
  auth: 'staff',
  query: RevenueFilter,
  reply: found({
    from: value.day,
    to: value.day,
    currency: value.string,
    /** Gross, as `totals.revenue`. */
    total: value.amount,
    totals: RevenueTotals,
    /** As many days, right before. */
    previous: v.object({ from: value.day, to: value.day, ...sums }),
    rows: v.array(RevenueRow),
  }),
});

/** Of a number of days, today the last of them. */
export const Revenue = v.object({
  period_days: value.integer,
  /** Gross. */
  total_revenue: value.amount,
  refunds: value.amount,
  net_revenue: value.amount,
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
        is_refunded: value.boolean,
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
      /** Available, and neither sold nor given away. */
      in_stock: value.integer,
      sold: value.integer,
      /** Used, though nobody has sold them. */
      used_unsold: value.integer,
      giveaway: value.integer,
    }),
    device_stats: v.object({ total: value.integer, online: value.integer }),
    timestamp: value.instant,
  }),
});
