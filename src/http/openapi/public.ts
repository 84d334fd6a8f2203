/** What phones, the portal, the router and the payment provider call; and how admins log in. */
import { DEVICE_SWAPS, NEW_DEVICES } from '../../contract/devices.ts';
import { PROOF_KINDS } from '../../domain/proofs.ts';
import { done, found, type Operations } from './operation.ts';
import {
  accountFields,
  amount,
  exactly,
  flag,
  instant,
  integer,
  list,
  mac,
  maybe,
  nullable,
  object,
  phone,
  profileFields,
  text,
  the,
  word,
} from './schemas.ts';

const loggedIn = done({ token: text, admin_access_token: text, user: object(accountFields) });
const codeRequired = object({ error: text, message: text, totp_required: maybe(exactly(true)) });

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
  'GET /health/': {
    summary: 'Is the appliance well',
    reply: object({
      status: word('healthy', 'degraded'),
      timestamp: instant,
      version: text,
      service: exactly('lango'),
      database: word('connected', 'disconnected'),
      database_connected: flag,
      problems: list(text),
      warnings: list(text),
    }),
  },
  'GET /portal/': {
    summary: 'What the portal shows of the business',
    reply: object({
      business_name: text,
      logo_url: nullable(text),
      primary_color: text,
      support_phone: nullable(text),
      terms_url: nullable(text),
      language: text,
      languages: list(text),
      currency: text,
      time_zone: text,
      payments: flag,
      sandbox: flag,
      base_url: text,
      proofs: list(word(...PROOF_KINDS)),
      device_swap: word(...DEVICE_SWAPS),
      new_devices: word(...NEW_DEVICES),
    }),
  },
  'GET /captive-portal/': {
    summary: 'The captive-portal document of RFC 8908, for the device that asks',
    type: 'application/captive+json',
    reply: object({
      captive: flag,
      'user-portal-url': text,
      'can-extend-session': flag,
      'seconds-remaining': maybe(integer),
    }),
  },
  'POST /auth/login/': {
    summary: 'Log an admin in; with a second factor, send its code as totp_code',
    reply: loggedIn,
    refusals: { 401: codeRequired },
  },
  'POST /auth/confirm/': {
    summary: 'Give the password again, and the code where there is a second factor',
    reply: done({ confirmed_until: instant }),
    refuses: [401],
  },
  'POST /auth/logout/': { summary: 'End the session', reply: done() },
  'GET /auth/profile/': { summary: 'Who is logged in', reply: object(profileFields) },
  'GET /auth/setup/': { summary: 'Whether the appliance waits for its first owner', reply: object({ needed: flag }) },
  'POST /auth/setup/': {
    summary: 'Make the first owner, with the one-time code from the log',
    reply: loggedIn,
    refuses: [401, 409],
  },
  'POST /auth/totp/start/': {
    summary: 'A new second factor for the own account; not in force before it is confirmed',
    reply: done({ secret: text, otpauth_url: text }),
    refuses: [409],
  },
  'POST /auth/totp/confirm/': {
    summary: 'Switch the second factor on, with its first code',
    reply: done({ recovery_codes: list(text) }),
    refuses: [409],
  },
  'POST /auth/totp/disable/': { summary: 'Switch the second factor off', reply: done(), refuses: [409] },
  'POST /verify/': {
    summary: 'May this number be online; registers the device where there is room',
    reply: object({
      has_access: flag,
      user: object({
        phone_number: phone,
        subscription_end: nullable(instant),
        devices_count: integer,
        max_devices: integer,
      }),
      message: text,
      device_allowed: maybe(flag),
      proof_required: maybe(exactly(true)),
      proofs: maybe(list(word(...PROOF_KINDS))),
      router_connected: maybe(flag),
      pending_order_reference: maybe(text),
    }),
    refuses: [403],
  },
  'GET /user-status/:phone_number/': {
    summary: 'How much time is left',
    reply: object({
      user: object({
        phone_number: phone,
        subscription_end: nullable(instant),
        is_active: flag,
        devices_count: integer,
        max_devices: integer,
        total_payments: integer,
      }),
      has_access: flag,
      time_remaining: text,
    }),
  },
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
