/** What the portal shows of the business. An addition to the interface. */
import { type PortalFacts, readPortal } from '../contract/portal.ts';
import type { Context } from './context.ts';
import type { Api } from './route.ts';
import { bundleForSaleView } from './views/bundles.ts';
import { portalView } from './views/portal.ts';

export function portalRoutes(api: Api, context: Context): void {
  api.handle(readPortal, () => ({ ...portalView(context), base_url: context.baseUrl }));
}

/** What stands in the portal's document, so that a phone need not ask for it. */
export function portalFacts(context: Context): PortalFacts {
  return { portal: portalView(context), bundles: context.reads.bundles.listActive().map(bundleForSaleView) };
}
