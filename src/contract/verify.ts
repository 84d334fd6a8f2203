/** May this phone be online, and for how long. */
import * as v from 'valibot';

import { endpoint } from './endpoint.ts';
import { ProofKind } from './failures.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

export const Verified = v.object({
  has_access: value.boolean,
  user: v.object({
    phone_number: value.phone,
    subscription_end: v.nullable(value.instant),
    devices_count: value.integer,
    max_devices: value.integer,
  }),
  message: value.string,
  device_allowed: value.optional(value.boolean),
  /** The device that the request names is not the one that is asking, or not known to be. */
  other_device: value.optional(v.literal(true)),
  /** The device is let in with one of `proofs`. */
  proof_required: value.optional(v.literal(true)),
  proofs: value.optional(v.array(ProofKind)),
  /** Paid for, and yet not online: the portal says why. */
  router_connected: value.optional(value.boolean),
  /** The router shows a session of the device. */
  online: value.optional(value.boolean),
  /** An order of this number that is still open. */
  pending_order_reference: value.optional(value.string),
});
export type Verified = v.InferOutput<typeof Verified>;

export const verify = endpoint({
  method: 'POST',
  path: '/verify/',
  summary: 'May this number be online; registers the device where there is room',
  auth: 'none',
  body: v.object({
    phone_number: field.phone,
    mac_address: field.optional(field.mac),
    ip_address: field.optional(field.ip),
    proof: field.optional(field.proof),
  }),
  reply: Verified,
  refuses: [403],
});

export const UserStatus = v.object({
  user: v.object({
    phone_number: value.phone,
    subscription_end: v.nullable(value.instant),
    is_active: value.boolean,
    devices_count: value.integer,
    max_devices: value.integer,
    total_payments: value.integer,
  }),
  has_access: value.boolean,
  /** In words. */
  time_remaining: value.string,
});
export type UserStatus = v.InferOutput<typeof UserStatus>;

export const readUserStatus = endpoint({
  method: 'GET',
  path: '/user-status/:phone_number/',
  summary: 'How much time is left',
  auth: 'none',
  params: v.object({ phone_number: field.phone }),
  reply: UserStatus,
});
