/** `GET /dashboard-stats/`: the business at a glance. See docs/interface.md: Status and reports. */
import { hasAccess } from '../../domain/access.ts';
import { formatAmount } from '../../domain/money.ts';
import type { Payment } from '../../domain/payments.ts';
import type { User } from '../../domain/users.ts';
import type { Context } from '../context.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import { earnedLately, revenueView } from '../views/numbers.ts';

const RECENT = 10;

export function dashboardRoutes(api: Api, context: Context): void {
  api.get(
    '/dashboard-stats/',
    route({ auth: 'staff' }, () => json(200, dashboardView(context))),
  );
}

function dashboardView(context: Context) {
  const { reads, clock, policy, presence } = context;
  const now = clock.now();
  const { users, activeUsers, payments, vouchers, devices } = reads.stats.counts(now);
  const [month, week, today] = [30, 7, 1].map(days => revenueView(earnedLately(context, days), policy.currency));
  const page = { limit: RECENT, offset: 0 };
  return {
    success: true,
    total_users: users,
    active_users: activeUsers,
    total_payments: payments.completed,
    today_revenue: today?.total_revenue,
    pending_payments: payments.pending,
    vouchers_available: vouchers.available,
    revenue_30d: month,
    revenue_7d: week,
    revenue_today: today,
    recent_payments: reads.payments.page({}, page).map(recentPaymentView),
    recent_users: reads.users.page({}, now, page).map(user => ({
      ...recentUserView(user),
      has_active_access: hasAccess(user, now),
    })),
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
      expired: vouchers.total - vouchers.used - vouchers.available - vouchers.revoked,
    },
    device_stats: { total: devices, online: presence.onlineCount },
    timestamp: now,
  };
}

/** Status in capitals, as the interface's dashboard has it. */
const recentPaymentView = (payment: Payment) => ({
  id: payment.id,
  phone_number: payment.phone,
  amount: formatAmount(payment.amount),
  bundle_name: payment.bundleName,
  status: payment.status.toUpperCase(),
  date: payment.completedAt ?? payment.createdAt,
});

const recentUserView = (user: User) => ({
  id: user.id,
  phone_number: user.phone,
  is_active: user.isActive,
  paid_until: user.paidUntil,
  created_at: user.createdAt,
});
