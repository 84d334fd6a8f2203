/** The router, for those who look after it. */
import * as v from 'valibot';

import { done, endpoint, found } from './endpoint.ts';
import { RouterError } from './failures.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

/** Who is online, in RouterOS's own names, every value as text. */
export const RouterSession = v.object({
  id: value.string,
  user: value.string,
  address: value.string,
  'mac-address': value.string,
  'session-time': value.string,
  'bytes-in': value.string,
  'bytes-out': value.string,
  'packets-in': value.string,
  'packets-out': value.string,
  /** The router that it is on. */
  router_id: value.id,
});
export type RouterSession = v.InferOutput<typeof RouterSession>;

export const RouterInfo = v.object({
  uptime: value.string,
  version: value.string,
  board_name: value.string,
  platform: value.string,
  cpu_load: value.string,
  free_memory: value.string,
  total_memory: value.string,
});
export type RouterInfo = v.InferOutput<typeof RouterInfo>;

export const RouterResources = v.object({ ...RouterInfo.entries, connection_status: v.literal('connected') });
export type RouterResources = v.InferOutput<typeof RouterResources>;

export const RouterConfiguration = v.object({
  /** 1: the default router, which is always there. */
  router_id: value.id,
  name: value.string,
  router_ip: value.string,
  username: value.string,
  password_configured: value.boolean,
  api_port: value.integer,
  use_ssl: value.boolean,
  ssl_fingerprint: v.nullable(value.string),
  hotspot: v.nullable(value.string),
  default_profile: value.string,
});
export type RouterConfiguration = v.InferOutput<typeof RouterConfiguration>;

export const RouterProfile = v.object({
  name: value.string,
  rate_limit: v.nullable(value.string),
  shared_users: value.string,
  session_timeout: v.nullable(value.string),
  idle_timeout: value.string,
});
export type RouterProfile = v.InferOutput<typeof RouterProfile>;

const HOST = /^[0-9A-Za-z](?:[0-9A-Za-z.:-]{0,252}[0-9A-Za-z])?$/;
const host = field.parsed(
  given => (HOST.test(given.trim()) ? given.trim() : null),
  'Give the address of the router, such as 192.168.88.1.',
  { pattern: HOST.source },
);

/** What staff call a router. */
export const routerName = field.text(50);

/** SHA-256 of the router's certificate, with or without colons. */
const FINGERPRINT = /^([0-9A-Fa-f][:\s]*){64}$/;
const fingerprint = field.parsed(
  given => (FINGERPRINT.test(given.trim()) ? given.replaceAll(/[:\s]/g, '').toLowerCase() : null),
  'Give the SHA-256 fingerprint of the certificate, 64 hex digits, or null.',
  { pattern: FINGERPRINT.source },
);

/** Which router is meant; the default one where none is named. */
const router_id = field.optional(field.id);
export const InQuery = v.object({ router_id: field.filter(field.idText) });
const InBody = v.object({ router_id });
const ofOne = { errors: 'router', refuses: [404] } as const;

/** What is left out stays. */
export const Settings = v.object({
  router_ip: field.optional(host),
  username: field.optional(field.text(100)),
  password: field.optional(field.secret(200)),
  api_port: field.optional(field.wholeNumber({ min: 1, max: 65_535 })),
  use_ssl: field.optional(field.boolean),
  ssl_fingerprint: v.optional(v.nullable(fingerprint)),
  hotspot: v.optional(v.nullable(field.text(100))),
  default_profile: field.optional(field.text(100)),
});
export type GivenSettings = v.InferOutput<typeof Settings>;

export const routerConfiguration = endpoint({
  method: 'GET',
  path: '/admin/router/config/',
  summary: "The router's settings, without the password",
  auth: 'owner',
  ...ofOne,
  query: InQuery,
  reply: found({ configuration: RouterConfiguration }),
});

export const configureRouter = endpoint({
  method: 'POST',
  path: '/admin/router/config/',
  summary: 'Change them; kept only if the router answers, and used at once',
  auth: 'owner',
  ...ofOne,
  refuses: [404, 409],
  body: v.object({ router_id, name: field.optional(routerName), ...Settings.entries }),
  reply: done({ configuration: RouterConfiguration, router_info: RouterInfo }),
});

export const testConnection = endpoint({
  method: 'POST',
  path: '/admin/router/test-connection/',
  summary: 'Try settings, or those in use, without keeping them; answers 200 also when it fails',
  auth: 'owner',
  ...ofOne,
  body: v.object({ router_id, ...Settings.entries }),
  reply: v.object({ success: value.boolean, message: value.string, router_info: v.nullable(RouterInfo) }),
});

export const routerInfo = endpoint({
  method: 'GET',
  path: '/admin/router/router-info/',
  summary: 'What the router is',
  auth: 'staff',
  ...ofOne,
  query: InQuery,
  reply: found({ router_info: RouterResources }),
});

export const routerResources = endpoint({
  method: 'GET',
  path: '/admin/router/resources/',
  summary: 'How the router fares',
  auth: 'staff',
  ...ofOne,
  query: InQuery,
  reply: found({ system_resources: RouterResources }),
});

export const activeUsers = endpoint({
  method: 'GET',
  path: '/admin/router/active-users/',
  summary: 'Who is online',
  auth: 'cashier',
  ...ofOne,
  query: InQuery,
  reply: found({ active_users: v.array(RouterSession), total_count: value.integer }),
});

export const disconnectUser = endpoint({
  method: 'POST',
  path: '/admin/router/disconnect-user/',
  summary: "End the sessions behind a router's user name or a phone number",
  auth: 'cashier',
  ...ofOne,
  body: v.object({ router_id, username: field.text(64) }),
  reply: done({ disconnected_count: value.integer }),
});

export const disconnectEverybody = endpoint({
  method: 'POST',
  path: '/admin/router/disconnect-all/',
  summary: 'End every session',
  auth: 'staff',
  ...ofOne,
  body: InBody,
  reply: done({ disconnected_count: value.integer }),
});

/** Compared as it comes. */
const Confirmation = v.object({ router_id, confirm: v.optional(v.unknown()) });
const Unconfirmed = v.object({ success: v.literal(false), message: value.string });

export const rebootRouter = endpoint({
  method: 'POST',
  path: '/admin/router/reboot/',
  summary: 'Reboot the router; confirm must be exactly REBOOT_ROUTER',
  auth: 'owner',
  ...ofOne,
  body: Confirmation,
  reply: done({}),
  refusals: { 400: Unconfirmed },
});

export const routerProfiles = endpoint({
  method: 'GET',
  path: '/admin/router/profiles/',
  summary: "The router's hotspot profiles",
  auth: 'staff',
  ...ofOne,
  query: InQuery,
  reply: found({ profiles: v.array(RouterProfile) }),
});

export const createRouterProfile = endpoint({
  method: 'POST',
  path: '/admin/router/profiles/create/',
  summary: 'Add a profile, for bundles to name',
  auth: 'staff',
  ...ofOne,
  body: v.object({
    router_id,
    name: field.text(100),
    rate_limit: field.optional(field.text(200)),
    session_timeout: field.optional(field.text(50)),
    idle_timeout: field.optional(field.text(50)),
  }),
  reply: done({ profile: v.object({ name: value.string, rate_limit: v.nullable(value.string) }) }),
});

export const RouterStep = v.object({ what: value.string, why: value.string, command: value.string });
export type RouterStep = v.InferOutput<typeof RouterStep>;

const RouterChange = v.object({ ...RouterStep.entries, refusal: v.nullable(value.string) });
export type RouterChange = v.InferOutput<typeof RouterChange>;

const RouterPlan = v.object({
  steps: v.array(RouterStep),
  missing: v.array(value.string),
  notes: v.array(value.string),
});
export type RouterPlan = v.InferOutput<typeof RouterPlan>;

const applied = { message: value.string, changes: v.array(RouterChange), ...RouterPlan.entries };

export const routerPlan = endpoint({
  method: 'GET',
  path: '/admin/router/plan/',
  summary: 'What is to be changed on the router, and why',
  auth: 'owner',
  ...ofOne,
  query: InQuery,
  reply: found(RouterPlan.entries),
});

export const applyRouterPlan = endpoint({
  method: 'POST',
  path: '/admin/router/plan/apply/',
  summary: 'Make those changes; confirm must be exactly APPLY_ROUTER_PLAN',
  auth: 'owner',
  ...ofOne,
  body: Confirmation,
  reply: v.object({ success: v.literal(true), ...applied }),
  refusals: {
    400: Unconfirmed,
    /** Where the router refused a change, what was changed before it is told as well. */
    500: v.union([v.object({ success: v.literal(false), ...applied }), RouterError]),
  },
});
