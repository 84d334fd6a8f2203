/** Who may log in, with which role, and where they are logged in. */
import * as v from 'valibot';

import { Profile, ROLES } from './auth.ts';
import { done, endpoint, paged } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

export const Admin = v.object({
  ...Profile.entries,
  is_active: value.boolean,
  last_login_at: v.nullable(value.instant),
});
export type Admin = v.InferOutput<typeof Admin>;

export const AdminSession = v.object({
  id: value.id,
  created_at: value.instant,
  last_seen_at: value.instant,
  expires_at: value.instant,
  ip: v.nullable(value.string),
  user_agent: v.nullable(value.string),
  /** The one that asks. */
  current: value.boolean,
});
export type AdminSession = v.InferOutput<typeof AdminSession>;

const One = v.object({ admin_id: field.idText });

export const listAdmins = endpoint({
  method: 'GET',
  path: '/admin/admins/',
  summary: 'Admins by name',
  auth: 'owner',
  query: v.object(field.pages),
  reply: paged('admins', Admin, {}),
});

export const createAdmin = endpoint({
  method: 'POST',
  path: '/admin/admins/',
  summary: 'Add an admin',
  auth: 'owner',
  body: v.object({
    username: field.username,
    password: field.newPassword,
    email: field.optional(field.email),
    role: field.enumOf(ROLES),
  }),
  status: 201,
  reply: done({ admin: Admin }),
  refuses: [409],
});

/** What is left out stays. */
const Change = v.object({
  email: field.optional(field.email),
  first_name: field.optional(field.text(100)),
  last_name: field.optional(field.text(100)),
  role: field.optional(field.enumOf(ROLES)),
  is_active: field.optional(field.boolean),
});
export type ChangedAdmin = v.InferOutput<typeof Change>;

export const updateAdmin = endpoint({
  method: 'PUT',
  path: '/admin/admins/:admin_id/',
  summary: 'Change an admin; the last active owner stays one',
  auth: 'owner',
  params: One,
  body: Change,
  reply: done({ admin: Admin }),
  refuses: [409],
});

export const setAdminPassword = endpoint({
  method: 'POST',
  path: '/admin/admins/:admin_id/password/',
  summary: 'Set a password; the own one with current_password. Ends every session of that admin',
  auth: 'cashier',
  params: One,
  body: v.object({ password: field.newPassword, current_password: field.optional(field.secret(1_024)) }),
  reply: done({}),
});

export const listAdminSessions = endpoint({
  method: 'GET',
  path: '/admin/admins/:admin_id/sessions/',
  summary: 'Where an admin is logged in',
  auth: 'cashier',
  params: One,
  query: v.object(field.pages),
  reply: paged('sessions', AdminSession, {}),
});

export const endAdminSession = endpoint({
  method: 'POST',
  path: '/admin/sessions/:session_id/end/',
  summary: 'End a session',
  auth: 'cashier',
  params: v.object({ session_id: field.idText }),
  reply: done({}),
});
