/** Is the appliance well. */
import * as v from 'valibot';

import { endpoint } from './endpoint.ts';
import * as value from './values.ts';

export const Health = v.object({
  status: v.picklist(['healthy', 'degraded']),
  timestamp: value.instant,
  version: value.string,
  service: v.literal('lango'),
  database: v.picklist(['connected', 'disconnected']),
  database_connected: value.boolean,
  problems: v.array(value.string),
  warnings: v.array(value.string),
});
export type Health = v.InferOutput<typeof Health>;

export const readHealth = endpoint({
  method: 'GET',
  path: '/health/',
  summary: 'Is the appliance well',
  auth: 'none',
  reply: Health,
});
