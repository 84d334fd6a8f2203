/** Paying: an order, what became of it, and what the provider notifies. */
import * as v from 'valibot';

import { endpoint, found, type ReplyOf } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

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
    payment_reference: value.text,
    order_reference: value.text,
    amount: value.amount,
    phone_number: value.phone,
    redirect_url: value.text,
    message: value.text,
  }),
  refuses: [402, 403, 404, 502],
});
export type Checkout = ReplyOf<typeof initiatePayment>;

export const PaymentStatus = v.object({
  payment_status: v.picklist(['PENDING', 'COMPLETED', 'FAILED', 'CANCELLED']),
  order_reference: value.text,
  amount: value.amount,
  phone_number: value.phone,
  payment_date: v.nullable(value.instant),
  access_granted: value.flag,
  subscription_end: v.nullable(value.instant),
  device_allowed: value.maybe(value.flag),
});
export type PaymentStatus = v.InferOutput<typeof PaymentStatus>;

export const showPaymentStatus = endpoint({
  method: 'GET',
  path: '/payment-status/:order_reference/',
  summary: 'What became of an order',
  auth: 'none',
  params: v.object({ order_reference: field.text(64) }),
  reply: PaymentStatus,
});

export const takeNotice = endpoint({
  method: 'POST',
  path: '/payment-webhook/',
  summary: 'A notification of the payment provider, in its own shape',
  auth: 'none',
  body: 'bytes',
  reply: value.json,
  refuses: [400],
});
