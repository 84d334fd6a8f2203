/** What the owner sets while the appliance runs; all of it holds at once. */
import {
  changeBranding,
  changeCashierRules,
  changeDevicePolicy,
  changeLimits,
  changeMessage,
  readSettings,
} from '../../contract/settings.ts';
import { DEFAULT_BRANDING } from '../../domain/settings.ts';
import type { Context } from '../context.ts';
import { camelCased } from '../names.ts';
import type { Api } from '../route.ts';
import {
  brandingView,
  cashierRulesView,
  devicePolicyView,
  limitsView,
  messageTextsView,
  settingsView,
} from '../views/system.ts';

export function settingsRoutes(api: Api, context: Context): void {
  const { commit } = context;

  api.handle(readSettings, () => ({ success: true, settings: settingsView(context) }));

  api.handle(changeBranding, async ({ body, actor }) => {
    const branding = {
      businessName: body.business_name,
      logoUrl: body.logo_url ?? DEFAULT_BRANDING.logoUrl,
      primaryColor: body.primary_color,
      supportPhone: body.support_phone ?? DEFAULT_BRANDING.supportPhone,
      networkName: body.network_name ?? DEFAULT_BRANDING.networkName,
      termsUrl: body.terms_url ?? DEFAULT_BRANDING.termsUrl,
      language: body.language ?? DEFAULT_BRANDING.language,
    };
    await commit('changeBranding', { branding }, actor);
    return { success: true, message: 'The portal shows this now.', branding: brandingView(branding) };
  });

  api.handle(changeMessage, async ({ body: { language, kind, text = null }, actor }) => {
    await commit('changeMessage', { language, kind, text }, actor);
    const message = text === null ? 'The built-in words are sent again.' : 'From now on, this is sent.';
    return { success: true, message, messages: messageTextsView(context) };
  });

  api.handle(changeDevicePolicy, async ({ body, actor }) => {
    const change = { swap: body.device_swap, newDevices: body.new_devices };
    const policy = await commit('changeDevicePolicy', { change }, actor);
    return { success: true, message: 'This holds from now on.', devices: devicePolicyView(policy) };
  });

  api.handle(changeLimits, async ({ body, actor }) => {
    const limits = {
      defaultMaxDevices: body.default_max_devices ?? null,
      orderExpiryMinutes: body.order_expiry_minutes ?? null,
      smsPerNumberPerDay: body.sms_per_number_per_day ?? null,
      smsPerDay: body.sms_per_day ?? null,
    };
    await commit('changeLimits', { limits }, actor);
    return { success: true, message: 'These limits hold from now on.', limits: limitsView(context) };
  });

  api.handle(changeCashierRules, async ({ body, actor }) => {
    const rules = await commit('changeCashierRules', { change: camelCased(body) }, actor);
    const message = 'Cashiers are held to this from now on.';
    return { success: true, message, cashiers: cashierRulesView(rules) };
  });
}
