/** What a person sees of their own access. */
import type { UserStatus, Verified } from '../../contract/verify.ts';
import { hasAccess, secondsLeft } from '../../domain/access.ts';
import { limitsOf } from '../../domain/limits.ts';
import type { Phone } from '../../domain/phone.ts';
import { acceptedProofs } from '../../domain/proofs.ts';
import type { Standing } from '../../domain/standings.ts';
import { humanDuration, type Instant } from '../../domain/time.ts';
import type { Context } from '../context.ts';

export type VerifiedDevice = 'not_asked' | 'allowed' | 'no_room' | 'unproven' | 'other_device' | 'moved_often';

/** @param openOrder only for the device that the order was made for: once it is paid, it is a proof of the number */
export function verifiedView(
  { reads, clock, policy, router }: Context,
  number: Phone,
  device: VerifiedDevice,
  openOrder: string | null,
): Verified {
  const user = reads.users.byPhone(number);
  const isAllowed = user !== null && hasAccess(user, clock.now());
  return {
    has_access: isAllowed,
    user: {
      phone_number: number,
      subscription_end: user?.paidUntil ?? null,
      devices_count: user === null ? 0 : reads.devices.countOfUser(user.id),
      max_devices: user?.maxDevices ?? limitsOf({ settings: reads.settings, policy }).defaultMaxDevices,
    },
    message: verifyMessage(isAllowed, user?.isActive ?? true, device),
    ...(device === 'not_asked' ? {} : { device_allowed: device === 'allowed' }),
    ...(device === 'unproven' ? { proof_required: true, proofs: acceptedProofs(policy) } : {}),
    ...(device === 'allowed' ? { router_connected: router.state === 'connected' } : {}),
    ...(openOrder === null ? {} : { pending_order_reference: openOrder }),
  };
}

function verifyMessage(isAllowed: boolean, isActive: boolean, device: VerifiedDevice): string {
  if (!isActive) return 'This number is blocked. Please ask the staff.';
  if (!isAllowed) return 'No paid time is running. Please buy a bundle or use a voucher.';
  if (device === 'no_room') return 'Paid time is running, but on other devices. Remove one of them to use this one.';
  if (device === 'unproven') return 'Paid time is running. A new device needs a proof that this number is yours.';
  if (device === 'other_device') return 'Paid time is running. Please open this page on the device itself.';
  if (device === 'moved_often') {
    return 'Paid time is running, but this device went from one number to another too often. Try again in an hour.';
  }
  return 'Paid time is running.';
}

/** `GET /user-status/{phone_number}/`. */
export function userStatusView({ user, devices, paymentCount }: Standing, now: Instant): UserStatus {
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
