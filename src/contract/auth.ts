/** How admins log in: the first of them, with a password, with a second factor. */
import * as v from 'valibot';

import { done, endpoint, type ReplyOf, type Role } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

/** From the most rights to the fewest. */
export const ROLES = ['owner', 'staff', 'cashier'] as const satisfies readonly Role[];

export const Account = v.object({
  id: value.id,
  username: value.string,
  email: value.string,
  is_staff: value.boolean,
  role: v.picklist(ROLES),
});
export type Account = v.InferOutput<typeof Account>;

export const Profile = v.object({
  ...Account.entries,
  first_name: value.string,
  last_name: value.string,
  totp_enabled: value.boolean,
  date_joined: value.instant,
});
export type Profile = v.InferOutput<typeof Profile>;

const password = field.secret(1_024);
/** Of an authenticator app, or a recovery code. */
const code = field.secret(64);

/** The only reply that ever holds the tokens. */
const LoggedIn = done({ token: value.string, admin_access_token: value.string, user: Account });

export const logIn = endpoint({
  method: 'POST',
  path: '/auth/login/',
  summary: 'Log an admin in; with a second factor, send its code as totp_code',
  auth: 'none',
  body: v.object({ username: field.secret(150), password, totp_code: field.optional(code) }),
  reply: LoggedIn,
  refusals: {
    401: v.object({ error: value.string, message: value.string, totp_required: value.optional(v.literal(true)) }),
  },
});
export type LoggedIn = ReplyOf<typeof logIn>;

export const confirmSession = endpoint({
  method: 'POST',
  path: '/auth/confirm/',
  summary: 'Give the password again, and the code where there is a second factor',
  auth: 'cashier',
  body: v.object({ password, code: field.optional(code) }),
  reply: done({ confirmed_until: value.instant }),
  refuses: [401],
});

export const logOut = endpoint({
  method: 'POST',
  path: '/auth/logout/',
  summary: 'End the session',
  auth: 'cashier',
  reply: done({}),
});

export const readProfile = endpoint({
  method: 'GET',
  path: '/auth/profile/',
  summary: 'Who is logged in',
  auth: 'cashier',
  reply: Profile,
});

export const readSetUp = endpoint({
  method: 'GET',
  path: '/auth/setup/',
  summary: 'Whether the appliance waits for its first owner',
  auth: 'none',
  reply: v.object({ needed: value.boolean }),
});

export const setUp = endpoint({
  method: 'POST',
  path: '/auth/setup/',
  summary: 'Make the first owner, with the one-time code from the log',
  auth: 'none',
  body: v.object({
    setup_code: field.secret(64),
    username: field.username,
    password: field.newPassword,
    email: field.optional(field.email),
  }),
  reply: LoggedIn,
  refuses: [401, 409],
});

export const startTotp = endpoint({
  method: 'POST',
  path: '/auth/totp/start/',
  summary: 'A new second factor for the own account; not in force before it is confirmed',
  auth: 'cashier',
  reply: done({ secret: value.string, otpauth_url: value.string }),
  refuses: [409],
});
export type StartedTotp = ReplyOf<typeof startTotp>;

export const confirmTotp = endpoint({
  method: 'POST',
  path: '/auth/totp/confirm/',
  summary: 'Switch the second factor on, with its first code',
  auth: 'cashier',
  body: v.object({ code }),
  reply: done({ recovery_codes: v.array(value.string) }),
  refuses: [409],
});
export type ConfirmedTotp = ReplyOf<typeof confirmTotp>;

export const disableTotp = endpoint({
  method: 'POST',
  path: '/auth/totp/disable/',
  summary: 'Switch the second factor off',
  auth: 'cashier',
  body: v.object({ password, code }),
  reply: done({}),
  refuses: [409],
});
