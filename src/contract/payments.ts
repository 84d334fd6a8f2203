/** Paying: an order, what became of it, what the provider notifies, and what staff do with payments. */
import * as v from 'valibot';

import { done, endpoint, found, paged, type ReplyOf } from './endpoint.ts';
import * as field from './fields.ts';
import { Grant } from './grants.ts';
import * as value from './values.ts';
import { WebhookLog } from './webhook-logs.ts';

export const initiatePayment = endpoint({
  method: 'POST',
  path: '/initiate-payment/',
  summary: 'Order a bundle; answers with the page to pay on',
  auth: 'none',
  errors: 'payment',
  body: v.object({
    phone_number: field.phone,
    bundle_id: field.id,
    mac_address: field.optional(field.mac),
    ip_address: field.optional(field.ip),
    return_query: field.optional(field.text(2_000)),
    language: field.optional(field.language),
  }),
  reply: found({
    payment_reference: value.string,
    order_reference: value.string,
    amount: value.amount,
    phone_number: value.phone,
    redirect_url: value.string,
    message: value.string,
  }),
  refuses: [402, 403, 404, 502],
});
export type Checkout = ReplyOf<typeof initiatePayment>;

export const PaymentStatus = v.object({
  payment_status: v.picklist(['PENDING', 'COMPLETED', 'FAILED', 'CANCELLED']),
  order_reference: value.string,
  amount: value.amount,
  phone_number: value.phone,
  payment_date: v.nullable(value.instant),
  access_granted: value.boolean,
  subscription_end: v.nullable(value.instant),
  device_allowed: value.optional(value.boolean),
  bundle_id: value.id,
  /** The page to pay on, while the order is open. */
  redirect_url: value.optional(value.string),
});
export type PaymentStatus = v.InferOutput<typeof PaymentStatus>;

export const readPaymentStatus = endpoint({
  method: 'GET',
  path: '/payment-status/:order_reference/',
  summary: 'What became of an order',
  auth: 'none',
  params: v.object({ order_reference: field.text(64) }),
  reply: PaymentStatus,
});

export const receiveWebhook = endpoint({
  method: 'POST',
  path: '/payment-webhook/',
  summary: 'A notification of the payment provider, in its own shape',
  auth: 'none',
  body: 'bytes',
  reply: value.json,
  refuses: [400],
});

// ------------------------------------------------------------------------------------------------ for staff

const STATUSES = ['pending', 'completed', 'failed', 'cancelled'] as const;
const METHODS = ['online', 'cash'] as const;

export const Payment = v.object({
  id: value.id,
  phone_number: value.phone,
  amount: value.amount,
  currency: value.string,
  status: v.picklist(STATUSES),
  order_reference: value.string,
  payment_reference: value.string,
  transaction_id: value.string,
  payment_channel: value.string,
  bundle_id: value.id,
  bundle_name: value.string,
  user_id: value.id,
  created_at: value.instant,
  completed_at: v.nullable(value.instant),
  method: v.picklist(METHODS),
  provider: value.string,
  /** What came, where it is known; may differ from what was asked. */
  paid_amount: v.nullable(value.amount),
  review: v.nullable(v.picklist(['underpaid', 'overpaid', 'wrong_currency', 'reversed', 'reference_mismatch'])),
  /** What staff should do about it. */
  review_advice: v.nullable(value.string),
  receipt_number: v.nullable(value.string),
  sold_by: v.nullable(value.string),
  /** Given back or on its way. */
  refunded_amount: value.amount,
  /** In full: the hours are taken back as well. */
  is_refunded: value.boolean,
});
export type Payment = v.InferOutput<typeof Payment>;

export const Refund = v.object({
  id: value.id,
  payment_id: value.id,
  amount: value.amount,
  reason: value.string,
  status: v.picklist(['pending', 'completed', 'failed', 'manual']),
  reference: v.nullable(value.string),
  /** What to do, where something is to be done. */
  message: v.nullable(value.string),
  created_by: value.string,
  created_at: value.instant,
  settled_at: v.nullable(value.instant),
});
export type Refund = v.InferOutput<typeof Refund>;

export const PaymentDetail = v.object({
  ...Payment.entries,
  mac_address: v.nullable(value.mac),
  shift_id: v.nullable(value.id),
  expires_at: value.instant,
  refundable_amount: value.amount,
  /** Whose drawer a cash sale would be given back from; null: nobody's. */
  refund_drawer: v.nullable(value.string),
  refunds: v.array(Refund),
  webhook_logs: v.array(WebhookLog),
  grant: v.nullable(Grant),
  checks: v.object({ count: value.integer, next_at: v.nullable(value.instant) }),
});
export type PaymentDetail = v.InferOutput<typeof PaymentDetail>;

/** Of all payments of a filter. */
export const PaymentSummary = v.object({
  /** Of completed payments alone. */
  total_amount: value.amount,
  /** Of these payments, whenever it was given back. */
  refunded_amount: value.amount,
  net_amount: value.amount,
  pending_amount: value.amount,
  completed_count: value.integer,
  pending_count: value.integer,
  failed_count: value.integer,
  cancelled_count: value.integer,
});
export type PaymentSummary = v.InferOutput<typeof PaymentSummary>;

/** The filter of the list and of its export. */
export const PaymentFilter = v.object({
  status: field.enumFilter(STATUSES),
  phone_number: field.filter(field.phonePart),
  date_from: field.filter(field.day),
  date_to: field.filter(field.day),
  bundle_id: field.filter(field.idText),
  user_id: field.filter(field.idText),
  method: field.enumFilter(METHODS),
  review: field.filter(field.booleanText),
  search: field.optional(field.text(100)),
});

const OnePayment = v.object({ payment_id: field.idText });

export const listPayments = endpoint({
  method: 'GET',
  path: ['/admin/payments/', '/payments/'],
  summary: 'Payments, newest first; the summary is of the whole filter',
  auth: 'cashier',
  query: v.object({ ...field.pages, ...PaymentFilter.entries }),
  reply: paged('payments', Payment, { summary: PaymentSummary }),
});

export const showPayment = endpoint({
  method: 'GET',
  path: ['/admin/payments/:payment_id/', '/payments/:payment_id/'],
  summary: 'A payment with its refunds, raw notifications, grant and checks',
  auth: 'cashier',
  params: OnePayment,
  reply: found({ payment: PaymentDetail }),
});

export const recheckPayment = endpoint({
  method: 'POST',
  path: '/admin/payments/:payment_id/recheck/',
  summary: 'Ask the provider now',
  auth: 'cashier',
  params: OnePayment,
  reply: done({ payment: Payment, granted: value.boolean }),
  refuses: [409, 502],
});

export const reviewPayment = endpoint({
  method: 'POST',
  path: '/admin/payments/:payment_id/review/',
  summary: 'Mark a flagged payment as looked at',
  auth: 'staff',
  params: OnePayment,
  body: v.object({ note: field.text(500) }),
  reply: done({ payment: Payment }),
  refuses: [409],
});

export const refundPayment = endpoint({
  method: 'POST',
  path: '/admin/payments/:payment_id/refund/',
  summary: 'Give money back, all that is left of it unless an amount is given',
  auth: 'owner',
  params: OnePayment,
  body: v.object({
    reason: field.text(200),
    amount: field.optional(field.amount),
    /** Of a cash sale; unless false, the drawer is short of it afterwards that `refund_drawer` names. */
    from_drawer: field.optional(field.boolean),
  }),
  reply: done({ refund: Refund, payment: Payment }),
  refuses: [402, 409, 502],
});
