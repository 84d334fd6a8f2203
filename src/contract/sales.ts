/** Bundles sold for cash at the counter. */
import * as v from 'valibot';

import { done, endpoint } from './endpoint.ts';
import * as field from './fields.ts';
import { Payment } from './payments.ts';
import { User } from './users.ts';
import * as value from './values.ts';

export const sellForCash = endpoint({
  method: 'POST',
  path: '/admin/sales/',
  summary: 'Sell a bundle for cash',
  auth: 'cashier',
  body: v.object({
    phone_number: field.phone,
    bundle_id: field.id,
    /** Typed from a receipt book; left out: the next number of Lango's own. */
    receipt_number: field.optional(field.text(40)),
    idempotency_key: field.idempotencyKey,
    mac_address: field.optional(field.mac),
  }),
  status: 201,
  reply: done({
    payment: Payment,
    user: User,
    device_allowed: value.optional(value.boolean),
    /** Whether a message with the receipt was queued. */
    receipt_by_sms: value.boolean,
  }),
  refuses: [409],
});
