/** What a person sees of their own access. */
import type { UserStatus, Verified } from '../../contract/verify.ts';
import { hasAccess, secondsLeft } from '../../domain/access.ts';
import { limitsOf } from '../../domain/limits.ts';
import type { Phone } from '../../domain/phone.ts';
import { acceptedProofs } from '../../domain/proofs.ts';
import type { Standing } from '../../domain/standings.ts';
import { humanDuration, type Instant } from '../../domain/time.ts';
import type { Context } from '../context.ts';

/** What became of the device; `online`: the router shows its session. */
export type VerifiedDevice =
  | 'not_asked'
  | 'online'
  | 'allowed'
  | 'no_room'
  | 'unproven'
  | 'other_device'
  | 'moved_often';

interface Verification {
  placed: VerifiedDevice;
  /** The device is not the one that asks, or not known to be. */
  isOther: boolean;
  /** Only for the device that the order was made for: once it is paid, it is a proof of the number. */
  openOrder: string | null;
}

export function verifiedView(
  { reads, clock, policy, site }: Context,
  number: Phone,
  { placed, isOther, openOrder }: Verification,
): Verified {
  const user = reads.users.byPhone(number);
  const isAllowed = user !== null && hasAccess(user, clock.now());
  const isLetIn = placed === 'online' || placed === 'allowed';
  const isUnknown = isAllowed && placed === 'not_asked' && site.isConfigured;
  return {
    has_access: isAllowed,
    user: {
      phone_number: number,
      subscription_end: user?.paidUntil ?? null,
      devices_count: user === null ? 0 : reads.devices.countOfUser(user.id),
      max_devices: user?.maxDevices ?? limitsOf({ settings: reads.settings, policy }).defaultMaxDevices,
    },
    message: verifyMessage(isAllowed, user?.isActive ?? true, placed),
    ...(placed === 'not_asked' ? {} : { device_allowed: isLetIn }),
    ...(placed !== 'not_asked' && isOther ? { other_device: true } : {}),
    ...(placed === 'unproven' ? { proof_required: true, proofs: acceptedProofs(policy) } : {}),
    ...(isLetIn || isUnknown ? { router_connected: site.isConnected, online: placed === 'online' } : {}),
    ...(openOrder === null ? {} : { pending_order_reference: openOrder }),
  };
}

function verifyMessage(isAllowed: boolean, isActive: boolean, placed: VerifiedDevice): string {
  if (!isActive) return 'This number is blocked. Please ask the staff.';
  if (!isAllowed) return 'No paid time is running. Please buy a bundle or use a voucher.';
  if (placed === 'no_room') return 'Paid time is running, but on other devices. Remove one of them to use this one.';
  if (placed === 'unproven') return 'Paid time is running. A new device needs a proof that this number is yours.';
  if (placed === 'other_device') return 'Paid time is running. Please open this page on the device itself.';
  if (placed === 'moved_often') {
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
