/** The appliance itself: how it does, what it does by itself, and what it has sent. */
import * as v from 'valibot';

import { done, endpoint, found, paged } from './endpoint.ts';
import * as field from './fields.ts';
import { RouterState } from './routers.ts';
import { Clock, Connection, Provider, SMS_KINDS } from './settings.ts';
import * as value from './values.ts';

const Status = v.object({
  database_status: Connection,
  router_status: Connection,
  routers: v.array(RouterState),
  uptime: value.string,
  memory_usage: value.string,
  disk_usage: value.string,
  active_users: value.integer,
  payments_today: value.integer,
  revenue_today: value.number,
  refunds_today: value.number,
  payments_week: value.integer,
  revenue_week: value.number,
  refunds_week: value.number,
  total_users: value.integer,
  active_bundles: value.integer,
  pending_payments: value.integer,
  online: value.integer,
  problems: v.array(value.string),
  warnings: v.array(value.string),
  payment_provider: Provider,
});
export type Status = v.InferOutput<typeof Status>;

export const readStatus = endpoint({
  method: 'GET',
  path: '/admin/status/',
  summary: 'How the appliance and the business fare',
  auth: 'cashier',
  reply: found({ status: Status, timestamp: value.instant }),
});

/** What each event tells. */
export const LiveNumbers = v.object({
  /** People with paid time running. */
  active_users: value.integer,
  /** Devices with a session on the router. */
  online: value.integer,
  pending_payments: value.integer,
  payments_today: value.integer,
  /** Gross. */
  revenue_today: value.amount,
  refunds_today: value.amount,
  router: v.picklist(['connected', 'disconnected', 'not_configured']),
  problems: v.array(value.string),
});
export type LiveNumbers = v.InferOutput<typeof LiveNumbers>;

export const followEvents = endpoint({
  method: 'GET',
  path: '/admin/events/',
  summary: 'Live numbers as server-sent events: at once, on change, and every five seconds',
  auth: 'cashier',
  type: 'events',
  reply: value.string,
});

export const confirmClock = endpoint({
  method: 'POST',
  path: '/admin/clock/confirm/',
  summary: 'The clock on the wall is right, though it jumped',
  auth: 'owner',
  reply: done({ clock: Clock }),
});

export const Job = v.object({
  name: value.string,
  period_seconds: value.integer,
  last_finished_at: v.nullable(value.instant),
  last_error: v.nullable(value.string),
  late: value.boolean,
});
export type Job = v.InferOutput<typeof Job>;

export const listJobs = endpoint({
  method: 'GET',
  path: '/admin/jobs/',
  summary: 'What the appliance does by itself, and whether it does',
  auth: 'staff',
  reply: found({ jobs: v.array(Job) }),
});

export const SmsMessage = v.object({
  id: value.id,
  phone_number: value.phone,
  kind: v.picklist(SMS_KINDS),
  status: v.picklist(['queued', 'sending', 'sent', 'failed', 'uncertain', 'dropped']),
  text: value.string,
  attempts: value.integer,
  created_at: value.instant,
  sent_at: v.nullable(value.instant),
  message: v.nullable(value.string),
});
export type SmsMessage = v.InferOutput<typeof SmsMessage>;

export const listMessages = endpoint({
  method: 'GET',
  path: '/admin/sms/',
  summary: 'Messages and what became of them, newest first',
  auth: 'staff',
  query: v.object(field.pages),
  reply: paged('messages', SmsMessage, {}),
});

export const forceLogout = endpoint({
  method: 'POST',
  path: '/force-logout/',
  summary: "End a person's sessions; paid time runs on",
  auth: 'cashier',
  errors: 'router',
  body: v.object({ phone_number: field.routerUser }),
  reply: done({ router_response: value.string }),
});
