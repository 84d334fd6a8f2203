/** Time that somebody was given or that was taken back. */
import * as v from 'valibot';

import { done, endpoint } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

export const Grant = v.object({
  id: value.id,
  source: v.picklist(['payment', 'voucher', 'admin', 'refund']),
  source_id: v.nullable(value.id),
  /** Negative where time was taken back. */
  hours: value.number,
  starts_at: value.instant,
  ends_at: value.instant,
  by: value.string,
  reason: value.string,
  created_at: value.instant,
});
export type Grant = v.InferOutput<typeof Grant>;

export const creditOutage = endpoint({
  method: 'POST',
  path: '/admin/credit/',
  summary: 'Give time to everybody who had access during an outage; previewed unless preview is false',
  auth: 'staff',
  body: v.object({
    from: field.instant,
    to: field.instant,
    hours: field.hours,
    reason: field.text(200),
    preview: field.withDefault(field.boolean, true),
  }),
  reply: done({
    preview: value.boolean,
    affected_users: value.integer,
    total_hours: value.number,
    users: v.array(v.object({ id: value.id, phone_number: value.phone, paid_until: value.instant })),
  }),
  refuses: [409],
});
