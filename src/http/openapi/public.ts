/** What the router calls. */
import { done, found, type Operations } from './operation.ts';
import {
  amount,
  exactly,
  flag,
  instant,
  integer,
  list,
  mac,
  nullable,
  object,
  phone,
  text,
  the,
  word,
} from './schemas.ts';

const routerUserStatus = found({
  user_type: word('payment_user', 'voucher_user', 'admin_user', 'user'),
  username: phone,
  is_active: flag,
  has_active_access: flag,
  status: word('active', 'blocked', 'expired', 'inactive'),
  user_info: object({
    user_id: integer,
    phone_number: phone,
    is_active: flag,
    paid_until: nullable(instant),
    created_at: instant,
    device_count: integer,
  }),
  devices: list(object({ mac_address: mac, first_seen: instant, last_seen: instant, is_active: flag })),
  payment_info: nullable(object({ bundle_name: text, amount, paid_at: instant, expires_at: nullable(instant) })),
  router_session: nullable(the.RouterSession),
  timestamp: instant,
});
const unknownUser = object({
  success: exactly(false),
  message: text,
  username: text,
  user_type: exactly('unknown'),
});

export const publicOperations: Operations = {
  'POST /router/auth/': {
    summary: 'May this device be online; called by the router itself',
    plain: true,
    reply: found({
      'auth-state': exactly(1),
      authenticated: flag,
      message: text,
      user: phone,
      device_count: integer,
      max_devices: integer,
      access_type: word('payment', 'voucher', 'admin', 'refund'),
      device_info: object({
        current_device: object({ mac: text, ip: text, registered: flag }),
      }),
      router_response: text,
    }),
    refuses: [403],
  },
  'POST /router/logout/': {
    summary: 'A device has left; called by the router itself',
    plain: true,
    reply: done({ user: phone }),
  },
  'GET /router/user-status/': {
    summary: 'What is known of a user of the router',
    reply: routerUserStatus,
    refusals: { 404: unknownUser },
  },
  'POST /router/user-status/': {
    summary: 'What is known of a user of the router',
    reply: routerUserStatus,
    refusals: { 404: unknownUser },
  },
};
