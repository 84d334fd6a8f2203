/** Payments, as staff see them and as who pays does, and refunds. See docs/interface.md: Payment, Refund. */
import * as contract from '../../contract/payments.ts';
import { REVIEW_ADVICE } from '../../domain/diagnosis.ts';
import { formatAmount, type Money } from '../../domain/money.ts';
import type { Payment, PaymentSummary } from '../../domain/payments.ts';
import type { Checkout } from '../../domain/ports.ts';
import { drawerFor, isRefunded, type Refund, refundable } from '../../domain/refunds.ts';
import type { Reads } from '../../domain/transaction.ts';
import type { User } from '../../domain/users.ts';
import type { WebhookLog } from '../../domain/webhook-logs.ts';
import { viewOf } from '../names.ts';
import { grantView } from './grants.ts';
import { webhookLogView } from './webhook-logs.ts';

const plainPayment = viewOf(contract.Payment);

/** A record of the list. @param refundedMinor given back or on its way, in minor units */
export const paymentView = (payment: Payment, refundedMinor: number): contract.Payment => ({
  ...plainPayment(payment),
  phone_number: payment.phone,
  amount: formatAmount(payment.amount),
  currency: payment.amount.currency,
  payment_reference: payment.paymentReference ?? '',
  transaction_id: payment.transactionId ?? '',
  payment_channel: payment.paymentChannel ?? '',
  paid_amount: payment.paid === null ? null : formatAmount(payment.paid),
  review_advice: payment.review === null ? null : REVIEW_ADVICE[payment.review],
  refunded_amount: formatAmount({ ...payment.amount, minor: refundedMinor }),
  is_refunded: isRefunded(payment, refundedMinor),
});

const plainRefund = viewOf(contract.Refund);

export const refundView = (refund: Refund): contract.Refund => ({
  ...plainRefund(refund),
  amount: formatAmount(refund.amount),
});

export function paymentDetailView(
  payment: Payment,
  { refunds, grants, shifts }: Pick<Reads, 'refunds' | 'grants' | 'shifts'>,
  { logs, adminId }: { logs: readonly WebhookLog[]; adminId: number | null },
): contract.PaymentDetail {
  const given = refunds.ofPayment(payment.id);
  const grant = grants.ofSource('payment', payment.id);
  return {
    ...paymentView(payment, refunds.refundedMinor(payment.id)),
    mac_address: payment.mac,
    shift_id: payment.shiftId,
    expires_at: payment.expiresAt,
    refundable_amount: formatAmount(refundableOf(payment, given)),
    refund_drawer: drawerFor({ shifts }, payment, adminId)?.adminName ?? null,
    refunds: given.map(refundView),
    webhook_logs: logs.map(webhookLogView),
    grant: grant === null ? null : grantView(grant),
    checks: { count: payment.checks, next_at: payment.nextCheckAt },
  };
}

/** Only what was paid can be given back. */
function refundableOf(payment: Payment, refunds: readonly Refund[]) {
  return payment.status === 'completed' ? refundable(payment, refunds) : { ...payment.amount, minor: 0 };
}

export function summaryView(summary: PaymentSummary, currency: string): contract.PaymentSummary {
  const amountOf = (minor: number): string => formatAmount({ minor, currency } satisfies Money);
  return {
    total_amount: amountOf(summary.completed.amountMinor),
    pending_amount: amountOf(summary.pending.amountMinor),
    completed_count: summary.completed.orders,
    pending_count: summary.pending.orders,
    refunded_amount: amountOf(summary.refundedMinor),
    net_amount: amountOf(summary.completed.amountMinor - summary.refundedMinor),
    failed_count: summary.failed.orders,
    cancelled_count: summary.cancelled.orders,
  };
}

/** `GET /payment-status/{order_reference}/`. */
export const paymentStatusView = (
  payment: Payment,
  user: User | null,
  refundedMinor: number,
): contract.PaymentStatus => ({
  payment_status: payment.status.toUpperCase() as Uppercase<Payment['status']>,
  order_reference: payment.orderReference,
  amount: formatAmount(payment.amount),
  phone_number: payment.phone,
  payment_date: payment.completedAt,
  access_granted: payment.status === 'completed' && !isRefunded(payment, refundedMinor),
  subscription_end: user?.paidUntil ?? null,
  ...(payment.deviceAllowed === null ? {} : { device_allowed: payment.deviceAllowed }),
  bundle_id: payment.bundleId,
  ...(payment.status === 'pending' && payment.redirectUrl !== null ? { redirect_url: payment.redirectUrl } : {}),
});

/** Of an order that the provider knows of by now. */
export const checkoutView = (payment: Payment, { redirectUrl }: Checkout): contract.Checkout => ({
  success: true,
  payment_reference: payment.paymentReference ?? payment.orderReference,
  order_reference: payment.orderReference,
  amount: formatAmount(payment.amount),
  phone_number: payment.phone,
  redirect_url: redirectUrl,
  message: 'Please complete the payment on the next page.',
});
