/** The business at a glance. See docs/interface.md: Status and reports. */
import type { ReplyOf } from '../../contract/endpoint.ts';
import type { showDashboard } from '../../contract/reports.ts';
import { hasAccess } from '../../domain/access.ts';
import { formatAmount } from '../../domain/money.ts';
import type { Payment, PaymentStatus } from '../../domain/payments.ts';
import { isRefunded } from '../../domain/refunds.ts';
import type { Instant } from '../../domain/time.ts';
import type { User } from '../../domain/users.ts';
import type { Context } from '../context.ts';
import { revenueView } from './numbers.ts';

type Dashboard = ReplyOf<typeof showDashboard>;

const RECENT = { limit: 10, offset: 0 };

export function dashboardView(context: Context): Dashboard {
  const { reads, clock, site } = context;
  const now = clock.now();
  const { users, activeUsers, payments, vouchers, devices } = reads.stats.counts(now);
  const today = revenueView(context, 1);
  return {
    success: true,
    total_users: users,
    active_users: activeUsers,
    total_payments: payments.completed,
    today_revenue: today.total_revenue,
    pending_payments: payments.pending,
    vouchers_available: vouchers.available,
    revenue_30d: revenueView(context, 30),
    revenue_7d: revenueView(context, 7),
    revenue_today: today,
    recent_payments: reads.payments.page({}, RECENT).map(payment => recentPaymentView(payment, reads)),
    recent_users: reads.users.page({}, now, RECENT).map(user => recentUserView(user, now)),
    payment_stats: {
      total: payments.pending + payments.completed + payments.failed + payments.cancelled,
      completed: payments.completed,
      pending: payments.pending,
      failed: payments.failed,
      cancelled: payments.cancelled,
    },
    voucher_stats: {
      total: vouchers.total,
      used: vouchers.used,
      available: vouchers.available,
      revoked: vouchers.revoked,
      in_stock: vouchers.inStock,
      sold: vouchers.sold,
      used_unsold: vouchers.usedUnsold,
      giveaway: vouchers.giveaway,
      expired: vouchers.total - vouchers.used - vouchers.available - vouchers.revoked,
    },
    device_stats: { total: devices, online: site.onlineCount },
    timestamp: now,
  };
}

/** Status in capitals, as the interface's dashboard has it. */
const recentPaymentView = (payment: Payment, { refunds }: Context['reads']): Dashboard['recent_payments'][number] => ({
  id: payment.id,
  phone_number: payment.phone,
  amount: formatAmount(payment.amount),
  bundle_name: payment.bundleName,
  status: payment.status.toUpperCase() as Uppercase<PaymentStatus>,
  is_refunded: isRefunded(payment, refunds.refundedMinor(payment.id)),
  date: payment.completedAt ?? payment.createdAt,
});

const recentUserView = (user: User, now: Instant): Dashboard['recent_users'][number] => ({
  id: user.id,
  phone_number: user.phone,
  is_active: user.isActive,
  paid_until: user.paidUntil,
  created_at: user.createdAt,
  has_active_access: hasAccess(user, now),
});
