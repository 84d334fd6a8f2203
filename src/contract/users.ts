/** People: found, changed, given time, disconnected. */
import * as v from 'valibot';

import { Device } from './devices.ts';
import { done, endpoint, found, paged } from './endpoint.ts';
import * as field from './fields.ts';
import { Grant } from './grants.ts';
import { Payment, Refund } from './payments.ts';
import { RouterSession } from './router.ts';
import * as value from './values.ts';
import { Voucher } from './vouchers.ts';

export const User = v.object({
  id: value.id,
  phone_number: value.phone,
  /** What staff call the person, and what they should know of them. */
  name: v.nullable(value.string),
  note: v.nullable(value.string),
  is_active: value.boolean,
  created_at: value.instant,
  paid_until: v.nullable(value.instant),
  has_active_access: value.boolean,
  max_devices: value.integer,
  /** Both counts are of completed payments: an order that nobody paid is no payment. */
  total_payments: value.integer,
  device_count: value.integer,
  payment_count: value.integer,
  last_payment: v.nullable(v.object({ amount: value.amount, bundle_name: value.string, completed_at: value.instant })),
  version: value.integer,
});
export type User = v.InferOutput<typeof User>;

export const UserDetail = v.object({
  ...User.entries,
  devices: v.array(Device),
  payments: v.array(Payment),
  grants: v.array(Grant),
  vouchers: v.array(Voucher),
  refunds: v.array(Refund),
  sessions: v.array(RouterSession),
  router_connected: value.boolean,
});
export type UserDetail = v.InferOutput<typeof UserDetail>;

/** The filter of the list and of its export. */
export const UserFilter = v.object({
  phone_number: field.filter(field.phonePart),
  /** A part of the name, the note or the number. */
  search: field.filter(field.text(100)),
  is_active: field.filter(field.booleanText),
  /** `never`: has had no paid time yet. */
  status: field.enumFilter(['active', 'expired', 'blocked', 'never']),
});

const OneUser = v.object({ user_id: field.idText });

export const listUsers = endpoint({
  method: 'GET',
  path: ['/admin/users/', '/users/'],
  summary: 'People, newest first',
  auth: 'cashier',
  query: v.object({ ...field.pages, ...UserFilter.entries }),
  reply: paged('users', User, {}),
});

export const showUser = endpoint({
  method: 'GET',
  path: ['/admin/users/:user_id/', '/users/:user_id/'],
  summary: 'A person with everything that belongs to them; sessions are empty while the router is not reachable',
  auth: 'cashier',
  params: OneUser,
  reply: found({ user: UserDetail }),
});

export const updateUser = endpoint({
  method: 'PUT',
  path: '/admin/users/:user_id/update/',
  summary: 'Block or unblock, change the number or the limit of devices',
  auth: 'staff',
  params: OneUser,
  body: v.object({
    is_active: field.optional(field.boolean),
    max_devices: field.optional(field.wholeNumber(field.MAX_DEVICES)),
    phone_number: field.optional(field.phone),
    expected_version: field.optional(field.id),
  }),
  reply: done({ user: User }),
  refuses: [409],
});

export const describeUser = endpoint({
  method: 'POST',
  path: '/admin/users/:user_id/describe/',
  summary: 'Give a person a name and a note, for staff to find them by; what is left out is forgotten',
  auth: 'cashier',
  params: OneUser,
  body: v.object({ name: field.optional(field.text(60)), note: field.optional(field.text(200)) }),
  reply: done({ user: User }),
});

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/admin/users/:user_id/delete/',
  summary: 'Forget a person; payments stay for the books',
  auth: 'staff',
  params: OneUser,
  reply: done({}),
});

export const giveTime = endpoint({
  method: 'POST',
  path: '/admin/users/:user_id/grant/',
  summary: 'Give extra time by hand',
  auth: 'staff',
  params: OneUser,
  body: v.object({ hours: field.hours, reason: field.text(200) }),
  reply: done({ user: User, grant: Grant }),
});

export const disconnectUser = endpoint({
  method: 'POST',
  path: '/admin/users/:user_id/disconnect/',
  summary: "End a person's sessions; paid time runs on",
  auth: 'cashier',
  errors: 'router',
  params: OneUser,
  reply: done({ disconnected_count: value.integer }),
});

export const removeUserDevice = endpoint({
  method: 'POST',
  path: '/admin/users/:user_id/devices/remove/',
  summary: 'Remove a device',
  auth: 'cashier',
  errors: 'action',
  params: OneUser,
  body: v.object({ mac_address: field.mac }),
  reply: done({ devices_remaining: value.integer }),
});

export const renameUserDevice = endpoint({
  method: 'POST',
  path: '/admin/users/:user_id/devices/rename/',
  summary: 'Name a device',
  auth: 'cashier',
  errors: 'action',
  params: OneUser,
  body: v.object({ mac_address: field.mac, device_name: field.text(60) }),
  reply: done({ device: Device }),
});
