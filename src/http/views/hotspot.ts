/** What the router is answered, and who asks about its users. See docs/interface.md: Hotspot router. */
import type { Admitted, HotspotUser, RouterStatus } from '../../contract/hotspot.ts';
import { type GrantSource, hasAccess } from '../../domain/access.ts';
import type { Device, SeenDevice } from '../../domain/devices.ts';
import type { AuthAnswer } from '../../domain/hotspot.ts';
import { formatAmount } from '../../domain/money.ts';
import { apiPort, type RouterResources, type RouterSettings } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time.ts';
import type { User } from '../../domain/users.ts';
import type { Context } from '../context.ts';
import type { LiveSession } from '../live-sessions.ts';
import { sessionView } from './router.ts';

type Allowed = Extract<AuthAnswer, { allowed: true }>;

export function admittedView({ reads }: Context, answer: Allowed, device: SeenDevice | null): Admitted {
  const { user, deviceCount, placement } = answer;
  return {
    'auth-state': 1,
    success: true,
    authenticated: true,
    message: 'Access granted.',
    user: user.phone,
    device_count: deviceCount,
    max_devices: user.maxDevices,
    access_type: reads.grants.lastSourceOfUser(user.id) ?? 'admin',
    device_info: {
      current_device: { mac: device?.mac ?? '', ip: device?.ip ?? '', registered: placement !== null },
    },
    router_response: 'OK',
  };
}

const USER_TYPES: Record<GrantSource, HotspotUser['user_type']> = {
  payment: 'payment_user',
  voucher: 'voucher_user',
  admin: 'admin_user',
  refund: 'payment_user',
};

/** @param details devices, payment and session; null: the caller may not see them */
export function hotspotUserView(
  { reads, clock }: Context,
  user: User,
  devices: readonly Device[],
  details: { session: LiveSession | null } | null,
): HotspotUser {
  const now = clock.now();
  const source = reads.grants.lastSourceOfUser(user.id);
  const session = details?.session ?? null;
  return {
    success: true,
    user_type: source === null ? 'user' : USER_TYPES[source],
    username: user.phone,
    is_active: user.isActive,
    has_active_access: hasAccess(user, now),
    status: accessStatus(user, now),
    user_info: {
      user_id: user.id,
      phone_number: user.phone,
      is_active: user.isActive,
      paid_until: user.paidUntil,
      created_at: user.createdAt,
      device_count: devices.length,
    },
    devices: (details === null ? [] : devices).map(device => ({
      mac_address: device.mac,
      first_seen: device.firstConnected,
      last_seen: device.lastSeen,
      is_active: device.removedAt === null,
    })),
    payment_info: details === null ? null : paymentInfo(reads, user),
    router_session: session === null ? null : sessionView(session),
    timestamp: now,
  };
}

function accessStatus(user: User, now: Instant): HotspotUser['status'] {
  if (!user.isActive) return 'blocked';
  if (user.paidUntil === null) return 'inactive';
  return hasAccess(user, now) ? 'active' : 'expired';
}

function paymentInfo(reads: Context['reads'], user: User): HotspotUser['payment_info'] {
  const payment = reads.payments.lastCompletedOfUser(user.id);
  if (payment?.completedAt == null) return null;
  return {
    bundle_name: payment.bundleName,
    amount: formatAmount(payment.amount),
    paid_at: payment.completedAt,
    expires_at: user.paidUntil,
  };
}

/** What the router answered; or why it did not. */
type Asked = { resources: RouterResources; sessions: number } | { problem: string };

interface Around {
  settings: RouterSettings | null;
  adminName: string;
  now: Instant;
}

export function routerStatusView({ settings, adminName, now }: Around, asked: Asked): RouterStatus {
  const isThere = 'resources' in asked;
  return {
    success: isThere,
    router_ip: settings?.host ?? '',
    router_port: settings?.port ?? apiPort(false),
    hotspot_name: settings?.hotspot ?? '',
    admin_user: adminName,
    timestamp: now,
    connection_status: isThere ? 'connected' : 'disconnected',
    connection_details: {
      success: isThere,
      message: isThere ? 'The router answers.' : asked.problem,
      router_info: isThere ? routerInfoView(asked.resources) : null,
    },
    active_users: isThere ? asked.sessions : 0,
  };
}

const routerInfoView = ({ identity, version, uptime }: RouterResources) => ({ identity, version, uptime });
