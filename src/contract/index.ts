/** Every endpoint, and the records that more than one of them tells. */
import * as admins from './admins.ts';
import * as auditLog from './audit-log.ts';
import * as auth from './auth.ts';
import * as bundles from './bundles.ts';
import * as desk from './desk.ts';
import * as devices from './devices.ts';
import type { Endpoint } from './endpoint.ts';
import * as exports from './exports.ts';
import { GenericError, RouterError, ValidationError, VoucherError } from './failures.ts';
import * as grants from './grants.ts';
import * as health from './health.ts';
import * as hotspot from './hotspot.ts';
import * as payments from './payments.ts';
import * as portal from './portal.ts';
import * as reports from './reports.ts';
import * as router from './router.ts';
import * as routers from './routers.ts';
import * as sales from './sales.ts';
import * as settings from './settings.ts';
import * as shifts from './shifts.ts';
import * as system from './system.ts';
import * as users from './users.ts';
import { Pagination } from './values.ts';
import * as verify from './verify.ts';
import * as batches from './voucher-batches.ts';
import * as voucherSales from './voucher-sales.ts';
import * as vouchers from './vouchers.ts';
import * as webhookLogs from './webhook-logs.ts';

const resources = [
  admins,
  auditLog,
  auth,
  batches,
  bundles,
  desk,
  devices,
  exports,
  grants,
  health,
  hotspot,
  payments,
  portal,
  reports,
  router,
  routers,
  sales,
  settings,
  shifts,
  system,
  users,
  verify,
  vouchers,
  voucherSales,
  webhookLogs,
];

export const endpoints: readonly Endpoint[] = resources.flatMap(resource =>
  Object.values<unknown>(resource).filter(isEndpoint),
);

function isEndpoint(exported: unknown): exported is Endpoint {
  return typeof exported === 'object' && exported !== null && 'reply' in exported;
}

/** Named once in the OpenAPI document, and referred to everywhere else. */
export const records = {
  Admin: admins.Admin,
  Branding: settings.Branding,
  Clock: settings.Clock,
  DevicePolicy: settings.DevicePolicy,
  Limits: settings.Limits,
  MessageText: settings.MessageText,
  Pagination,
  Bundle: bundles.Bundle,
  Device: devices.Device,
  Grant: grants.Grant,
  Payment: payments.Payment,
  Refund: payments.Refund,
  RouterConfiguration: router.RouterConfiguration,
  RouterProfile: router.RouterProfile,
  RouterResources: router.RouterResources,
  RouterSession: router.RouterSession,
  RouterState: routers.RouterState,
  RouterStep: router.RouterStep,
  SiteRouter: routers.SiteRouter,
  Revenue: reports.Revenue,
  Shift: shifts.Shift,
  User: users.User,
  Voucher: vouchers.Voucher,
  VoucherBatch: batches.VoucherBatch,
  VoucherSale: voucherSales.VoucherSale,
  WebhookLog: webhookLogs.WebhookLog,
  ValidationError,
  Error: GenericError,
  RouterError,
  VoucherError,
};
