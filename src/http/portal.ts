/** What the portal shows of the business. An addition to the interface. */
import { LANGUAGES } from '../contract/settings.ts';
import { devicePolicyOf } from '../domain/device-policy.ts';
import { sellsOnline } from '../domain/orders.ts';
import { acceptedProofs } from '../domain/proofs.ts';
import { DEFAULT_BRANDING } from '../domain/settings.ts';
import type { Context } from './context.ts';
import type { PortalFacts } from './portal-page.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';
import { bundleForSaleView } from './views/bundles.ts';

export function portalRoutes(api: Api, context: Context): void {
  api.get(
    '/portal/',
    route({ auth: 'none' }, () => json(200, { ...portalView(context), base_url: context.baseUrl })),
  );
}

/** What the portal's document brings along, so that a phone need not ask for it. */
export function portalFacts(context: Context): PortalFacts {
  return { portal: portalView(context), bundles: context.reads.bundles.listActive().map(bundleForSaleView) };
}

function portalView({ reads, policy, configured }: Context) {
  const branding = reads.settings.get('branding') ?? DEFAULT_BRANDING;
  const devices = devicePolicyOf(reads);
  return {
    business_name: branding.businessName,
    logo_url: branding.logoUrl,
    primary_color: branding.primaryColor,
    support_phone: branding.supportPhone,
    terms_url: branding.termsUrl,
    language: branding.language ?? policy.language,
    languages: LANGUAGES,
    currency: policy.currency,
    time_zone: policy.timeZone,
    proofs: acceptedProofs(policy),
    device_swap: devices.swap,
    new_devices: devices.newDevices,
    payments: sellsOnline(policy),
    sandbox: configured.practicePayments,
  };
}
