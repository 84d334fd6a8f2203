/** What the portal shows of the business. An addition to the interface. */
import { DEFAULT_BRANDING } from '../domain/settings.ts';
import type { Context } from './context.ts';
import { json } from './reply.ts';
import { type Api, route } from './route.ts';

/** The languages that the portal speaks. */
const LANGUAGES = ['en', 'sw', 'fr', 'pt', 'es', 'ar', 'hi'];

export function portalRoutes(api: Api, { reads, policy }: Context): void {
  api.get(
    '/portal/',
    route({ auth: 'none' }, () => {
      const branding = reads.settings.get('branding') ?? DEFAULT_BRANDING;
      return json(200, {
        business_name: branding.businessName,
        logo_url: branding.logoUrl,
        primary_color: branding.primaryColor,
        support_phone: branding.supportPhone,
        terms_url: branding.termsUrl,
        language: policy.language,
        languages: LANGUAGES,
        currency: policy.currency,
        time_zone: policy.timeZone,
      });
    }),
  );
}
