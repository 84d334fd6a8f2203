/** What is for sale: to everybody, and with its sales to those who set the prices. */
import * as v from 'valibot';

import { done, endpoint, found, type ReplyOf } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';
import { Voucher } from './vouchers.ts';

export const BundleForSale = v.object({
  id: value.id,
  name: value.string,
  /** Major units of the currency. */
  price: value.number,
  duration_hours: value.number,
  description: value.string,
  is_active: value.boolean,
});
export type BundleForSale = v.InferOutput<typeof BundleForSale>;

export const listBundlesForSale = endpoint({
  method: 'GET',
  path: '/bundles/',
  summary: 'What is for sale',
  auth: 'none',
  reply: v.array(BundleForSale),
});

export const takeFreeBundle = endpoint({
  method: 'POST',
  path: '/free-access/',
  summary: 'Take a free bundle, on the device that asks',
  auth: 'none',
  errors: 'payment',
  body: v.object({
    phone_number: field.phone,
    bundle_id: field.id,
    mac_address: field.optional(field.mac),
    ip_address: field.optional(field.ip),
    proof: field.optional(field.proof),
    language: field.optional(field.language),
  }),
  reply: done({
    access_granted: value.boolean,
    subscription_end: value.instant,
    bundle: v.object({ name: value.string, duration_hours: value.number }),
    /** The router shows a session of the device. */
    online: value.boolean,
  }),
  refuses: [403, 404, 409, 503],
});
export type FreeAccess = ReplyOf<typeof takeFreeBundle>;

export const Bundle = v.object({
  id: value.id,
  name: value.string,
  description: value.string,
  price: value.amount,
  duration_hours: value.number,
  is_active: value.boolean,
  /** Where it is free: how often a device and a number may take it. */
  free_every_hours: value.integer,
  display_order: value.integer,
  router_profile: v.nullable(value.string),
  total_purchases: value.integer,
  revenue: value.amount,
  /** Codes that can be sold, and what the next one costs; null: there is none. */
  vouchers_in_stock: value.integer,
  voucher_price: v.nullable(value.amount),
  version: value.integer,
});
export type Bundle = v.InferOutput<typeof Bundle>;

const OneBundle = v.object({ bundle_id: field.idText });
const description = field.parsed(given => (given.length <= 500 ? given : null), 'Give 500 characters at most.', {
  maxLength: 500,
});
const freeEveryHours = field.wholeNumber({ min: 1, max: 8_760 });
const displayOrder = field.wholeNumber({ min: -1_000_000, max: 1_000_000 });

export const listBundles = endpoint({
  method: 'GET',
  path: '/admin/bundles/',
  summary: 'Bundles with their sales',
  auth: 'cashier',
  reply: found({ bundles: v.array(Bundle) }),
});

export const createBundle = endpoint({
  method: 'POST',
  path: '/admin/bundles/',
  summary: 'Add a bundle',
  auth: 'staff',
  body: v.object({
    name: field.text(100),
    description: field.optional(description),
    price: field.amount,
    duration_hours: field.hours,
    is_active: field.withDefault(field.boolean, true),
    free_every_hours: field.withDefault(freeEveryHours, 24),
    display_order: field.withDefault(displayOrder, 0),
    router_profile: field.optional(field.text(100)),
  }),
  status: 201,
  reply: done({ bundle: Bundle }),
});

export const showBundle = endpoint({
  method: 'GET',
  path: '/admin/bundles/:bundle_id/',
  summary: 'A bundle with its unused vouchers',
  auth: 'cashier',
  params: OneBundle,
  reply: found({ bundle: v.object({ ...Bundle.entries, unused_vouchers: v.array(Voucher) }) }),
});

export const updateBundle = endpoint({
  method: 'PUT',
  path: '/admin/bundles/:bundle_id/',
  summary: 'Change a bundle',
  auth: 'staff',
  params: OneBundle,
  body: v.object({
    name: field.optional(field.text(100)),
    description: v.optional(description),
    price: field.optional(field.amount),
    duration_hours: field.optional(field.hours),
    is_active: field.optional(field.boolean),
    free_every_hours: field.optional(freeEveryHours),
    display_order: field.optional(displayOrder),
    router_profile: v.optional(v.nullable(field.text(100))),
    expected_version: field.optional(field.id),
  }),
  reply: done({ bundle: Bundle }),
  refuses: [409],
});

export const deleteBundle = endpoint({
  method: 'DELETE',
  path: '/admin/bundles/:bundle_id/',
  summary: 'Remove a bundle; one that was sold is archived',
  auth: 'staff',
  params: OneBundle,
  reply: done({ archived: value.boolean }),
});
