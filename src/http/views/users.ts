/** People, as staff see them and as they see themselves. See docs/interface.md: User. */
import { type Grant, hasAccess, secondsLeft } from '../../domain/access.ts';
import { formatAmount } from '../../domain/money.ts';
import type { Standing } from '../../domain/standings.ts';
import { humanDuration, type Instant, SECONDS_PER_HOUR } from '../../domain/time.ts';
import type { Reads } from '../../domain/transaction.ts';
import type { User } from '../../domain/users.ts';

/** A record of the list. Both payment counts are of completed ones: an order that nobody paid is no payment. */
export function userView(user: User, reads: Reads, now: Instant) {
  const payments = reads.payments.countCompletedOfUser(user.id);
  const last = payments === 0 ? null : reads.payments.lastCompletedOfUser(user.id);
  return {
    id: user.id,
    phone_number: user.phone,
    is_active: user.isActive,
    created_at: user.createdAt,
    paid_until: user.paidUntil,
    has_active_access: hasAccess(user, now),
    max_devices: user.maxDevices,
    total_payments: payments,
    device_count: reads.devices.countOfUser(user.id),
    payment_count: payments,
    last_payment:
      last === null
        ? null
        : { amount: formatAmount(last.amount), bundle_name: last.bundleName, completed_at: last.completedAt },
    version: user.version,
  };
}

/** Hours are negative where time was taken back. */
export const grantView = (grant: Grant) => ({
  id: grant.id,
  source: grant.source,
  source_id: grant.sourceId,
  hours: grant.seconds / SECONDS_PER_HOUR,
  starts_at: grant.startsAt,
  ends_at: grant.endsAt,
  by: grant.by,
  reason: grant.reason,
  created_at: grant.at,
});

/** `GET /user-status/{phone_number}/`. */
export function userStatusView({ user, devices, paymentCount }: Standing, now: Instant) {
  return {
    user: {
      phone_number: user.phone,
      subscription_end: user.paidUntil,
      is_active: user.isActive,
      devices_count: devices.length,
      max_devices: user.maxDevices,
      total_payments: paymentCount,
    },
    has_access: hasAccess(user, now),
    time_remaining: humanDuration(secondsLeft(user.paidUntil, now)),
  };
}
