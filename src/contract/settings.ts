/** What the owner sets while the appliance runs. */
import * as v from 'valibot';

import { done, endpoint, found } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';
import { QUANTITY } from './vouchers.ts';

/** Those that the portal speaks. */
export const LANGUAGES = ['en', 'sw', 'fr', 'pt', 'es', 'ar', 'hi'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Those that messages speak. */
export const SMS_LANGUAGES = ['en', 'sw', 'fr', 'pt', 'es'] as const;

export const SMS_KINDS = [
  'payment_received',
  'receipt',
  'voucher_redeemed',
  'access_ending',
  'access_expired',
  'refund',
  'vouchers',
  'device_code',
] as const;

export const Branding = v.object({
  business_name: value.string,
  logo_url: v.nullable(value.string),
  primary_color: v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/)),
  support_phone: v.nullable(value.string),
  /** Of the Wi-Fi, as phones list it. */
  network_name: v.nullable(value.string),
  terms_url: v.nullable(value.string),
  /** null: the configured one. */
  language: v.nullable(value.string),
});
export type Branding = v.InferOutput<typeof Branding>;

/** What a message says in a language; `example` is what is sent now, filled in. */
export const MessageText = v.object({
  language: v.picklist(SMS_LANGUAGES),
  kind: v.picklist(SMS_KINDS),
  placeholders: v.array(value.string),
  built_in: value.string,
  own: v.nullable(value.string),
  example: value.string,
});
export type MessageText = v.InferOutput<typeof MessageText>;

export const LimitValues = v.object({
  default_max_devices: value.integer,
  order_expiry_minutes: value.integer,
  sms_per_number_per_day: value.integer,
  sms_per_day: value.integer,
});
export type LimitValues = v.InferOutput<typeof LimitValues>;

/** What holds, and what would if staff had set nothing. */
export const Limits = v.object({ ...LimitValues.entries, configured: LimitValues });
export type Limits = v.InferOutput<typeof Limits>;

export const CashierRules = v.object({ sell_within_shift: value.boolean, vouchers_per_day: value.integer });
export type CashierRules = v.InferOutput<typeof CashierRules>;

const DEVICE_SWAPS = ['with_proof', 'when_away'] as const;
const NEW_DEVICES = ['by_number', 'with_proof'] as const;

/** How strict the owner is with devices. */
export const DevicePolicy = v.object({
  device_swap: v.picklist(DEVICE_SWAPS),
  new_devices: v.picklist(NEW_DEVICES),
});
export type DevicePolicy = v.InferOutput<typeof DevicePolicy>;

export const Clock = v.object({ trusted: value.boolean, wall_time: value.instant, believed_time: value.instant });
export type Clock = v.InferOutput<typeof Clock>;

export const Connection = v.picklist(['connected', 'disconnected']);

/** Who takes the payments; `sandbox`: no money moves. */
export const Provider = v.object({ name: value.string, sandbox: value.boolean });
export type Provider = v.InferOutput<typeof Provider>;

/** Of keys, only whether they are there. */
const Settings = v.object({
  router: v.object({
    router_ip: value.string,
    username: value.string,
    hotspot_name: value.string,
    api_port: value.integer,
    connection_status: Connection,
    problem: v.nullable(value.string),
  }),
  payment_provider: v.object({
    ...Provider.entries,
    provider: value.string,
    api_key_configured: value.boolean,
    webhook_url: value.string,
    environment: v.picklist(['sandbox', 'live']),
    last_webhook_at: v.nullable(value.instant),
  }),
  sms_provider: v.object({ provider: value.string, api_key_configured: value.boolean, sender_id: value.string }),
  system: v.object({
    debug_mode: value.boolean,
    allowed_hosts: v.array(value.string),
    time_zone: value.string,
    language_code: value.string,
    currency: value.string,
    default_country: value.string,
    default_max_devices: value.integer,
  }),
  branding: Branding,
  messages: v.array(MessageText),
  limits: Limits,
  cashiers: CashierRules,
  devices: DevicePolicy,
  clock: Clock,
});
export type Settings = v.InferOutput<typeof Settings>;

export const readSettings = endpoint({
  method: 'GET',
  path: '/admin/settings/',
  summary: 'How the appliance is set up; keys only as configured or not',
  auth: 'owner',
  reply: found({ settings: Settings }),
});

export const checkProvider = endpoint({
  method: 'POST',
  path: '/admin/settings/check-provider/',
  summary: 'Ask the payment provider now whether it answers and takes the keys',
  auth: 'owner',
  reply: v.object({ success: value.boolean, message: value.string }),
});

/** An address that a browser may open. */
function webAddress(pattern: RegExp, longest: number, besides = '') {
  const message = `Give an address that begins with https://, http:// or /${besides}, of ${longest} characters at most.`;
  const isFine = (given: string) => given.length <= longest && pattern.test(given);
  return field.parsed(given => (isFine(given.trim()) ? given.trim() : null), message, {
    pattern: pattern.source,
    maxLength: longest,
  });
}
const page = webAddress(/^(https?:\/\/|\/(?!\/))[^\s"<>]+$/, 500);
/** It may hold the image itself. A logo travels inside every portal page, to phones that are not online yet. */
const logo = webAddress(
  /^(https?:\/\/|\/(?!\/)|data:image\/(png|jpeg|webp|svg\+xml);base64,)[^\s"<>]+$/,
  32_768,
  ', or an image as data:image/…;base64',
);

const COLOUR = /^#[0-9a-fA-F]{6}$/;
const colour = field.parsed(given => (COLOUR.test(given) ? given.toLowerCase() : null), 'Give a colour as #rrggbb.', {
  pattern: COLOUR.source,
});

export const changeBranding = endpoint({
  method: 'POST',
  path: '/admin/settings/branding/',
  summary: 'How the portal looks; what is left out goes back to what it is by default',
  auth: 'owner',
  body: v.object({
    business_name: field.text(60),
    logo_url: field.optional(logo),
    primary_color: colour,
    support_phone: field.optional(field.text(30)),
    network_name: field.optional(field.text(32)),
    terms_url: field.optional(page),
    language: field.optional(field.enumOf(LANGUAGES)),
  }),
  reply: done({ branding: Branding }),
});

export const changeMessage = endpoint({
  method: 'POST',
  path: '/admin/settings/messages/',
  summary: 'What a message says in a language, in place of the built-in words; without text, those again',
  auth: 'owner',
  body: v.object({
    language: field.enumOf(SMS_LANGUAGES),
    kind: field.enumOf(SMS_KINDS),
    /** More than fits, so that the refusal can say by how much. */
    text: field.optional(field.text(480)),
  }),
  reply: done({ messages: v.array(MessageText) }),
});

export const changeLimits = endpoint({
  method: 'POST',
  path: '/admin/settings/limits/',
  summary: 'What people, orders and messages are held to, at once; what is left out is again as configured',
  auth: 'owner',
  body: v.object({
    default_max_devices: field.optional(field.wholeNumber(field.MAX_DEVICES)),
    order_expiry_minutes: field.optional(field.wholeNumber({ min: 5, max: 1_440 })),
    sms_per_number_per_day: field.optional(field.wholeNumber({ min: 1, max: 1_000 })),
    sms_per_day: field.optional(field.wholeNumber({ min: 1, max: 1_000_000 })),
  }),
  reply: done({ limits: Limits }),
});

export const changeCashierRules = endpoint({
  method: 'POST',
  path: '/admin/settings/cashiers/',
  summary: 'When cashiers sell, and how many vouchers they make a day; what is left out stays',
  auth: 'owner',
  body: v.object({
    sell_within_shift: field.optional(field.boolean),
    vouchers_per_day: field.optional(field.wholeNumber({ min: 0, max: QUANTITY.max })),
  }),
  reply: done({ cashiers: CashierRules }),
});

export const changeDevicePolicy = endpoint({
  method: 'POST',
  path: '/admin/settings/devices/',
  summary: 'How strict to be with devices; what is left out stays',
  auth: 'owner',
  body: v.object({
    device_swap: field.optional(field.enumOf(DEVICE_SWAPS)),
    new_devices: field.optional(field.enumOf(NEW_DEVICES)),
  }),
  reply: done({ devices: DevicePolicy }),
});
