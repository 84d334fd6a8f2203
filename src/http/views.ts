/**
 * From the domain's records to the interface's JSON. The only place where names are snake_case and where times,
 * money and phones become what clients read. See docs/interface.md: Records.
 */
import type { ReplyOf } from '../contract/endpoint.ts';
import type * as contract from '../contract/vouchers.ts';
import { hasAccess, secondsLeft } from '../domain/access.ts';
import type { Admin } from '../domain/admins.ts';
import type { Bundle, BundleSales } from '../domain/bundles.ts';
import type { Device } from '../domain/devices.ts';
import { amountNumber, formatAmount } from '../domain/money.ts';
import type { Payment } from '../domain/payments.ts';
import type { RouterResources, RouterSession } from '../domain/ports.ts';
import type { Standing } from '../domain/standings.ts';
import { humanDuration, type Instant, SECONDS_PER_HOUR } from '../domain/time.ts';
import type { User } from '../domain/users.ts';
import type { GeneratedVouchers, Voucher } from '../domain/vouchers.ts';
import type { WebhookLog } from '../domain/webhook-logs.ts';
import { type CodeReader, maskedCode, mayRead } from './code-readers.ts';

const hours = (seconds: number): number => seconds / SECONDS_PER_HOUR;

// --------------------------------------------------------------------------------------------- people

export const adminView = (admin: Admin) => ({
  id: admin.id,
  username: admin.username,
  email: admin.email,
  is_staff: true,
  role: admin.role,
});

export const profileView = (admin: Admin) => ({
  ...adminView(admin),
  first_name: admin.firstName,
  last_name: admin.lastName,
  totp_enabled: admin.hasTotp,
  date_joined: admin.createdAt,
});

/** `GET /user-status/{phone_number}/`. */
export function userStatusView({ user, deviceCount, paymentCount }: Standing, now: Instant) {
  return {
    user: {
      phone_number: user.phone,
      subscription_end: user.paidUntil,
      is_active: user.isActive,
      devices_count: deviceCount,
      max_devices: user.maxDevices,
      total_payments: paymentCount,
    },
    has_access: hasAccess(user, now),
    time_remaining: humanDuration(secondsLeft(user.paidUntil, now)),
  };
}

export const deviceView = (device: Device) => ({
  id: device.id,
  mac_address: device.mac,
  device_name: device.name,
  ip_address: device.ip ?? '',
  first_connected: device.firstConnected,
  last_seen: device.lastSeen,
  is_active: device.removedAt === null,
});

// ------------------------------------------------------------------------------------- bundles, vouchers

export const publicBundleView = (bundle: Bundle) => ({
  id: bundle.id,
  name: bundle.name,
  price: amountNumber(bundle.price),
  duration_hours: hours(bundle.durationSeconds),
  description: bundle.description,
  is_active: bundle.isActive,
});

export const bundleView = (bundle: Bundle, sales: BundleSales) => ({
  id: bundle.id,
  name: bundle.name,
  description: bundle.description,
  price: formatAmount(bundle.price),
  duration_hours: hours(bundle.durationSeconds),
  is_active: bundle.isActive,
  display_order: bundle.displayOrder,
  router_profile: bundle.routerProfile,
  total_purchases: sales.purchases,
  revenue: formatAmount(sales.revenue),
  version: bundle.version,
});

export const generatedView = ({
  batch,
  bundle,
  codes,
}: GeneratedVouchers): ReplyOf<typeof contract.generateVouchers> => ({
  success: true,
  vouchers_generated: codes.length,
  batch_id: batch.id,
  vouchers: codes.map(code => ({ code, bundle: bundle.name, expires_at: batch.expiresAt })),
});

/** @param reader to whom it is shown */
export const voucherView = (voucher: Voucher, reader: CodeReader): contract.Voucher => ({
  id: voucher.id,
  ...(mayRead(reader, voucher) ? { code: voucher.code } : { code: maskedCode(voucher.code), code_masked: true }),
  bundle: voucher.bundleName,
  is_used: voucher.usedAt !== null,
  created_at: voucher.createdAt,
  expires_at: voucher.expiresAt,
  used_by: voucher.usedByPhone,
  used_at: voucher.usedAt,
  batch_id: voucher.batchId,
  is_revoked: voucher.revokedAt !== null,
  revoked_at: voucher.revokedAt,
  revoked_by: voucher.revokedBy,
  sold_by: voucher.soldBy,
  used_by_id: voucher.usedBy,
});

// ------------------------------------------------------------------------------------------- payments

/** `GET /payment-status/{order_reference}/`. */
export const paymentStatusView = (payment: Payment, user: User | null) => ({
  payment_status: payment.status.toUpperCase(),
  order_reference: payment.orderReference,
  amount: formatAmount(payment.amount),
  phone_number: payment.phone,
  payment_date: payment.completedAt,
  access_granted: payment.status === 'completed',
  subscription_end: user?.paidUntil ?? null,
  ...(payment.deviceAllowed === null ? {} : { device_allowed: payment.deviceAllowed }),
});

export const webhookLogView = (log: WebhookLog) => ({
  id: log.id,
  payment_reference: log.paymentReference ?? '',
  payment_status: log.paymentStatus,
  amount: log.amount === null ? 0 : amountNumber(log.amount),
  phone_number: log.phone ?? '',
  webhook_data: log.data,
  processed_at: log.processedAt,
  order_reference: log.orderReference,
  outcome: log.outcome,
});

// --------------------------------------------------------------------------------------------- router

/** A live session; the interface wants every value as text. */
export const sessionView = (session: RouterSession) => ({
  id: session.id,
  user: session.user,
  address: session.address,
  'mac-address': session.mac ?? '',
  'session-time': routerDuration(session.uptimeSeconds),
  'bytes-in': String(session.bytesIn),
  'bytes-out': String(session.bytesOut),
  'packets-in': String(session.packetsIn),
  'packets-out': String(session.packetsOut),
});

export const routerInfoView = ({ identity, version, uptime }: RouterResources) => ({ identity, version, uptime });

/** As RouterOS writes durations: `1w2d3h4m5s`, zero parts left out. */
function routerDuration(seconds: number): string {
  let rest = seconds;
  const parts = ROUTER_UNITS.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return parts.join('') || '0s';
}

const ROUTER_UNITS = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;
