/** The provider's notifications as they arrived, for staff. */
import * as v from 'valibot';

import { endpoint } from './endpoint.ts';
import * as field from './fields.ts';
import * as value from './values.ts';

export const WebhookLog = v.object({
  id: value.id,
  payment_reference: value.string,
  payment_status: value.string,
  amount: value.number,
  phone_number: value.string,
  webhook_data: value.json,
  processed_at: value.instant,
  order_reference: v.nullable(value.string),
  outcome: v.picklist(['accepted', 'duplicate', 'unknown_order', 'refused']),
});
export type WebhookLog = v.InferOutput<typeof WebhookLog>;

export const listWebhookLogs = endpoint({
  method: 'GET',
  path: '/webhook-logs/',
  summary: "The provider's notifications, newest first; long ones shortened",
  auth: 'staff',
  query: v.object(field.slice),
  reply: v.array(WebhookLog),
});

export const readWebhookLog = endpoint({
  method: 'GET',
  path: '/webhook-logs/:log_id/',
  summary: 'A notification, whole',
  auth: 'staff',
  params: v.object({ log_id: field.idText }),
  reply: WebhookLog,
});
