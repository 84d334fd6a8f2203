/** What the owner sets while the appliance runs; all of it holds at once. */
import * as v from 'valibot';
import { QUANTITY } from '../../contract/vouchers.ts';
import { DEVICE_SWAPS, NEW_DEVICES } from '../../domain/device-policy.ts';
import { DEFAULT_BRANDING } from '../../domain/settings.ts';
import { SMS_KINDS, SMS_LANGUAGES } from '../../domain/sms-texts.ts';
import type { Context } from '../context.ts';
import { bool, fields, oneOf, optional, text, wholeNumber } from '../fields.ts';
import { PORTAL_LANGUAGES } from '../portal.ts';
import { json } from '../reply.ts';
import { type Api, route } from '../route.ts';
import {
  brandingView,
  cashierRulesView,
  devicePolicyView,
  limitsView,
  messageTextsView,
  settingsView,
} from '../views/system.ts';

/** A logo travels inside every portal page, to phones that are not online yet. */
const LONGEST_LOGO = 32_768;

const Branding = fields({
  business_name: text(60),
  logo_url: optional(webAddress(LONGEST_LOGO, 'image')),
  primary_color: v.pipe(v.string('Give a colour.'), v.regex(/^#[0-9a-fA-F]{6}$/, 'Give a colour as #rrggbb.')),
  support_phone: optional(text(30)),
  terms_url: optional(webAddress(500)),
  language: optional(oneOf(PORTAL_LANGUAGES)),
});
/** More than fits, so that the reply can say by how much. */
const LONGEST_MESSAGE = 480;
const Message = fields({
  language: oneOf(SMS_LANGUAGES),
  kind: oneOf(SMS_KINDS),
  text: optional(text(LONGEST_MESSAGE)),
});
const Cashiers = fields({
  sell_within_shift: optional(bool()),
  vouchers_per_day: optional(wholeNumber({ min: 0, max: QUANTITY.max })),
});
const Limits = fields({
  default_max_devices: optional(wholeNumber({ min: 1, max: 100 })),
  order_expiry_minutes: optional(wholeNumber({ min: 5, max: 1_440 })),
  sms_per_number_per_day: optional(wholeNumber({ min: 1, max: 1_000 })),
  sms_per_day: optional(wholeNumber({ min: 1, max: 1_000_000 })),
});

const Devices = fields({ device_swap: optional(oneOf(DEVICE_SWAPS)), new_devices: optional(oneOf(NEW_DEVICES)) });

export function settingsRoutes(api: Api, context: Context): void {
  const { commit } = context;

  api.get(
    '/admin/settings/',
    route({ auth: 'owner' }, () => json(200, { success: true, settings: settingsView(context) })),
  );

  api.post(
    '/admin/settings/branding/',
    route({ auth: 'owner', body: Branding }, async ({ body, actor }) => {
      const branding = {
        businessName: body.business_name,
        logoUrl: body.logo_url ?? DEFAULT_BRANDING.logoUrl,
        primaryColor: body.primary_color.toLowerCase(),
        supportPhone: body.support_phone ?? DEFAULT_BRANDING.supportPhone,
        termsUrl: body.terms_url ?? DEFAULT_BRANDING.termsUrl,
        language: body.language ?? DEFAULT_BRANDING.language,
      };
      await commit('changeBranding', { branding }, actor);
      return json(200, { success: true, message: 'The portal shows this now.', branding: brandingView(branding) });
    }),
  );

  api.post(
    '/admin/settings/messages/',
    route({ auth: 'owner', body: Message }, async ({ body, actor }) => {
      const { language, kind } = body;
      await commit('changeMessage', { language, kind, text: body.text ?? null }, actor);
      const message = body.text === undefined ? 'The built-in words are sent again.' : 'From now on, this is sent.';
      return json(200, { success: true, message, messages: messageTextsView(context) });
    }),
  );

  api.post(
    '/admin/settings/devices/',
    route({ auth: 'owner', body: Devices }, async ({ body, actor }) => {
      const change = { swap: body.device_swap, newDevices: body.new_devices };
      const policy = await commit('changeDevicePolicy', { change }, actor);
      return json(200, { success: true, message: 'This holds from now on.', devices: devicePolicyView(policy) });
    }),
  );

  api.post(
    '/admin/settings/limits/',
    route({ auth: 'owner', body: Limits }, async ({ body, actor }) => {
      const limits = {
        defaultMaxDevices: body.default_max_devices ?? null,
        orderExpiryMinutes: body.order_expiry_minutes ?? null,
        smsPerNumberPerDay: body.sms_per_number_per_day ?? null,
        smsPerDay: body.sms_per_day ?? null,
      };
      await commit('changeLimits', { limits }, actor);
      return json(200, { success: true, message: 'These limits hold from now on.', limits: limitsView(context) });
    }),
  );

  api.post(
    '/admin/settings/cashiers/',
    route({ auth: 'owner', body: Cashiers }, async ({ body, actor }) => {
      const change = { sellWithinShift: body.sell_within_shift, vouchersPerDay: body.vouchers_per_day };
      const rules = await commit('changeCashierRules', { change }, actor);
      const message = 'Cashiers are held to this from now on.';
      return json(200, { success: true, message, cashiers: cashierRulesView(rules) });
    }),
  );
}

/** An address that a browser may open; for images also one that holds the image itself. */
function webAddress(longest: number, kind: 'page' | 'image' = 'page'): v.GenericSchema<string, string> {
  const isImage = kind === 'image';
  const message = `Give an address that begins with https://, http:// or /${isImage ? ', or an image as data:image/…;base64' : ''}, of ${longest} characters at most.`;
  const pattern = isImage
    ? /^(https?:\/\/|\/(?!\/)|data:image\/(png|jpeg|webp|svg\+xml);base64,)[^\s"<>]+$/
    : /^(https?:\/\/|\/(?!\/))[^\s"<>]+$/;
  return v.pipe(v.string(message), v.trim(), v.maxLength(longest, message), v.regex(pattern, message));
}
