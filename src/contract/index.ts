/** Every endpoint, and the records that more than one of them tells. */
import * as auditLog from './audit-log.ts';
import * as bundles from './bundles.ts';
import * as devices from './devices.ts';
import type { Endpoint } from './endpoint.ts';
import { GenericError, RouterError, ValidationError, VoucherError } from './failures.ts';
import * as payments from './payments.ts';
import * as reports from './reports.ts';
import * as router from './router.ts';
import * as settings from './settings.ts';
import * as shifts from './shifts.ts';
import * as system from './system.ts';
import { Pagination } from './values.ts';
import * as batches from './voucher-batches.ts';
import * as vouchers from './vouchers.ts';
import * as webhookLogs from './webhook-logs.ts';

const resources = [
  auditLog,
  batches,
  bundles,
  devices,
  payments,
  reports,
  router,
  settings,
  shifts,
  system,
  vouchers,
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
  Branding: settings.Branding,
  Clock: settings.Clock,
  DevicePolicy: settings.DevicePolicy,
  Limits: settings.Limits,
  MessageText: settings.MessageText,
  Pagination,
  Device: devices.Device,
  RouterConfiguration: router.RouterConfiguration,
  RouterProfile: router.RouterProfile,
  RouterResources: router.RouterResources,
  RouterSession: router.RouterSession,
  RouterStep: router.RouterStep,
  Revenue: reports.Revenue,
  Shift: shifts.Shift,
  Voucher: vouchers.Voucher,
  VoucherBatch: batches.VoucherBatch,
  WebhookLog: webhookLogs.WebhookLog,
  ValidationError,
  Error: GenericError,
  RouterError,
  VoucherError,
};
