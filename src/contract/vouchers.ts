/** Voucher codes: made, redeemed, listed. */
import * as v from 'valibot';

import { done, endpoint, found, type ReplyOf } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

/** Of one batch. */
export const QUANTITY = { min: 1, max: 10_000 };

export const BATCH_KINDS = ['stock', 'giveaway'] as const;

export const Voucher = v.object({
  id: value.id,
  /** Of another's batch, a cashier sees the end alone. */
  code: value.string,
  code_masked: value.optional(value.boolean),
  bundle: value.string,
  is_used: value.boolean,
  created_at: value.instant,
  expires_at: value.instant,
  used_by: v.nullable(value.phone),
  used_at: v.nullable(value.instant),
  batch_id: value.id,
  is_revoked: value.boolean,
  revoked_at: v.nullable(value.instant),
  revoked_by: v.nullable(value.string),
  /** Who sold it; while nobody has, who made it. */
  sold_by: value.string,
  made_by: value.string,
  /** null, and what follows: nobody has sold it. */
  sale_id: v.nullable(value.id),
  sold_at: v.nullable(value.instant),
  price: v.nullable(value.amount),
  used_by_id: v.nullable(value.id),
});
export type Voucher = v.InferOutput<typeof Voucher>;

export const generateVouchers = endpoint({
  method: 'POST',
  path: '/vouchers/generate/',
  summary: 'Make a batch of vouchers',
  auth: 'cashier',
  body: v.object({
    bundle_id: field.id,
    quantity: field.wholeNumber(QUANTITY),
    /** From when the batch is made. */
    expiry_days: field.withDefault(field.wholeNumber({ min: 1, max: 3_650 }), 365),
    phone_number: field.optional(field.phone),
    /** To sell, or to give away, which cashiers may not; `stock` unless said otherwise. */
    kind: field.optional(field.enumOf(BATCH_KINDS)),
  }),
  reply: found({
    vouchers_generated: value.integer,
    batch_id: value.id,
    vouchers: v.array(v.object({ code: value.string, bundle: value.string, expires_at: value.instant })),
  }),
  refuses: [409],
});

export const redeemVoucher = endpoint({
  method: 'POST',
  path: '/vouchers/redeem/',
  summary: 'Turn a voucher into time',
  auth: 'none',
  errors: 'voucher',
  body: v.object({
    phone_number: field.phone,
    voucher_code: field.text(60),
    mac_address: field.optional(field.mac),
    ip_address: field.optional(field.ip),
    language: field.optional(field.language),
  }),
  reply: done({
    access_granted: value.boolean,
    subscription_end: value.instant,
    bundle: v.object({ name: value.string, duration_hours: value.number }),
    device_allowed: value.optional(value.boolean),
    /** The router shows a session of the device. */
    online: value.optional(value.boolean),
  }),
  refuses: [403, 404, 409, 410],
});
export type Redeemed = ReplyOf<typeof redeemVoucher>;

export const listVouchers = endpoint({
  method: 'GET',
  path: '/vouchers/list/',
  summary: 'Vouchers, newest first',
  auth: 'cashier',
  query: v.object({
    ...field.slice,
    /** The number that is printed on the card. */
    id: field.filter(field.idText),
    is_used: field.filter(field.booleanText),
    bundle_id: field.filter(field.idText),
    batch_id: field.filter(field.idText),
    sale_id: field.filter(field.idText),
    code: field.optional(field.text(60)),
  }),
  reply: v.array(Voucher),
});
