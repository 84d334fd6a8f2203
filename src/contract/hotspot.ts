/** What the router itself calls, and a page in its place. */
import * as v from 'valibot';

import { done, endpoint, found, type ReplyOf } from './endpoint.ts';
import { GenericError } from './failures.ts';
import * as field from './fields.ts';
import { InQuery, RouterSession } from './router.ts';
import * as value from './values.ts';

/** Other names of the fields, as routers have them. */
const NAMES = { username: 'phone_number', mac: 'mac_address', ip: 'ip_address' };

export const admitDevice = endpoint({
  method: 'POST',
  path: '/router/auth/',
  summary: 'May this device be online; called by the router itself',
  auth: 'none',
  accepts: 'json-or-form',
  plain: true,
  errors: 'router-auth',
  body: field.aliased(
    NAMES,
    v.object({
      phone_number: field.routerName,
      mac_address: field.optional(field.mac),
      ip_address: field.optional(field.ip),
    }),
  ),
  reply: found({
    'auth-state': v.literal(1),
    authenticated: value.boolean,
    message: value.string,
    user: value.phone,
    device_count: value.integer,
    max_devices: value.integer,
    access_type: v.picklist(['payment', 'voucher', 'admin', 'refund']),
    device_info: v.object({
      current_device: v.object({ mac: value.string, ip: value.string, registered: value.boolean }),
    }),
    router_response: value.string,
  }),
  refusals: { 403: GenericError },
});
export type Admitted = ReplyOf<typeof admitDevice>;

export const routerLogout = endpoint({
  method: 'POST',
  path: '/router/logout/',
  summary: 'A device has left; called by the router itself',
  auth: 'none',
  accepts: 'json-or-form',
  plain: true,
  errors: 'router',
  body: field.aliased(NAMES, v.object({ phone_number: field.routerName, ip_address: field.optional(field.ip) })),
  /** As it was given, where it is nobody's number. */
  reply: done({ user: value.string }),
});

export const HotspotUser = found({
  user_type: v.picklist(['payment_user', 'voucher_user', 'admin_user', 'user']),
  username: value.phone,
  is_active: value.boolean,
  has_active_access: value.boolean,
  status: v.picklist(['active', 'blocked', 'expired', 'inactive']),
  user_info: v.object({
    user_id: value.id,
    phone_number: value.phone,
    is_active: value.boolean,
    paid_until: v.nullable(value.instant),
    created_at: value.instant,
    device_count: value.integer,
  }),
  devices: v.array(
    v.object({ mac_address: value.mac, first_seen: value.instant, last_seen: value.instant, is_active: value.boolean }),
  ),
  payment_info: v.nullable(
    v.object({
      bundle_name: value.string,
      amount: value.amount,
      paid_at: value.instant,
      expires_at: v.nullable(value.instant),
    }),
  ),
  router_session: v.nullable(RouterSession),
  timestamp: value.instant,
});
export type HotspotUser = v.InferOutput<typeof HotspotUser>;

const username = field.aliased({ phone_number: 'username' }, v.object({ username: field.text(64) }));

const userStatus = {
  path: '/router/user-status/',
  summary: 'What is known of a user of the router',
  auth: 'none',
  errors: 'router',
  reply: HotspotUser,
  refusals: {
    404: v.object({
      success: v.literal(false),
      message: value.string,
      username: value.string,
      user_type: v.literal('unknown'),
    }),
  },
} as const;

export const readHotspotUser = endpoint({ ...userStatus, method: 'GET', query: username });

export const askForHotspotUser = endpoint({
  ...userStatus,
  method: 'POST',
  accepts: 'json-or-form',
  body: username,
});

export const readRouterStatus = endpoint({
  method: 'GET',
  path: '/router/status/',
  summary: 'Is the router there; answers 200 also when it is not',
  auth: 'cashier',
  errors: 'router',
  query: InQuery,
  refuses: [404],
  reply: v.object({
    success: value.boolean,
    router_ip: value.string,
    router_port: value.integer,
    hotspot_name: value.string,
    admin_user: value.string,
    timestamp: value.instant,
    connection_status: v.picklist(['connected', 'disconnected']),
    connection_details: v.object({
      success: value.boolean,
      message: value.string,
      router_info: v.nullable(v.object({ identity: value.string, version: value.string, uptime: value.string })),
    }),
    active_users: value.integer,
  }),
});
export type RouterStatus = ReplyOf<typeof readRouterStatus>;
