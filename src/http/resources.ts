/** Every resource of the API. */
import { adminRoutes } from './admin/admins.ts';
import { auditRoutes } from './admin/audit-log.ts';
import { adminBundleRoutes } from './admin/bundles.ts';
import { creditRoutes } from './admin/credits.ts';
import { deskRoutes } from './admin/desk.ts';
import { eventRoutes } from './admin/events.ts';
import { exportRoutes } from './admin/exports.ts';
import { adminPaymentRoutes } from './admin/payments.ts';
import { providerCheckRoutes } from './admin/provider-check.ts';
import { reportRoutes } from './admin/reports.ts';
import { adminRouterRoutes } from './admin/router.ts';
import { adminRouterPlanRoutes } from './admin/router-plan.ts';
import { adminRoutersRoutes } from './admin/routers.ts';
import { saleRoutes } from './admin/sales.ts';
import { settingsRoutes } from './admin/settings.ts';
import { shiftRoutes } from './admin/shifts.ts';
import { systemRoutes } from './admin/system.ts';
import { adminUserRoutes } from './admin/users.ts';
import { voucherBatchRoutes } from './admin/voucher-batches.ts';
import { voucherSaleRoutes } from './admin/voucher-sales.ts';
import { authRoutes } from './auth.ts';
import { bundleRoutes } from './bundles.ts';
import { captivePortalRoutes } from './captive-portal.ts';
import type { Context } from './context.ts';
import { deviceRoutes } from './devices.ts';
import { freeAccessRoutes } from './free-access.ts';
import { healthRoutes } from './health.ts';
import { hotspotRoutes } from './hotspot.ts';
import { parsersAt } from './parsers.ts';
import { paymentRoutes } from './payments.ts';
import { portalRoutes } from './portal.ts';
import { type Api, createApi } from './route.ts';
import { setupRoutes } from './setup.ts';
import { totpRoutes } from './totp.ts';
import { verifyRoutes } from './verify.ts';
import { voucherRoutes } from './vouchers.ts';
import { webhookLogRoutes } from './webhook-logs.ts';

const RESOURCES = [
  healthRoutes,
  authRoutes,
  verifyRoutes,
  bundleRoutes,
  freeAccessRoutes,
  paymentRoutes,
  deviceRoutes,
  voucherRoutes,
  hotspotRoutes,
  webhookLogRoutes,
  portalRoutes,
  setupRoutes,
  totpRoutes,
  captivePortalRoutes,
  adminBundleRoutes,
  adminUserRoutes,
  creditRoutes,
  adminPaymentRoutes,
  deskRoutes,
  saleRoutes,
  shiftRoutes,
  voucherBatchRoutes,
  voucherSaleRoutes,
  exportRoutes,
  adminRouterRoutes,
  adminRouterPlanRoutes,
  adminRoutersRoutes,
  settingsRoutes,
  systemRoutes,
  providerCheckRoutes,
  reportRoutes,
  adminRoutes,
  auditRoutes,
  eventRoutes,
];

export function createResources(context: Context): Api {
  const { defaultCountry: country, policy } = context;
  const api = createApi(parsersAt({ country, currency: policy.currency, timeZone: policy.timeZone }));
  for (const addRoutes of RESOURCES) addRoutes(api, context);
  return api;
}
